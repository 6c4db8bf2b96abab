"""The page's columns read back in the plainest way, to compare with the record."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import dataclass
from typing import Any

__all__ = ["Told", "told", "unpacked"]


@dataclass(frozen=True)
class Told:
    """What the columns tell of one failing pair."""

    id: str
    check: str
    example: str
    arm: str
    labels: tuple[str, str]
    probabilities: tuple[float, float]
    source: dict[str, str]
    after: dict[str, str]
    harm: str
    now: str
    note: str
    command: str


def unpacked(page: str) -> dict[str, Any]:
    """Return the head and the columns of a page."""
    (line,) = re.findall(r'<script type="text/plain" id="data">([A-Za-z0-9+/=]*)</script>', page)
    found: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(line)))
    return found


def _cut(text: str, start: int, size: int) -> str:
    """Cut a text as a browser counts, in UTF-16 code units."""
    data = text.encode("utf-16-le", "surrogatepass")
    return data[2 * start : 2 * (start + size)].decode("utf-16-le", "surrogatepass")


def told(page: str) -> list[Told]:
    """Return what a page tells of every failing pair, in the order of its list."""
    head = unpacked(page)
    c = head["columns"]
    found = []
    for row, identity in enumerate(head["ids"]):
        group = max(g for g, first in enumerate(c["group_first"]) if first <= row)
        example = c["example"][row]
        fields = {
            head["fields"][c["example_field"][i]]: head["texts"][c["example_text"][i]]
            for i in range(c["example_field_start"][example], c["example_field_start"][example + 1])
        }
        source, after = {}, {}
        for k, (name, text) in enumerate(fields.items()):
            field = c["field_start"][row] + k
            place, before_text, after_text = 0, "", ""
            for i in range(c["segment_start"][field], c["segment_start"][field + 1]):
                kind, size = c["segment_bits"][i] & 3, c["segment_size"][i]
                piece = head["pieces"][size] if kind == 2 else _cut(text, place, size)
                place += 0 if kind == 2 else size
                before_text += piece if kind != 2 else ""
                after_text += piece if kind != 1 else ""
            source[name], after[name] = before_text, after_text
        check = c["group_check"][group]
        now = c["group_now"][group]
        found.append(
            Told(
                id=identity,
                check=head["checks"][check - 1]["id"] if check else "",
                example=head["examples"][example],
                arm=head["arms"][c["example_arm"][example]],
                labels=tuple(head["changes"][c["change"][row]]),
                probabilities=(c["before"][row], c["after"][row]),
                source=source,
                after=after,
                harm=head["harms"][c["harm"][row]],
                now=head["now"][now] if now < len(head["now"]) else "",
                note=head["words"][c["note"][row]],
                command=head["words"][c["command"][row]]
                .replace("\x01", head["examples"][example])
                .replace("\x02", identity),
            )
        )
    return found
