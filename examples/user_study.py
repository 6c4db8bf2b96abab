"""A plugin that offers the user study of SEARs: people, adversaries by the score, and both together.

Ribeiro, Singh and Guestrin (2018), section 5.2. People look for adversaries on the terminal, and others rate how
similar they are:

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
from dataclasses import dataclass
from itertools import combinations
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
from robustfim.seeds import random_for
from robustfim.statistics import Rate, mcnemar
from robustfim_sears.mining.parts import open_mine

__all__ = ["ARMS", "Adversary", "answers_of", "command", "report", "robustfim_commands", "robustfim_studies", "study"]

ARMS = ("human", "sea", "hsea")
"""A person writes; the adversary of the highest semantic score; a person chooses among the five highest."""

ATTEMPTS = 10
CHOICES = 5
EQUIVALENT = 4
"""Attempts of a person, adversaries to choose among, and the median rating from which a text means the same."""

Ask = Callable[..., Any]


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
    """Offer ``robustfim adversaries``."""
    return {"adversaries": (f"{__name__}:command", "Look for adversaries, or rate how similar they are.", "study")}


@hookimpl
def robustfim_studies() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim study adversaries``."""
    return {"adversaries": (f"{__name__}:report", "Compare people, adversaries by the score, and both together.")}


@dataclass(frozen=True)
class Adversary:
    """What one arm found for one text.

    Attributes:
        arm: One of :data:`ARMS`.
        example: The id of the text.
        before: The text.
        after: The adversary; empty where none was found.
        seconds: How long it took.
    """

    arm: str
    example: str
    before: str
    after: str
    seconds: float


class Desk:
    """The model, the paraphraser, and a person at the terminal.

    Args:
        predict: The label of each of some texts.
        rewrites: The paraphrases of a text that mean the same by the score, the surest first.
        ask: As :func:`click.prompt`.
        clock: Seconds.
    """

    def __init__(
        self,
        predict: Callable[[Sequence[str]], Sequence[str]],
        rewrites: Callable[[str], Sequence[str]],
        ask: Ask = click.prompt,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._predict, self._rewrites, self._ask, self._clock = predict, rewrites, ask, clock

    def find(self, arm: str, example: str, text: str, label: str) -> Adversary:
        """Look for an adversary of a text that the model labels rightly."""
        begun = self._clock()
        if arm != "sea":
            click.echo(f"\n{label}: {text}")
        found = self._written(text, label) if arm == "human" else self._made(text, label)
        after = (found[0] if found else "") if arm == "sea" else self._chosen(found)
        return Adversary(arm, example, text, after, round(self._clock() - begun, 2))

    def _written(self, text: str, label: str) -> list[str]:
        """Take attempts, and say at once what the model makes of each; an empty one ends."""
        found = []
        for number in range(1, ATTEMPTS + 1):
            attempt = self._ask(f"attempt {number} of {ATTEMPTS}, Enter to end", default="", show_default=False)
            if not attempt.strip():
                break
            (after,) = self._predict([attempt])
            click.echo(f"  {after}{'' if after == label else ': the label changes'}")
            if after != label and attempt != text:
                found.append(attempt)
        return found

    def _made(self, text: str, label: str) -> list[str]:
        texts = self._rewrites(text)
        labels = self._predict(texts) if texts else []
        return [each for each, after in zip(texts, labels, strict=True) if after != label][:CHOICES]

    def _chosen(self, found: Sequence[str]) -> str:
        """Ask which of several is the closest to the text."""
        if not found:
            click.echo("  no adversary")
            return ""
        for number, each in enumerate(found, 1):
            click.echo(f"  {number}. {each}")
        place = self._ask("the closest, 0 for none", type=click.IntRange(0, len(found)), default=1)
        return found[place - 1] if place else ""


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
    rows = _rate(answers, who) if arm == "rater" else _find(suite, arm, who, examples, chosen)
    number = 0
    with answers.open("a", encoding="utf-8") as file:
        for number, row in enumerate(rows, 1):  # noqa: B007  # counted
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
    click.echo(f"wrote {number} answers to {answers}")


def _find(suite: Path, arm: str, who: str, most: int, chosen: Chosen) -> Iterator[dict[str, Any]]:
    subject = open_mine(suite, chosen)
    model, paraphraser = subject.model.make(), subject.paraphraser.make()
    examples = [each for each in subject.data.make().load() if each.label is not None and len(each.fields) == 1]
    run = context(model, examples, seed=subject.seed, offline=chosen.offline, plugins=subject.model.manager)
    paraphraser.prepare(run)

    def predict(texts: Sequence[str]) -> list[str]:
        found = run.predict([Example({"text": each}) for each in texts])
        return ["" if each is None else each.label for each in found]

    def rewrites(text: str) -> list[str]:
        (found,) = paraphraser.paraphrase([text], seed=subject.seed)
        known = [each for each in found if each.text != text and each.score >= paraphraser.contract.tau]
        return [each.text for each in sorted(known, key=lambda each: -each.score)]

    desk, left = Desk(predict, rewrites), most
    for each in random_for(subject.seed, "user study").sample(examples, len(examples)):
        if left and predict([each.text]) == [each.label]:
            left -= 1
            yield {**vars(desk.find(arm, each.id, each.text, str(each.label))), "who": who}


def _rate(answers: Path, who: str) -> Iterator[dict[str, Any]]:
    """Ask about each adversary of somebody else, without saying where it comes from."""
    rows = _read(answers)
    rated = {(row["before"], row["after"]) for row in rows if "similarity" in row and row["who"] == who}
    mine = {(row["before"], row["after"]) for row in rows if "arm" in row and row["who"] == who}
    pairs = dict.fromkeys((row["before"], row["after"]) for row in rows if "arm" in row and row["after"])
    for before, after in sorted(pairs.keys() - rated - mine):
        click.echo(f"\n1. {before}\n2. {after}")
        similarity = click.prompt("do both mean the same? 1 (no) to 5 (yes)", type=click.IntRange(1, 5))
        yield {"before": before, "after": after, "similarity": similarity, "who": who}


def _read(path: Path) -> list[dict[str, Any]]:
    try:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error


def answers_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, tuple[bool, bool, float]]]:
    """Read what each arm found.

    Args:
        rows: The lines of the file.

    Returns:
        Arm, and id of a text, to: whether an adversary was found, whether it means the same (the median of its ratings
        is 4 or more), and the seconds. Of several answers the last counts.
    """
    ratings: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        if "similarity" in row:
            ratings.setdefault((row["before"], row["after"]), []).append(row["similarity"])
    found: dict[str, dict[str, tuple[bool, bool, float]]] = {}
    for row in rows:
        if "arm" in row:
            given = ratings.get((row["before"], row["after"]), [])
            same = bool(row["after"] and given) and median(given) >= EQUIVALENT
            found.setdefault(row["arm"], {})[row["example"]] = (bool(row["after"]), same, row["seconds"])
    return found


