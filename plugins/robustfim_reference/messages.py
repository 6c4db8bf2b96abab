"""The bundled messages: texts written for this project, with the people, places and personal data that are in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from robustfim.example import Example
from robustfim.spans import require_spans, written_spans
from robustfim_reference.bundled import Bundled

__all__ = ["Messages"]


class Messages(Bundled):
    """201 mails, chats, lists, forms, posts and calls, with gold spans; people, firms and numbers are invented.

    The labels are person, place, organisation, address, mail, phone and account; a title is no part of a name. Each has
    its ``kind``: mail, chat, list, post, form, speech, typo, lower (case), or none, in which there is nothing to find.

    Args:
        limit: How many to load from the beginning; None for all.
    """

    file, row = "messages/messages.jsonl", "message"

    def _examples(self, row: dict[str, Any]) -> Iterable[Example]:
        spans = require_spans(row["spans"], row["text"], apart=True)
        return [Example({"text": row["text"]}, written_spans(spans), {"kind": row["kind"]})]
