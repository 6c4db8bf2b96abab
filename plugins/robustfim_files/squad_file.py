"""SQuAD files: articles with paragraphs and their questions, in JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from robustfim.errors import DataError
from robustfim.example import Example
from robustfim.prediction import NO_ANSWER
from robustfim.reading import read_json, read_text
from robustfim_files.rows import Limit

__all__ = ["SquadFile"]


class SquadFile:
    """A file in the published format of SQuAD 1.1 or 2.0 (Rajpurkar et al. 2016, 2018).

    An example has the fields ``question`` and ``context``. The first answer is the gold label, and the other answers
    are accepted. A question without an answer has the gold label ``(no answer)``. For files with one row for each
    question, use ``jsonl`` or ``parquet`` with ``label: answers``.

    Args:
        path: The file.
        limit: The largest number of examples; null for all.

    Attributes:
        skipped: The number of questions left out by the last ``load``, by reason.
    """

    def __init__(self, path: Path, limit: Limit = None) -> None:
        self._path, self._limit = path, limit
        self.skipped: dict[str, int] = {}

    def load(self) -> Iterator[Example]:
        """Read the questions, in the file's order."""
        self.skipped = {}
        made = 0
        for article, paragraph, question in self._questions():
            if not question["question"].strip():
                self.skipped["empty question"] = self.skipped.get("empty question", 0) + 1
                continue
            texts = list(dict.fromkeys(answer["text"] for answer in question.get("answers", ())))
            impossible = question.get("is_impossible", False)
            gold = [NO_ANSWER] if impossible else [text for text in texts if text.strip()]
            yield Example(
                {"question": question["question"], "context": paragraph["context"]},
                gold[0] if gold else None,
                {"title": article.get("title"), "id": question.get("id")},
                tuple(gold[1:]),
            )
            made += 1
            if made == self._limit:
                return
        if not made:
            raise DataError(f"{self._path}: no question in it.")

    def _questions(self) -> Iterator[tuple[Any, Any, Any]]:
        """Walk through articles, paragraphs and questions; whatever is not where it should be is told."""
        try:
            whole = read_json(read_text(self._path))
        except (ValueError, RecursionError) as error:
            raise DataError(f"{self._path} cannot be read as JSON: {error}.") from error
        where = str(self._path)
        try:
            for number, article in enumerate(whole["data"], start=1):
                for place, paragraph in enumerate(article["paragraphs"], start=1):
                    where = f"{self._path}: article {number}, paragraph {place}"
                    _require_texts(paragraph, "context")
                    for question in paragraph["qas"]:
                        _require_texts(question, "question")
                        for answer in question.get("answers", ()):
                            _require_texts(answer, "text")
                        yield article, paragraph, question
        except (KeyError, TypeError, AttributeError) as error:
            raise DataError(
                f"{where}: not in SQuAD's form, which is data → paragraphs → context, qas → question, answers → text: "
                f"{type(error).__name__}: {error}. Rows of questions are read with 'jsonl'."
            ) from error


def _require_texts(part: Any, key: str) -> None:
    if not isinstance(part[key], str):
        raise TypeError(f"{key!r} is not a text but {part[key]!r:.40}")
