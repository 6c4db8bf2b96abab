"""Data sets of this plugin, written for this project: reviews, messages, requests and questions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import islice
from typing import Any, ClassVar

from pydantic import PositiveInt

from robustfim.example import Example
from robustfim.spans import require_spans, written_spans

__all__ = ["Messages", "Questions", "Requests", "Reviews"]


class _Bundled:
    """The rows of a file of JSON lines that lies in the plugin.

    Args:
        limit: How many examples to load from the beginning; None for all.
    """

    file: ClassVar[str]
    """Its place in the plugin."""
    row: ClassVar[str]
    """What one is called."""

    def __init__(self, *, limit: PositiveInt | None = None) -> None:
        self.limit = limit

    def load(self) -> Iterator[Example]:
        """Yield the examples in the order of the file."""
        text = (files("robustfim_reference") / self.file).read_text(encoding="utf-8")
        rows = map(json.loads, text.removesuffix("\n").split("\n"))
        return islice((example for row in rows for example in self._examples(row)), self.limit)

    def _examples(self, row: dict[str, Any]) -> Iterable[Example]:
        """Make the examples of a row: of one with a text and its label, one."""
        return [Example({"text": row["text"]}, label=row["label"])]


class Reviews(_Bundled):
    """Short reviews, each labelled positive or negative."""

    file, row = "reviews/reviews.jsonl", "review"


class Messages(_Bundled):
    """201 mails, chats, lists, forms, posts and calls, with gold spans; people, firms and numbers are invented.

    The labels are person, place, organisation, address, mail, phone and account. Titles such as "Dr" are not part of a
    name. Each text has a ``kind``: mail, chat, list, post, form, speech, typo, lower (lower case), or none (without any
    span).
    """

    file, row = "messages/messages.jsonl", "message"

    def _examples(self, row: dict[str, Any]) -> Iterable[Example]:
        spans = require_spans(row["spans"], row["text"], apart=True)
        return [Example({"text": row["text"]}, written_spans(spans), {"kind": row["kind"]})]


class Requests(_Bundled):
    """300 requests to a voice assistant: one for each of 150 intents, and 150 that are out of scope (``oos``).

    Most of the out-of-scope requests are harmless; some ask the assistant to forget its rules, or to help harm
    somebody. The labels are the intents of CLINC150 (Larson et al. 2019), whose texts are not used.
    """

    file, row = "requests/requests.jsonl", "request"


class Questions(_Bundled):
    """Questions on 24 short passages, with the answers that count as right, all of them parts of the passage.

    An example has the fields ``question`` and ``context``. The gold label is the first answer, and the other answers
    are accepted. People, places and numbers in the passages are invented.
    """

    file, row = "questions/passages.jsonl", "question"

    def _examples(self, row: dict[str, Any]) -> Iterator[Example]:
        for asked in row["questions"]:
            first, *others = asked["answers"]
            fields = {"question": asked["question"], "context": row["context"]}
            yield Example(fields, first, accepted=tuple(others))
