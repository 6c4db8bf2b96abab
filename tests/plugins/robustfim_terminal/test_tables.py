from __future__ import annotations

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
