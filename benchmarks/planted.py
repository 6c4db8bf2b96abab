"""Bugs found: what the perturbations break in four models, and which of four planted bugs they catch.

``python -m benchmarks.planted --data FOLDER --tree CHECKOUT`` lets the checkout named and this one propose candidates
of the same texts, asks the reference models for both, and writes the result. A planted bug is laid over
``reference/fasttext``: what it answers is bent by what a text names, or asked of a text without its denials. A
perturbation catches it where it fails on more texts than on the model without the bug.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from robustfim.example import Example

__all__ = [
    "FAILED",
    "MODELS",
    "NAMES",
    "Bug",
    "Found",
    "Pair",
    "bugs",
    "caught",
    "failing",
    "holm",
    "labelled",
    "measure",
    "model_of",
    "pairs",
    "planted",
    "proposed",
    "read",
    "section",
    "with_gold",
]

NAMES = (
    "adverbs", "antonyms", "drop_sentence", "gender", "intensifiers", "nationalities", "near_synonyms", "negation",
    "negative_sentence", "neutral_sentence", "nouns", "numbers", "openers", "organisations", "people", "places",
    "positive_sentence", "religions", "synonyms", "titles",
)  # fmt: skip
"""The perturbations: those of ``benchmarks.reach``, which the first version cannot import."""

_TEXTS = 50
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
FAILED = Path(__file__).with_name("failed.tsv")
"""Pairs that fail, of both versions, and whether they are sound."""
_BESIDE = 12
"""Words that a reader is shown on either side of a change."""
_READ = 16
"""Pairs of a version and a perturbation that are read at most."""

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
    from robustfim_words.text.tokens import base_of, tokenise

    rows = [line.split("\t") for line in (LEXICONS / table).read_text(encoding="utf-8").splitlines()]
    words = {row[0] for row in rows if len(row) > 1 and not row[0].startswith("#") and {*roles} & {*row[1:]}}

    def bend(text: str) -> float:
        named = [base_of(token)[0] for token in tokenise(text)]
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
    tail = sum(math.comb(more + fewer, count) for count in range(more, more + fewer + 1))
    return float(tail / 2 ** (more + fewer))


def proposed(
    texts: Mapping[str, Sequence[tuple[str, str]]],
    written: Mapping[str, Mapping[str, Any]] | None = None,
    most: int | None = None,
) -> dict[str, list[list[str]]]:
    """Make candidates with the perturbations of the installed version of robustfim.

    The first version has no ``robustfim.perturb``; its classes are then called directly, with the same seed.

    Args:
        texts: For each kind, the texts with their gold labels, ``""`` without a gold label.
        written: For each name, the perturbation as a suite writes it; by default the perturbations of ``NAMES``.
        most: The number of texts of each kind that get candidates. The other texts only serve to find which labels
            stand for praise and blame.
    """
    import robustfim
    from robustfim.example import Example

    examples = {kind: [Example({"text": text}, label or None) for text, label in its] for kind, its in texts.items()}
    if not hasattr(robustfim, "perturb"):
        return {name: [_first(name, each) for its in examples.values() for each in its[:most]] for name in NAMES}
    found: dict[str, list[list[str]]] = {}
    for name, perturb in (written or {name: {"use": name} for name in NAMES}).items():
        for kind in examples.values():  # the labels' sides are read off the data, so each kind is data of its own
            its = kind if name in _SIDED else kind[:most]
            made = robustfim.perturb(perturb, its, candidates=_MOST, seed=0).candidates[:most]
            found.setdefault(name, []).extend([[each.example.text for each in pool] for pool in made])
    return found


def _first(name: str, example: Any) -> list[str]:
    """Ask a class of the first version for the candidates of a text."""
    import importlib
    from itertools import islice

    import robustfim_words
    from robustfim.candidate import Candidate

    module, _, cls = robustfim_words.robustfim_perturbations()[name].partition(":")  # type: ignore[attr-defined]  # the first version's face
    change, random = getattr(importlib.import_module(module), cls)(), Random(f"0{example.text}")  # noqa: S311  # reproducible, not secret
    if hasattr(change, "propose"):
        return [each.example.text for each in islice(change.propose(example, random), _MOST)]
    edits = list(change.edits(example, random))
    chosen = random.sample(edits, min(_MOST, len(edits)))
    return [Candidate(example, (edit,)).example.text for edit in chosen]


class Pair(NamedTuple):
    """A text and a candidate with which a model fails.

    Attributes:
        version: The version of robustfim: ``first`` or ``now``.
        perturbation: The perturbation's name.
        source: The text, or the first 20 digits of its SHA-256.
        result: The candidate's text, or the first 20 digits of its SHA-256.
        gold: Whether the text's gold label is praise; None without a gold label.
        sound: Whether a reader judged that the expectation holds and that a person could have written the candidate.
    """

    version: str
    perturbation: str
    source: str
    result: str
    gold: bool | None = None
    sound: bool = False


class Found(NamedTuple):
    """The failures that the candidates of two versions find on the same texts.

    Attributes:
        failures: For each perturbation and model, the numbers of texts that fail with the first version's candidates
            and with today's.
        bugs: For each planted bug and perturbation, the numbers of texts that fail without and with the bug, and the
            p-value of the difference.
        texts: The number of texts.
        pairs: One failing pair of each text that fails on any model, in random order.
    """

    failures: Mapping[str, Mapping[str, tuple[int, int]]]
    bugs: Mapping[str, Mapping[str, tuple[int, int, float]]]
    texts: int
    pairs: Sequence[Pair] = ()


def pairs(
    texts: Sequence[tuple[str, bool | None]],
    pools: Mapping[str, Mapping[str, Sequence[Sequence[str]]]],
    models: Iterable[Probability],
) -> list[Pair]:
    """Draw failing pairs for readers: of each drawn text, the first candidate with which a model fails.

    Args:
        texts: The texts, each with whether its gold label is praise; None without a gold label.
        pools: For each version and perturbation, the candidates of each text.
        models: Functions that return the probability of praise for each text.

    Returns:
        At most 16 pairs of each version and perturbation, all in random order.
    """
    drawn: list[Pair] = []
    for version, pool in pools.items():
        for name in NAMES:
            found = []
            for (text, gold), own in zip(texts, pool[name], strict=True):
                fails = (each for each in own if any(failing(name, [(text, gold)], [[each]], ask)[0] for ask in models))
                found += [Pair(version, name, text, each, gold) for each in islice(fails, 1)]
            drawn += Random(0).sample(found, min(_READ, len(found)))  # noqa: S311  # reproducible, not secret
    Random(1).shuffle(drawn)  # noqa: S311  # as above
    return drawn


def changed(source: str, result: str) -> str:
    """Show the words in which a candidate differs from its text, with the words around them.

    Args:
        source: The text.
        result: The candidate's text.

    >>> changed("I saw a good film.", "I saw a bad film.")
    'I saw a [good→bad] film.'
    """
    old, new = source.split(" "), result.split(" ")
    blocks = [block for block in SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if block[0] != "equal"]
    first, last, shift = blocks[0][1], blocks[-1][2], blocks[-1][4]
    before, after = " ".join(old[max(0, first - _BESIDE) : first]), " ".join(old[last : last + _BESIDE])
    return f"{before} [{' '.join(old[first:last])}→{' '.join(new[blocks[0][3] : shift])}] {after}".strip()


def read(path: Path = FAILED) -> list[Pair]:
    """Read the pairs that a reader judged from a table.

    Args:
        path: The path of the table.
    """
    from benchmarks.validity import rows_of

    return [
        Pair(version, name, source, result, sound=sound == "1")
        for version, name, source, result, sound in rows_of(path)
    ]


def measure(data: Path, tree: Path) -> Found:
    """Make candidates with two checkouts, and find the failures of the reference models.

    Args:
        data: The folder of the public data sets.
        tree: The folder of the first version's checkout.
    """
    from benchmarks.reach import texts as drawn

    known = {kind: with_gold(its) for kind, its in drawn(data).items()}
    texts = {kind: its[:_TEXTS] for kind, its in known.items()}
    short = {"film": known["film"][:_SHORT]}
    judged, turned = labelled(texts), labelled(short)
    before, now = _elsewhere(tree, texts), proposed(known, most=_TEXTS)
    models = {name: model_of(name) for name in MODELS}
    failures = {
        name: {
            model: (sum(failing(name, judged, before[name], ask)), sum(failing(name, judged, now[name], ask)))
            for model, ask in models.items()
        }
        for name in NAMES
    }
    found: dict[str, dict[str, tuple[int, int, float]]] = {}
    for bug, bent in bugs().items():
        for name, pool in {**now, **proposed(short, _WHOLE)}.items():
            its = turned if name in _WHOLE else judged
            plain, bugged = (
                failing(name, its, pool, ask) for ask in (models["fasttext"], planted(models["fasttext"], bent))
            )
            found.setdefault(bug, {})[name] = sum(plain), sum(bugged), caught(plain, bugged)
    failed = pairs(judged, {"first": before, "now": now}, [*models.values()])
    return Found(failures, found, len(judged), failed)


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
    import robustfim
    from robustfim.example import Example

    context, known = robustfim.context(model=f"reference/{name}"), dict[str, float]()

    def ask(texts: Sequence[str]) -> list[float]:
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        for text, answer in zip(fresh, context.predict([Example({"text": text}) for text in fresh]), strict=True):
            if answer is None:
                raise ValueError(f"no prediction of {text!r}")
            known[text] = answer.probability("positive") or 0.0
        return [known[text] for text in texts]

    return ask


def _elsewhere(tree: Path, texts: object) -> dict[str, list[list[str]]]:
    """Let another checkout propose, in a process of its own."""
    from benchmarks.checkout import in_checkout

    found: dict[str, list[list[str]]] = in_checkout(tree, __file__, "--propose", read=texts)
    return found


def section(found: Found, judged: Sequence[Pair], commit: str) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The failures on all models.
        judged: The failing pairs that a reader judged.
        commit: The commit of the first version.
    """
    lines = [
        "## Failures found, and planted bugs",
        "",
        "Written by `python -m benchmarks.planted --data FOLDER --tree CHECKOUT`.",
        "",
        f"Texts of 1,000 on which a reference model fails with one of at most {_MOST} candidates, of the first version "
        f"(`{commit}`) and of this one, on the same {found.texts} texts of five kinds. The decision must stay; of "
        "`antonyms` and `negation` the probability of the gold label must not rise by more than .1, of added praise or "
        f"blame its label's must not fall. Sound are failures times the share of {len(judged)} failing pairs that a "
        "reader called sound: what is expected holds, and a person could have written the text. At most "
        f"{_READ} of each version and perturbation were read, in random order, with the perturbation's name and "
        "without their version, by a language model that had changed nothing. The first version puts praise and blame "
        "behind texts of every kind, today's behind texts whose label stands for the same.",
        "",
        f"| perturbation | {' | '.join(f'`{model}`' for model in MODELS)} | read as sound | sound, mean of the four |",
        f"| --- |{' --- |' * (len(MODELS) + 2)}",
    ]
    totals = dict.fromkeys(("", *MODELS), (0.0, 0.0))
    for name, row in found.failures.items():
        fractions = {version: _sound(judged, version, name) for version in ("first", "now")}
        rates = {model: (row[model][0] * 1000 / found.texts, row[model][1] * 1000 / found.texts) for model in MODELS}
        means = (
            sum(rate[0] for rate in rates.values()) / len(rates) * fractions["first"][0],
            sum(rate[1] for rate in rates.values()) / len(rates) * fractions["now"][0],
        )
        for model, (first, now) in {**rates, "": means}.items():
            totals[model] = totals[model][0] + first, totals[model][1] + now
        cells = [f"{first:.0f} → {now:.0f}" for first, now in (*rates.values(), means)]
        cells.insert(-1, " → ".join(told for _, told in fractions.values()))
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    mean = [f"{totals[model][0] / len(NAMES):.1f} → {totals[model][1] / len(NAMES):.1f}" for model in (*MODELS, "")]
    mean.insert(-1, " → ".join(_sound(judged, version)[1] for version in ("first", "now")))
    lines += [
        f"| **mean** | {' | '.join(mean)} |",
        "",
        "Four bugs planted in `reference/fasttext`: it does not see words that deny; or half of all given names, of "
        "all words of nations, of all numbers in digits make its answer better, the others worse, by 4 in the "
        "logarithm of the odds. A perturbation catches a bug where more texts fail with it than without it: McNemar's "
        f"exact test, one side, 5 % by Holm over all {len(NAMES) + len(_WHOLE)}. Two of these turn a whole text, on "
        f"{_SHORT} film sentences: the probability of the gold label must fall by {_FALL:.2f} at least. Texts "
        "that fail without and with the bug:",
        "",
        "| bug | caught by |",
        "| --- | --- |",
    ]
    for bug, rows in found.bugs.items():
        surely = [f"`{name}` ({rows[name][0]} → {rows[name][1]})" for name in holm(rows)]
        lines.append(f"| {bug} | {', '.join(surely) or 'none'} |")
    return "\n".join([*lines, ""])


