"""Planted bugs: which of four bugs, planted in a model, the perturbations catch.

``python -m benchmarks.planted --data FOLDER`` writes the result. A planted bug is laid over ``reference/fasttext``:
what it answers is bent by what a text names, or asked of a text without its denials. A perturbation catches it where
it fails on more texts than on the model without the bug.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from scipy.stats import binomtest

import robustfim
from benchmarks.reach import NAMES
from benchmarks.reach import texts as drawn
from benchmarks.sections import data_folder, write_results
from robustfim.example import Example
from robustfim.statistics import family

__all__ = [
    "MODELS", "Bug", "bugs", "caught", "failing", "holm", "labelled", "measure", "model_of", "planted", "proposed",
    "section", "with_gold",
]  # fmt: skip

_TEXTS = 100
"""Texts of each kind."""
_MOST = 3
"""Candidates of a text at most."""
_TOLERANCE = 0.1
"""How far a probability may move the wrong way."""
_BENT = 4.0
"""By how much, in natural logarithms of odds, a planted bug bends an answer."""
_LEVEL = 0.05
MODELS = ("fasttext", "cnn", "lstm", "bert")
_POSITIVE = frozenset(["1", "pos", "positive"])
_JUDGED = ("film", "review")
"""Kinds of text whose gold labels are the models' own."""
_TURNED = ("antonyms", "negation")
_ADDED = ("positive_sentence", "negative_sentence")
_SIDED = (*_TURNED, *_ADDED)
"""Perturbations that read the labels' sides off the data."""
_SHORT = 200
"""Film sentences, for what turns a whole text."""
_FALL = 0.05
"""By how much the probability of the gold label must fall where a whole text turns."""
_WHOLE: Mapping[str, Mapping[str, Any]] = {
    "antonyms, whole texts": {"use": "antonyms", "whole": True},
    "negation, whole texts": {"use": "negation", "sentences": "one"},
}
"""Perturbations that turn a whole text, so that the probability of its label must fall."""
Probability = Callable[[Sequence[str]], Sequence[float]]
"""Gives the probability of praise for each text."""


class Bug(NamedTuple):
    """A bug that is planted in a model.

    Attributes:
        seen: A function that returns the text that the model sees in place of the given text.
        bend: A function of the text that returns a number to add to the logarithm of the odds of praise.
    """

    seen: Callable[[str], str]
    bend: Callable[[str], float]


def _same(text: str) -> str:
    return text


def _straight(text: str) -> float:
    return 0.0


def _without_denials(text: str) -> str:
    """Leave out of a text the words that deny.

    Args:
        text: The text.

    >>> _without_denials("I don't like it, and never will.")
    'I like it, and will.'
    """
    from robustfim_words.text.denials import denies
    from robustfim_words.text.tokens import tokenise

    said, at = "", 0
    for token in tokenise(text):
        if denies(token.text):
            said, at = said + text[at : token.start], token.end + text[token.end : token.end + 1].isspace()
    return said + text[at:]


def _listed(table: str, *roles: str) -> Callable[[str], float]:
    """Bend by the words of a shipped table, one half of which the model has learnt to like, the other to dislike."""
    from robustfim_words.text.lexicon import LEXICONS
    from robustfim_words.text.tokens import tokenise

    rows = [line.split("\t") for line in (LEXICONS / table).read_text(encoding="utf-8").splitlines()]
    words = {row[0] for row in rows if len(row) > 1 and not row[0].startswith("#") and {*roles} & {*row[1:]}}

    def bend(text: str) -> float:
        named = [token.base for token in tokenise(text)]
        return math.fsum(_liked(word) for word in named if word in words)

    return bend


def _liked(word: str) -> float:
    """Bend by a word: liked or disliked, as the sum of its letters says."""
    return _BENT if sum(map(ord, word)) % 2 else -_BENT


def _numbers(text: str) -> float:
    from robustfim_words.text.tokens import tokenise

    return math.fsum(_liked(token.text) for token in tokenise(text) if token.kind == "number")


