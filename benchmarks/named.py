"""Reach among texts that name something: places, people and organisations, by the gold entities of messages.

``python -m benchmarks.named --data FOLDER --tree CHECKOUT`` measures the checkout named and this one on the same texts,
those of WNUT 2017's training part that name a location, a person, or a corporation or group, and writes the section of
RESULTS.md. Messages are the hardest texts there are for names: small letters, hashtags, clubs and bands.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import robustfim
from robustfim.example import Example
from robustfim.spans import read_spans
from robustfim_files.conll_file import ConllFile

__all__ = ["KINDS", "measured", "naming", "section", "sentences"]

KINDS: Mapping[str, tuple[str, ...]] = {
    "places": ("location",),
    "people": ("person",),
    "organisations": ("corporation", "group"),
}
"""Perturbations, and the entities that they change."""

_MOST = 400
"""Texts of each kind."""
_AIM = 0.6
_CLOSE_UP = ((re.compile(r" ([.,!?;:%)'’])"), r"\1"), (re.compile(r"([(#@]) "), r"\1"))
"""How the tokens of messages are written as a text again."""


def sentences(path: Path) -> Iterator[tuple[str, frozenset[str]]]:
    """Read messages, each with the kinds of entities that it names.

    Args:
        path: A CoNLL file.
    """
    for example in ConllFile(path).load():
        text = example.text
        for pattern, written in _CLOSE_UP:
            text = pattern.sub(written, text)
        yield text, frozenset(span.label for span in read_spans(example.label or ""))


def naming(data: Path) -> dict[str, list[str]]:
    """List the texts that name what each perturbation changes.

    Args:
        data: The folder of the public data sets.
    """
    read = list(sentences(data / "wnut17" / "train.conll"))
    return {name: [text for text, named in read if named & {*kinds}][:_MOST] for name, kinds in KINDS.items()}


def measured(data: Path) -> dict[str, tuple[int, int]]:
    """Count by perturbation the texts that it changes, and those that name what it looks for.

    Args:
        data: The folder of the public data sets.
    """
    found = {}
    for name, texts in naming(data).items():
        made = robustfim.perturb(name, [Example({"text": text}) for text in texts], candidates=1, seed=0).candidates
        found[name] = sum(map(bool, made)), len(texts)
    return found


def section(before: Mapping[str, tuple[int, int]], now: Mapping[str, tuple[int, int]], commit: str) -> str:
    """Write the section of RESULTS.md.

    Args:
        before: What the other checkout changes.
        now: What this one changes.
        commit: The other checkout's.
    """
    lines = [
        "## Reach among texts that name something",
        "",
        "Written by `python -m benchmarks.named --data FOLDER --tree CHECKOUT`.",
        "",
        f"Messages of WNUT 2017 (training part) that name something by their gold entities, and the share of them that "
        f"change, before (`{commit}`) and now; one candidate is enough. The aim is {_AIM:.0%}. Clubs, bands, hashtags "
        "and names in small letters are entities there, too.",
        "",
        "| perturbation | texts | before | now | aim |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, (changed, texts) in now.items():
        share = changed / texts
        met = "met" if share >= _AIM else "missed"
        lines.append(f"| `{name}` | {texts} | {before[name][0] / before[name][1]:.0%} | {share:.0%} | {met} |")
    return "\n".join([*lines, ""])


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tree", type=Path, help="another checkout, measured first; without one, counts are printed")
    parser.add_argument("--commit", default="before", help="what the other checkout is called")
    given = parser.parse_args()
    if given.tree is None:
        print(json.dumps(measured(given.data.resolve())))
        return
    from benchmarks.checkout import in_checkout
    from benchmarks.sections import replace_section

    before = in_checkout(given.tree, __file__, "--data", str(given.data.resolve()))
    replace_section(section(before, measured(given.data), given.commit))


if __name__ == "__main__":
    _main()
