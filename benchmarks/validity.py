"""Validity: how many of what the perturbations make a reader accepts, from pairs that were rated one by one.

``python -m benchmarks.validity --update`` writes the section of RESULTS.md again, from ``ratings.tsv``, ``rounds.tsv``
(who read what) and ``reach.tsv`` (to how many texts each perturbation applies), which
``python -m benchmarks.reading`` writes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.sections import replace_section
from robustfim.statistics import wilson

__all__ = ["RATINGS", "REACH", "Rated", "latest", "read_ratings", "rows_of", "section", "validity"]

RATINGS = Path(__file__).parent / "ratings.tsv"
"""The rated pairs: hashes, verdicts and edits, no text."""

REACH = RATINGS.with_name("reach.tsv")
"""When, which perturbation, and to how many of how many texts it applied."""

_ROUNDS = RATINGS.with_name("rounds.tsv")
_AIM, _AIM_IN_ALL = 0.95, 0.98
_VERDICTS = ("V", "G", "M", "X")


@dataclass(frozen=True)
class Rated:
    """One rated pair.

    Attributes:
        round: A letter of ``rounds.tsv``. ``A`` are texts after which causes were mended, the others fresh ones.
        perturbation: Its name.
        data: The corpus of the text, in short.
        source: The first 20 digits of the text's SHA-256.
        result: Those of the perturbed text.
        verdict: V, G, M or X.
        state: ``mended``, ``stands``, or ``-`` for a valid one.
        edits: The edits, as JSON.
    """

    round: str
    perturbation: str
    data: str
    source: str
    result: str
    verdict: str
    state: str
    edits: str


def read_ratings(path: Path = RATINGS) -> list[Rated]:
    """Read the rated pairs.

    Args:
        path: The table.
    """
    return [Rated(*row) for row in rows_of(path)]


def rows_of(path: Path) -> list[list[str]]:
    """Read the rows of a table, without its comments.

    Args:
        path: A table with tabs between its cells.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def latest(rated: Sequence[Rated]) -> list[Rated]:
    """Return the pairs on fresh texts, of each perturbation those of its last round.

    Args:
        rated: Rated pairs.
    """
    last = {each.perturbation: max(each.round, "B") for each in sorted(rated, key=lambda each: each.round)}
    return [each for each in rated if each.round == last[each.perturbation]]


def validity(rated: Sequence[Rated]) -> str:
    """Write the shares of valid pairs as a table, with 95 % Wilson intervals.

    Args:
        rated: Rated pairs.
    """
    lines = [
        "| perturbation | valid, fresh texts | 95 % interval | G | M | X | valid, texts of the first round |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    names = sorted({each.perturbation for each in rated})
    for name in (*names, ""):
        fresh = [each for each in latest(rated) if name in (each.perturbation, "")]
        first = [each for each in rated if each.round == "A" and name in (each.perturbation, "")]
        lines.append(_row(f"`{name}`" if name else "**all**", fresh, first))
    wrong = [each for each in rated if each.verdict != "V"]
    mended = sum(each.state == "mended" for each in wrong)
    lines += ["", f"Of the {len(wrong)} pairs that are not valid, {mended} no longer come; {len(wrong) - mended} do."]
    return "\n".join(lines)


def _row(name: str, fresh: Sequence[Rated], first: Sequence[Rated]) -> str:
    counts = {verdict: sum(each.verdict == verdict for each in fresh) for verdict in _VERDICTS}
    interval = wilson(counts["V"], len(fresh))
    ends = f"{interval[0]:.0%}–{interval[1]:.0%}" if interval else "–"  # an interval's dash
    valid = sum(each.verdict == "V" for each in first)
    return (
        f"| {name} | {counts['V']}/{len(fresh)} | {ends} | {counts['G']} | {counts['M']} | {counts['X']} "
        f"| {valid}/{len(first)} |"
    )


def section(rated: Sequence[Rated]) -> str:
    """Write the section of RESULTS.md.

    Args:
        rated: Rated pairs.

    Raises:
        KeyError: A round is not told in ``rounds.tsv``.
    """
    told = dict(rows_of(_ROUNDS))
    rounds = sorted({each.round for each in rated})
    fresh = latest(rated)
    names = sorted({each.perturbation for each in rated})
    shares = [_share([each for each in fresh if each.perturbation == name]) for name in names]
    reached = sum(share >= _AIM for share in shares)
    missed = "" if reached == len(names) and _share(fresh) >= _AIM_IN_ALL else ": it is missed"
    counts = ((letter, sum(each.round == letter for each in rated)) for letter in rounds)
    return "\n".join(
        [
            "## Validity of perturbations",
            "",
            "Measured by `python -m benchmarks.validity --update`.",
            "",
            f"{len(rated):,} pairs of a text and what a perturbation made of it were read one by one. Each was rated: "
            "V valid, G grammar or idiom broken, M meaning wrong for the purpose, X something touched that must not "
            "be. Causes were mended between the rounds:",
            "",
            *(f"- Round {letter}, {count:,} pairs: {told[letter]}" for letter, count in counts),
            "",
            "The table has each perturbation's last round on fresh texts, as the pairs were made then, and round A. "
            f"The aim is {_AIM:.0%} of every perturbation and {_AIM_IN_ALL:.0%} overall{missed}. {reached} of "
            f"{len(names)} perturbations have a share of {_AIM:.0%} or more; overall it is {_share(fresh):.0%}.",
            "",
            validity(rated),
            "",
            "### To how many texts they apply",
            "",
            "The share of texts that a perturbation changes: at first, before any cause was mended; and now, of texts "
            "of five kinds alike (film sentences, news, reviews, a suite of hate speech, web text) that nobody has "
            "rated.",
            "",
            _reach(),
        ]
    )


def _share(rated: Sequence[Rated]) -> float:
    return sum(each.verdict == "V" for each in rated) / len(rated)


def _reach() -> str:
    applied = {(when, name): f"{int(count) / int(tried):.0%} of {tried}" for when, name, count, tried in rows_of(REACH)}
    lines = ["| perturbation | at first | now |", "| --- | --- | --- |"]
    lines += [
        f"| `{name}` | {applied.get(('first', name), '–')} | {applied.get(('now', name), '–')} |"  # a dash for none
        for name in sorted({name for _, name in applied})
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    if sys.argv[1:] == ["--update"]:
        replace_section(section(read_ratings()))
    print(validity(read_ratings()))
