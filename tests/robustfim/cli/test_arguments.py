from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.cli.arguments import named_suites
from robustfim.errors import UsageError
from tests.robustfim.command_line import CommandLine, refused


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["a.yaml"], [("a.yaml", ())]),
        (["a.yaml::x"], [("a.yaml", ("x",))]),
        (["a.yaml::x", "a.yaml::y"], [("a.yaml", ("x", "y"))]),
        (["a.yaml::x", "a.yaml"], [("a.yaml", ())]),
        (["a.yaml", "a.yaml::x"], [("a.yaml", ())]),
        (["b.yaml::x", "a.yaml", "b.yaml::y"], [("b.yaml", ("x", "y")), ("a.yaml", ())]),
    ],
)
def test_checks_are_grouped_by_suite_in_the_order_of_the_command_line(
    names: list[str], expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert named_suites(names) == [(Path(path), checks) for path, checks in expected]


def test_a_folder_gives_its_suites_sorted_and_an_empty_one_is_refused(tmp_path: Path) -> None:
    for name in ("b.yaml", "a.yml", "notes.md"):
        (tmp_path / name).write_text("", encoding="utf-8")
    assert [path.name for path, _ in named_suites([str(tmp_path)])] == ["a.yml", "b.yaml"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"the folder .*empty holds no suite \(\*\.yaml\)\."):
        named_suites([str(tmp_path / "empty")])


def test_an_option_of_the_suite_stands_in_every_reproduce_line(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml --model batch_size=3 --data 'rows=[[a good film with a dull end, positive]]' --seed 4 "
              "-o checks.both.limit=0.01 -p toy.py")  # fmt: skip
    (failure, *_) = robustfim.record().failures
    for part in ("--model batch_size=3", "--seed 4", "-o checks.both.limit=0.01", "-p toy.py",
                 "--data 'rows=[[a good film with a dull end, positive]]'"):  # fmt: skip
        assert part in failure.reproduce
    again = robustfim(failure.reproduce.removeprefix("robustfim "))
    assert again.code == 1
    assert failure.example in again.out


def test_options_that_contradict_or_are_no_numbers_are_refused(robustfim: CommandLine) -> None:
    refused(robustfim("run toy.yaml --max-calls 0"), "--max-calls")
    refused(robustfim("run toy.yaml --durations -1"), "--durations")
    refused(robustfim("run toy.yaml --color maybe"), "--color")


def test_every_option_is_explained_in_the_help(robustfim: CommandLine) -> None:
    shown = robustfim("run --help").out
    for option in ("-k", "-m", "-x", "--maxfail", "--lf", "--co", "-q", "-v", "--durations", "-p", "--seed", "--color",
                   "--model", "--data", "-o", "--strict", "--inconclusive", "--offline", "--max-calls", "--example",
                   "--reports", "--store", "--no-store", "--html", "--json"):  # fmt: skip
        assert f"{option} " in shown or f"{option}," in shown, option
    assert "Exit codes: 0 everything that has a limit is proved" in " ".join(shown.split())
