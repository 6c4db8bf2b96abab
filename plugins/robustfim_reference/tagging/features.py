"""The features of a token, and the conversion between spans and tags."""

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
    """The tokens of a text: runs of letters and digits, and every other character separately.

    Attributes:
        places: For each token its first character, and the place after its last character, ``[tokens]``.
        rows: For each token the rows of the embedding table whose mean is its embedding, ``[tokens][features]``, each
            in [0, buckets).
    """

    places: list[tuple[int, int]]
    rows: list[list[int]]


def tokens_of(text: str, buckets: int) -> Tokens:
    """Split a text into tokens, and hash the features of each token (Weinberger et al. 2009).

    The features are the token in lower case, its first and last one to four characters, its length, its shape, whether
    it begins or ends a run of characters between blanks, and the shape of this run. All digits count as equal.
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
    """Return the names of the tags of :func:`tags_of`, in order.

    >>> written_tags(["person"])
    ['O', 'B-person', 'I-person']
    """
    return ["O", *(f"{mark}-{label}" for label in labels for mark in "BI")]


def tags_of(places: Sequence[tuple[int, int]], spans: Sequence[Span], labels: Sequence[str]) -> list[int]:
    """Convert spans to a tag for each token: 0 outside of spans, then two tags (B and I) for each label.

    Args:
        places: The places of the tokens, ``[tokens]``.
        spans: Spans that do not overlap. Spans with a label that is not in ``labels`` are ignored.
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
    """Convert the tags of tokens (O, B-label, I-label) to labelled spans of the text.

    Args:
        places: The places of the tokens, ``[tokens]``.
        tags: The tags of the tokens, as :func:`tags_of` returns them. Before each I there must be a B or I of the same
            label.
        sure: The probability of each token's tag, in [0, 1].
        labels: The labels, in the order of the tags.

    Returns:
        The spans in order, each with the smallest probability of its tokens.
    """
    found: list[Span] = []
    for (start, end), tag, probability in zip(places, tags, sure, strict=True):
        if tag and tag % 2:
            found.append(Span(start, end, labels[tag // 2], probability))
        elif tag:
            last = found[-1]
            found[-1] = Span(last.start, end, last.label, min(probability, last.probability or 0.0))
    return found
