"""The bundled messages: texts written for this project, with the people, places and personal data that are in them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.spans import require_spans, written_spans

__all__ = ["Messages"]


class Messages:
    """201 mails, chats, lists, forms, posts and calls, with gold spans; people, firms and numbers are invented.

    The labels are person, place, organisation, address, mail, phone and account; a title is no part of a name. Each has
    its ``kind``: mail, chat, list, post, form, speech, typo, lower (case), or none, in which there is nothing to find.

    Args:
        limit: How many to load from the beginning; None for all.
    """

    def __init__(self, *, limit: int | None = None) -> None:
        if limit is not None and limit < 1:
            raise UsageError(f"limit={limit} loads no message; give a number from 1, or leave it out.")
        self.limit = limit

    def load(self) -> Iterator[Example]:
        """Yield the messages in the order of the file."""
        text = (files("robustfim_reference") / "messages" / "messages.jsonl").read_text(encoding="utf-8")
        for line in text.splitlines()[: self.limit]:
            row = json.loads(line)
            spans = require_spans(row["spans"], row["text"], apart=True)
            yield Example({"text": row["text"]}, written_spans(spans), {"kind": row["kind"]})
