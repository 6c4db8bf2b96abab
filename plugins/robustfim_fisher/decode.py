"""Decode the top eigenvector: find texts whose change of the embedding is closest to the eigenvector's direction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from math import isnan
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, cast

from pydantic import PositiveInt

from robustfim.candidate import Candidate, Edit
from robustfim.contract import Contract
from robustfim.errors import PluginError, UsageError, did_you_mean, shown
from robustfim.example import Example
from robustfim.propose import compose_guided
from robustfim.roles import Context, DifferentiableModel, Tensor
from robustfim.words import word_spans

if TYPE_CHECKING:
    from robustfim_fisher.word_table import WordTable

__all__ = ["Decode"]

SOURCES = ("vocabulary", "data")


class Decode:
    """Swaps words so that the embedding moves as far as it can along ± the top eigenvector of the Fisher information.

    Let e be the unit eigenvector and Δ the change of the embedding. Candidates are ordered by |⟨e, Δ⟩|, the largest
    first. If one word is swapped for w, ⟨e, Δ⟩ = (e_w − e_word) · v, where v is the part of e at the word's tokens. The
    projections of several words add up, and signs are never mixed. ``+`` is the direction in which the predicted label
    loses probability. Each edit reports its projection ⟨e, Δ⟩ and the cosine of the angle between Δ and e.

    When words are chosen, a word of several tokens is represented by their mean. The reported numbers and the order are
    computed on the resulting text, with tokens paired as for ``order: guided``. Any word may replace any other, so the
    texts show how the model works and need not be English. ``constrain: [same_part_of_speech]`` keeps them closer to
    English. Articles are not adjusted.

    Args:
        from_: ``vocabulary`` for the words of the model's vocabulary (if it has subwords, only those that are words of
            the run's texts), ``data`` for the words of the run's texts, a file with one word a line, or a list of
            words.
        pool: Replacements offered for each word and sign, those with the largest projections, at least 1.

    Raises:
        UsageError: The source of words does not exist.
    """

    contract = Contract(noise=True)

    def __init__(self, from_: Path | str | list[str] = "vocabulary", pool: PositiveInt = 4) -> None:
        if isinstance(from_, str) and from_ not in SOURCES:
            raise UsageError(
                f"from: there is no file {shown(from_)}."
                f"{did_you_mean(from_, SOURCES)} There is 'vocabulary' (the model's), "
                "'data' (the words of the run's texts), a file with one word a line, or a list of words."
            )
        if isinstance(from_, Path) and not from_.is_file():
            raise UsageError(f"from: there is no file {from_}; it has one word a line.")
        self.source, self.pool = from_, pool
        self._context: Context | None = None
        self._table: WordTable | None = None
        self._worth: dict[tuple[str, Edit], float] = {}

    def prepare(self, context: Context) -> None:
        """Collect the words and embed them.

        Raises:
            ModelError: The model has no gradients, or does not give its vocabulary.
            UsageError: The words cannot be read, or the model knows fewer than two of them.
        """
        _ = context.geometry  # Refuses a model without gradients.
        from robustfim_fisher.word_table import WordTable

        self._context, self._worth = context, {}
        self._table = WordTable.of(context, self.source)

    def foresee(self, examples: Sequence[Example]) -> None:
        """Compute the gradients of a block of examples together."""
        self._ready()[0].geometry.at(examples)
        self._worth = {}

    def edits(self, example: Example, random: Random) -> Iterable[Edit]:
        """List the replacements of each word with the largest projections, of both signs."""
        context, table = self._ready()
        from robustfim_fisher.shifts import embedding_shifts

        singles = []
        for name, start, end, direction in _directions(context, example):
            before = example.fields[name][start:end]
            # The term − Σ v_a · e_a of a projection is the same for every replacement, and changes no rank.
            found = dict.fromkeys(_cased(word, before) for word in table.aligned(direction, self.pool))
            singles += [
                Candidate(example, (Edit(name, start, end, before, after),))
                for after in found
                if after.casefold() != before.casefold()
            ]
        shifts = embedding_shifts(context.model, context.geometry, singles, tokens="text")
        for single, shift in zip(singles, shifts, strict=True):
            if not isnan(shift.cosine):
                (bare,) = single.edits
                projection = shift.norm * shift.cosine
                origin = f"decode: {projection:+.3g} along the eigenvector, cosine {shift.cosine:+.2f}"
                edit = Edit(bare.field, bare.start, bare.end, bare.before, bare.after, origin)
                self._worth[example.id, edit] = projection
                yield edit

    def combine(self, example: Example, edits: Sequence[Edit], words: int) -> Iterator[Candidate]:
        """Combine edits of one sign, the largest summed projection first."""
        worth = {edit: self._worth[example.id, edit] for edit in edits}

        def one_way(sign: int) -> Iterator[Candidate]:
            aligned = [edit for edit in edits if sign * worth[edit] > 0]
            return compose_guided(example, aligned, words, [sign * worth[edit] for edit in aligned])

        return merge(one_way(1), one_way(-1), key=lambda candidate: -abs(sum(worth[edit] for edit in candidate.edits)))

    def _ready(self) -> tuple[Context, WordTable]:
        if self._context is None or self._table is None:
            raise PluginError("the perturbation 'decode' was used before prepare(context)")
        return self._context, self._table


def _directions(context: Context, example: Example) -> Iterator[tuple[str, int, int, Tensor]]:
    """Yield each word's place, and the sum of the eigenvector over its tokens ``[dims]``; not words without a token."""
    (point,) = context.geometry.at([example])
    embedded = cast(DifferentiableModel, context.model).embed([example])
    read = embedded.mask[0].tolist()
    spans = [span for span, kept in zip(embedded.spans[0], read, strict=False) if kept]
    vector = point.eigenvector
    for name, text in example.fields.items():
        for start, end in word_spans(text):
            rows = [
                row for row, span in enumerate(spans) if span and span[0] == name and start <= span[1] < span[2] <= end
            ]
            if rows and any(map(str.isalpha, text[start:end])):
                yield name, start, end, vector[rows].sum(0)


def _cased(word: str, before: str) -> str:
    """Give a replacement the capitals of the word it replaces."""
    if len(before) > 1 and before.isupper():
        return word.upper()
    return word[:1].upper() + word[1:] if before[:1].isupper() else word
