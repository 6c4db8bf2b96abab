"""Adversarial NLI."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from robustfim.contract import FormatContract
from robustfim.example import Example
from robustfim.roles import SourcedCheck
from robustfim_suites.cases import label_of, labelled
from robustfim_suites.table import json_lines

__all__ = ["AdversarialNli"]

_LABELS = {"e": "entailment", "n": "neutral", "c": "contradiction"}


class AdversarialNli:
    """Adversarial NLI (Nie et al., ACL 2020): hypotheses that people wrote until a model was wrong.

    One check a label. A round is a file; import each.
    """

    contract = FormatContract(
        title="Adversarial NLI (Nie et al., ACL 2020)",
        licence="CC BY-NC 4.0",
        labels=tuple(_LABELS.values()),
        slice_by=("genre",),
    )

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``R1/test.jsonl`` or another.
        """
        tests: dict[str, list[tuple[Example, str]]] = {label: [] for label in self.contract.labels}
        for place, row in json_lines(path, ("uid", "context", "hypothesis", "label")):
            label = label_of(row["label"], _LABELS, place)
            told: dict[str, Any] = {name: row[name] for name in ("genre", "model_label") if name in row}
            example = Example({"premise": str(row["context"]), "hypothesis": str(row["hypothesis"])}, None, told)
            tests[label].append((example, label))
        return [labelled(label, rows) for label, rows in tests.items() if rows]
