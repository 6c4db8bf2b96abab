"""A plugin that repeats the user study of SEARs on the terminal (Ribeiro, Singh and Guestrin 2018, section 5.2).

People look for adversaries, and others rate how similar they are:

    robustfim -p examples/user_study.py adversaries reviews.yaml --as human --who ann
    robustfim -p examples/user_study.py adversaries reviews.yaml --as sea --who machine
    robustfim -p examples/user_study.py adversaries reviews.yaml --as hsea --who bob
    robustfim -p examples/user_study.py adversaries reviews.yaml --as rater --who cleo
    robustfim -p examples/user_study.py study adversaries answers.jsonl
"""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from pathlib import Path
from statistics import median
from typing import Any

import click

from robustfim import hookimpl
from robustfim.api import context
from robustfim.commands import Chosen, shared_options
from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim.exhibit import Table
from robustfim.record import Study, describe_environment
from robustfim.roles import Paraphraser
from robustfim.seeds import random_for
from robustfim.statistics import Rate, mcnemar
from robustfim_sears.mining.parts import open_mine

__all__ = ["Task", "answers_of", "begin", "command", "robustfim_commands", "robustfim_studies", "solved", "study"]

ARMS = ("human", "sea", "hsea")
"""A person writes; the adversary of the highest semantic score; a person chooses among the five highest."""
ATTEMPTS, CHOICES = 10, 5
"""Attempts of a person for one text, and adversaries to choose among."""
EQUIVALENT = 4
"""The median of the ratings, from 1 to 5, from which a text means the same."""

Ask = Callable[..., Any]
Predict = Callable[[Sequence[str]], Sequence[str]]
Verdict = tuple[bool, bool, float]
"""Whether an adversary was found, whether it means the same, and the seconds."""


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim adversaries``."""
    return {"adversaries": (f"{__name__}:command", "Look for adversaries, or rate how similar they are.", "study")}


@hookimpl
def robustfim_studies() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim study adversaries``."""
    return {"adversaries": (f"{__name__}:study", "Compare people, adversaries by the score, and both together.")}


@dataclass
class Task:
    """A text for which an adversary is sought: a text with the same meaning but another predicted label.

    Attributes:
        arm: Who seeks the adversary, one of :data:`ARMS`.
        example: The id of the text.
        text: The text.
        label: The model's label for the text, which is correct.
        begun: The time at which the text was shown.
        found: The adversaries so far, or the adversaries to choose from.
    """

    arm: str
    example: str
    text: str
    label: str
    begun: float = field(default_factory=time.monotonic)
    found: list[str] = field(default_factory=list)


def begin(task: Task, predict: Predict, rewrites: Callable[[str], Sequence[str]]) -> Task:
    """Begin a task: list a paraphraser's adversaries unless a person writes them.

    Args:
        task: The task.
        predict: Returns the label of each text.
        rewrites: Returns a text's paraphrases, the best first.
    """
    if task.arm != "human":
        texts = rewrites(task.text)
        labels = predict(texts) if texts else []
        flips = [text for text, after in zip(texts, labels, strict=True) if after != task.label]
        task.found = flips[: 1 if task.arm == "sea" else CHOICES]
    return task


def solved(task: Task, predict: Predict, ask: Ask = click.prompt) -> str:
    """Let a person at the terminal attempt and choose.

    Args:
        task: The text.
        predict: Returns the label of each text.
        ask: As :func:`click.prompt`.

    Returns:
        The adversary closest to the text; empty for none.
    """
    if task.arm == "sea":
        return "".join(task.found)
    click.echo(f"\n{task.label}: {task.text}")
    for attempt in range(1, ATTEMPTS + 1) if task.arm == "human" else ():
        text = ask(f"attempt {attempt} of {ATTEMPTS}, Enter to end", default="", show_default=False)
        if not text.strip():
            break
        (label,) = predict([text])
        click.echo(f"  {label}{'' if label == task.label else ': the label changes'}")
        if label != task.label and text not in (task.text, *task.found):
            task.found.append(text)
    if not task.found:
        click.echo("  no adversary")
        return ""
    for number, each in enumerate(task.found, 1):
        click.echo(f"  {number}. {each}")
    place = int(ask("the closest, 0 for none", type=click.IntRange(0, len(task.found)), default=1))
    return task.found[place - 1] if place else ""


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
        with answers.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    click.echo(f"wrote {number} answers to {answers}")


def _found(suite: Path, arm: str, who: str, most: int, chosen: Chosen) -> Iterator[dict[str, Any]]:
    subject = open_mine(suite, chosen)
    examples = list(subject.data.make().load())
    run = context(subject.model.make(), examples, seed=subject.seed, offline=chosen.offline,
                  plugins=subject.model.manager)  # fmt: skip
    paraphraser = subject.prepared(run)

    def predict(texts: Sequence[str]) -> list[str]:
        found = run.predict([Example({"text": text}) for text in texts])
        return ["" if each is None else each.label for each in found]

    usable = [each for each in examples if each.label is not None and len(each.fields) == 1]
    shuffled = random_for(subject.seed, "user study").sample(usable, len(usable))  # the same texts in each arm
    right = (each for each in shuffled if predict([each.text]) == [each.label])
    for example in islice(right, most):
        task = Task(arm, example.id, example.text, str(example.label))
        after = solved(begin(task, predict, lambda text: _surest(paraphraser, text, subject.seed)), predict)
        seconds = round(time.monotonic() - task.begun, 2)
        yield {"arm": arm, "example": task.example, "before": task.text, "after": after, "seconds": seconds, "who": who}


