"""Checks of a model's output, whether the output comes from the model or from the store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robustfim.errors import ModelError
from robustfim.prediction import MOST_ANSWERS

__all__ = ["agree", "kept_answers", "kept_row", "read_answers", "read_rows"]

_SUM_TOLERANCE = 1e-3
_WHOLE = 1e-6
"""The largest deviation of a row's sum from 1 that is ignored; other rows are divided by their sum."""
_MOST_ROUNDING = 0.1
_AGREEMENT = 1e-3
"""The tolerance for two answers of one model to one text, since batches and threads change the last digits."""
_DIGITS = 1e-4
"""The relative tolerance for two numbers (absolute below 1)."""


def read_rows(raw: Any, expected: int, labels: Sequence[str], *, several: bool = False) -> list[list[float] | None]:
    """Check the probabilities that a model returns for a batch: shape, finiteness, range and sums.

    Args:
        raw: The output: an array or nested lists, ``[examples, classes]``.
        expected: The number of examples in the batch.
        labels: The model's labels.
        several: Whether labels are independent, so that a row need not sum to 1.

    Returns:
        One row per example, divided by its sum if that is rounded; None for a row with a number that is not finite.

    Raises:
        ModelError: The output cannot be read as probabilities.
    """
    try:
        values = np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:  # a float holds no integer of 400 digits
        raise ModelError(
            f"the model must return probabilities [examples, classes], not {type(raw).__name__}: {error}"
        ) from error
    shape = (expected, len(labels))
    if values.shape != shape:
        raise ModelError(
            f"the model returned an array of shape {list(values.shape)} for {expected} texts and "
            f"{len(labels)} labels {list(labels)}; it must be {list(shape)}."
        )
    finite = np.asarray(np.isfinite(values).all(axis=1))
    good = values[finite]
    sums = np.ones(len(good)) if several else good.sum(axis=1)
    too_much = good.max(axis=1) - 1 if several else abs(sums - 1)
    for place in [] if several else np.flatnonzero(too_much > _SUM_TOLERANCE):
        too_much[place] *= too_much[place] > _rounding(good[place])
    off = np.maximum(too_much, -good.min(axis=1))
    if (off > _SUM_TOLERANCE).any():
        worst = good[int(off.argmax())]
        raise ModelError(
            f"the model returned {np.round(worst, 4).tolist()}, which are not probabilities"
            f"{'' if several else ' that sum to 1'}. Logits? Apply a {'sigmoid' if several else 'softmax'}, or say "
            "'logits: true' where the model has that option."
            + ("" if several else " Several labels at once? Say 'decide: {each: {LABEL: 0.5, …}}'.")
        )
    rows = iter((good / np.where(abs(sums - 1) > _WHOLE, sums, 1)[:, None]).tolist())
    return [next(rows) if ok else None for ok in finite.tolist()]


def _rounding(row: NDArray[np.float64]) -> float:
    """Return the largest deviation of a row's sum from 1 by rounding: half of each last place, or as in bfloat16.

    bfloat16 has 8 significant bits, so that a number is off by 2⁻⁸ of it, and so is the sum that it was divided by.
    """
    binary = 0.0 if (row.astype(np.float32).view(np.uint32) & 0xFFFF).any() else 2**-7
    places = next((each for each in range(2, 7) if (abs(row - row.round(each)) < 1e-7).all()), None)
    decimal = 0.0 if places is None else min(len(row) * 0.5 * 10**-places, _MOST_ROUNDING)
    return max(binary, decimal + _WHOLE)


def read_answers(raw: Any, expected: int) -> list[list[tuple[str, float]] | None]:
    """Check the answers in free text that a model returns for a batch: shape, types, range and sums.

    Args:
        raw: For each example, its answers with their probabilities.
        expected: The number of examples in the batch.

    Returns:
        The likeliest answers of each example; None for an example without answers, or with a number that is not finite.

    Raises:
        ModelError: The output cannot be read as answers.
    """
    try:
        rows = [[(str(text), float(number)) for text, number in row] for row in raw]
    except (TypeError, ValueError, OverflowError) as error:
        raise ModelError(
            f"the model must return answers, a list of (text, probability) for each example: {error}"
        ) from error
    if len(rows) != expected:
        raise ModelError(f"the model returned answers for {len(rows)} of {expected} examples.")
    finite = [row if all(math.isfinite(number) for _, number in row) else [] for row in rows]
    for row in finite:
        numbers = [number for _, number in row]
        most = 1 + max(_SUM_TOLERANCE, _rounding(np.array(numbers)))
        if any(number < 0 for number in numbers) or sum(numbers) > most:
            raise ModelError(f"the model returned {row[:3]}, whose numbers are no probabilities that sum to 1 or less.")
    return [row[:MOST_ANSWERS] or None for row in finite]


def kept_row(stored: Any, labels: Sequence[str], *, several: bool = False) -> list[float]:
    """Check a row of probabilities from the prediction store, as strictly as a row from the model.

    Args:
        stored: The value in the store.
        labels: The model's labels.
        several: Whether labels are independent, so that the row need not sum to 1.

    Raises:
        ValueError: The value is not a row of probabilities.
    """
    if not isinstance(stored, list) or len(stored) != len(labels):
        raise ValueError("another number of classes")
    if not all(type(number) in (int, float) for number in stored):
        raise ValueError("no row of numbers")
    try:
        row = [float(number) for number in stored]
    except OverflowError as error:
        raise ValueError("a number too large for a probability") from error
    whole = max(row) if several else sum(row)
    most = whole - 1 <= _SUM_TOLERANCE if several else abs(whole - 1) <= 2 * _WHOLE
    if not min(row) >= -_SUM_TOLERANCE or not most:  # or NaN
        raise ValueError("no probabilities" if several else "no probabilities that sum to 1")
    return row


def kept_answers(stored: Any) -> list[tuple[str, float]]:
    """Check answers in free text from the prediction store, as strictly as answers from the model.

    Args:
        stored: The value in the store.

    Returns:
        The answers with their probabilities.

    Raises:
        ValueError: The value holds no answers.
    """
    try:
        (answers,) = read_answers([stored], 1)
    except ModelError as error:
        raise ValueError(str(error)) from error
    if answers is None or not all(isinstance(text, str) for text, _ in stored):
        raise ValueError("no answers")
    return answers


def agree(was: Any, now: Any) -> bool:
    """Return whether two answers of one model to one text are equal, except for the last digits.

    Args:
        was: A row of probabilities, answers in free text, or None.
        now: The other answer, of the same kind.

    Returns:
        Whether all probabilities differ by at most 0.001; for answers in free text, whether the probability of the
        first answer of ``was`` differs by at most 0.001. Answers that are numbers with a decimal point are equal if
        they differ by at most 0.01 %.
    """
    if was is None or now is None:
        return was is now
    if isinstance(was[0], float | int):
        return all(abs(one - other) <= _AGREEMENT for one, other in zip(was, now, strict=True))
    text, number = was[0]
    if _close(text, now[0][0]):
        return True
    return bool(abs(dict(now).get(text, math.inf) - number) <= _AGREEMENT)


def _close(text: str, other: str) -> bool:
    """Whether two answers are numbers that only rounding tells apart; whole ones are names as often."""
    try:
        first, second = float(text), float(other)
    except ValueError:
        return False
    fraction = any(mark in text + other for mark in ".e")
    return fraction and math.isclose(first, second, rel_tol=_DIGITS, abs_tol=_DIGITS)
