"""One label for everything: a model that says so is loaded wrongly, or is none."""

from __future__ import annotations

from collections.abc import Sequence

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.prediction import Prediction

__all__ = ["refuse_one_label"]

_ENOUGH = 20
"""Examples after which one label for all of them is no accident."""


def refuse_one_label(pairs: Sequence[tuple[Example, Prediction]]) -> None:
    """Refuse a model that says the same of everything: it would pass whatever asks that its label stays.

    Args:
        pairs: Examples with their predictions.

    Raises:
        ModelError: All of at least 20 examples got one label, and their gold labels are not one.
    """
    said = {prediction.label for _, prediction in pairs}
    gold = {example.label for example, _ in pairs if example.label is not None}
    if len(pairs) >= _ENOUGH and len(said) == 1 and len(gold) != 1:
        raise ModelError(
            f"the model gives the label {said.pop()!r} to all of {len(pairs):,} examples, so that nothing could change "
            "its mind. Is it loaded and are its labels mapped as they should be? 'robustfim doctor' looks at both; "
            "'one_label: true' in the suite tests it all the same."
        )
