"""``robustfim index``: a page with a row for each suite of a folder of reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import click
from markupsafe import Markup

from robustfim.commands import INPUT, OUTPUT_FILE
from robustfim.errors import UsageError
from robustfim.outcome import BY_URGENCY, Outcome
from robustfim.record import AcceptedRun, Record, accepted_runs
from robustfim_drawing import document, page_style, percent, policy_of, write_page
from robustfim_html.page import environment, style
from robustfim_html.verdict import Answer, answer

__all__ = ["Suite", "command", "render_index", "suites"]

_WIDTH, _HEIGHT = 120, 24


@dataclass(frozen=True)
class Suite:
    """A suite's row in the index page of several suites.

    Attributes:
        record: The last run of the suite.
        page: The path of the suite's page, relative to the folder of the index; empty if there is no page.
        answer: The result of the run in words.
        runs: The runs that were accepted as baselines, oldest first, then the last run.
    """

    record: Record
    page: str
    answer: Answer
    runs: tuple[AcceptedRun, ...]

    @property
    def trend(self) -> Markup:
        """Draw the rate of broken examples (right answers made wrong) over all runs, with a dot at the last run."""
        rates = [run.broken.rate for run in self.runs if run.broken is not None and run.broken.rate is not None]
        if not rates:
            return Markup("")
        top, step = max(*rates, 0.05), (_WIDTH - 8) / max(len(rates) - 1, 1)
        first = _WIDTH - 4 - step * (len(rates) - 1)
        points = [(first + step * row, _HEIGHT - 4 - (_HEIGHT - 8) * rate / top) for row, rate in enumerate(rates)]
        said = " → ".join(map(percent, rates))
        return Markup(
            '<svg class="trend" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">'
            '<title>{2}</title><polyline points="{3}"/><circle cx="{4:.1f}" cy="{5:.1f}" r="3"/></svg>'
        ).format(_WIDTH, _HEIGHT, said, " ".join(f"{x:.1f},{y:.1f}" for x, y in points), *points[-1])


def suites(reports: Path, baselines: Path) -> Iterator[Suite]:
    """Read the run records in a folder of reports, one record for each suite and model.

    Unreadable records are left out, with a line on standard error. Runs of only some of a suite's checks are left out.

    Args:
        reports: The folder of reports.
        baselines: The folder of the baselines, with the runs that were accepted before.
    """
    for file in sorted((*reports.glob("*/results.json"), *reports.glob("*/*/results.json"))):
        try:
            record = Record.load(file, rows=False)
            runs = accepted_runs(baselines / f"{record.suite}.json")
        except UsageError as error:
            click.echo(f"left out: {error}", err=True)
            continue
        if not record.deselected:
            page, last = file.with_name("report.html"), AcceptedRun.of(record)
            link = quote(page.relative_to(reports).as_posix()) if page.is_file() else ""
            yield Suite(record, link, answer(record), tuple(runs if last in runs[-1:] else (*runs, last)))


def render_index(found: Sequence[Suite]) -> str:
    """Write the index as HTML, the most urgent suites first; all texts are escaped."""
    order = [str(outcome) for outcome in BY_URGENCY]
    rows = sorted(found, key=lambda suite: (order.index(suite.answer.icon or Outcome.MEASURED), suite.record.suite))
    counted = Counter(row.answer.icon or Outcome.MEASURED.value for row in rows)
    sentence = ", ".join(f"{counted[each]} {each}" for each in order if counted[each])
    css = page_style() + style()
    page = environment().get_template("index.html").render(
        rows=rows, title=f"{len(rows)} suite{'s' * (len(rows) != 1)}: {sentence}", script="", version="", others="",
        style=Markup(css), policy=policy_of(css),  # noqa: S704  # a file of this plugin
    )  # fmt: skip
    return document(page)


@click.command(name="index", epilog="Example: robustfim index reports")
@click.argument("reports", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path("reports"))
@click.option("--baselines", type=INPUT, default=Path("baselines"), show_default=True,
              help="The folder that 'robustfim accept' writes, for the trend.")  # fmt: skip
@click.option("--html", "target", type=OUTPUT_FILE, help="The page; index.html in REPORTS where it is not given.")
def command(reports: Path, baselines: Path, target: Path | None) -> None:
    """Write a page with a row for each suite in REPORTS: its verdict, its rate, and the trend of its accepted runs."""
    found = list(suites(reports, baselines))
    if not found:
        raise UsageError(f"{reports} holds no record of a whole run: 'robustfim run SUITE' writes one.")
    click.echo(f"wrote {write_page(target or reports / 'index.html', render_index(found))}")