def _surest(paraphraser: Paraphraser, text: str, seed: int) -> list[str]:
    """A text's paraphrases that keep the meaning by the paraphraser's own threshold, the best first."""
    (found,) = paraphraser.paraphrase([text], seed=seed)
    known = [each for each in found if each.text != text and each.score >= paraphraser.contract.tau]
    return [each.text for each in sorted(known, key=lambda each: -each.score)]


def _rated(answers: Path, who: str) -> Iterator[dict[str, Any]]:
    """Ask about each adversary of somebody else, without saying where it comes from."""
    rows = _read(answers)
    own = {(row["before"], row["after"]) for row in rows if row["who"] == who}
    for before, after in sorted({(row["before"], row["after"]) for row in rows if "arm" in row and row["after"]} - own):
        click.echo(f"\n1. {before}\n2. {after}")
        similarity = click.prompt("do both mean the same? 1 (no) to 5 (yes)", type=click.IntRange(1, 5))
        yield {"before": before, "after": after, "similarity": similarity, "who": who}


def _read(path: Path) -> list[dict[str, Any]]:
    """Read a file of answers; a missing file has no answers."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error


@click.command(
    name="adversaries", epilog="Example: robustfim -p examples/user_study.py study adversaries answers.jsonl"
)
@click.argument("answers", type=click.Path(path_type=Path))
@shared_options("plugins")
def study(answers: Path, chosen: Chosen) -> Study:
    """Compare people, adversaries by the score, and both together, as table 4 of the paper.

    An adversary counts as equivalent where the median of its ratings is 4 or more.
    """
    found = answers_of(_read(answers))
    if not found:
        raise UsageError(f"{answers} has no answer; 'robustfim adversaries' adds them.")
    arms = [arm for arm in ARMS if arm in found]
    rows, pairs, results, fractions = [], [], {}, {}
    for arm in arms:
        texts = found[arm].values()
        changed = Rate(sum(text[0] for text in texts), len(texts))
        same = fractions[arm] = Rate(sum(text[1] for text in texts), len(texts))
        seconds = median(text[2] for text in texts)
        rows.append([arm, str(changed), str(same), f"{seconds:.1f}"])
        results[arm] = {"texts": len(texts), "found": changed.count, "equivalent": same.count, "seconds": seconds}
    for first, second in combinations(arms, 2):
        shared = sorted(found[first].keys() & found[second].keys())
        a, b = ([found[arm][example][1] for example in shared] for arm in (first, second))
        either = Rate(sum(x or y for x, y in zip(a, b, strict=True)), len(shared))
        only = [sum(x and not y for x, y in zip(*pair, strict=True)) for pair in ((a, b), (b, a))]
        pairs.append([f"{first}, {second}", str(either), *map(str, only), f"{mcnemar(*only):.2g}"])
    best = max(arms, key=lambda arm: fractions[arm].rate or 0.0)
    return Study(
        study="adversaries",
        title="Who finds adversaries that mean the same?",
        environment=describe_environment(chosen.manager().records(), None),
        seed=0,
        started=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        findings=[f"The largest share of texts with an equivalent adversary: {best}, {fractions[best]}."],
        tables=[
            Table(title="Adversaries by arm", header=["arm", "found", "equivalent", "seconds a text"], rows=rows,
                  notes=[f"Equivalent: the median of the ratings from 1 to 5 is {EQUIVALENT} or more; what nobody "
                         "rated is not. In brackets: 95 % Wilson intervals over texts. Seconds: the median."]),
            Table(title="Two arms on the same texts",
                  header=["arms", "by either", "by the first alone", "by the second alone", "p"], rows=pairs,
                  notes=["Equivalent adversaries. p: McNemar's exact test."]),
        ],
        figures=[],
        results=results,
    )  # fmt: skip


def answers_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Verdict]]:
    """Return the verdict on each text, by arm and text id. Of several answers the last counts.

    Args:
        rows: The lines of the file of answers.
    """
    ratings: dict[tuple[str, str], list[int]] = {}
    found: dict[str, dict[str, Verdict]] = {}
    for row in rows:
        if "similarity" in row:
            ratings.setdefault((row["before"], row["after"]), []).append(row["similarity"])
    for row in rows:
        if "arm" in row:
            given = ratings.get((row["before"], row["after"]), [])
            same = bool(row["after"] and given) and median(given) >= EQUIVALENT
            found.setdefault(row["arm"], {})[row["example"]] = (bool(row["after"]), same, row["seconds"])
    return found
