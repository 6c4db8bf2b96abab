"""The user study of SEARs: adversaries by people, by the score, and by both (Ribeiro, Singh and Guestrin 2018, 5.2)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from robustfim.errors import DataError, UsageError, shown
from robustfim.example import Example
from robustfim.roles import Paraphraser
from robustfim.seeds import random_for
from robustfim_explore.request import Body, Json

__all__ = [
    "ARMS", "ATTEMPTS", "CHOICES", "EQUIVALENT", "Adversaries", "Task", "Verdict", "add", "answers_of", "rating",
    "read", "surest", "unrated",
]  # fmt: skip

ARMS = ("human", "sea", "hsea")
"""A person writes; the adversary of the highest semantic score; a person chooses among the five highest."""

ATTEMPTS = 10
"""Attempts of a person for one text."""
CHOICES = 5
"""Adversaries to choose among."""
EQUIVALENT = 4
"""The median of the ratings, from 1 to 5, from which a text means the same."""

Verdict = tuple[bool, bool, float]
"""Whether an adversary was found, whether it means the same, and the seconds."""


@dataclass
class Task:
    """A text for which a user study seeks an adversary: a text with the same meaning but another predicted label.

    Attributes:
        arm: Who seeks the adversary (a group of the study), one of :data:`ARMS`.
        example: The id of the text.
        text: The text.
        label: The model's label for the text, which is correct.
        begun: The time at which the text was shown.
        left: The number of attempts left.
        found: The adversaries so far, or the adversaries to choose from.
    """

    arm: str
    example: str
    text: str
    label: str
    begun: float = field(default_factory=time.monotonic)
    left: int = ATTEMPTS
    found: list[str] = field(default_factory=list)


class Adversaries:
    """Runs a user study in which people, a paraphraser or both seek adversaries (paraphrases that change the label).

    Args:
        predict: Returns the label of each text.
        rewrites: Returns the paraphrases of a text that keep its meaning by the paraphraser's score, the highest score
            first.
    """

    def __init__(
        self,
        predict: Callable[[Sequence[str]], Sequence[str]],
        rewrites: Callable[[str], Sequence[str]],
    ) -> None:
        self._predict, self._rewrites = predict, rewrites

    def tasks(self, arm: str, examples: Sequence[Example], seed: int, seen: Container[str] = ()) -> Iterator[Task]:
        """Yield one task after the other, for texts with a single field and a correct label, in a random order.

        Args:
            arm: Who seeks the adversaries (a group of the study), one of :data:`ARMS`.
            examples: The texts.
            seed: The seed of the order, which is the same for each group.
            seen: Ids of texts to leave out.
        """
        usable = [example for example in examples if example.label is not None and len(example.fields) == 1]
        for example in random_for(seed, "user study").sample(usable, len(usable)):
            if example.id not in seen and self._predict([example.text]) == [example.label]:
                yield self.begin(arm, example.id, example.text, str(example.label))

    def begin(self, arm: str, example: str, text: str, label: str) -> Task:
        """Begin a task with a text, and list a paraphraser's adversaries unless the arm is ``human``."""
        task = Task(arm, example, text, label)
        if arm != "human":
            texts = self._rewrites(text)
            labels = self._predict(texts) if texts else []
            flips = [each for each, after in zip(texts, labels, strict=True) if after != label]
            task.found = flips[: 1 if arm == "sea" else CHOICES]
        return task

    def attempt(self, task: Task, text: str) -> str:
        """Return the model's label of a person's attempt. If the label differs, the attempt is an adversary.

        Raises:
            UsageError: No attempt is left.
        """
        if not task.left or task.arm != "human":
            raise UsageError("no attempt is left for this text.")
        task.left -= 1
        (label,) = self._predict([text])
        if label != task.label and text not in (task.text, *task.found):
            task.found.append(text)
        return label

    def end(self, task: Task, place: int, who: str) -> Json:
        """End a task of the user study, and return the answer as a line for the file of answers.

        Args:
            task: The task.
            place: The number of the adversary that is closest to the text, from 1; 0 for none.
            who: The name of the person.

        Raises:
            UsageError: There is no such adversary.
        """
        if not isinstance(place, int) or not 0 <= place <= len(task.found):
            raise UsageError(
                f"there is no adversary {shown(place)}: give a number up to {len(task.found)}, or 0 for no adversary."
            )
        after, seconds = task.found[place - 1] if place else "", round(time.monotonic() - task.begun, 2)
        shown_text = {"arm": task.arm, "example": task.example, "before": task.text}
        return {**shown_text, "after": after, "seconds": seconds, "who": who}


def surest(paraphraser: Paraphraser, text: str, seed: int) -> list[str]:
    """Return a text's paraphrases that keep the meaning by the paraphraser's own threshold, the best first."""
    (found,) = paraphraser.paraphrase([text], seed=seed)
    known = [
        paraphrase for paraphrase in found if paraphrase.text != text and paraphrase.score >= paraphraser.contract.tau
    ]
    return [paraphrase.text for paraphrase in sorted(known, key=lambda each: -each.score)]


def read(path: Path) -> list[Json]:
    """Read a user study's file of answers; a missing file has no answers.

    Raises:
        DataError: The file cannot be read.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error


def add(path: Path, row: Body) -> None:
    """Append one answer to the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row, ensure_ascii=False) + "\n")


def unrated(rows: Sequence[Body], who: str) -> list[tuple[str, str]]:
    """Return the pairs of text and adversary that a person has neither found nor rated, in a fixed order."""
    own = {(row["before"], row["after"]) for row in rows if row["who"] == who}
    return sorted({(row["before"], row["after"]) for row in rows if "arm" in row and row["after"]} - own)


def rating(before: str, after: str, similarity: int, who: str) -> Json:
    """Return a person's rating of two texts' similarity as a line for the file of answers.

    Raises:
        UsageError: The rating is not from 1 to 5.
    """
    if similarity not in (1, 2, 3, 4, 5):
        raise UsageError(f"{shown(similarity)} is not a rating from 1 (differs) to 5 (means the same).")
    return {"before": before, "after": after, "similarity": similarity, "who": who}


def answers_of(rows: Sequence[Body]) -> dict[str, dict[str, Verdict]]:
    """Return the results of a user study for each group of its participants (arm).

    Args:
        rows: The lines of the file.

    Returns:
        By arm and text id, the verdict. An adversary counts as having the same meaning if the median of its ratings is
        4 or more. Of several answers the last counts.
    """
    ratings: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        if "similarity" in row:
            ratings.setdefault((row["before"], row["after"]), []).append(row["similarity"])
    found: dict[str, dict[str, Verdict]] = {}
    for row in rows:
        if "arm" in row:
            given = ratings.get((row["before"], row["after"]), [])
            same = bool(row["after"] and given) and median(given) >= EQUIVALENT
            found.setdefault(row["arm"], {})[row["example"]] = (bool(row["after"]), same, row["seconds"])
    return found
