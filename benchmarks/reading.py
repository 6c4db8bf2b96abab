"""Texts of several kinds, candidates made of them, and a short form of each pair for readers."""

from __future__ import annotations

import csv
import hashlib
import importlib
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import robustfim_words
from benchmarks.validity import Rated, read_ratings
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.roles import Substitution

__all__ = ["PARTS", "digest", "made", "perturbation", "short", "texts"]

PARTS = ("tune", "count")
"""The halves of the texts: after reading the first, causes are mended; the second is counted."""

_KINDS = {
    "film": ("rotten_tomatoes/train.csv", "rotten_tomatoes/dev.csv"),
    "news": ("ag_news/train.csv", "ag_news/dev.csv"),
    "review": ("counterfactual_imdb/train.csv", "movie_reviews/train.csv"),
    "suite": ("suites/hatecheck_test_suite_cases.csv",),
    "web": ("ud_english_ewt/train.conllu", "ud_english_ewt/dev.conllu"),
}
_LONGEST = 1500
"""Characters of a text that a reader is shown at most."""
_CANDIDATES = 40
_BESIDE = 80


def digest(text: str) -> str:
    """Return the first 20 digits of a text's SHA-256."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def texts(data: Path, part: str) -> dict[str, list[str]]:
    """Read the texts of each kind that belong to a part of the data and were not rated before.

    A text's hash decides to which part it belongs.

    Args:
        data: The folder of the public data sets.
        part: The part, one of ``PARTS``.
    """
    rated = {rating.source for rating in read_ratings()}
    found: dict[str, list[str]] = {}
    for kind, paths in _KINDS.items():
        for text in dict.fromkeys(text for path in paths for text in _read(data / path)):
            key = digest(text)
            if 20 < len(text) <= _LONGEST and key not in rated and int(key, 16) % len(PARTS) == PARTS.index(part):
                found.setdefault(kind, []).append(text)
    return found


def _read(path: Path) -> Iterator[str]:
    csv.field_size_limit(10**9)
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".conllu":
            passage: list[str] = []
            for line in file:
                if line.startswith("# newpar") and passage:
                    yield " ".join(passage)
                    passage = []
                if line.startswith("# text = "):
                    passage.append(line.removeprefix("# text = ").strip())
            yield " ".join(passage)
        else:
            yield from (row.get("text") or row["test_case"] for row in csv.DictReader(file))


def perturbation(name: str) -> object:
    """Make a perturbation of ``robustfim_words`` with its default options.

    Args:
        name: The perturbation's name, as suites write it.
    """
    module, cls = robustfim_words.robustfim_offers()["perturbations"][name].split(":")
    return getattr(importlib.import_module(module), cls)()


def made(perturbation: object, example: Example, seed: str) -> Iterator[Candidate]:
    """Make the candidates of an example; of a perturbation with endless draws, the first forty.

    Args:
        perturbation: A perturbation that lists edits or proposes candidates.
        example: The source example.
        seed: The seed of the draws, together with the text.
    """
    random = Random(f"{seed}{example.text}")  # noqa: S311  # reproducible, not secret
    if isinstance(perturbation, Substitution):
        return (Candidate(example, (edit,)) for edit in perturbation.edits(example, random))
    return islice(perturbation.propose(example, random), _CANDIDATES)  # type: ignore[attr-defined]  # the other kind


def short(pair: Rated) -> str:
    """Show the edits of a pair with the words around them.

    Args:
        pair: The pair of a text and a candidate.
    """
    edits = [Edit("text", start, end, before, after) for start, end, before, after in json.loads(pair.edits)]
    parts, at = [], 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        gap = pair.source[at : edit.start]
        if at == 0:
            gap = gap if len(gap) <= _BESIDE else f"…{gap[-_BESIDE:]}"
        elif len(gap) > 2 * _BESIDE:
            gap = f"{gap[:_BESIDE]} … {gap[-_BESIDE:]}"
        parts.append(f"{gap}[{edit.before}→{edit.after}]")
        at = edit.end
    rest = pair.source[at:]
    return "".join(parts) + (rest if len(rest) <= _BESIDE else f"{rest[:_BESIDE]}…")
