"""What may be a shortcut in a text: its words and n-grams, its length, its punctuation and its format."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import quantiles
from typing import TYPE_CHECKING, Any

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim_cues.choices.tokens import ngrams, words

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["FORMS", "Occurring", "occurring"]

FORMS: Mapping[str, re.Pattern[str]] = {
    "[URL]": re.compile(r"\b(?:https?://|www\.)\S"),
    "[HTML]": re.compile(r"</?[A-Za-z][^<>]*>"),
    "[Markdown]": re.compile(r"^(?:#{1,6}|[-*+]|\d+\.|>)\s|```|\*\*\S|\]\(", re.MULTILINE),
    "[word in capitals]": re.compile(r"\b[^\W\d_a-z]{3,}\b"),
    "[no capital]": re.compile(r"\A[^A-Z]*\Z"),
    "[digit]": re.compile(r"\d"),
    "[line break]": re.compile(r"\n"),
}
"""Formats of a text, by the name of the cue. A word has no bracket, so that no cue has two meanings."""

_MARK = re.compile(r"[^\w\s]")


@dataclass(frozen=True)
class Occurring:
    """Which cue stands in which example.

    Attributes:
        names: The cues, ``[cues]``.
        rows: 1 where the cue stands in the example, a sparse matrix ``[examples, cues]``.
    """

    names: tuple[str, ...]
    rows: Any

    def counts(
        self, source: npt.NDArray[np.int64], label: npt.NDArray[np.int64], kept: npt.NDArray[np.bool_]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Count in how many examples of each source and label each cue stands.

        Args:
            source: The place of the source of each example, ``[examples]``.
            label: The place of its label, ``[examples]``.
            kept: Which examples count, ``[examples]``.

        Returns:
            The counts, ``[cues, sources, labels]``, and all examples, ``[sources, labels]``.
        """
        import numpy as np

        sources, labels = int(source.max()) + 1, int(label.max()) + 1
        cell = np.zeros((len(source), sources * labels), dtype=np.int64)
        cell[np.arange(len(source)), source * labels + label] = kept
        counts = np.asarray(self.rows.T @ cell, dtype=np.int64)
        return counts.reshape(-1, sources, labels), cell.sum(axis=0).reshape(sources, labels)

    def without(self, found: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Tell which cues are none of some, and hold none of them: ``was`` goes with ``was a``."""
        import numpy as np

        exact, grams = set(found), {tuple(_words(each)) for each in found if "[" not in each}
        longest = max(map(len, grams), default=0)

        def holds(name: str) -> bool:
            own = _words(name)
            spans = ((at, at + size) for size in range(1, longest + 1) for at in range(len(own) - size + 1))
            return name in exact or any(tuple(own[low:high]) in grams for low, high in spans)

        return np.array([not holds(name) for name in self.names], dtype=bool)


def occurring(examples: Sequence[Example], *, longest: int = 2, minimum: int = 5) -> Occurring:
    """Find the cues of some texts, without their labels.

    Args:
        examples: Examples with the same fields; of several fields a cue is written ``field:cue``.
        longest: The largest n of n-grams, ≥ 1.
        minimum: The fewest examples in which a cue stands, ≥ 1.

    Raises:
        UsageError: scikit-learn is missing.
    """
    try:
        from sklearn.feature_extraction import DictVectorizer
    except ModuleNotFoundError as error:
        raise UsageError(f"this needs {error.name}: pip install 'robustfim[cues]'.") from error
    import numpy as np

    several = len(examples[0].fields) > 1
    bags: list[dict[str, int]] = [{} for _ in examples]
    for field in examples[0].fields:
        texts = [example.fields[field] for example in examples]
        sizes = [len(words(text)) for text in texts]
        # Quartiles of all texts; equal ones fall together where many lengths are the same.
        cuts = sorted({round(cut) for cut in quantiles(sizes, n=4)})
        for bag, text, size in zip(bags, texts, sizes, strict=True):
            found = {*ngrams(text, longest), *(f"[{mark}]" for mark in _MARK.findall(text)), _length(size, cuts)}
            found |= {name for name, form in FORMS.items() if form.search(text)}
            bag.update(dict.fromkeys((f"{field}:{cue}" for cue in found) if several else found, 1))
    vectorizer = DictVectorizer(dtype=np.int64)
    rows = vectorizer.fit_transform(bags).tocsr()
    often = np.asarray(rows.sum(axis=0)).ravel()
    kept = np.flatnonzero((often >= minimum) & (often < len(examples)))
    names = vectorizer.get_feature_names_out()
    return Occurring(tuple(str(names[place]) for place in kept), rows[:, kept])


def _words(cue: str) -> list[str]:
    field, parted, gram = cue.rpartition(":")
    return [f"{field}{parted}{word}" for word in gram.split(" ")]


def _length(size: int, cuts: Sequence[int]) -> str:
    place = bisect_right(cuts, size)
    if place == 0:
        return f"[under {cuts[0]} words]"
    return (
        f"[{cuts[place - 1]} words or more]"
        if place == len(cuts)
        else f"[{cuts[place - 1]} to {cuts[place] - 1} words]"
    )
