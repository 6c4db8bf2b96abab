"""``robustfim mine``: find rules that change a model's predictions and keep the meaning."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import COUNT, INPUT, OUTPUT_FILE, Chosen, print_line, progress_bar, shared_options
from robustfim.errors import UsageError
from robustfim.whole_file import writing

if TYPE_CHECKING:
    from robustfim_sears.mining.mined import MinedRule
    from robustfim_sears.rule.rule import Rule

__all__ = ["command"]


@click.command(name="mine", epilog="Example: robustfim mine suites/sentiment.yaml --out rules.yaml")
@click.argument("suite", type=INPUT)
@click.option("--paraphraser", multiple=True, metavar="NAME | KEY=VALUE",
              help="The source of paraphrases and their score, 'phrases' by default; or an option of it.")  # fmt: skip
@click.option("--tau", type=click.FloatRange(0, 1),
              help="Least score S of a text that means the same; by default the paraphraser's own.")  # fmt: skip
@click.option("--delta", type=click.FloatRange(0, 1), default=0.1, show_default=True,
              help="Share of a rule's applications that may mean something else.")  # fmt: skip
@click.option("--rules", type=COUNT, default=10, show_default=True, metavar="N", help="Rules to select, at most.")
@click.option("--min-flips", type=COUNT, default=2, show_default=True, metavar="N",
              help="Texts that a rule must flip, at least.")  # fmt: skip
@click.option("--examples", type=COUNT, default=1000, show_default=True, metavar="N",
              help="Size of the random sample of the data.")  # fmt: skip
@click.option("--field", "fields", multiple=True, metavar="NAME",
              help="A field that may be rewritten; may be repeated. By default all.")  # fmt: skip
@click.option("--out", type=OUTPUT_FILE, default=Path("rules.yaml"), show_default=True,
              metavar="FILE", help="File to write the rules to.")  # fmt: skip
@click.option(
    "--html", "page", type=OUTPUT_FILE, metavar="FILE", help="Write the rules and the texts they flip as a page."
)
@click.option("--force", is_flag=True, help="Write it over a file that is there.")
@click.option("--review", is_flag=True, help="Ask which rules to accept, one at a time.")
@shared_options("model", "data", "override", "seed", "offline", "max_calls", "store", "plugins", "color")
@click.pass_context
def command(
    ctx: click.Context, suite: Path, chosen: Chosen, paraphraser: Sequence[str], tau: float | None, delta: float,
    rules: int, min_flips: int, examples: int, fields: Sequence[str], out: Path, page: Path | None,
    force: bool, review: bool,
) -> None:  # fmt: skip
    """Mine rules such as 'movie → film' that change the labels of SUITE's model and keep the meaning.

    The rules (SEARs, Ribeiro, Singh and Guestrin 2018) are printed with two examples each and written to a file, which
    is there to be edited and which any suite runs: 'perturb: {use: rules, path: rules.yaml}'. Exit codes: 0 written,
    1 no rule was found or accepted, 4 wrong usage.

    SUITE may also be the record of a run. The rules are then its causes that put words in place of others, and the
    model is not asked.
    """
    from robustfim.outcome import ExitCode
    from robustfim.record import Record
    from robustfim_drawing import write_page
    from robustfim_sears.mining.listing import print_mined, summary
    from robustfim_sears.mining.mining import measured, mine
    from robustfim_sears.mining.page import mine_page
    from robustfim_sears.mining.parts import open_mine
    from robustfim_sears.mining.recorded import recorded_rules
    from robustfim_sears.mining.review import review as reviewed
    from robustfim_sears.rule.file import write_rules

    if out.exists() and not force:
        raise UsageError(f"{out} exists already. Name another file with --out, or write over it with --force.")
    if review and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("--review asks on the terminal, which this is not. Leave it out, and edit the file of rules.")
    console = chosen.console()
    if suite.suffix == ".json" or (suite / "results.json").is_file():
        record = Record.load(suite)
        causes = list(recorded_rules(record))
        for line, _ in causes:
            print_line(console, line)
        if not causes:
            print_line(console, "No rule: no cause of the run puts words in place of others.")
            ctx.exit(ExitCode.FAILED)
        provenance = {"suite": record.suite, "model": record.model.fingerprint, "seed": record.seed}
        print_line(console, f"wrote {write_rules(out, [rule for _, rule in causes], provenance)}")
        return
    opened = open_mine(suite, chosen, paraphraser)
    paraphrases, drawn, model = opened.paraphraser.make(), opened.sample(examples), opened.model.make()
    around = partial(opened.context, drawn, model, max_calls=chosen.max_calls, store=chosen.store)
    with progress_bar(console) as progress, closing(around()) as run:
        mined = mine(
            drawn, run, paraphrases, tau=tau, delta=delta, rules=rules, min_flips=min_flips, fields=fields,
            progress=progress,
        )  # fmt: skip
    provenance = opened.provenance(mined, drawn, model, paraphrases)

    def measure(rule: Rule) -> MinedRule:
        with closing(around()) as own:
            return measured([rule], mined, drawn, own, paraphrases)[0]

    if review and mined.rules:
        for line in summary(mined):
            print_line(console, line)
        mined = reviewed(mined, console, lambda asked: console.input(asked, markup=False), measure)
    else:
        print_mined(console, mined)
    for each in run.told:
        print_line(console, each)
    if page is not None:
        about = f"suite {opened.suite} · model {opened.model.use.use} · data {opened.data.use.use} · seed {opened.seed}"
        with writing(page):
            print_line(console, f"wrote {write_page(page, mine_page(mined, about))}")
    if not mined.rules:
        ctx.exit(ExitCode.FAILED)
    print_line(console, f"wrote {write_rules(out, [rule.entry for rule in mined.rules], provenance)}")
