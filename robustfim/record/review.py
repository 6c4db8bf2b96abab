"""The review file: people's answers about perturbed texts. It holds hashes and answers, and no text."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from robustfim.record.versioned_file import read_versioned
from robustfim.whole_file import write_json

__all__ = ["ANSWERS", "Answer", "ReviewAnswer", "ReviewFile", "pair_hash"]

Answer = Literal["valid", "invalid", "unsure"]
"""A person's answer: whether a perturbed text reads naturally and means what the check assumes."""

ANSWERS: tuple[Answer, ...] = get_args(Answer)
"""All possible answers."""

REVIEW = 1
"""The version of the format; a reader refuses a newer one."""


class ReviewAnswer(BaseModel):
    """One person's answer to one pair of texts."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pair: str
    """:func:`pair_hash` of the two texts. The answer is valid for these texts in any model, suite or run."""
    answer: Answer
    when: str
    """ISO 8601, UTC."""
    who: str | None = None
    check: str | None = None
    """The check in which the person saw the pair, for people who read the file."""
    seconds: float | None = None
    """How long the person looked at the pair; None if unknown."""


class ReviewFile(BaseModel):
    """A file with people's reviews of failing texts; the last answer about a text counts."""

    model_config = ConfigDict(extra="forbid")

    robustfim_review: int = REVIEW
    answers: list[ReviewAnswer] = []

    @classmethod
    def load(cls, path: Path) -> ReviewFile:
        """Read a review file.

        Args:
            path: The file; if it does not exist, the result has no answers.

        Raises:
            UsageError: The file is malformed, or a newer robustfim wrote it.
        """
        if not path.exists():
            return cls()
        return read_versioned(
            path, cls, key="robustfim_review", version=REVIEW, what="review file", hint="'robustfim review' writes one."
        )

    def save(self, path: Path) -> None:
        """Write the file, as a whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, self.model_dump(mode="json"))

    def add(
        self, pair: str, answer: Answer, *, check: str = "", who: str | None = None, seconds: float | None = None
    ) -> None:
        """Add a person's answer about a failing text, with the current time.

        Args:
            pair: The hash of the unperturbed and the failing text, from :func:`pair_hash`.
            answer: The answer.
            check: The id of the check in which the person saw the pair.
            who: The person's name, if given.
            seconds: How long the person looked at the pair.
        """
        when = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        name = check.rpartition("::")[2] or None
        self.answers.append(ReviewAnswer(pair=pair, answer=answer, when=when, who=who, check=name, seconds=seconds))

    def take_back(self, pair: str) -> bool:
        """Remove the last answer about a pair."""
        for place in reversed(range(len(self.answers))):
            if self.answers[place].pair == pair:
                del self.answers[place]
                return True
        return False

    @property
    def by_pair(self) -> dict[str, Answer]:
        """The last answer about each pair."""
        return {answer.pair: answer.answer for answer in self.answers}


def pair_hash(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Hash a source text and its perturbed text."""
    content = json.dumps([dict(before), dict(after)], ensure_ascii=True, sort_keys=True)
    return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()