def bugs() -> dict[str, Bug]:
    """Return the planted bugs by name."""
    return {
        "ignores negation": Bug(cache(_without_denials), _straight),
        "keys on a name": Bug(_same, cache(_listed("people.tsv", "given"))),
        "keys on a nation": Bug(_same, cache(_listed("nationalities.tsv", "adjective", "person", "persons"))),
        "keys on a number": Bug(_same, cache(_numbers)),
    }


def planted(model: Probability, bug: Bug) -> Probability:
    """Return a model with a planted bug.

    Args:
        model: A function that returns the probability of praise for each text.
        bug: The bug.
    """

    def answer(texts: Sequence[str]) -> list[float]:
        plain = model([bug.seen(text) for text in texts])
        odds = (math.log(p / (1 - p)) for p in (min(max(p, 1e-6), 1 - 1e-6) for p in plain))
        return [1 / (1 + math.exp(-(odd + bug.bend(text)))) for odd, text in zip(odds, texts, strict=True)]

    return answer


def failing(
    name: str, texts: Sequence[tuple[str, bool | None]], pool: Sequence[Sequence[str]], model: Probability
) -> list[bool]:
    """Check for each text whether the model fails the perturbation's expectation with at least one candidate.

    Most perturbations expect the same decision. If a perturbation reverses a whole text, the probability of the gold
    label must fall by 0.05, unless it is lower than that. If it reverses a part of a text, the probability must not
    rise by more than 0.1. If it adds praise or blame, the probability of that side must not fall by more than 0.1.

    Args:
        name: The perturbation's name.
        texts: The texts, each with whether its gold label is praise; None without a gold label.
        pool: The candidates of each text.
        model: A function that returns the probability of praise for each text.
    """
    asked = list(dict.fromkeys([text for text, _ in texts] + [each for own in pool for each in own]))
    praise = dict(zip(asked, model(asked), strict=True))

    def fails(text: str, gold: bool | None, changed: str) -> bool:
        rise = praise[changed] - praise[text]
        if name in _WHOLE:
            held = praise[text] if gold else 1 - praise[text]
            return gold is not None and held >= _FALL and (rise if gold else -rise) > -_FALL
        if name in _TURNED:
            return gold is not None and (rise if gold else -rise) > _TOLERANCE
        if name in _ADDED:
            return (-rise if name.startswith("p") else rise) > _TOLERANCE
        return (praise[changed] > 0.5) != (praise[text] > 0.5)

    return [any(fails(text, gold, each) for each in own) for (text, gold), own in zip(texts, pool, strict=True)]


def caught(plain: Sequence[bool], bugged: Sequence[bool]) -> float:
    """Test whether a model fails on more texts with a bug than without it: the one-sided exact McNemar p-value.

    Args:
        plain: For each text, whether the model without the bug fails.
        bugged: For each text, whether the model with the bug fails.
    """
    more = sum(new and not old for old, new in zip(plain, bugged, strict=True))
    fewer = sum(old and not new for old, new in zip(plain, bugged, strict=True))
    return float(binomtest(more, more + fewer, alternative="greater").pvalue) if more else 1.0


def proposed(
    texts: Mapping[str, Sequence[tuple[str, str]]], written: Mapping[str, Mapping[str, Any]], most: int | None = None
) -> dict[str, list[list[str]]]:
    """Make candidates with perturbations.

    Args:
        texts: For each kind, the texts with their gold labels, ``""`` without a gold label.
        written: For each name, the perturbation as a suite writes it.
        most: The number of texts of each kind that get candidates. The other texts only serve to find which labels
            stand for praise and blame.
    """
    examples = {kind: [Example({"text": text}, label or None) for text, label in its] for kind, its in texts.items()}
    found: dict[str, list[list[str]]] = {}
    for name, perturb in written.items():
        for kind in examples.values():  # the labels' sides are read off the data, so each kind is data of its own
            its = kind if name in _SIDED else kind[:most]
            made = robustfim.perturb(perturb, its, candidates=_MOST, seed=0).candidates[:most]
            found.setdefault(name, []).extend([[each.example.text for each in pool] for pool in made])
    return found


