"""Harmless suffixes: what ``harmless_suffix`` changes with few texts asked about, against a literal greedy search.

``python -m benchmarks.harmless`` writes the section into RESULTS.md. The greedy search appends, of all units, the one
that lowers the probability of the model's own decision most, until it changes or as many units stand there as
``harmless_suffix`` may add. Both have the shipped pool; the four reference models have shipped reviews, and the shipped
guard the requests that it stops.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import robustfim
from benchmarks.sections import replace_section
from robustfim.example import Example
from robustfim.roles import Context
from robustfim.seeds import random_for
from robustfim.statistics import wilson
from robustfim_evasion.harmless import Costs, HarmlessSuffix
from robustfim_evasion.tables import table

__all__ = ["Compared", "greedy", "measure", "section"]

_MODELS = ("fasttext", "cnn", "lstm", "bert")
_GUARD = {"label": "oos", "at": 0.05}
_MOST, _QUERIES, _LEARN = 8, 25, 8
_AIM = 0.95
_TITLE = "## Harmless suffixes"


@dataclass(frozen=True)
class Compared:
    """What both searches found on one model.

    Attributes:
        model: The reference model.
        texts: Texts that both searched.
        literal: Texts whose label the literal search changed.
        both: Those of them whose label ``harmless_suffix`` changed, too.
        ours: All whose label that changed.
        asked: Texts that the literal search asked about, over all.
        queries: Texts that ``harmless_suffix`` asked about, over all.
        learning: Texts that it asked about before.
        moved: For each other model, how many of the texts found change the label there, and how many there are.
    """

    model: str
    texts: int
    literal: int
    both: int
    ours: int
    asked: int
    queries: int
    learning: int
    moved: tuple[tuple[str, int, int], ...]


def greedy(context: Context, example: Example, pool: Sequence[str], most: int) -> tuple[bool, int]:
    """Append the best unit of all, again and again.

    Args:
        context: Answers.
        example: The text.
        pool: The units.
        most: How many are appended at most.

    Returns:
        Whether the label changed, and how many texts were asked about.
    """
    (before,) = context.predict([example])
    if before is None:
        raise ValueError(f"no prediction of {example.text!r}")
    text, left, asked = example.text, list(pool), 0
    for _ in range(most):
        answers = [each for each in context.predict([Example({"text": f"{text} {unit}"}) for unit in left]) if each]
        asked += len(left)
        best = int(np.argmin([answer.tilt(before.label) for answer in answers]))
        text = f"{text} {left.pop(best)}"
        if not answers[best].says(before.label):
            return True, asked
    return False, asked


def measure(texts: int) -> Iterator[Compared]:
    """Compare both on each model.

    Args:
        texts: Shipped reviews, drawn at random, at most.
    """
    contexts = {f"reference/{name}": robustfim.context(f"reference/{name}", "reviews") for name in _MODELS}
    for name, context in contexts.items():
        drawn = random_for(0, "harmless").sample(range(len(context.examples)), texts)
        others = {other: each for other, each in contexts.items() if other != name}
        yield _compared(name, context, [context.examples[place] for place in drawn], others)
    guard = robustfim.context("reference/guard", "requests", decide=_GUARD)
    said = zip(guard.examples, guard.predict(guard.examples), strict=True)
    stopped = [each for each, answer in said if answer and answer.says("oos") and each.label == "oos"]
    drawn = random_for(0, "harmless").sample(range(len(stopped)), min(texts, len(stopped)))
    yield _compared("reference/guard", guard, [stopped[place] for place in drawn], {})


def _compared(name: str, context: Context, examples: Sequence[Example], others: Mapping[str, Context]) -> Compared:
    """Search on the same texts in both ways, and try what was found on other models."""
    pool = [unit for units in ("sentences", "words") for unit in table("harmless")[units]]
    literal = {each.id: greedy(context, each, pool, _MOST) for each in examples}
    made = HarmlessSuffix(most=_MOST, queries=_QUERIES, learn=_LEARN)
    made.prepare(context)
    made.foresee(examples)
    after = {each.id: next(made.propose(each, random_for(0))).example for each in examples}
    changed = {id for id, _ in _changed(context, examples, after)}
    cost = context.shared(Costs).of("harmless_suffix")
    found = [each for each in examples if each.id in changed]
    moved = tuple(
        (other.removeprefix("reference/"), len(_changed(each, found, after)), len(changed))
        for other, each in others.items()
    )
    flipped = {id for id, (changes, _) in literal.items() if changes}
    return Compared(
        name, len(examples), len(flipped), len(flipped & changed), len(changed),
        sum(asked for _, asked in literal.values()), cost.queries, cost.learning, moved,
    )  # fmt: skip


def _changed(context: Context, examples: Sequence[Example], after: dict[str, Example]) -> list[tuple[str, str]]:
    """The ids and labels of examples whose label another text changes."""
    pairs = zip(
        examples, context.predict(examples), context.predict([after[each.id] for each in examples]), strict=True
    )
    return [(each.id, old.label) for each, old, new in pairs if old and new and old.label != new.label]


def section(rows: Sequence[Compared]) -> str:
    """Write the section of RESULTS.md.

    Args:
        rows: What was compared.
    """
    lines = [
        _TITLE,
        "",
        f"Measured by `python -m benchmarks.harmless --texts {rows[0].texts}`.",
        "",
        f"`harmless_suffix` with `most: {_MOST}`, `queries: {_QUERIES}`, `learn: {_LEARN}` against a literal greedy "
        "search with the same pool and as many units. Texts are shipped reviews, of the guard, which stops a text "
        f"where P(oos) ≥ {_GUARD['at']}, shipped requests that it stops, drawn at random, and so are those that the "
        "pool is learned on, which is counted and divided by the texts. Aim: at least "
        f"{_AIM:.0%} of what the literal search flips, with {_QUERIES} texts asked about a text, learning included. "
        "The last column has the texts found on this model whose label changes on the others, too.",
        "",
        "| model | the literal search flips | texts asked a text | `harmless_suffix` flips | of what the literal "
        "search flips | texts asked a text | and to learn | aim | on the others |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        share, interval = row.both / row.literal, wilson(row.both, row.literal)
        assert interval is not None, "the literal search found something"
        low, high = interval
        met = share >= _AIM and row.queries + row.learning <= _QUERIES * row.texts
        others = ", ".join(f"{name} {number} of {of}" for name, number, of in row.moved) or "–"
        lines.append(
            f"| {row.model} | {row.literal} of {row.texts} | {row.asked / row.texts:.1f} | {row.ours} of {row.texts} | "
            f"{share:.1%} [{low:.1%}, {high:.1%}] | {row.queries / row.texts:.1f} | {row.learning / row.texts:.1f} | "
            f"{'met' if met else 'missed'} | {others} |"
        )
    return "\n".join([*lines, "", ""])


def main() -> None:
    """Measure and write the section."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=60)
    rows = list(measure(parser.parse_args().texts))
    replace_section(section(rows))
    print(section(rows))


if __name__ == "__main__":
    main()
