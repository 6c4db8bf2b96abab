"""``robustfim slices``: where the failures of a run that is over gather."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.commands import OUTPUT_FILE

if TYPE_CHECKING:
    from robustfim.record import Record
    from robustfim_study.slice_search import FoundSlice, Search, SliceRow

__all__ = ["command", "examples_of", "sentences"]

_TEXTS = 3
"""Failing texts that are shown of a slice."""


@click.command(name="slices", epilog="Example: robustfim slices reports/sentiment/results.json")
@click.argument("results", type=click.Path(path_type=Path), metavar="RESULTS")
@click.option("--check", "checks", multiple=True, metavar="NAME", help="Look at this check alone; may be repeated.")
@click.option("--seed", type=int, default=0, show_default=True, help="Halves the examples.")
@click.option("--json", "out", type=OUTPUT_FILE, metavar="FILE", help="Write what was found to this file.")
def command(results: Path, checks: Sequence[str], seed: int, out: Path | None) -> None:
    """Find where the failures of a run gather: words, lengths, labels, and what is all of these at once.

    RESULTS is the results.json of a run, or its folder. Half of the tested examples suggests slices, the other half
    proves them, so that at most 5 % of those that are told are false. Each comes with the lines that make it a slice of
    the suite, whose rates every run tells.
    """
    from robustfim.commands import Chosen, print_line
    from robustfim.record import Record
    from robustfim.whole_file import write_whole
    from robustfim_study.slice_search import find_slices

    record = Record.load(results)
    examples = examples_of(record, checks)
    found = find_slices(examples, seed=seed)
    console = Chosen().console()
    texts = {each.id: " ".join(each.text.split()) for each in examples}
    for line in sentences(found):
        print_line(console, line)
    for each in found.found:
        print_line(console, "")
        print_line(console, _sentence(each))
        for id in each.examples[:_TEXTS]:
            print_line(console, f"    {texts[id]}")
        print_line(console, f"    {_lines(each)}")
    if out is not None:
        write_whole(out, json.dumps([_plain(each) for each in found.found], ensure_ascii=False, indent=1).encode())
        print_line(console, f"wrote {out}")


def examples_of(record: Record, checks: Collection[str]) -> list[SliceRow]:
    """Take the tested examples of a run, one of each cluster, each with whether it fails.

    Args:
        record: The run.
        checks: Names of the checks that count; all but yardsticks where none is named.

    Raises:
        UsageError: A check is unknown, or none of them tested anything.
    """
    from robustfim.errors import UsageError, did_you_mean, shown
    from robustfim.judge import Trials
    from robustfim_study.slice_search import SliceRow

    names = [check.name for check in record.checks]
    for name in checks:
        if name not in names:
            raise UsageError(f"--check: the run has no check {shown(name)}.{did_you_mean(name, names)}")
    counted = [
        check
        for check in record.checks
        if check.estimand.by_example and (check.name in checks if checks else not check.yardstick)
    ]
    trials = Trials.of_record(record).of_checks(*(check.id for check in counted))
    tested, failing = trials.tested, trials.failing
    if not tested:
        raise UsageError(f"the run of suite {record.suite!r} tested nothing, so nothing can have gathered.")
    slices: dict[str, list[str]] = {}
    for part in record.slices:
        for id in part.members:
            slices.setdefault(id, []).append(part.name)
    clusters: set[str] = set()
    found = []
    for each in record.examples:
        if each.id not in tested or (each.cluster is not None and each.cluster in clusters):
            continue
        if each.cluster is not None:
            clusters.add(each.cluster)
        found.append(
            SliceRow(
                each.id, "\n".join(each.fields.values()), each.id in failing, each.arm or "all", each.label,
                each.prediction, tuple(slices.get(each.id, ())),
            )
        )  # fmt: skip
    return found


def sentences(found: Search) -> Iterator[str]:
    """Say what was looked at, and what could have been found."""
    tested, failing = sum(found.halves), sum(found.failing)
    first, second = found.halves
    yield f"{failing:,} of {tested:,} tested examples fail; {first:,} of them suggest slices, {second:,} prove them"
    if found.found:
        told = len(found.found)
        yield (
            f"{told} slice{'s fail' if told > 1 else ' fails'} more often than the rest, of {found.tried} looked at: "
            "of such at most 5 % are false, in expectation"
        )
    else:
        yield f"no slice is proved to fail more often than the rest, of {found.tried} looked at"
    if found.smallest is None:
        yield "even a slice of half of them that failed twice as often would not be found in 80 % of cases"
    else:
        share = found.smallest / found.halves[1]
        yield (
            f"a slice of {100 * share:.1f} % of the examples that failed twice as often would be found in 80 % of "
            "cases, a smaller one less often"
        )


def _sentence(each: FoundSlice) -> str:
    from robustfim.statistics import percent

    rest = f"{each.others_failing / each.others:.1%}".replace("%", " %") if each.others else "–"
    return (
        f"examples {each.said}: {each.failing:,} of {each.tested:,} fail, "
        f"{percent(each.failing / each.tested, each.interval)}; of the others {rest}"
    )


def _lines(each: FoundSlice) -> str:
    """What a suite says to have the slice; one of the suite's own is there already."""
    if not each.definition:
        return "a slice of the suite already"
    return f"slices: {json.dumps(each.definition, ensure_ascii=False)}"


def _plain(each: FoundSlice) -> dict[str, Any]:
    return {
        "definition": each.definition, "said": each.said, "tested": each.tested, "failing": each.failing,
        "interval": list(each.interval), "others": each.others, "others_failing": each.others_failing,
        "p_value": each.p_value, "e_value": each.e_value, "examples": list(each.examples),
    }  # fmt: skip
