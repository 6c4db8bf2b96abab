"""Counterfactually augmented data."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from robustfim.contract import FormatContract
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.roles import SourcedCheck
from robustfim_suites.cases import Pair, label_of, pair_checks
from robustfim_suites.table import Row, table

__all__ = ["CounterfactualNli", "CounterfactualReviews"]

_TITLE = "Counterfactually augmented data (Kaushik et al., ICLR 2020)"
_NLI = {each: each for each in ("entailment", "neutral", "contradiction")}


class CounterfactualReviews:
    """Reviews, and what people made of them so that the label changes: rows with one ``batch_id`` are a pair.

    The release does not say which of the two is the original; the first row is taken for it.
    """

    contract = FormatContract(title=f"{_TITLE}: IMDb", licence="Apache-2.0", labels=("negative", "positive"))

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``sentiment/combined/paired/test_paired.tsv`` or another.
        """
        groups: dict[str, list[Example]] = {}
        for place, row in table(path, ("Sentiment", "Text", "batch_id"), tabs=True):
            label = label_of(row["Sentiment"].lower(), {each: each for each in self.contract.labels}, place)
            example = Example({"text": row["Text"]}, None, {"gold": label})
            groups.setdefault(row["batch_id"], []).append(example)
        for name, group in groups.items():
            if len(group) != 2:
                raise DataError(f"{path}: the batch {name} has {len(group)} rows instead of two.")
        return pair_checks([(group[0], group[1]) for group in groups.values()])


class CounterfactualNli:
    """Premises or hypotheses, and what people made of them: of each original one text for each other label."""

    contract = FormatContract(title=f"{_TITLE}: SNLI", licence="Apache-2.0", labels=tuple(_NLI))

    def files(self, path: Path) -> list[Path]:
        """List the files that are read: the revised ones, and their originals."""
        return [path, path.parent.parent / "original" / path.name]

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``NLI/revised_premise/test.tsv`` or ``NLI/revised_hypothesis/test.tsv``; the originals stand in
                ``NLI/original``.
        """
        columns = ("sentence1", "sentence2", "gold_label")
        revised, originals = (table(each, columns, tabs=True) for each in self.files(path))
        if len(revised) != 2 * len(originals):
            raise DataError(
                f"{path} has {len(revised)} rows for {len(originals)} originals; it must have two for each: name a "
                "file of revised_premise or revised_hypothesis."
            )
        pairs: list[Pair] = []
        for number, (place, row) in enumerate(revised):
            before, after = _pair(originals[number // 2]), _pair((place, row))
            if not {*before.fields.values()} & {*after.fields.values()}:
                raise DataError(f"{place} shares neither sentence with row {number // 2 + 1} of the originals.")
            pairs.append((before, after))
        return pair_checks(pairs)


def _pair(row: Row) -> Example:
    place, values = row
    label = label_of(values["gold_label"], _NLI, place)
    return Example({"premise": values["sentence1"], "hypothesis": values["sentence2"]}, None, {"gold": label})
