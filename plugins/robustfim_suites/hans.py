"""HANS: heuristics of natural language inference."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from robustfim.contract import FormatContract
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.roles import SourcedCheck
from robustfim_suites.cases import labelled, plain_name
from robustfim_suites.table import table

__all__ = ["Hans"]

_COLUMNS = ("gold_label", "sentence1", "sentence2", "pairID", "heuristic", "subcase", "template")


class Hans:
    """HANS (McCoy et al., ACL 2019): premises whose words, their order or a part of them make up the hypothesis.

    One check a heuristic and label, as ``evaluate_heur_output.py`` counts. What is no entailment has one label: a
    model's neutral and contradiction both count as it.
    """

    contract = FormatContract(
        title="HANS (McCoy et al., ACL 2019)",
        licence="MIT",
        labels=("entailment", "non-entailment"),
        slice_by=("heuristic", "subcase"),
    )

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``heuristics_evaluation_set.txt``.
        """
        tests: dict[tuple[str, str], list[tuple[Example, str]]] = {}
        for place, row in table(path, _COLUMNS, tabs=True, quotes=False):
            label = row["gold_label"]
            if label not in self.contract.labels:
                raise DataError(f"{place}: the label {label!r} is none of {', '.join(self.contract.labels)}.")
            told = {name: row[name] for name in ("heuristic", "subcase", "template")}
            told["cluster"] = row["template"]  # sentences of one template are not independent
            example = Example({"premise": row["sentence1"], "hypothesis": row["sentence2"]}, None, told)
            tests.setdefault((row["heuristic"], label), []).append((example, label))
        for (heuristic, label), rows in tests.items():
            yield labelled(plain_name(f"{heuristic}.{label}"), rows, capability=heuristic)
