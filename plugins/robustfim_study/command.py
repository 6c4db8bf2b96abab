"""``robustfim study``: the experiments, each a table, a record and a page."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.command_group import chosen_plugins, plugin_option

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim_study.study import Study

__all__ = ["command", "gaussians", "resilience", "scorers"]

_FOLDER = click.Path(path_type=Path, file_okay=False)


def _of_a_suite(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of a study of a suite."""
    for decorate in reversed(
        (
            click.argument("suite", type=click.Path(path_type=Path)),
            click.option("--examples", default=300, show_default=True, type=click.IntRange(min=1), metavar="N",
                         help="Size of the random sample that is tested."),
            click.option("--model", multiple=True, metavar="KEY=VALUE", help="Another model, or an option of it."),
            click.option("--data", multiple=True, metavar="KEY=VALUE", help="Other data, or an option of it."),
            click.option("-o", "override", multiple=True, metavar="KEY=VALUE", help="Any other key of the suite."),
            click.option("--seed", type=int, help="Another seed than the suite's."),
            click.option("--offline", is_flag=True, help="Fetch nothing from any hub."),
            click.option("--max-calls", type=click.IntRange(min=1), metavar="N",
                         help="Send at most N texts to the model."),
            click.option("--store", type=click.Path(path_type=Path), default=Path(".robustfim/store.sqlite"),
                         show_default=True, help="File of the prediction store."),
            click.option("--no-store", is_flag=True, help="Keep nothing on disk between runs."),
            *_EVERYWHERE,
        )
    ):  # fmt: skip
        function = decorate(function)
    return function


_EVERYWHERE: tuple[Callable[..., Any], ...] = (
    click.option(
        "--reports",
        type=_FOLDER,
        default=Path("reports"),
        show_default=True,
        help="Folder of record and page.",
    ),
    plugin_option,
    click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True),
    click.pass_context,
)


@click.group(name="study", no_args_is_help=False)
def command() -> None:
    """Measure what predicts failures: the papers' experiments, on your model and data.

    Each experiment prints a table and writes reports/SUITE/study-NAME.json and .html.
    """


@command.command()
@click.option("--score", "scores", multiple=True, metavar="NAME",
              help="Measure this score, too; may be repeated. 'robustfim plugins' lists them.")  # fmt: skip
@_of_a_suite
def scorers(ctx: click.Context, /, suite: Path, scores: Sequence[str], **given: Any) -> None:
    """Find out which score best predicts the failures of SUITE.

    The suite's checks are run on a random sample, and every score is judged by how well it ranks the examples that
    fail: AUROC, Spearman's and Pearson's correlation with bootstrap intervals, and failures found per 100 calls by
    decile, beside those of a random choice.
    """
    from robustfim_study.scorers import DEFAULT_SCORES, scorers_study

    console, started = _begin(given)
    trial = _trial(ctx, suite, given, console, [*scores], DEFAULT_SCORES)
    _finish(console, scorers_study(trial, started=started), given["reports"] / trial.record.suite)


@command.command()
@_of_a_suite
def resilience(ctx: click.Context, /, suite: Path, **given: Any) -> None:
    """Correlate log λmax with how little it takes to change a label.

    With the share of candidates that change the label, for each check of SUITE (a guided order becomes a random one),
    and with the smallest step in embedding space that does.
    """
    from robustfim_study.resilience import SCORES, resilience_study

    console, started = _begin(given)
    trial = _trial(ctx, suite, given, console, [], SCORES, {"order": "random"})
    _finish(console, resilience_study(trial, started=started), given["reports"] / trial.record.suite)


@command.command()
@click.option("--points", default=200, show_default=True, type=click.IntRange(10, 5000), help="Points a class.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="Seed of the points.")
@click.option("--reports", type=_FOLDER, default=Path("reports"), show_default=True,
              help="Folder of record and page.")  # fmt: skip
@plugin_option
@click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True)
@click.pass_context
def gaussians(ctx: click.Context, /, points: int, seed: int, reports: Path, plugins: Sequence[str], color: str) -> None:
    """Show λmax and its eigenvectors for two Gaussians in the plane."""
    from robustfim.loading import load_plugins
    from robustfim_study.gaussians import gaussians_study

    console, started = _begin({"color": color})
    manager = load_plugins(chosen_plugins(ctx, plugins))
    _finish(console, gaussians_study(manager, points=points, seed=seed, started=started), reports)


def _begin(given: dict[str, Any]) -> tuple[Console, str]:
    from robustfim.console import make_console

    return make_console(given["color"]), datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _trial(
    ctx: click.Context, suite: Path, given: dict[str, Any], console: Console, asked: list[str],
    wanted: Sequence[str], check_options: dict[str, Any] | None = None,
) -> Any:  # fmt: skip
    """Run the suite's checks on a random sample; scores that were asked for must exist, others may be missing."""
    from robustfim.config import RunOptions
    from robustfim_study.trial import known_scores, run_trial

    plugins = chosen_plugins(ctx, given["plugins"])
    options = RunOptions(
        seed=given["seed"],
        offline=given["offline"],
        max_calls=given["max_calls"],
        store=None if given["no_store"] else given["store"],
    )
    return run_trial(
        suite, plugins=plugins, options=options, model=given["model"], data=given["data"], override=given["override"],
        scores=[*dict.fromkeys([*asked, *known_scores(suite, plugins, wanted)])], examples=given["examples"],
        console=console, check_options=check_options,
    )  # fmt: skip


def _finish(console: Console, study: Study, folder: Path) -> None:
    """Print a study, and write its record and its page."""
    from robustfim.console import print_line
    from robustfim.reporting import prepare_folder
    from robustfim.whole_file import write_whole
    from robustfim_study.page import render
    from robustfim_study.shown import print_study

    print_study(console, study)
    prepare_folder(folder)
    for path in (
        study.dump(folder / f"study-{study.study}.json"),
        write_whole(folder / f"study-{study.study}.html", render(study).encode("utf-8")),
    ):
        print_line(console, f"wrote {path}")
