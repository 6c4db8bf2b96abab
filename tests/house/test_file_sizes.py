"""A file is one noun, as long as it needs to be to read well; one of more than 400 lines is two nouns, or says why."""

from __future__ import annotations

from tests.house.tree import python_files, shown

LIMIT = 400
LONGER = {
    "robustfim/session/session.py": (490, "one run, in the order in which it happens"),
    "robustfim/predict/queue.py": (440, "the only door to a model, and what of the store is believed"),
    "robustfim/propose/proposal.py": (
        440,
        "from a perturbation to accepted candidates, in the order in which it happens",
    ),
    "robustfim/session/check_run.py": (410, "one check, from its examples to its counts"),
    "robustfim/suite/format.py": (500, "the format of suites in one place"),
    "robustfim/api.py": (445, "what a script calls, in one place; most of it is documentation"),
    "robustfim/record/format.py": (950, "the format of results.json in one place; most of it is documentation"),
    "robustfim/testing.py": (900, "the promises of each role, as an author asserts them, in one place"),
    "robustfim/roles.py": (890, "every role in one place; most of it is documentation"),
}
"""File to the lines it may have, and why."""


def lines() -> dict[str, int]:
    return {shown(path): len(path.read_text(encoding="utf-8").splitlines()) for path in python_files()}


def test_no_file_is_longer_than_one_sitting() -> None:
    long = {name: number for name, number in lines().items() if number > LONGER.get(name, (LIMIT, ""))[0]}
    assert not long


def test_every_exception_is_still_needed() -> None:
    assert {name for name in LONGER if lines().get(name, 0) <= LIMIT} == set()