def _sound(judged: Sequence[Pair], version: str, name: str = "") -> tuple[float, str]:
    """Return the share of a version's pairs, of one perturbation or of all, that are sound, and how it is told."""
    its = [pair.sound for pair in judged if pair.version == version and name in ("", pair.perturbation)]
    return (sum(its) / len(its), f"{sum(its)}/{len(its)}") if its else (0.0, "–")


def holm(rows: Mapping[str, tuple[int, int, float]]) -> list[str]:
    """List the perturbations that detect a bug, with a familywise error of 5 % by Holm's procedure.

    Args:
        rows: For each perturbation its counts and its p-value.
    """
    surely: list[str] = []
    for place, name in enumerate(sorted(rows, key=lambda name: rows[name][2])):
        if rows[name][2] > _LEVEL / (len(rows) - place):
            break
        surely.append(name)
    return surely


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--tree", type=Path, help="the first version's checkout")
    parser.add_argument("--commit", default="35f6591", help="what it is called")
    parser.add_argument("--pairs", type=Path, help="print pairs that fail, and write their hashes here; all are sound")
    parser.add_argument("--unsound", type=int, nargs="*", default=(), help="… but those with these numbers")
    parser.add_argument("--propose", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.propose:
        print(json.dumps(proposed(json.load(sys.stdin))))
        return
    if given.data is None or given.tree is None:
        parser.error("--data and --tree are needed")
    from benchmarks.reading import digest
    from benchmarks.sections import write_results

    found = measure(given.data, given.tree.resolve())
    if given.pairs is None:
        write_results(section(found, read(), given.commit))
        return
    head = "# Pairs that fail: version <tab> perturbation <tab> hashes of text and candidate <tab> sound (1 or 0)."
    rows = []
    for number, pair in enumerate(found.pairs):
        rows.append("\t".join([*pair[:2], *map(digest, pair[2:4]), str(int(number not in given.unsound))]))
        print(number, pair.perturbation, pair.gold, changed(pair.source, pair.result), sep="\t")
    given.pairs.write_text("\n".join([head, *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    _main()
