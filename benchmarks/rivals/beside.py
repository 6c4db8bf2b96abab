"""Beside others: what other tools make of the same texts, whether it holds and reads well, and what it breaks.

``python -m benchmarks.rivals.beside make FILE --data FOLDER --environments FOLDER`` lets each tool, as it comes, change
the texts in an environment of its own, keeps what it made in a file outside the checkout, and prints a sample of pairs
to be read. ``… rate FILE TOOL NAME VERDICTS…`` puts their hashes and verdicts into ``readings.tsv``; ``… write FILE``
asks the four reference models and writes the result; ``python -m docs.pictures beside FILE`` draws the
picture of docs/other-tools.md.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, NamedTuple

import robustfim
from benchmarks.planted import MODELS, failing, labelled, model_of, with_gold
from benchmarks.reach import texts as drawn
from benchmarks.readings import keep, share
from benchmarks.rivals import environment
from benchmarks.sections import write_results
from benchmarks.validity import rows_of
from robustfim.example import Example
from robustfim.exhibit import Figure, Series

__all__ = ["KINDS", "READINGS", "TOOLS", "Row", "counted", "figure", "pairs", "row", "section", "shown"]

READINGS = Path(__file__).with_name("readings.tsv")
"""The pairs that were read: hashes and answers."""

TOOLS = {
    "textattack": ("textattack==0.3.11", "transformers<5"),
    "langtest": ("langtest==2.7.0", "openai", "psutil"),
    "nlpaug": ("nlpaug==1.1.11", "nltk", "setuptools<81"),
}
"""What the environment of each other tool has."""

OWN = "robustfim"
KINDS = {
    "synonyms": "synonyms", "antonyms": "antonyms", "numbers": "numbers", "typos": "typos",
    "misspellings": "misspellings", "contractions": "contractions", "slang": "slang", "homophones": "homophones",
    "spelling": "regional_spelling", "abbreviations": "abbreviations",
}  # fmt: skip
"""The kinds of change that another tool makes as well, and the perturbation here."""

_TEXTS = 30
"""Texts of each kind."""
_LONGEST = 200
"""Characters of a text: TextAttack's synonyms take minutes for one of 1,500."""
_MOST = 3
"""Candidates of a text at most."""
_SAMPLE = 12
"""Pairs of each tool and change that are read."""
_BESIDE = 60
"""Characters that a reader is shown beside a change."""


class Row(NamedTuple):
    """The results of one tool for one kind of change.

    Attributes:
        changed: The number of texts with a candidate.
        texts: The number of all texts.
        candidates: The number of candidates.
        spent: Seconds of processor time for all texts.
        failures: For each model, the number of texts that fail with a candidate.
        holds: The number of rated pairs whose expectation holds.
        sound: The number of rated pairs whose expectation holds and that a person could have written.
        read: The number of rated pairs.
    """

    changed: int
    texts: int
    candidates: int
    spent: float
    failures: Mapping[str, int]
    holds: int
    sound: int
    read: int

    @property
    def found(self) -> float:
        """The estimated number of sound failures in 1,000 texts, the mean over models."""
        return 1000 * mean(self.failures.values()) / self.texts * self.sound / self.read

    @property
    def by_calls(self) -> float:
        """The estimated number of sound failures in 1,000 calls of the model.

        Each candidate takes a call, and so does each unchanged text that has a candidate.
        """
        calls = self.changed + self.candidates
        return 1000 * mean(self.failures.values()) / calls * self.sound / self.read if calls else 0.0


def pairs(made: Sequence[Sequence[str]], texts: Sequence[str], sample: int) -> list[tuple[str, str]]:
    """Draw pairs of a text and a candidate, at most one pair for each text.

    Args:
        made: The candidates of each text.
        texts: The texts.
        sample: The largest number of pairs.
    """
    draw = Random(0)  # noqa: S311  # reproducible, not secret
    its = [(text, draw.choice(pool)) for text, pool in zip(texts, made, strict=True) if pool]
    return draw.sample(its, min(sample, len(its)))


