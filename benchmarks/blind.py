"""Blind readings: pairs before readers who know of none what made it.

``python -m benchmarks.blind make FILE --data FOLDER`` draws a sample of each perturbation (``--only NAME`` of one)
from texts that no earlier reading had, writes the pairs whole, in random order, without names, for readers, and beside
FILE a key with the texts. ``… keep FILE
ANSWERS ANSWERS`` puts the hashes and what two readers answered (lines of number, 1 or 0, and 2, 1 or 0) into
``blind.tsv``, in the place of what was read of these perturbations; ``… write`` writes the result and
the cards of the plugin of words, which ``robustfim plugins NAME`` and reports show. The readers have changed nothing
here; of two answers the less kind one counts.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import robustfim_words
from benchmarks.reach import NAMES, OTHERS, Reached, drawn, reached
from benchmarks.readings import QUESTIONS, READERS, answered, ask, digest, main, marked, pair_of, share, written
from benchmarks.sections import write_results
from benchmarks.validity import rows_of
from robustfim.record import Card

__all__ = ["CARDS", "Blind", "alpha", "blind", "cards", "section"]

TABLE = Path(__file__).with_name("blind.tsv")
CARDS = Path(robustfim_words.__file__).with_name("cards.json")
"""The cards of the plugin of words."""
_SAMPLE = 24
_HEAD = (
    "# Pairs read by two readers that had mended nothing and knew of none what made it. Columns: perturbation <tab>\n"
    "# hashes of text and of result <tab> for each reader: what is expected holds (1 or 0) <tab> natural: 2, 1, 0.\n"
)


class Blind(NamedTuple):
    """The readers' answers about one pair of a text and its perturbed text.

    Attributes:
        perturbation: The perturbation's name.
        holds: For each reader, whether the expectation of a check holds.
        natural: For each reader, the naturalness rating: 2 as natural as the source, 1 odd, 0 unnatural.
    """

    perturbation: str
    holds: tuple[bool, ...]
    natural: tuple[int, ...]

    @property
    def sound(self) -> tuple[bool, ...]:
        """For each reader, whether the expectation holds and a person could have written the text."""
        return tuple(holds and natural > 0 for holds, natural in zip(self.holds, self.natural, strict=True))


def blind(path: Path = TABLE) -> list[Blind]:
    """Read the pairs and the readers' answers from a table.

    Args:
        path: The path of the table.
    """
    return [
        Blind(name, tuple(answer == "1" for answer in answers[::2]), tuple(map(int, answers[1::2])))
        for name, _, _, *answers in rows_of(path)
    ]


def alpha(answers: Sequence[Sequence[float]], *, ordered: bool = False) -> float:
    """Compute Krippendorff's α, the agreement of several readers who all answered every pair.

    α = 1 − D_o / D_e, where D_o is the mean disagreement of answers to one pair and D_e that of all answers
    (Krippendorff 2004, chapter 11).

    Args:
        answers: The answers, ``[pairs][readers]``.
        ordered: True to measure disagreement by squared differences, False to count different answers.

    Returns:
        At most 1, about 0 by chance; NaN if all answers are equal.
    """
    table = np.asarray(answers, float)
    every = table.ravel()

    def apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> Any:
        return (one - other) ** 2 if ordered else (one != other).astype(float)

    readers = table.shape[1]
    within = apart(table[:, :, None], table[:, None, :]).sum() / (readers - 1) / len(every)
    chance = apart(every[:, None], every[None, :]).sum() / (len(every) - 1) / len(every)
    return float(1 - within / chance) if chance else float("nan")


def cards(pairs: Sequence[Blind], reach: Mapping[str, Reached]) -> dict[str, Card]:
    """Make the card of each perturbation: counts of ratings, where the lowest answer to a pair counts.

    Args:
        pairs: The rated pairs.
        reach: For each perturbation, how many texts it changes.
    """
    dealt = {}
    for name in sorted({pair.perturbation for pair in pairs}):
        its = [pair for pair in pairs if pair.perturbation == name]
        grades = Counter(min(pair.natural) for pair in its)
        dealt[name] = Card(
            natural=(grades[0], grades[1], grades[2]), holds=sum(all(pair.holds) for pair in its),
            sound=sum(all(pair.sound) for pair in its), changed=reach[name].changed,
            tried=reach[name].tried, edits=reach[name].edits, by=READERS,
        )  # fmt: skip
    return dealt


def section(pairs: Sequence[Blind], reach: Mapping[str, Reached]) -> str:
    """Write the results as a section of Markdown.

    Args:
        pairs: The rated pairs.
        reach: For each perturbation, how many texts it changes.
    """
    lines = [
        "## Label and naturalness, read blind",
        "",
        "Written by `python -m benchmarks.blind write`.",
        "",
        f"{len(pairs)} pairs of texts of the half that nobody tuned on, whole, in random order, without the names of "
        "what had made them, before two readers that had changed nothing: language models, of one kind, without each "
        "other's answers. The pairs of a perturbation were made after its last change. *Holds*: what a check expects "
        "of the pair is so for a careful reader (the label stays; of `antonyms` and `negation` the text does not speak "
        "more for it). *Natural*: 2 as the source, 1 odd but a person could have written it, 0 nobody would. *Sound*: "
        "it holds, and is natural at least 1; yield: texts changed, times sound. Shares are the mean of the two, "
        "intervals Wilson's, "
        "of the pairs; in the mean each perturbation counts alike. The two gave "
        f"{np.mean([len({*pair.holds}) == 1 for pair in pairs]):.0%} of pairs the same answer to *holds*, and "
        f"{np.mean([len({*pair.natural}) == 1 for pair in pairs]):.0%} to *natural* (Krippendorff's α of squares "
        f"{alpha([pair.natural for pair in pairs], ordered=True):.2f}).",
        "",
    ]
    counted = [pair for pair in pairs if pair.perturbation in NAMES]
    others = [pair for pair in pairs if pair.perturbation not in NAMES]
    lines += [*_table(counted, reach), ""]
    if others:
        lines += ["Slips, spellings and forms:", "", *_table(others, reach), ""]
    return "\n".join(lines)


def _table(pairs: Sequence[Blind], reach: Mapping[str, Reached]) -> list[str]:
    lines = [
        "| perturbation | pairs | expectation holds | sound | natural 2 | sound for both | yield |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    yields = []
    for name in dict.fromkeys(pair.perturbation for pair in pairs):
        its = [pair for pair in pairs if pair.perturbation == name]
        changed, tried, _ = reach[name]
        yields.append(float(np.mean([pair.sound for pair in its])) * changed / tried)
        lines.append(f"| `{name}` | {_cells(its)} | {yields[-1]:.0%} |")
    return [*lines, f"| **all** | {_cells(pairs)} | {np.mean(yields):.0%} |"]


def _cells(pairs: Sequence[Blind]) -> str:
    number = Counter(pair.perturbation for pair in pairs)
    weights = np.array([1 / number[pair.perturbation] / len(number) for pair in pairs])
    worth = float(1 / (weights**2).sum())
    fractions = (
        weights @ [np.mean(pair.holds) for pair in pairs],
        weights @ [np.mean(pair.sound) for pair in pairs],
        weights @ [np.mean([grade > 1 for grade in pair.natural]) for pair in pairs],
    )
    both = weights @ [all(pair.sound) for pair in pairs]
    return " | ".join(
        [str(len(pairs)), *(share(min(float(fraction), 1.0) * worth, worth) for fraction in fractions), f"{both:.0%}"]
    )


def _make(given: argparse.Namespace) -> None:
    rows = []
    read = {source for _, source, *_ in rows_of(TABLE)}
    for name, kind, made in drawn(given.data, _SAMPLE, given.only or (*NAMES, *OTHERS), read):
        pair = pair_of(name, kind, made)
        asked = f"{kind} | gold {made.source.label or '-'} | {QUESTIONS.get(name, 'same')} | {marked(pair)}"
        rows.append({"perturbation": name, "source": pair.source, "result": pair.result, "asked": asked})
    ask(given.file, rows)


def _keep(given: argparse.Namespace) -> None:
    lines = [
        "\t".join([row["perturbation"], digest(row["source"]), digest(row["result"]), *(f"{a}\t{b}" for a, b in said)])
        for row, said in answered(given.file, given.answers)
    ]
    read = {line.partition("\t")[0] for line in lines}
    kept = [row for row in map("\t".join, rows_of(TABLE)) if row.partition("\t")[0] not in read]
    TABLE.write_text(_HEAD + "".join(f"{line}\n" for line in sorted([*kept, *lines])), encoding="utf-8")


def _write(given: argparse.Namespace) -> None:
    pairs, reach = blind(), reached()
    write_results(section(pairs, reach))
    CARDS.write_text(written(cards(pairs, reach)), encoding="utf-8")


if __name__ == "__main__":
    main(__doc__, _make, _keep, _write)
