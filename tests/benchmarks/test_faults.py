"""A small campaign of each kind: nothing gets past. ``python -m benchmarks.faults`` runs a large one."""

from __future__ import annotations

import random

import pytest

from benchmarks.broken import FAULTS, ROLES, SUITE, data_files
from benchmarks.changes import mutate_bytes, mutate_suite
from benchmarks.faults import campaign


@pytest.mark.parametrize("kind", ["suites", "data", "plugins", "stores"])
def test_nothing_that_is_broken_passes_or_is_blamed_on_robustfim(kind: str) -> None:
    found = campaign(6, 1, (kind,))
    assert found.tried == {kind: 6}
    assert found.violations == []


def test_a_killed_run_goes_on_to_the_same_record_and_loses_a_batch_at_most() -> None:
    found = campaign(0, 2, ("kills",), kills=1)
    assert found.tried == {"kills": 1}
    assert found.violations == []


def test_a_case_follows_from_its_seed_alone_and_is_another_than_the_next() -> None:
    def cases(seed: int) -> list[bytes]:
        return [mutate_suite(SUITE, random.Random(f"{seed}/{number}")) for number in range(50)]

    assert cases(1) == cases(1)
    assert len(set(cases(1))) > 45
    assert SUITE.encode() not in cases(1)


def test_every_format_and_every_pair_of_role_and_fault_is_tried() -> None:
    assert len(data_files()) == 14
    assert len(ROLES) * len(FAULTS) >= 200


def test_bytes_of_an_empty_file_can_be_changed() -> None:
    assert [mutate_bytes(b"", random.Random(number)) for number in range(20)] != [b""] * 20
