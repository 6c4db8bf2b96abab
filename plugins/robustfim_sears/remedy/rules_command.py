"""``robustfim study rules``: the command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import COUNT, INPUT, INPUT_FILE, Chosen, shared_options
from robustfim.errors import UsageError

if TYPE_CHECKING:
    from robustfim.record import Study

__all__ = ["command"]


@click.command(
    name="rules", epilog="Example: robustfim study rules experts.yaml mined.yaml --suite suites/reviews.yaml"
)
@click.argument("first", type=INPUT_FILE)
@click.argument("second", type=INPUT_FILE)
@click.option("--suite", required=True, type=INPUT, help="Names the model and the data.")
@click.option("--examples", type=COUNT, default=1000, show_default=True, metavar="N",
              help="Size of the random sample of the data.")  # fmt: skip
@click.option("--paraphraser", multiple=True, metavar="NAME | KEY=VALUE", help="Its score and τ decide equivalence; "
              "'phrases' by default; or an option of it.")  # fmt: skip
@click.option("--minutes", multiple=True, type=click.FloatRange(min=0), metavar="N",
              help="How long FIRST took to write; give it again for SECOND.")  # fmt: skip
@shared_options("model", "data", "override", "seed", "offline", "plugins")
def command(
    first: Path, second: Path, suite: Path, examples: int, paraphraser: tuple[str, ...], minutes: tuple[float, ...],
    chosen: Chosen,
) -> Study:  # fmt: skip
    """Compare two files of rules on the same data, such as those of experts and mined ones.

    How many predictions each changes, how many of the texts still mean the same, and the union and overlap of both
    (Ribeiro, Singh and Guestrin 2018, section 5.3).
    """
    from robustfim.record import DataRecord
    from robustfim_sears.mining.parts import open_mine
    from robustfim_sears.remedy.rivals import rules_study
    from robustfim_sears.rule.file import read_rules

    if first == second:
        raise UsageError(f"FIRST and SECOND are the same file, {first}; name two files of rules.")
    if len(minutes) not in (0, 2):
        raise UsageError("--minutes: give it twice, for FIRST and for SECOND, or not at all.")
    files = {path.name if first.name != second.name else str(path): read_rules(path) for path in (first, second)}
    subject = open_mine(suite, chosen, paraphraser)
    drawn = [example for example in subject.sample(examples) if example.label is not None]
    if not drawn:
        raise UsageError(f"{suite}: no example of the data has a gold label.")
    use = subject.data.use
    data = DataRecord(use=use.use, options=use.options, examples=len(drawn), labelled=len(drawn))
    return rules_study(
        files, minutes, subject.model.make(), drawn, subject.prepared(), subject.model.manager, data=data,
        seed=subject.seed,
    )  # fmt: skip