def shown(text: str, changed: str) -> str:
    """Show the places at which two texts differ, with the text around them.

    Args:
        text: The text.
        changed: The changed text.

    >>> shown("A good film.", "A fine film.")
    'A [good→fine] film.'
    """
    before, after = text.split(" "), changed.split(" ")
    parts: list[str] = []
    for kind, start, end, first, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        old, new = " ".join(before[start:end]), " ".join(after[first:last])
        if kind != "equal":
            parts.append(f"[{old}→{new}]")
        elif len(old) <= 2 * _BESIDE:
            parts.append(old)
        else:
            parts.append(f"{old[:_BESIDE] if parts else ''}…{old[-_BESIDE:] if end < len(before) else ''}")
    return " ".join(parts)


def _made(data: Path, environments: Path) -> dict[str, Any]:
    """Let all tools change the same texts."""
    everything = drawn(data)
    places = {
        kind: [place for place, each in enumerate(its) if len(each.text) <= _LONGEST][:_TEXTS]
        for kind, its in everything.items()
    }
    known = {kind: with_gold([its[at] for at in places[kind]]) for kind, its in everything.items()}
    texts = [text for its in known.values() for text, _ in its]
    tools = {OWN: _own(everything, places)}
    for tool, requirements in TOOLS.items():
        script = Path(__file__).with_name(f"{tool}_texts.py")
        done = subprocess.run(
            [str(environment(environments / tool, requirements)), str(script)],
            input=json.dumps({"texts": texts, "most": _MOST}), capture_output=True, text=True, check=True,
            cwd=environments, env=os.environ | {"PYTHONHASHSEED": "0"},  # some draw from sets
        )  # fmt: skip
        tools[tool] = json.loads(done.stdout.splitlines()[-1])
    for made_by in tools.values():
        for name, pools in made_by["made"].items():
            made_by["made"][name] = [
                list(dict.fromkeys(made for made in pool if made and made != text))
                for text, pool in zip(texts, pools, strict=True)
            ]
    return {"known": known, "tools": tools}


def _own(everything: Mapping[str, Sequence[Example]], places: Mapping[str, Sequence[int]]) -> dict[str, Any]:
    """The candidates of robustfim: labels' sides are read off the data, so each kind is data of its own, and whole."""
    found: dict[str, Any] = {"made": {}, "spent": {}}
    fraction = sum(map(len, places.values())) / sum(map(len, everything.values()))
    for name, use in KINDS.items():
        started = time.process_time()
        made = {
            kind: robustfim.perturb(use, its, candidates=_MOST, seed=0).candidates for kind, its in everything.items()
        }
        found["spent"][name] = (time.process_time() - started) * fraction
        found["made"][name] = [
            [each.example.text for each in made[kind][at]] for kind, chosen in places.items() for at in chosen
        ]
    return found


def row(tool: str, name: str, kept: Mapping[str, Any], models: Mapping[str, Any]) -> Row:
    """Count the changed texts, the failures and the sound pairs of one tool and kind of change.

    Args:
        tool: The tool's name.
        name: The kind of change.
        kept: The texts and the candidates of all tools.
        models: For each model, a function that returns the probability of praise for each text.

    Raises:
        ValueError: No pair of the tool and the kind of change is rated.
    """
    made, judged = kept["tools"][tool]["made"][name], labelled(kept["known"])
    its = (cells[4:] for cells in rows_of(READINGS) if cells[:2] == [tool, name])
    read = [(holds == "1", int(natural)) for holds, natural in its]
    if not read:
        raise ValueError(f"no pair of {tool}'s {name} was read")
    return Row(
        sum(map(bool, made)), len(made), sum(map(len, made)), kept["tools"][tool]["spent"][name],
        {model: sum(failing(name, judged, made, ask)) for model, ask in models.items()},
        sum(holds for holds, _ in read), sum(holds and natural > 0 for holds, natural in read), len(read),
    )  # fmt: skip


