"""A plugin without torch, copied beside the suites of the command line's tests: it can be asked to misbehave."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from math import exp, nan
from pathlib import Path
from random import Random
from typing import Any, Literal

from robustfim import Candidate, DataError, Edit, Example, SkipCheck, hookimpl
from robustfim.contract import ModelContract, ScoreContract
from robustfim.record import Record
from robustfim.roles import Context

WEIGHTS = {"great": 2.0, "good": 1.0, "fine": 0.5, "dull": -0.5, "bad": -1.5, "awful": -3.0}
REVIEWS = (
    ("a great film", "positive"),
    ("a good plot and a good cast", "positive"),
    ("a good film with a dull end", "positive"),
    ("fine, if you like fine things", "positive"),
    ("an awful film", "negative"),
    ("a bad plot", "negative"),
    ("a great cast in an awful film", "negative"),
    ("dull and long", "negative"),
)


class WordSum:
    """Adds up the weights of words.

    Args:
        nan_on: A word on which the model answers NaN.
        raise_on: A word on which it raises.
        answer: What it returns; everything but probabilities is wrong.
        seconds: How long a batch takes.
        batch_size: Texts a batch.
        log: A file that gets a line for each text the model sees.
        labels: Its labels.
    """

    def __init__(
        self,
        nan_on: str = "",
        raise_on: str = "",
        answer: Literal["probabilities", "logits", "one row", "text"] = "probabilities",
        seconds: float = 0.0,
        batch_size: int = 64,
        log: Path | None = None,
        labels: list[str] | None = None,
    ) -> None:
        self.nan_on, self.raise_on, self._answer = nan_on, raise_on, answer
        self.seconds, self.log = seconds, log
        self.contract = ModelContract(batch_size=batch_size)
        self.labels = tuple(labels or ("negative", "positive"))
        self.fingerprint = f"{nan_on}/{answer}"

    def predict(self, examples: Sequence[Example]) -> Any:
        """Predict a batch."""
        time.sleep(self.seconds)
        if self.log is not None:
            with self.log.open("a", encoding="utf-8") as file:
                file.writelines(f"{example.text}\n" for example in examples)
        rows = [self._row(example.text) for example in examples]
        answers = {"logits": [[-3.0, 3.0] for _ in rows], "one row": rows[:1] * (len(rows) + 1), "text": "positive"}
        return answers.get(self._answer, rows)

    def _row(self, text: str) -> list[float]:
        words = re.findall(r"\w+", text)
        if self.raise_on and self.raise_on in words:
            raise ZeroDivisionError(f"I cannot read {self.raise_on!r}")
        if self.nan_on and self.nan_on in words:
            return [nan] * len(self.labels)
        positive = 1 / (1 + exp(-sum(WEIGHTS.get(word, 0.0) for word in words)))
        return [1 - positive, positive, *[0.0] * (len(self.labels) - 2)]


class Unloadable:
    """A model whose weights are missing."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Loads the weights, in vain."""
        raise FileNotFoundError("weights.bin")

    fingerprint = "none"

    def predict(self, examples: Sequence[Example]) -> Any:
        """Never reached."""
        raise NotImplementedError


class Films:
    """Eight short reviews, or those of the suite.

    Args:
        rows: Texts with their labels.
        mistake: What ``load`` does wrong.
    """

    def __init__(self, rows: list[tuple[str, str | None]] | None = None, mistake: str = "") -> None:
        self.rows, self.mistake = list(REVIEWS) if rows is None else rows, mistake
        self.skipped = {"of no use": 0}

    def load(self) -> Any:
        """Read the reviews."""
        if self.mistake == "raises":
            raise LookupError("the shelf is empty")
        if self.mistake == "refuses":
            raise DataError("there is no shelf.")
        if self.mistake == "returns texts":
            return [text for text, _ in self.rows]
        return [Example({"text": text}, label) for text, label in self.rows]


class Rename:
    """Puts other words in.

    Args:
        table: The words; ``film``, ``cast`` and ``good`` where it is not given.
    """

    def __init__(self, table: dict[str, str] | None = None) -> None:
        self.table = table or {"film": "movie", "cast": "actors", "good": "solid"}

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        """List the places where a word stands."""
        for field, text in example.fields.items():
            for before, after in self.table.items():
                for place in re.finditer(rf"\b{before}\b", text):
                    yield Edit(field, place.start(), place.end(), before, after, origin=f"{before}>{after}")


class Broken:
    """A perturbation that breaks its contract.

    Args:
        how: The way it does.
    """

    def __init__(self, how: Literal["raises", "returns text", "wrong place", "other example", "skips"]) -> None:
        self.how = how

    def prepare(self, context: Context) -> None:
        """Ask for a resource that is missing."""
        if self.how == "skips":
            raise SkipCheck("the dictionary is missing: fetch it.")

    def propose(self, example: Example, random: Random) -> Any:
        """Break the contract."""
        if self.how == "raises":
            raise ArithmeticError("no candidate today")
        if self.how == "returns text":
            return ["a text"]
        if self.how == "wrong place":
            return [Candidate(example, (Edit("text", 0, 3, "xyz", "abc"),))]
        return [Candidate.replacing(Example({"text": "another"}), {"text": "one"})]


class Long:
    """The length of the text, as a difficulty; with ``raises``, none."""

    contract = ScoreContract(hardest="highest")

    def __init__(self, raises: bool = False) -> None:
        self.raises = raises

    def score(self, examples: Sequence[Example], context: Context) -> list[float]:
        """Count the letters."""
        if self.raises:
            raise OverflowError("too long to tell")
        return [float(len(example.text)) for example in examples]


class Torn:
    """A report that raises."""

    def write(self, record: Record, folder: Path) -> Path:
        """Raise."""
        raise BufferError("the paper is torn")


@hookimpl
def robustfim_offers() -> dict[str, dict[str, type]]:
    """Offer a part of every kind that the tests need, and some that are broken."""
    return {
        "models": {"wordsum": WordSum, "unloadable": Unloadable},
        "data": {"films": Films},
        "scorers": {"long": Long},
        "perturbations": {"rename": Rename, "broken": Broken},
        "reports": {"torn": Torn},
    }
