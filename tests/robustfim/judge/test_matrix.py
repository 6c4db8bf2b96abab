from __future__ import annotations

from typing import Any

from robustfim.judge.matrix import Cell, capability_matrix
from robustfim.outcome import Outcome
from robustfim.record import CheckRecord
from robustfim.statistics import Rate
from tests.present import present


def check_record(capability: str | None, kind: Any, failing: int, number: int) -> CheckRecord:
    name = f"{capability}-{kind}-{failing}"
    return CheckRecord(
        id=name, name=name, outcome=Outcome.PASSED, capability=capability, type=kind, tested=number, failing=failing
    )


def test_checks_are_put_together_by_capability_and_type() -> None:
    matrix = present(
        capability_matrix(
            [
                check_record("Vocabulary", "MFT", 3, 10),
                check_record("Robustness", "INV", 1, 50),
                check_record("Vocabulary", "MFT", 1, 30),
                check_record("Vocabulary", "DIR", 0, 5),
                check_record(None, "INV", 9, 9),
                check_record("Alone", None, 9, 9),
            ]
        )
    )
    assert matrix.types == ("MFT", "INV", "DIR")
    assert matrix.rows == (
        ("Vocabulary", (Cell(2, 0, Rate(4, 40)), None, Cell(1, 0, Rate(0, 5)))),
        ("Robustness", (None, Cell(1, 0, Rate(1, 50)), None)),
    )


def test_a_check_that_tested_nothing_is_told_and_has_no_rate() -> None:
    matrix = present(capability_matrix([check_record("Vocabulary", "MFT", 0, 0)]))
    (cell,) = matrix.rows[0][1]
    assert cell == Cell(1, 1, Rate(0, 0))


def test_without_capabilities_there_is_no_matrix() -> None:
    assert capability_matrix([check_record(None, None, 1, 2)]) is None