@click.command(name="adversaries")
@click.argument("answers", type=click.Path(path_type=Path))
@shared_options("plugins")
def report(answers: Path, chosen: Chosen) -> Study:
    """Compare people, adversaries by the score, and both together, as table 4 of the paper.

    An adversary counts as equivalent where the median of its ratings is 4 or more.
    """
    found = answers_of(_read(answers))
    if not found:
        raise UsageError(f"{answers} has no answer; 'robustfim adversaries' adds them.")
    return study(found, environment=describe_environment(chosen.manager().records(), None))


def study(found: Mapping[str, Mapping[str, tuple[bool, bool, float]]], *, environment: Any) -> Study:
    """Compare the arms.

    Args:
        found: As :func:`answers_of` returns it.
        environment: That of the record.
    """
    arms = [each for each in ARMS if each in found]
    rows, pairs, results, shares = [], [], {}, {}
    for arm in arms:
        texts = found[arm].values()
        changed = Rate(sum(each[0] for each in texts), len(texts))
        same = shares[arm] = Rate(sum(each[1] for each in texts), len(texts))
        seconds = median(each[2] for each in texts)
        rows.append([arm, str(changed), str(same), f"{seconds:.1f}"])
        results[arm] = {"texts": len(texts), "found": changed.count, "equivalent": same.count, "seconds": seconds}
    for first, second in combinations(arms, 2):
        shared = sorted(found[first].keys() & found[second].keys())
        a, b = ([found[arm][each][1] for each in shared] for arm in (first, second))
        either = Rate(sum(x or y for x, y in zip(a, b, strict=True)), len(shared))
        only = [sum(x and not y for x, y in zip(*each, strict=True)) for each in ((a, b), (b, a))]
        pairs.append([f"{first}, {second}", str(either), *map(str, only), f"{mcnemar(*only):.2g}"])
    best = max(arms, key=lambda arm: results[arm]["equivalent"] / results[arm]["texts"])
    return Study(
        study="adversaries",
        title="Who finds adversaries that mean the same?",
        environment=environment,
        seed=0,
        started=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        findings=[f"The largest share of texts with an equivalent adversary: {best}, {shares[best]}."],
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
