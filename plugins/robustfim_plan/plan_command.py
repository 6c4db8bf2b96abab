"""The command ``robustfim plan``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import FRACTION, INPUT, INPUT_FILE, OUTPUT_FILE, Chosen, progress_bar, shared_options
from robustfim.errors import UsageError, did_you_mean, shown
from robustfim.whole_file import writing

if TYPE_CHECKING:
    from robustfim.record import Record
    from robustfim.suite import Suite

__all__ = ["plan"]

_PLAN = "robustfim plan"
"""What messages name for what the plan itself says of the suite."""


@click.command(epilog="Example: robustfim plan suites/sentiment.yaml --margin 0.02")
@click.argument("suite", type=INPUT)
@click.option("--pilot", type=INPUT_FILE, help="Plan from this run record; a small run is made where there is none.")
@click.option(
    "--examples", type=click.IntRange(min=10), default=100, show_default=True, help="Examples that the small run draws."
)
@click.option("--rate", "rates", multiple=True, metavar="[CHECK[.ARM]=]RATE",
              help="The failure rate that is feared: --rate 0.15 for all checks, or --rate people=0.05.")  # fmt: skip
@click.option("--churn", type=click.FloatRange(0, 1), metavar="SHARE",
              help="The examples that an equal model answers otherwise, half of them for the worse; that of the suite "
              "by default.")  # fmt: skip
@click.option("--power", "powers", multiple=True, type=FRACTION,
              metavar="P", help="How often a check is to be decided; 0.8 and 0.9 by default.")  # fmt: skip
@click.option("--html", type=OUTPUT_FILE, help="Write the plan with its power curves to this page.")
@shared_options("margin", "model", "data", "override", "offline", "store", "plugins", "color")
def plan(
    suite: Path, chosen: Chosen, pilot: Path | None, examples: int, rates: Sequence[str], churn: float | None,
    powers: Sequence[float], html: Path | None,
) -> None:  # fmt: skip
    """Say how many examples SUITE needs to decide its limits and its margin, and what that costs.

    The failure rates are those of a pilot, or those you fear; the shares of testable examples and the candidates an
    example are the pilot's. Prints the suite's lines that draw so many.
    """
    from robustfim.record import Record
    from robustfim.session import look_at_suite
    from robustfim_plan.plan import make_plan
    from robustfim_plan.shown_plan import answer, figures, findings, print_plan, tables

    feared = _rates(rates)
    spec = look_at_suite(chosen.suite(suite), plugins=chosen.plugin_options, options=chosen.options).config.suite
    if pilot is None:
        _known(feared, [*spec.checks])
    margin = spec.baseline.margin if chosen.margin is None else chosen.margin
    if margin is None and not spec.slice_limits and all(check.limit is None for check in spec.checks.values()):
        raise UsageError(
            f"suite {spec.suite!r} has no limit and no margin, so nothing waits for a decision. Give a check a limit, "
            "such as 'limit: 0.1', or plan a comparison with --margin 0.02."
        )
    record = _small_run(suite, chosen, spec, examples) if pilot is None else Record.load(pilot)
    if record.suite != spec.suite:
        raise UsageError(f"the pilot is of suite {record.suite!r}, not of {spec.suite!r}.")
    record = record.model_copy(
        update={
            "margin": spec.baseline.margin,
            "checks": [
                check.model_copy(update={"limit": own.limits, "limit_of_valid": own.limit_of_valid})
                if (own := spec.checks.get(check.name)) is not None
                else check
                for check in record.checks
            ],
        }
    )
    churn = spec.baseline.churn if churn is None else churn
    select = spec.select
    selected = None if select is None else select.examples or select.difficult + (select.testable or select.control)
    made = make_plan(
        record, rates=feared, margin=margin, churn=churn, powers=tuple(powers) or (0.8, 0.9), selected=selected
    )
    print_plan(chosen.console(), made, spec.select)
    if html is not None:
        from robustfim_drawing import page, write_page

        about = f"model {record.model.use} · data {record.data.use} · seed {record.seed}"
        text = page(
            f"Plan of {spec.suite}", [*answer(made), *findings(made)], tables(made), figures(made), about=about,
            made=record.started,
        )  # fmt: skip
        with writing(f"the plan {html}"):
            write_page(html, text)
        click.echo(f"wrote {html}")


def _small_run(path: Path, given: Chosen, spec: Suite, examples: int) -> Record:
    """Run the suite on a few examples, without its budgets: a check that stops early has a rate that is not its own."""
    from robustfim.session import open_session
    from robustfim.suite import LEAST_EXAMPLES

    suite = given.suite(path)
    for name, check in spec.checks.items():
        if check.budget:
            suite.override(("checks", name, "budget"), None, _PLAN)
    if spec.budget is not None:
        suite.override(("budget",), None, _PLAN)
    chosen = spec.select
    if chosen is not None and chosen.examples:
        drawn = min(chosen.examples, max(examples, LEAST_EXAMPLES))
        suite.override(("select", "examples"), drawn, _PLAN)
    elif spec.data is not None:
        fraction = chosen.difficult / (chosen.difficult + chosen.control or 1) if chosen else 0.0
        drawn = max(1, examples - (chosen.easiest if chosen else 0))
        difficult = round(fraction * drawn)
        suite.override(("select", "difficult"), difficult, _PLAN)
        suite.override(("select", "control"), drawn - difficult, _PLAN)
        if chosen is not None and chosen.testable is not None:
            suite.override(("select", "testable"), None, _PLAN)
    session = open_session(suite, plugins=given.plugin_options, options=given.options)
    click.echo(f"a pilot: the suite {spec.suite} on {examples} examples…", err=True)
    with progress_bar(given.console()) as progress:
        session.manager.register(progress, "robustfim.progress_bar")
        session.configure()
        record, _ = session.run()
    if record.message:
        raise UsageError(f"the pilot could not be run: {record.message}")
    return record


def _known(rates: Iterable[str], checks: Sequence[str]) -> None:
    """Refuse a rate of no check of the suite before the pilot asks the model."""
    for name in rates:
        if checks and name and name not in checks and name.rpartition(".")[0] not in checks:
            raise UsageError(f"--rate: the suite has no check {shown(name)}.{did_you_mean(name, checks)}")


def _rates(given: Sequence[str]) -> dict[str, float]:
    """Read ``--rate``: a number for all checks, or ``CHECK=RATE``."""
    rates = {}
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            rate = float(number)
        except ValueError:
            rate = -1.0
        if not 0 <= rate <= 1:
            raise UsageError(f"--rate {text}: {number!r} is not a rate between 0 and 1.")
        rates[name] = rate
    return rates
