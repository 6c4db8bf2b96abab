from __future__ import annotations

import io

from rich.console import Console

from robustfim.terminal.tables import print_table
from tests.robustfim.command_line import CommandLine

SLICES = ", ".join(f"s{n}: {{words: [{n}, null]}}" for n in range(1, 9))
CHECKS = (
    "{rename: {perturb: rename, limit: 0.5, capability: Vocabulary, type: INV}, "
    "itself: {perturb: itself, expect: correct, capability: Order of words, type: MFT}}"
)


def test_the_matrix_and_the_worst_slices_are_shown(robustfim: CommandLine) -> None:
    name = robustfim.suite(CHECKS, rest=f"slices: {{{SLICES}, far: {{words: [99, null]}}}}")
    shown = robustfim(f"run {name} --no-store").out
    assert (
        "failing examples (checks)  MFT           INV\n"
        "Vocabulary                 –             20 % of 5 (1)\n"
        "Order of words             0 % of 8 (1)  –\n"
    ) in shown
    assert " worst 5 of 7 slices " in shown
    assert "slice  failing examples         accuracy\n" in shown
    assert "without a tested example: s8, far\n" in shown
    everything = robustfim(f"run {name} --no-store -v").out
    assert " slices " in everything
    assert "worst" not in everything
    assert (
        sum(line.startswith(("s1 ", "s2 ", "s3 ", "s4 ", "s5 ", "s6 ", "s7 ")) for line in everything.splitlines()) == 7
    )


def test_a_quiet_run_shows_no_slices(robustfim: CommandLine) -> None:
    name = robustfim.suite("{rename: {perturb: rename}}", rest=f"slices: {{{SLICES}}}")
    assert "slice" not in robustfim(f"run {name} --no-store -q").out


def test_a_suite_without_capabilities_and_slices_shows_neither(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml --no-store").out
    assert "slices" not in shown
    assert "capabilities" not in shown


def printed_table(width: int) -> list[str]:
    file = io.StringIO()
    heads = ["score", "Spearman", "examples"]
    rows = [["fisher", "0.71 [0.60, 0.80]", "200"], ["gradient_norm", "0.3", "9"]]
    print_table(Console(file=file, width=width, highlight=False), heads, rows, numbers=True, rule=True)
    return file.getvalue().splitlines()


def test_a_table_that_fits_is_aligned() -> None:
    assert printed_table(60) == [
        "score                   Spearman  examples",
        "─" * 42,
        "fisher         0.71 [0.60, 0.80]       200",
        "gradient_norm                0.3         9",
    ]


def test_a_table_that_is_too_wide_is_a_paragraph_a_row_and_cuts_no_word() -> None:
    assert printed_table(30) == [
        "fisher",
        "    Spearman 0.71 [0.60, 0.80]",
        "    · examples 200",
        "gradient_norm",
        "    Spearman 0.3 · examples 9",
    ]
