"""PAWS: paraphrases and what only looks like them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from robustfim.contract import FormatContract
from robustfim.example import Example
from robustfim.roles import SourcedCheck
from robustfim_suites.cases import label_of, labelled
from robustfim_suites.table import table

__all__ = ["Paws"]


class Paws:
    """PAWS (Zhang et al., NAACL 2019): pairs of sentences with the same words, of which some mean the same.

    One check a label: what is no paraphrase, and what is one.
    """

    contract = FormatContract(
        title="PAWS (Zhang et al., NAACL 2019)",
        licence="free for any purpose, with acknowledgement of Google LLC as the source",
        labels=("different", "paraphrase"),
    )

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``test.tsv`` or ``dev.tsv``.
        """
        names = dict(zip("01", self.contract.labels, strict=True))
        tests: dict[str, list[tuple[Example, str]]] = {label: [] for label in self.contract.labels}
        for place, row in table(path, ("id", "sentence1", "sentence2", "label"), tabs=True, quotes=False):
            label = label_of(row["label"], names, place)
            example = Example({"sentence1": row["sentence1"], "sentence2": row["sentence2"]}, None, {"gold": label})
            tests[label].append((example, label))
        return [labelled(label, rows) for label, rows in tests.items() if rows]
