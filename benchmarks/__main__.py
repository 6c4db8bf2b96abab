"""``python -m benchmarks``: measure everything and write the results again.

Run it from the repository's root, with the plugins installed. Without the weights of MiniLM, the text says what stood
in for it.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks import arena, coverage, cues, exits, lambda_max, many_classes, queue_rate, releases, scale, sears
from benchmarks import rivals as tools
from benchmarks import stopping as budgets
from benchmarks import stratified as strata
from benchmarks import studies as papers
from benchmarks.environment import environment
from benchmarks.sections import INDEX, table, write_index, write_results
from benchmarks.transformer import open_transformer

__all__ = ["PARTS", "main"]

_HEAD = (
    "Each number is a median, with its quartiles in brackets. What is compared is timed in turn in one process, and a "
    "ratio is the median of the ratios of neighbouring timings: it does not depend on how busy the machine is, the "
    "times do. Each file has the day and the commit at which its command ran, and a seal of the text, so that a change "
    "by hand shows. Results from before 2026-11-26 have the day and the commit that brought them."
)


def _queue(options: argparse.Namespace, scratch: Path) -> str:
    transformer = open_transformer(scratch / "transformer")
    found = queue_rate.against_bare_loop(
        transformer, options.data, scratch, texts=options.texts, repeats=options.repeats
    )
    return queue_rate.as_markdown(found)


def _lambda(options: argparse.Namespace, scratch: Path) -> str:
    return lambda_max.as_markdown(list(lambda_max.costs(open_transformer(scratch), repeats=5 * options.repeats)))


def _cues(options: argparse.Namespace, scratch: Path) -> str:
    return cues.as_markdown(list(cues.experiments(options.data, options.keep or scratch)))


PARTS: dict[str, tuple[str, Callable[[argparse.Namespace, Path], str]]] = {
    "arena": (
        "Which score predicts failures",
        lambda options, scratch: arena.as_markdown(list(arena.arena(options.data, scratch))),
    ),
    "queue": ("The prediction queue", _queue),
    "lambda": ("λmax, two classes", _lambda),
    "classes": (
        "λmax, many classes",
        lambda options, _: many_classes.as_markdown(list(many_classes.many_classes(repeats=3 * options.repeats))),
    ),
    "studies": (
        "The papers' experiments",
        lambda options, scratch: papers.as_markdown(list(papers.studies(options.data, scratch))),
    ),
    "sears": ("Mending by rules", lambda options, _: sears.as_markdown(list(sears.mended(options.data)))),
    "cues": ("Superficial cues", _cues),
    "coverage": ("The coverage of correlations", lambda *_: coverage.as_markdown(coverage.coverage())),
    "exits": (
        "The exit code as a test",
        lambda *_: exits.as_markdown(exits.exits(), exits.arms(), exits.trap()),
    ),
    "budgets": ("Budgets", lambda *_: budgets.as_markdown(budgets.stopping())),
    "strata": ("Draws from strata", lambda *_: strata.as_markdown(strata.strata())),
    "releases": ("Simulated releases", lambda *_: releases.as_markdown(releases.releases())),
    "scale": (
        "Many rows",
        lambda options, scratch: scale.as_markdown(list(scale.scale(scratch, sorted(options.rows)))),
    ),
    "rivals": (
        "The same job in other tools",
        lambda options, scratch: tools.as_markdown(
            list(tools.rivals(scratch, options.environments or scratch, repeats=options.repeats))
        ),
    ),
}
"""The parts of ``--only``: the title of each result, and the function that measures it and writes its text."""
_NEED_DATA = ("arena", "studies", "sears", "cues")


def main() -> None:
    """Measure the chosen parts, print the results, and write them to files."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, metavar="FOLDER",
                        help="holds rotten_tomatoes/dev.csv, for cues balanced_copa, and more for studies")  # fmt: skip
    parser.add_argument("--texts", type=int, default=1600, help="candidates for the queue (default 1600)")
    parser.add_argument("--repeats", type=int, default=7, help="repetitions of the slow timings (default 7)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keeps what cues trains, to go on where it stopped")
    parser.add_argument("--rows", type=int, action="append", metavar="N",
                        help="rows for scale; may be repeated (default 10000 and 100000)")  # fmt: skip
    parser.add_argument("--environments", type=Path, metavar="FOLDER", help="for rivals: an environment of each other "
                        "tool, by name; those that are missing are made")  # fmt: skip
    parser.add_argument("--only", choices=PARTS, action="append", help="this part only; may be repeated")
    parser.add_argument("--update", action="store_true", help="with --only: write the result of this part again")
    options = parser.parse_args()
    if options.data is None and (needing := [part for part in options.only or PARTS if part in _NEED_DATA]):
        parser.error(f"{', '.join(needing)} need --data FOLDER")
    if options.update and options.only is None:
        parser.error("--update goes with --only: without it, all results are written again")
    command = _command(options)
    options.rows = options.rows or [10_000, 100_000]
    sections = []
    for part in options.only or PARTS:
        title, measure = PARTS[part]
        print(f"measuring {part} …", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory() as scratch:
            sections.append(f"## {title}\n\nMeasured by `{command}`.\n\n{measure(options, Path(scratch))}")
    text = "\n\n".join(sections)
    print(text)
    if options.only is None or options.update:
        write_results(text)
        if options.only is None:
            machine = table(["", ""], [[name, value] for name, value in environment().items()])
            write_index(head=f"# Benchmarks\n\nWritten by `{command}`. {_HEAD}\n\n{machine}")
        print(f"wrote {INDEX.parent}", file=sys.stderr)


def _command(options: argparse.Namespace) -> str:
    """Name the command without the folders of this machine."""
    words = ["python -m benchmarks"] + [f"--only {part}" for part in options.only or ()]
    words += [f"--{name} FOLDER" for name in ("data", "environments") if getattr(options, name) is not None]
    words += [f"--rows {rows}" for rows in options.rows or ()]
    words += [f"--{name} {value}" for name, value in (("texts", options.texts), ("repeats", options.repeats))]
    return " ".join(words)


if __name__ == "__main__":
    main()
