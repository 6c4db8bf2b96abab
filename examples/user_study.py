"""A plugin that offers the user study of SEARs on the terminal; ``robustfim explore`` has it as a page, ``/study``.

Ribeiro, Singh and Guestrin (2018), section 5.2. People look for adversaries, and others rate how similar they are:

    robustfim -p examples/user_study.py adversaries reviews.yaml --as human --who ann
    robustfim -p examples/user_study.py adversaries reviews.yaml --as sea --who machine
    robustfim -p examples/user_study.py adversaries reviews.yaml --as hsea --who bob
    robustfim -p examples/user_study.py adversaries reviews.yaml --as rater --who cleo
    robustfim study adversaries answers.jsonl
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import click

from robustfim import hookimpl
from robustfim.commands import Chosen, shared_options
from robustfim.example import Example
from robustfim_explore.adversaries import ARMS, ATTEMPTS, Adversaries, Task, add, rating, read, surest, unrated
from robustfim_sears.mining.parts import open_mine

__all__ = ["command", "robustfim_commands", "solved"]

Ask = Callable[..., Any]


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim adversaries``."""
    return {"adversaries": (f"{__name__}:command", "Look for adversaries, or rate how similar they are.", "study")}


def solved(task: Task, look: Adversaries, ask: Ask = click.prompt) -> int:
    """Let a person at the terminal attempt and choose.

    Args:
        task: The text.
        look: Says what the model makes of an attempt.
        ask: As :func:`click.prompt`.

    Returns:
        The adversary closest to the text, from 1; 0 for none.
    """
    if task.arm == "sea":
        return min(1, len(task.found))
    click.echo(f"\n{task.label}: {task.text}")
    while task.arm == "human" and task.left:
        text = ask(f"attempt {ATTEMPTS + 1 - task.left} of {ATTEMPTS}, Enter to end", default="", show_default=False)
        if not text.strip():
            break
        label = look.attempt(task, text)
        click.echo(f"  {label}{'' if label == task.label else ': the label changes'}")
    if not task.found:
        click.echo("  no adversary")
        return 0
    for number, each in enumerate(task.found, 1):
        click.echo(f"  {number}. {each}")
    return int(ask("the closest, 0 for none", type=click.IntRange(0, len(task.found)), default=1))


@click.command(name="adversaries", epilog="Example: robustfim -p examples/user_study.py adversaries reviews.yaml "
               "--as human --who ann")  # fmt: skip
@click.argument("suite", type=click.Path(path_type=Path))
@click.option("--as", "arm", type=click.Choice([*ARMS, "rater"]), required=True, help="What you do.")
@click.option("--who", required=True, help="Your name; nobody rates what they found.")
@click.option("--answers", type=click.Path(path_type=Path), default=Path("answers.jsonl"), show_default=True,
              help="File that answers are added to.")  # fmt: skip
@click.option("--examples", type=click.IntRange(min=1), default=20, show_default=True, metavar="N",
              help="Texts that the model labels rightly.")  # fmt: skip
@shared_options("model", "data", "override", "seed", "offline", "plugins")
def command(suite: Path, arm: str, who: str, answers: Path, examples: int, chosen: Chosen) -> None:
    """Look for adversaries of texts that SUITE's model labels rightly, or rate how similar they are.

    You have ten attempts a text. After each you see the label, and at the end you choose the closest.
    """
    number = 0
    for number, row in enumerate(  # noqa: B007  # counted
        _rated(answers, who) if arm == "rater" else _found(suite, arm, who, examples, chosen), 1
    ):
        add(answers, row)
    click.echo(f"wrote {number} answers to {answers}")


def _found(suite: Path, arm: str, who: str, most: int, chosen: Chosen) -> Iterator[dict[str, Any]]:
    subject = open_mine(suite, chosen)
    examples = list(subject.data.make().load())
    run = subject.context(examples)
    paraphraser = subject.prepared(run)

    def predict(texts: Sequence[str]) -> list[str]:
        found = run.predict([Example({"text": text}) for text in texts])
        return ["" if each is None else each.label for each in found]

    look = Adversaries(predict, lambda text: surest(paraphraser, text, subject.seed))
    for task in islice(look.tasks(arm, examples, subject.seed), most):
        yield look.end(task, solved(task, look), who)


def _rated(answers: Path, who: str) -> Iterator[dict[str, Any]]:
    """Ask about each adversary of somebody else, without saying where it comes from."""
    for before, after in unrated(read(answers), who):
        click.echo(f"\n1. {before}\n2. {after}")
        similarity = click.prompt("do both mean the same? 1 (no) to 5 (yes)", type=click.IntRange(1, 5))
        yield rating(before, after, similarity, who)
