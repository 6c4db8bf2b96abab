"""``robustfim mine``: rules that change a model's mind and keep the meaning."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from robustfim.cli.group import chosen_plugins, plugin_option
from robustfim.errors import UsageError

__all__ = ["command"]


@click.command(name="mine")
@click.argument("suite", type=click.Path(path_type=Path))
@click.option("--paraphraser", multiple=True, metavar="NAME | KEY=VALUE",
              help="Where paraphrases and the score come from, 'phrases' by default; or an option of it.")  # fmt: skip
@click.option("--tau", type=click.FloatRange(0, 1),
              help="Least score S of a text that means the same; by default the paraphraser's own.")  # fmt: skip
@click.option("--delta", type=click.FloatRange(0, 1), default=0.1, show_default=True,
              help="Share of a rule's applications that may mean something else.")  # fmt: skip
@click.option("--rules", type=click.IntRange(min=1), default=10, show_default=True, metavar="N",
              help="Rules to select, at most.")  # fmt: skip
@click.option("--min-flips", type=click.IntRange(min=1), default=2, show_default=True, metavar="N",
              help="Texts that a rule must flip, at least.")  # fmt: skip
@click.option("--examples", type=click.IntRange(min=1), default=1000, show_default=True, metavar="N",
              help="Size of the random sample of the data.")  # fmt: skip
@click.option("--field", "fields", multiple=True, metavar="NAME",
              help="A field that may be rewritten; may be repeated. By default all.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), default=Path("rules.yaml"), show_default=True,
              metavar="FILE", help="File to write the rules to.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write it over a file that is there.")
@click.option("--review", is_flag=True, help="Ask which rules to accept, one at a time.")
@click.option("--model", multiple=True, metavar="KEY=VALUE", help="Another model, or an option of it.")
@click.option("--data", multiple=True, metavar="KEY=VALUE", help="Other data, or an option of it.")
@click.option("-o", "override", multiple=True, metavar="KEY=VALUE", help="Any other key of the suite.")
@click.option("--seed", type=int, help="Another seed than the suite's.")
@click.option("--offline", is_flag=True, help="Fetch nothing from any hub.")
@click.option("--max-calls", type=click.IntRange(min=1), metavar="N", help="Send at most N texts to the model.")
@click.option("--store", type=click.Path(path_type=Path), default=Path(".robustfim/store.sqlite"), show_default=True,
              help="File of the prediction store.")  # fmt: skip
@click.option("--no-store", is_flag=True, help="Keep nothing on disk between runs.")
@plugin_option
@click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True)
@click.pass_context
def command(
    ctx: click.Context, /, suite: Path, plugins: Sequence[str], out: Path, **given: Any
) -> None:  # fmt: skip
    """Mine rules such as 'movie → film' that change the labels of SUITE's model and keep the meaning.

    The rules (SEARs, Ribeiro, Singh and Guestrin 2018) are printed with two examples each and written to a file, which
    is there to be edited and which any suite runs: 'perturb: {use: rules, path: rules.yaml}'. Of a suite with several
    models the first is mined. Exit codes: 0 written, 1 no rule was found or accepted, 4 wrong usage.
    """
    from robustfim.outcome import ExitCode
    from robustfim.terminal.console import make_console, print_line
    from robustfim_sears.mining.listing import print_mined, summary
    from robustfim_sears.mining.parts import mine_subject, open_mine
    from robustfim_sears.mining.progress import ProgressBar
    from robustfim_sears.mining.review import review
    from robustfim_sears.rule.file import write_rules

    if out.exists() and not given["force"]:
        raise UsageError(f"{out} is there already. Name another file with --out, or write over it with --force.")
    if given["review"] and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("--review asks on the terminal, which this is not. Leave it out, and edit the file of rules.")
    console = make_console(given["color"])
    opened = open_mine(
        suite, plugins=chosen_plugins(ctx, plugins), model=given["model"], data=given["data"],
        override=given["override"], paraphraser=given["paraphraser"], seed=given["seed"], offline=given["offline"],
    )  # fmt: skip
    with ProgressBar(console) as progress:
        found = mine_subject(
            opened, examples=given["examples"], store=None if given["no_store"] else given["store"],
            max_calls=given["max_calls"], tau=given["tau"], delta=given["delta"], rules=given["rules"],
            min_flips=given["min_flips"], fields=given["fields"], progress=progress,
        )  # fmt: skip
    mined = found.mined
    if given["review"] and mined.rules:
        for line in summary(mined):
            print_line(console, line)
        mined = review(mined, console, lambda: console.input("accept? [y/n/q] ", markup=False))
    else:
        print_mined(console, mined)
    if not mined.rules:
        ctx.exit(ExitCode.FAILED)
    print_line(console, f"wrote {write_rules(out, mined.rules, opened.provenance(replace(found, mined=mined)))}")
