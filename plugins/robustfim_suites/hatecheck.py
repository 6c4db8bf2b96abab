"""HateCheck and its multilingual versions."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from robustfim.contract import FormatContract
from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.roles import SourcedCheck
from robustfim_suites.cases import labelled, paired, plain_name
from robustfim_suites.table import table

__all__ = ["HateCheck"]

_COLUMNS = ("functionality", "test_case", "label_gold", "target_ident", "ref_case_id", "templ_id")


class HateCheck:
    """HateCheck's test cases (Röttger et al., ACL 2021), or those of Multilingual HateCheck (Röttger et al. 2022).

    One check a functionality, in which each case must get its label, and one for its pairs with the cases from which
    they were made: the label must stay where both have one, and change where they differ.
    """

    contract = FormatContract(
        title="HateCheck (Röttger et al., ACL 2021; multilingual: WOAH 2022)",
        licence="CC BY 4.0",
        labels=("hateful", "non-hateful"),
        slice_by=("target_ident",),
    )

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks.

        Args:
            path: ``hatecheck_test_suite_cases.csv``, or the file of a language.
        """
        rows = table(path, _COLUMNS)
        number = "case_id" if "case_id" in rows[0][1] else "mhc_case_id"
        if number not in rows[0][1]:
            raise DataError(f"{path}: neither column 'case_id' nor 'mhc_case_id', which number the cases.")
        cases = {_number(row[number]): _case(row) for _, row in rows}
        tests: dict[str, list[Example]] = {}
        pairs: dict[str, list[tuple[Example, Example]]] = {}
        for place, row in rows:
            case = cases[_number(row[number])]
            if case.meta["gold"] not in self.contract.labels:
                raise DataError(
                    f"{place}: the label {row['label_gold']!r} is none of {', '.join(self.contract.labels)}."
                )
            tests.setdefault(row["functionality"], []).append(case)
            if reference := _number(row["ref_case_id"]):
                if reference not in cases:
                    raise DataError(f"{place}: 'ref_case_id' names the case {reference}, which there is not.")
                pairs.setdefault(row["functionality"], []).append((cases[reference], case))
        for name, examples in tests.items():
            plain, told = plain_name(name), {"capability": name}
            gold = plain_name(str(examples[0].meta["gold"])).replace("-", "_")
            yield labelled(plain, [(each, str(each.meta["gold"])) for each in examples], marks=[gold], **told)
            of_test = pairs.get(name, [])
            same = [pair for pair in of_test if pair[0].meta["gold"] == pair[1].meta["gold"]]
            differ = [pair for pair in of_test if pair[0].meta["gold"] != pair[1].meta["gold"]]
            if same:
                yield paired(f"{plain}.same", same, "invariant", marks=["pairs"], **told)
            if differ:
                yield paired(f"{plain}.contrast", differ, "changes", marks=["pairs"], **told)


def _case(row: dict[str, Any]) -> Example:
    told = {name: row[name] for name in ("functionality", "target_ident", "templ_id")}
    told["cluster"] = row["templ_id"] or row.get("case_id") or row.get("mhc_case_id")  # the cases of one template
    return Example({"text": row["test_case"]}, None, {**told, "gold": row["label_gold"].strip()})


def _number(text: str) -> str:
    """The number of a case: the English file writes references as ``27.0``, the others as ``german-27`` and ``27``."""
    return text.strip().rpartition("-")[2].removesuffix(".0")
