"""``python -m benchmarks``: measure everything and write the results again.

Run it from the repository's root, with the plugins installed. If TextAttack, data or the
weights of MiniLM are missing, the text says what was not measured, or what stood in for it.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

from benchmarks.sections import INDEX, write_index, write_results

PARTS = (
    "arena",
    "queue",
    "lambda",
    "classes",
    "precision",
    "studies",
    "sears",
    "cues",
    "coverage",
    "exits",
    "budgets",
    "strata",
    "releases",
    "report",
    "scale",
    "gpu",
    "rivals",
)


def main() -> None:
    """Measure the chosen parts, print the results, and write them to files."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="holds rotten_tomatoes/dev.csv, for TextAttack nltk_data, for cues balanced_copa, and more for studies",
    )
    parser.add_argument("--transformer", type=Path, metavar="FOLDER", help="a sequence classifier with two labels")
    parser.add_argument("--texts", type=int, default=1600, help="candidates for the queue (default 1600)")
    parser.add_argument("--repeats", type=int, default=7, help="repetitions of the slow timings (default 7)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keeps what cues trains, to go on where it stopped")
    parser.add_argument("--rows", type=int, action="append", default=[], metavar="N",
                        help="rows for scale; may be repeated (default 10000 and 100000)")  # fmt: skip
    parser.add_argument("--environments", type=Path, metavar="FOLDER", help="for rivals: an environment of each other "
                        "tool, by name; those that are missing are made")  # fmt: skip
    parser.add_argument("--only", choices=PARTS, action="append", help="this part only; may be repeated")
    parser.add_argument("--update", action="store_true", help="with --only: write the result of this part again")
    options = parser.parse_args()
    if importlib.util.find_spec("transformers") is None:
        parser.error("the benchmarks need transformers: pip install 'robustfim[huggingface]'")
    if options.data is not None and not (options.data / "rotten_tomatoes" / "dev.csv").is_file():
        parser.error(f"--data {options.data} holds no rotten_tomatoes/dev.csv")
    if options.update and options.only is None:
        parser.error("--update goes with --only: without it, all results are written again")
    text = measure(options, set(options.only or PARTS))
    print(text)
    if options.only is None or options.update:
        write_results(measured(text, _command(options)))
        if options.only is None:
            write_index(head=text.partition("\n## ")[0])
        print(f"wrote {INDEX.parent}", file=sys.stderr)


def measure(options: argparse.Namespace, parts: set[str]) -> str:
    """Measure some parts, and render all results as Markdown.

    Args:
        options: The options of the command line.
        parts: The parts to measure, some of ``PARTS``.

    Returns:
        The text of all results.
    """
    import torch

    from benchmarks.arena import arena
    from benchmarks.coverage import coverage
    from benchmarks.cues import experiments
    from benchmarks.environment import environment
    from benchmarks.exits import arms, exits, trap
    from benchmarks.gpu import costs_on_device
    from benchmarks.lambda_max import costs
    from benchmarks.many_classes import many_classes
    from benchmarks.measured import Results, render
    from benchmarks.precision import losses
    from benchmarks.queue_rate import against_bare_loop
    from benchmarks.releases import releases
    from benchmarks.report import report_costs
    from benchmarks.rivals import rivals
    from benchmarks.scale import scale
    from benchmarks.sears import mended
    from benchmarks.stopping import stopping
    from benchmarks.stratified import strata
    from benchmarks.studies import studies
    from benchmarks.transformer import open_transformer

    results = Results(environment(), _command(options))
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        transformer = open_transformer(options.transformer, scratch / "transformer")
        if "queue" in parts:
            _say("the queue against a bare loop")
            results.queue = against_bare_loop(
                transformer, options.data, scratch / "queue", texts=options.texts, repeats=options.repeats
            )
        if "lambda" in parts:
            _say("λmax")
            results.costs = list(costs(transformer, repeats=5 * options.repeats))
        if "classes" in parts:
            _say("λmax of many classes")
            results.classes = list(many_classes(repeats=3 * options.repeats))
        if "studies" in parts:
            _say("the papers' experiments")
            results.studies = list(studies(options.data, scratch / "studies"))
        if "arena" in parts:
            _say("the arena of scores")
            results.arena = list(arena(options.data, scratch / "arena"))
        if "sears" in parts:
            _say("mending by rules")
            results.mended = list(mended(options.data))
        if "report" in parts:
            _say("the report of a large run")
            results.page = report_costs(scratch / "report", repeats=options.repeats)
        if "scale" in parts:
            _say("many rows")
            results.scale = list(scale(scratch / "scale", sorted(options.rows or (10_000, 100_000))))
        if "gpu" in parts and (options.only or torch.cuda.is_available()):
            _say("a CUDA device")
            results.gpu = list(
                costs_on_device(options.data, scratch / "gpu", texts=options.texts, repeats=options.repeats)
            )
        if "rivals" in parts and options.environments is not None:
            _say("the same job in other tools")
            results.rivals = list(rivals(scratch / "rivals", options.environments, repeats=options.repeats))
        if "precision" in parts:
            _say("half precision")
            results.losses = list(losses(transformer, options.data, scratch / "fitted", texts=options.texts // 4))
        if "cues" in parts:
            _say("superficial cues")
            results.cues = list(experiments(options.data, options.keep or scratch / "cues"))
        if "coverage" in parts:
            _say("coverage of correlations")
            results.coverage = coverage()
        if "exits" in parts:
            _say("exit codes")
            results.exits, results.arms, results.traps = exits(), arms(), trap()
        if "budgets" in parts:
            _say("budgets")
            results.budgets = stopping()
        if "strata" in parts:
            _say("strata")
            results.strata = strata()
        if "releases" in parts:
            _say("simulated releases")
            results.releases = releases()
    return render(results)


def _command(options: argparse.Namespace) -> str:
    """Name the command without the folders of this machine."""
    words = ["python -m benchmarks"] + [f"--only {part}" for part in options.only or ()]
    words += [
        f"--{name} FOLDER" for name in ("data", "transformer", "environments") if getattr(options, name) is not None
    ]
    words += [f"--rows {rows}" for rows in options.rows]
    words += [f"--{name} {value}" for name, value in (("texts", options.texts), ("repeats", options.repeats))]
    return " ".join(words)


def _say(what: str) -> None:
    print(f"measuring {what} …", file=sys.stderr, flush=True)


def measured(text: str, command: str) -> str:
    """Keep the sections of a text that were measured, and name the command in each section.

    Args:
        text: The text of :func:`measure`, in which a section that was not measured says ``left out``.
        command: The command that measured the sections.
    """
    sections = (section.partition("\n\n") for section in text.split("\n## ")[1:])
    return "\n".join(
        f"## {title}\n\nMeasured by `{command}`.\n\n{body}" for title, _, body in sections if "left out" not in body
    )


if __name__ == "__main__":
    main()
