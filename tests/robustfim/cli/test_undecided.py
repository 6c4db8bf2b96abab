from __future__ import annotations

from tests.robustfim.command_line import CommandLine, refused


def test_strict_is_short_for_undecided_fail_and_contradicts_undecided_pass(robustfim: CommandLine) -> None:
    robustfim("run toy.yaml")
    for command in ("run toy.yaml", "compare reports/toy/results.json reports/toy/results.json"):
        refused(robustfim(f"{command} --strict --undecided pass"), "'--strict' is '--undecided fail'", "leave one out")
