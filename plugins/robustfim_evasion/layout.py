"""Disguises by layout: split lines, repetitions, alternating capitals, and marks between words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from itertools import pairwise
from random import Random

from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.tables import table
from robustfim_evasion.wrapping import unwrapped, wrapped

__all__ = ["RepeatedTokens", "SplitLines", "Storms"]


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _hyphenated(text: str, random: Random) -> str:
    return re.sub(
        r"[^\W\d_]{5,}",
        lambda word: word[0][: (cut := random.randint(2, len(word[0]) - 2))] + "-\n" + word[0][cut:],
        text,
    )


_PIECES = 3
_TIMES = 40
"""How often a flood repeats its token."""


def _pieces(text: str, _: Random) -> str:
    bounds = [len(text) * place // _PIECES for place in range(_PIECES + 1)]
    parts = [text[start:end] for start, end in pairwise(bounds)]
    lines = (f"{name} = {json.dumps(part, ensure_ascii=False)}" for name, part in zip("abc", parts, strict=True))
    return wrapped(table("pieces"), "\n".join(lines))


def _assembled(text: str) -> str:
    return "".join(json.loads(line.partition(" = ")[2]) for line in unwrapped(table("pieces"), text).split("\n"))


class SplitLines(Disguises):
    """Splits the text over lines, or into pieces that the reader is asked to put together.

    The texts imitate narrow columns, lists and payload splitting. ``words`` puts each word on a line, ``letters`` each
    letter. ``hyphenated`` breaks long words over two lines, and ``pieces`` cuts the text into three.
    """

    name = "split_lines"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        return {
            "words": Disguise(lambda text, _: "\n".join(text.split()), _spaced, _spaced),
            "letters": Disguise(lambda text, _: "\n".join(text), lambda text: text[::2]),
            "hyphenated": Disguise(_hyphenated, lambda text: text.replace("-\n", "")),
            "pieces": Disguise(_pieces, _assembled),
        }


class Storms(Disguises):
    """Writes the text with ``alternating`` or ``random`` capitals, or with punctuation marks after every word.

    The texts imitate shouting and mocking posts. A reader ignores the case and the marks.

    Args:
        kinds: ``alternating``, ``random``, or a mark of ``tables/storms.yaml``; all by default.
    """

    name = "storms"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        marks = {kind: _marked(mark) for kind, mark in table("storms").items()}
        return {
            "alternating": Disguise(
                lambda text, _: "".join(each.upper() if place % 2 else each.lower() for place, each in enumerate(text)),
                str.casefold,
                str.casefold,
            ),
            "random": Disguise(
                lambda text, random: "".join(each.upper() if random.random() < 0.5 else each.lower() for each in text),
                str.casefold,
                str.casefold,
            ),
            **marks,
        }


def _marked(mark: str) -> Disguise:
    return Disguise(
        lambda text, _: re.sub(r"(?<=\S)(?=\s|\Z)", lambda _: mark, text), lambda text: text.replace(mark, "")
    )


class RepeatedTokens(Disguises):
    """Repeats each word or the whole text three times, or floods the text with a meaningless token before or after it.

    The texts imitate floods that dilute the payload and push it out of a model's window.

    Args:
        kinds: ``words``, ``text``, ``before``, ``behind``; all by default.
    """

    name = "repeated_tokens"

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        flood = " ".join([table("flood")] * _TIMES)
        return {
            "words": Disguise(
                lambda text, _: re.sub(r"\S+", r"\g<0> \g<0> \g<0>", text),
                lambda text: re.sub(r"(?<!\S)(\S+) \1 \1(?!\S)", r"\1", text),
            ),
            "text": Disguise(lambda text, _: "\n".join([text] * 3), lambda text: text[: (len(text) - 2) // 3]),
            "before": Disguise(lambda text, _: f"{flood}\n{text}", lambda text: text.removeprefix(f"{flood}\n")),
            "behind": Disguise(lambda text, _: f"{text}\n{flood}", lambda text: text.removesuffix(f"\n{flood}")),
        }
