"""Contrast sets: originals, and what experts made of them so that the label changes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from robustfim.contract import FormatContract
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.roles import SourcedCheck
from robustfim_suites.cases import Pair, label_of, pair_checks
from robustfim_suites.table import json_file, table

__all__ = ["ContrastBoolq", "ContrastSets"]

_TITLE = "Contrast sets (Gardner et al., Findings of EMNLP 2020)"
_LICENCE = "not stated in the release; ask its authors"


class ContrastSets:
    """The contrast sets of IMDb: two files, whose rows with one number belong together."""

    contract = FormatContract(title=f"{_TITLE}: IMDb", licence=_LICENCE, labels=("negative", "positive"))

    def files(self, path: Path) -> list[Path]:
        """List the files that are read: the originals, and the edited ones beside them."""
        return [path, path.with_name(path.name.replace("original", "contrast"))]

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``test_original.tsv`` or ``dev_original.tsv``; the file with ``contrast`` in its name stands beside
                it.
        """
        if "original" not in path.name:
            raise DataError(f"{path}: name the file of the originals, test_original.tsv; test_contrast.tsv beside it.")
        before, after = (
            [_review(place, row) for place, row in table(each, ("Sentiment", "Text"), tabs=True)]
            for each in self.files(path)
        )
        if len(before) != len(after):
            raise DataError(f"{path} has {len(before)} rows, and the edited ones are {len(after)}.")
        return pair_checks(list(zip(before, after, strict=True)))


class ContrastBoolq:
    """The contrast sets of BoolQ: further questions about one paragraph, with the same answer or the other.

    ``consistency`` counts a question with all that were made of it as one set.
    """

    contract = FormatContract(title=f"{_TITLE}: BoolQ", licence=_LICENCE, labels=("false", "true"))

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``boolq_perturbed.json``. Entries without a true or false answer are left out.
        """
        entries = json_file(path)
        entries = entries.get("data") if isinstance(entries, dict) else None
        if not isinstance(entries, list):
            raise DataError(f"{path}: no list 'data' of paragraphs with their questions.")
        pairs: list[Pair] = []
        for number, entry in enumerate(entries, start=1):
            try:
                before = _question(entry["question"], entry["paragraph"], entry["answer"])
                after = [
                    _question(each["perturbed_q"], entry["paragraph"], each["answer"])
                    for each in entry["perturbed_questions"]
                ]
            except (KeyError, TypeError, AttributeError) as error:
                raise DataError(f"{path}: paragraph {number} lacks {error}.") from None
            pairs += [(before, each) for each in after if before is not None and each is not None]
        if not pairs:
            raise DataError(f"{path} has no question with a true or false answer.")
        return pair_checks(pairs)


def _review(place: str, row: dict[str, str]) -> Example:
    label = label_of(row["Sentiment"].lower(), {each: each for each in ContrastSets.contract.labels}, place)
    return Example({"text": row["Text"]}, None, {"gold": label})


def _question(question: str, passage: str, answer: str) -> Example | None:
    if answer not in ("TRUE", "FALSE") or not question.strip():
        return None
    return Example({"question": question, "passage": passage}, None, {"gold": answer.lower()})
