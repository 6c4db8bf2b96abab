"""What the tagger sees of a token, and the tags that spans are."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from robustfim.spans import Span

__all__ = ["Tokens", "spans_of", "tags_of", "tokens_of", "written_tags"]

_TOKEN = re.compile(r"[^\W_]+|\S")
_RUN = re.compile(r"(.)\1+")
_LONGEST = 20


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: runs of letters and digits, and every other mark by itself.

    Attributes:
        places: First character of each and one past its last, ``[tokens]``.
        rows: The rows of the embedding table whose mean a token is, ``[tokens][features]``, each in [0, buckets).
    """

    places: list[tuple[int, int]]
    rows: list[list[int]]


def tokens_of(text: str, buckets: int) -> Tokens:
    """Cut a text into tokens and hash what each looks like (Weinberger et al. 2009).

    Of a token these are its lower-case form, its beginnings and ends of one to four characters, its shape with and
    without its length, and the shape of what stands between blanks around it; a digit is any digit.
    """
    chunks = [(match.start(), match.end(), _shape(match[0].lower())) for match in re.finditer(r"\S+", text)]
    places, rows, chunk = [], [], 0
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        while chunks[chunk][1] <= start:
            chunk += 1
        names = _features(match[0], chunks[chunk][2], start == chunks[chunk][0], end == chunks[chunk][1])
        places.append((start, end))
        rows.append([zlib.crc32(name.encode("utf-8", "surrogatepass")) % buckets for name in names])
    return Tokens(places, rows)


def _features(word: str, chunk: str, first: bool, last: bool) -> list[str]:
    shape = _shape(word)
    key = re.sub(r"\d", "0", word.lower())
    return [
        f"word {key}",
        f"length {min(len(word), _LONGEST)} {word.isdigit()}",
        f"shape {shape[:_LONGEST]}",
        "kind " + _RUN.sub(r"\1", shape),
        "around " + _RUN.sub(r"\1", chunk)[:_LONGEST],
        f"place {first} {last}",
        *(f"begins {key[:length]}" for length in range(1, 5)),
        *(f"ends {key[-length:]}" for length in range(1, 5)),
    ]


def _shape(word: str) -> str:
    return "".join("X" if c.isupper() else "x" if c.isalpha() else "0" if c.isdigit() else c for c in word)


def written_tags(labels: Sequence[str]) -> list[str]:
    """Write what the tags of :func:`tags_of` are called, in their order.

    >>> written_tags(["person"])
    ['O', 'B-person', 'I-person']
    """
    return ["O", *(f"{mark}-{label}" for label in labels for mark in "BI")]


def tags_of(places: Sequence[tuple[int, int]], spans: Sequence[Span], labels: Sequence[str]) -> list[int]:
    """Write spans as a tag for each token: 0 outside, then B and I of each label.

    Args:
        places: The tokens, ``[tokens]``.
        spans: Spans that do not overlap; those of a label that is none are left out.
        labels: The labels, in the order of the tags.
    """
    tags = [0] * len(places)
    for span in spans:
        if span.label in labels:
            inside = [index for index, (start, end) in enumerate(places) if start < span.end and span.start < end]
            for index in inside:
                tags[index] = 1 + 2 * labels.index(span.label) + (index > inside[0])
    return tags


def spans_of(
    places: Sequence[tuple[int, int]], tags: Sequence[int], sure: Sequence[float], labels: Sequence[str]
) -> list[Span]:
    """Read tags as spans.

    Args:
        places: The tokens, ``[tokens]``.
        tags: Their tags, as :func:`tags_of` writes them, no I without its label before it.
        sure: The probability of each tag, in [0, 1].
        labels: The labels, in the order of the tags.

    Returns:
        The spans in order, each with the least probability of its tokens.
    """
    found: list[Span] = []
    for (start, end), tag, probability in zip(places, tags, sure, strict=True):
        if tag and tag % 2:
            found.append(Span(start, end, labels[tag // 2], probability))
        elif tag:
            last = found[-1]
            found[-1] = Span(last.start, end, last.label, min(probability, last.probability or 0.0))
    return found