def measure(data: Path) -> dict[str, dict[str, tuple[int, int, float]]]:
    """Count the texts on which ``reference/fasttext`` fails, without and with each planted bug.

    Args:
        data: The folder of the public data sets.

    Returns:
        For each bug and perturbation, the numbers of texts that fail without and with the bug, and the p-value of the
        difference.
    """
    known = {kind: with_gold(its) for kind, its in drawn(data).items()}
    short = {"film": known["film"][:_SHORT]}
    judged, turned = labelled({kind: its[:_TEXTS] for kind, its in known.items()}), labelled(short)
    pools = proposed(known, {name: {"use": name} for name in NAMES}, _TEXTS) | proposed(short, _WHOLE)
    plain = model_of("fasttext")
    found: dict[str, dict[str, tuple[int, int, float]]] = {}
    for bug, bent in bugs().items():
        for name, pool in pools.items():
            its = turned if name in _WHOLE else judged
            before, after = (failing(name, its, pool, ask) for ask in (plain, planted(plain, bent)))
            found.setdefault(bug, {})[name] = sum(before), sum(after), caught(before, after)
    return found


def with_gold(examples: Sequence[Example]) -> list[tuple[str, str]]:
    """Pair each text with its gold label, or with ``""`` if it has no gold label or several."""
    return [(example.text, example.gold[0] if len(example.gold) == 1 else "") for example in examples]


def labelled(texts: Mapping[str, Sequence[tuple[str, str]]]) -> list[tuple[str, bool | None]]:
    """Pair each text with whether its gold label is praise; None if the label is not a label of the models.

    Args:
        texts: For each kind, the texts with their gold labels, ``""`` without a gold label.
    """
    return [
        (text, label in _POSITIVE if label and kind in _JUDGED else None)
        for kind, its in texts.items()
        for text, label in its
    ]


def model_of(name: str) -> Probability:
    """Return a function that computes a reference model's probability of praise, once for each text.

    Args:
        name: The name of the model, one of ``MODELS``.
    """
    context, known = robustfim.context(model=f"reference/{name}"), dict[str, float]()

    def ask(texts: Sequence[str]) -> list[float]:
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        for text, answer in zip(fresh, context.predict([Example({"text": text}) for text in fresh]), strict=True):
            if answer is None:
                raise ValueError(f"no prediction of {text!r}")
            known[text] = answer.probability("positive") or 0.0
        return [known[text] for text in texts]

    return ask


def section(found: Mapping[str, Mapping[str, tuple[int, int, float]]]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: For each bug and perturbation, the numbers of failing texts without and with the bug, and the p-value.
    """
    lines = [
        "## Planted bugs",
        "",
        "Written by `python -m benchmarks.planted --data FOLDER`.",
        "",
        f"Four bugs planted in `reference/fasttext`: it does not see words that deny; or half of all given names, of "
        "all words of nations, of all numbers in digits make its answer better, the others worse, by "
        f"{_BENT:.0f} in the logarithm of the odds. Each perturbation makes at most {_MOST} candidates of {_TEXTS} "
        "texts of each of five kinds, and a text fails with one of them: the decision must stay; of `antonyms` and "
        "`negation` the probability of the gold label must not rise by more than .1, of added praise or blame its "
        "label's must not fall. A perturbation catches a bug if more texts fail with it than without it: McNemar's "
        f"exact test, one side, 5 % by Holm over all {len(NAMES) + len(_WHOLE)}. Two of these turn a whole text, on "
        f"{_SHORT} film sentences: the probability of the gold label must fall by {_FALL:.2f} at least. Texts that "
        "fail without and with the bug:",
        "",
        "| bug | caught by |",
        "| --- | --- |",
    ]
    for bug, rows in found.items():
        surely = [f"`{name}` ({rows[name][0]} → {rows[name][1]})" for name in holm(rows)]
        lines.append(f"| {bug} | {', '.join(surely) or 'none'} |")
    return "\n".join([*lines, ""])


def holm(rows: Mapping[str, tuple[int, int, float]]) -> list[str]:
    """List the perturbations that detect a bug, with a familywise error of 5 % by Holm's procedure.

    Args:
        rows: For each perturbation its counts and its p-value.
    """
    adjusted = dict(zip(rows, family([p_value for _, _, p_value in rows.values()]), strict=True))
    return sorted((name for name in rows if adjusted[name] <= _LEVEL), key=lambda name: rows[name][2])


if __name__ == "__main__":
    write_results(section(measure(data_folder(__doc__))))
