"""``robustfim review --learn``: which number of a judge lets valid pairs through, from people's answers."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.collect import named_part
from robustfim.commands import Chosen, print_line, shared_options

if TYPE_CHECKING:
    from robustfim.record import Answer, Record
    from robustfim_judges.fit import Within
    from robustfim_judges.judge_file import JudgeFile, Kept

__all__ = ["Answered", "answered", "command", "learnt"]

_FIT = 2 / 5
"""The share of texts that the fit sees."""
_OWN = 150
"""Answered pairs from which on a perturbation has a threshold of its own."""
_LEVEL = 0.025

_FILE = click.Path(path_type=Path)


@dataclass(frozen=True)
class Answered:
    """A pair that people have answered.

    Attributes:
        hash: What its answer is kept under.
        example: The id of its source.
        perturbation: What made it.
        good: Whether people call it valid.
    """

    hash: str
    example: str
    perturbation: str
    good: bool

    @property
    def fits(self) -> bool:
        """Whether it is one of those that the fit sees; the hash of its source decides."""
        digest = hashlib.blake2b(f"judge\x1f{self.example}".encode("utf-8", "surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest) < _FIT * 2**64


@click.command(
    name="review --learn",
    epilog="Example: robustfim review --learn judge.json reports/sentiment/results.json --judge '{use: perplexity, "
    "model: ./bert}'",
)
@click.argument("record_file", type=_FILE, metavar="RECORD")
@click.option("--learn", "out", type=_FILE, required=True, help="The judge file to write.")
@click.option("--file", "path", type=_FILE, help="The review file; reviews/<suite>.json where it is not given.")
@click.option("--judge", "judges", multiple=True, required=True, metavar="CONSTRAINT",
              help="A constraint that gives a number: {use: perplexity, model: ./bert}; several add up.")  # fmt: skip
@shared_options("offline", "store", "plugins", "color")
def command(chosen: Chosen, record_file: Path, out: Path, path: Path | None, judges: Sequence[str]) -> None:
    """Fit judges to people's answers, and find the threshold from which on pairs are surely valid.

    Two fifths of the answered texts are fitted to. On the others it is measured how well the judges tell valid pairs
    from those that are not, within perturbations, and the loosest threshold is found of which is proved that at least
    95 % of what it lets through is valid, with 95 % confidence: for each perturbation with 150 answered pairs or more,
    and for all together. Judges that tell no more than chance are refused, and nothing is written.
    """
    from robustfim.errors import UsageError
    from robustfim.record import Record, ReviewFile
    from robustfim.session import pairs_of, prepared

    record, manager = Record.load(record_file), chosen.manager()
    path = path or Path("reviews") / f"{record.suite}.json"
    pairs = answered(record, ReviewFile.load(path).by_pair)
    if not pairs:
        raise UsageError(
            f"{path} answers no failing pair of {record_file}. 'robustfim review {record_file}' asks people."
        )
    known, console = pairs_of(record), chosen.console()
    candidates = [known[pair.hash] for pair in pairs]
    columns, told = [], []
    for judge in judges:
        part = named_part("constraints", judge, manager, "--judge")
        tell = partial(print_line, console)
        with prepared(record, part, offline=chosen.offline, store=chosen.store, tell=tell) as constraint:
            if not constraint.numbered:
                raise UsageError(f"--judge {part.use.use} gives no number, so no threshold can be learnt for it.")
            columns.append(constraint.numbers(candidates))
            told.append((constraint.use, constraint.resources()))
    file, gained = learnt(pairs, list(zip(*columns, strict=True)), told)
    file.save(out)
    for line in _lines(file, gained, out):
        print_line(console, line)


def answered(record: Record, answers: dict[str, Answer]) -> list[Answered]:
    """List the failing pairs of a run that people called valid or not, each once."""
    from robustfim.record import pair_hash

    made_by = {check.id: str(check.perturbation.get("use", "")) for check in record.checks}
    sources = {example.id: example for example in record.examples}
    found: dict[str, Answered] = {}
    for failure in record.failures:
        source = sources.get(failure.example)
        if source is None or failure.step is not None:
            continue
        hashed = pair_hash(source.fields, failure.fields)
        if answers.get(hashed) in ("valid", "invalid"):
            made = Answered(hashed, failure.example, made_by[failure.check], answers[hashed] == "valid")
            found.setdefault(hashed, made)
    return list(found.values())


def learnt(
    pairs: Sequence[Answered], rows: Sequence[Sequence[float]], judges: Sequence[tuple[str, dict[str, str]]]
) -> tuple[JudgeFile, Within]:
    """Fit judges to one part of answered pairs, and prove thresholds on the other, of which each text counts once.

    Of a text the first failing pair counts, which people were shown first, whatever they said of it.

    Args:
        pairs: Answered pairs, in the order of the record.
        rows: The judges' numbers of each, ``[pairs][judges]``.
        judges: The judges' names, and what they work with.

    Returns:
        What was learnt, and how well it tells valid pairs on the texts kept out.

    Raises:
        DataError: There are too few answers, or all are alike.
        ModelError: The judges tell no more than chance.
    """
    from math import isfinite

    from robustfim.errors import DataError, ModelError
    from robustfim_judges.fit import fit, within
    from robustfim_judges.judge_file import ALL, Judged, JudgeFile
    from robustfim_judges.risk import ERROR, RISK

    seen = [place for place, pair in enumerate(pairs) if pair.fits and all(map(isfinite, rows[place]))]
    first = {pair.example: place for place, pair in reversed(list(enumerate(pairs))) if not pair.fits}
    out = sorted(first.values())
    for name, places in (("fitted to", seen), ("kept out", out)):
        kinds = Counter(pairs[place].good for place in places)
        if len(kinds) < 2:
            said = f"{kinds[True]} valid, {kinds[False]} not"
            raise DataError(
                f"of the {len(pairs)} answered pairs those {name} are {said}: there is nothing to tell apart. "
                "'robustfim review --sample N' asks about more."
            )
    weights = fit([rows[place] for place in seen], [pairs[place].good for place in seen])
    sums = [weights.number(row) for row in rows]
    gained = within(*zip(*((sums[p], pairs[p].good, pairs[p].perturbation) for p in out), strict=True))
    if gained is None:
        raise DataError("no perturbation has both valid pairs and others among those kept out: ask about more.")
    if gained.p_value > _LEVEL:
        raise ModelError(
            f"the judge gained nothing: on {gained.pairs} pairs kept out it tells valid ones within perturbations with "
            f"an AUROC of {_area(gained)}, which chance does, too (p = {gained.p_value:.2g}). Nothing was written."
        )
    numbers = Counter(pair.perturbation for pair in pairs)
    groups = {ALL: (seen, out)}
    for name in sorted(name for name, number in numbers.items() if number >= _OWN):
        groups[name] = tuple([p for p in places if pairs[p].perturbation == name] for places in (seen, out))  # type: ignore[assignment]  # two of two
    kept = {name: _proved(pairs, sums, *places) for name, places in groups.items()}
    named = [
        Judged(use=use, resources=resources, slope=slope)
        for (use, resources), slope in zip(judges, weights.slopes, strict=True)
    ]
    file = JudgeFile(
        judges=named, intercept=weights.intercept, risk=RISK, error=ERROR, learnt_from=len(seen), auroc=gained.auroc,
        auroc_interval=gained.interval, perturbations=kept,
    )  # fmt: skip
    return file, gained


def _proved(pairs: Sequence[Answered], sums: Sequence[float], seen: Sequence[int], out: Sequence[int]) -> Kept:
    from robustfim_judges.judge_file import Kept
    from robustfim_judges.risk import promise, thresholds

    sequence = thresholds([sums[place] for place in seen], len(out))
    found = promise([sums[place] for place in out], [not pairs[place].good for place in out], sequence)
    return Kept.of(found, len(out))


def _area(gained: Within) -> str:
    return f"{gained.auroc:.2f} [{gained.interval[0]:.2f}, {gained.interval[1]:.2f}]"


def _lines(file: JudgeFile, gained: Within, out: Path) -> list[str]:
    """What was learnt, a line for what was gained and one for each promise."""
    lines = [
        f"{out}: learnt from {file.learnt_from} answered pairs; on {gained.pairs} pairs of other texts it tells valid "
        f"ones within perturbations with an AUROC of {_area(gained)}"
    ]
    for name, kept in file.perturbations.items():
        if not kept.promised:
            lines.append(
                f"{name}: nothing can be promised: of {kept.tested} pairs kept out no threshold surely lets through "
                f"{1 - file.risk:.0%} valid ones"
            )
            continue
        at = "all" if kept.at is None else f"from {kept.at:.3g} on"
        lines.append(
            f"{name}: lets {at} through, {kept.through} of {kept.tested} pairs kept out, {kept.bad} of them not valid; "
            f"with {1 - file.error:.0%} confidence at least {1 - file.risk:.0%} of what it lets through is valid"
        )
    return lines
