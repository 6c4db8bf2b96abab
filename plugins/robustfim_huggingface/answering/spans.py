"""Answer spans: from start and end logits to the likeliest answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from robustfim.prediction import normal_form

__all__ = ["Window", "best_answers"]

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Window:
    """A section of a context that the model reads in one pass.

    Attributes:
        starts: For each token, the logit that the answer starts there, ``[tokens]``.
        ends: For each token, the logit that the answer ends there, ``[tokens]``.
        offsets: The character range of each token in the context (first character, one past the last), ``[tokens, 2]``;
            (0, 0) for tokens outside the context.
        none: The logit that the window has no answer, taken at the window's first special token.
    """

    starts: Array
    ends: Array
    offsets: npt.NDArray[np.int64]
    none: float


def best_answers(
    context: str, windows: Sequence[Window], *, most_tokens: int, unanswerable: bool, count: int
) -> list[tuple[str, float]]:
    """Return the likeliest answers, given the logits of all windows of a context.

    The score of a span is the sum of its two logits (Devlin et al. 2019), the largest over all windows with this span.
    The score of "no answer" is the smallest over all windows, as in the evaluation of SQuAD 2. Probabilities are the
    softmax of the scores of all spans. Of several spans with the same normal form, only the likeliest is kept.

    Args:
        context: The context.
        windows: The windows of the context, at least one.
        most_tokens: The most tokens of an answer.
        unanswerable: Whether "no answer" (``""``) counts as an answer.
        count: The largest number of answers.

    Returns:
        Answers with probabilities, the likeliest first. Equally likely answers come in the order of the context. The
        list is empty if a logit is not finite. A context without tokens has the answer ``""``.
    """
    wide = len(context) + 1
    found = [_spans(window, most_tokens, wide) for window in windows]
    keys = np.concatenate([pair[0] for pair in found])
    scores = np.concatenate([pair[1] for pair in found])
    none = min(window.none for window in windows)
    if not (np.isfinite(scores).all() and np.isfinite(none)):
        return []
    spans, places = np.unique(keys, return_inverse=True)
    best = np.full(len(spans), -np.inf)
    np.maximum.at(best, places, scores)
    if unanswerable or not len(spans):
        spans, best = np.concatenate([[0], spans]), np.concatenate([[none], best])
    weights = np.exp(best - best.max())
    weights /= weights.sum()
    answers: dict[str, tuple[str, float]] = {}
    for index in np.argsort(-best, kind="stable"):
        text = context[spans[index] // wide : spans[index] % wide]
        answers.setdefault(normal_form(text), (text, float(weights[index])))
        if len(answers) == count:
            break
    return list(answers.values())


def _spans(window: Window, most_tokens: int, wide: int) -> tuple[npt.NDArray[np.int64], Array]:
    """List the spans of a window, first character · ``wide`` + end, and their scores; both ``[spans]``."""
    (tokens,) = np.nonzero(window.offsets[:, 0] < window.offsets[:, 1])
    first, last = np.meshgrid(tokens, tokens, indexing="ij")
    allowed = (last >= first) & (last < first + most_tokens)
    first, last = first[allowed], last[allowed]
    keys = window.offsets[first, 0] * wide + window.offsets[last, 1]
    return keys, window.starts[first] + window.ends[last]
