"""What CheckList does, written out literally: the notebook of its sentiment suite and ``checklist/expect.py``.

Ribeiro et al. 2020, "Beyond Accuracy: Behavioral Testing of NLP Models with CheckList", https://aclanthology.org/2020.acl-main.442.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["failing_cases", "three_classes"]


def three_classes(positive: Any) -> Any:
    """``[texts]`` probabilities of positive to ``[texts, 3]``: neutral where they are within a sixth of 1/2."""
    margin = 1 / 3.0
    rows = np.zeros((len(positive), 3))
    outside = np.abs(positive - 0.5) > margin / 2
    rows[outside, 0], rows[outside, 2] = 1 - positive[outside], positive[outside]
    for inside, side in (
        (~outside & (positive >= 0.5), 2),
        (~outside & (positive < 0.5), 0),
    ):
        rows[inside, 1] = 1 - (1 / margin) * np.abs(positive[inside] - 0.5)
        rows[inside, side] = 1 - rows[inside, 1]
    return rows


def failing_cases(test: dict[str, Any], predict: Callable[[list[str]], Any], tolerance: float = 0.0) -> list[bool]:
    """Tell which cases of a test fail.

    Args:
        test: A line of the file.
        predict: Texts to probabilities of positive.
        tolerance: Of an INV, as in ``Expect.inv(tolerance)``.
    """
    failing = []
    for number, item in enumerate(test["data"]):
        confs = three_classes(predict(item if isinstance(item, list) else [item]))
        preds = confs.argmax(axis=1)
        if test["type"] == "MFT":
            labels = test["labels"]
            label = labels[number] if isinstance(labels, list) else labels
            passed = [pred == label for pred in preds]
        elif test["type"] == "INV":
            passed = [
                pred == preds[0] or (tolerance > 0 and abs(conf[preds[0]] - confs[0][preds[0]]) <= tolerance)
                for pred, conf in zip(preds[1:], confs[1:], strict=True)
            ]
        else:
            sign = 1 if "positive" in test["name"] else -1
            changes = [sign * (confs[0][0] - conf[0] + conf[2] - confs[0][2]) for conf in confs[1:]]
            passed = [change + 0.1 >= 0 for change in changes]
        failing.append(not all(passed))
    return failing