def section(rows: Mapping[tuple[str, str], Row]) -> str:
    """Write the results as a section of Markdown.

    Args:
        rows: The results for each kind of change and tool.
    """
    one = next(iter(rows.values()))
    lines = [
        "## Beside other tools",
        "",
        "Written by `python -m benchmarks.rivals.beside write FILE`.",
        "",
        f"The same {one.texts} texts of up to {_LONGEST} characters (film sentences, news, reviews, a suite of hate "
        f"speech, web text) of the half that nobody tuned on, at most {_MOST} candidates each, "
        "each tool as it comes. *Holds*: what a check expects (the label stays; of antonyms the probability of the "
        f"text's label does not rise) is so for a careful reader; *sound*: and a person could have written it. Up to "
        f"{_SAMPLE} pairs a row were read, in random order, by one language model that did not know what had made "
        "them; 95 % intervals by Wilson. Sound yield: texts changed, times sound. Failures: texts on which a reference "
        "model (fastText, CNN, LSTM, BERT) answers otherwise, times sound, the mean of the four; by calls, of those "
        "that the model was asked "
        "for. The pairs were drawn from all texts made: of those that fail fewer are sound where many are not, so that "
        "these numbers flatter such rows. Seconds are of the processor and of making texts alone, once; those of "
        "robustfim of longer texts, too.",
        "",
        "| change | tool | reach | holds | sound | sound yield | sound failures, of 1,000 texts | of 1,000 calls "
        "| s for 1,000 texts |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    last = ""
    for (name, tool), each in rows.items():
        reach = each.changed / each.texts
        cells = [
            f"`{name}`" if name != last else "", tool, f"{reach:.0%}", share(each.holds, each.read),
            share(each.sound, each.read), f"{reach * each.sound / each.read:.0%}", f"{each.found:.0f}",
            f"{each.by_calls:.0f}", f"{1000 * each.spent / each.texts:.1f}",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
        last = name
    return "\n".join([*lines, ""])


def figure(rows: Mapping[tuple[str, str], Row]) -> Figure:
    """Draw a figure of the number of sound failures in 1,000 texts.

    Args:
        rows: The results for each kind of change and tool.
    """
    names = list(dict.fromkeys(name for name, _ in rows))
    return Figure(
        title="Sound failures found, of 1,000 texts", across="change", up="failures of 1,000 texts", names=names,
        series=[
            Series(
                name=tool, kind="bars",
                points=[
                    (at, rows[name, tool].found, None, None) for at, name in enumerate(names) if (name, tool) in rows
                ],
            )
            for tool in (OWN, *TOOLS)
        ],
    )  # fmt: skip


def _make(given: argparse.Namespace) -> None:
    kept = _made(given.data, given.environments)
    given.file.write_text(json.dumps(kept), encoding="utf-8")
    for tool, name, its in _sampled(kept):
        for number, (text, changed) in enumerate(its, 1):
            print(f"{tool} {name} {number}: {shown(text, changed)}")


def _sampled(kept: Mapping[str, Any]) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    texts = [text for its in kept["known"].values() for text, _ in its]
    for tool, its in kept["tools"].items():
        for name, made in its["made"].items():
            yield tool, name, pairs(made, texts, _SAMPLE)


def _rate(given: argparse.Namespace) -> None:
    kept = json.loads(given.file.read_text(encoding="utf-8"))
    (its,) = [its for tool, name, its in _sampled(kept) if (tool, name) == (given.tool, given.name)]
    keep(READINGS, [given.tool, given.name], its, given.verdicts)


def _write(given: argparse.Namespace) -> None:
    write_results(section(counted(given.file)))


def counted(file: Path) -> dict[tuple[str, str], Row]:
    """Ask the reference models about all texts and candidates, and count the results.

    Args:
        file: The file that ``make`` wrote.

    Returns:
        The results for each kind of change and tool.
    """
    kept = json.loads(file.read_text(encoding="utf-8"))
    models = {name: model_of(name) for name in MODELS}
    return {
        (name, tool): row(tool, name, kept, models)
        for name in KINDS
        for tool, its in kept["tools"].items()
        if name in its["made"]
    }


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    make = commands.add_parser("make")
    make.add_argument("file", type=Path)
    make.add_argument("--data", type=Path, required=True)
    make.add_argument("--environments", type=Path, required=True)
    make.set_defaults(run=_make)
    rate = commands.add_parser("rate")
    for name in ("file", "tool", "name"):
        rate.add_argument(name, type=Path if name == "file" else str)
    rate.add_argument("verdicts", nargs="*", help="number:verdict, the expectation (1 or 0), then 2, 1 or 0")
    rate.set_defaults(run=_rate)
    write = commands.add_parser("write")
    write.add_argument("file", type=Path)
    write.set_defaults(run=_write)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    _main()
