"""A small campaign of each kind: nothing gets past. ``python -m benchmarks.faults`` runs a large one."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

from benchmarks.broken import FAULTS, ROLES, SUITE, data_files
from benchmarks.changes import mutate_bytes, mutate_suite
from benchmarks.counted import KINDS, Found, render


@pytest.mark.slow
def test_nothing_that_is_broken_passes_or_is_blamed_on_robustfim() -> None:
    """In a process of its own, since the campaign forks: it needs one that has no threads."""
    command = [sys.executable, "-m", "benchmarks.faults", "--cases", "8", "--kills", "1", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    each = dict.fromkeys(KINDS, 8) | {"kills": 1}
    assert str(each) in done.stdout
    assert "0 violations" in done.stdout


def test_a_case_follows_from_its_seed_alone_and_is_another_than_the_next() -> None:
    def cases(seed: int) -> list[bytes]:
        return [mutate_suite(SUITE, random.Random(f"{seed}/{number}")) for number in range(50)]

    assert cases(1) == cases(1)
    assert len(set(cases(1))) > 45
    assert SUITE.encode() not in cases(1)


def test_what_a_campaign_printed_is_taken_up_and_its_ways_past_are_counted() -> None:
    printed = (
        "data 3: d.csv: 700 characters: ERROR: xx\ndata 3: d.csv: a library's words: ERROR\n"
        "data 7: d.csv: exit 3: oh\ndata: exit 0: 1,003\n2,000 cases in 7 s: {'data': 2000}\n3 violations\n"
    )
    twice = Found.read(printed + printed)  # a campaign in two parts
    assert (twice.tried, twice.codes) == ({"data": 4000}, {"data: exit 0": 2006})
    found = Found.read(printed)
    assert (found.tried, found.codes) == ({"data": 2000}, {"data: exit 0": 1003})
    assert len(found.violations) == 3
    found.again = ["data 7: d.csv: exit 3: oh"]
    told = render(found, "it")
    for row in (
        "cases | 2,000", "exit 0 | 1,003", "cases that got past | 2", "… a traceback | 1", "… a library's words | 1",
        "… a long name told whole | 1", "of them past again after mending | 1",
    ):  # fmt: skip
        assert f"| {row} |" in told


def test_every_format_and_every_pair_of_role_and_fault_is_tried() -> None:
    assert len(data_files()) == 14
    assert len(ROLES) * len(FAULTS) >= 200


def test_bytes_of_an_empty_file_can_be_changed() -> None:
    assert [mutate_bytes(b"", random.Random(number)) for number in range(20)] != [b""] * 20
