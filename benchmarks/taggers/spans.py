"""``python -m benchmarks.taggers.spans``: train the small tagger that ships, on texts with gold spans."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.collect import named_part
from robustfim.commands import Chosen, shared_options
from robustfim.errors import DataError, ModelError, UsageError, shown
from robustfim.example import Example
from robustfim.reading import read_text
from robustfim.spans import is_spans
from robustfim.statistics import wilson
from robustfim_reference.folder import CONFIG, WEIGHTS
from robustfim_reference.tagging.features import written_tags
from robustfim_steps.made_by import command_line
from robustfim_steps.made_by import shown as shown_path

if TYPE_CHECKING:
    from benchmarks.taggers.fitting import Score
    from robustfim.collect import Named

__all__ = ["command"]

_FILE = click.Path(path_type=Path)
_CREDIT = {
    "wnut17": "Derczynski et al. 2017, WNUT 2017 emerging entities, CC BY 4.0",
    "pii": "presidio-research's synthetic personal data, MIT",
    "names": "Names Corpus 1.3, © 1991 Mark Kantrowitz, additions by Bill Ross; for any purpose, with credit",
}


@click.command(name="python -m benchmarks.taggers.spans")
@click.option("--data", multiple=True, required=True, metavar="DATA",
              help="Texts with gold spans to train on: '{use: conll, path: …}'; may be repeated.")  # fmt: skip
@click.option("--dev", multiple=True, metavar="DATA", help="Texts that decide when to stop; may be repeated.")
@click.option("--held", metavar="COLUMN", help="Of data with this column, the rows of every fifth value, by its hash, "
              "are development data instead.")  # fmt: skip
@click.option("--label", "named", multiple=True, required=True, metavar="LABEL=GOLD,…",
              help="A label of the tagger and the gold labels that it stands for.")  # fmt: skip
@click.option("--names", multiple=True, type=_FILE, help="File of given names, one a line, for people in training; may "
              "be repeated.")  # fmt: skip
@click.option("--out", required=True, type=_FILE, help="Folder to write the tagger to.")
@click.option("--seed", default=0, show_default=True, help="Seed of everything random.")
@click.option("--epochs", default=16, show_default=True, type=click.IntRange(min=1), help="Passes over the data.")
@shared_options("plugins")
def command(
    chosen: Chosen, data: tuple[str, ...], dev: tuple[str, ...], held: str | None, named: tuple[str, ...],
    names: tuple[Path, ...], out: Path, seed: int, epochs: int,
) -> None:  # fmt: skip
    """Train a tagger on texts with gold spans and write it to a folder.

    Each file of --data is repeated until it has about half as many texts as the largest. The same command gives the
    same weights. In the place of plugins/robustfim_reference/weights/tagger the folder is what ships.
    """
    label_of = _labels(named)
    labels = tuple(dict.fromkeys(label_of.values()))
    try:
        from safetensors.numpy import save

        from benchmarks.taggers.fitting import SIZES, fit, gold_of, score
    except ModuleNotFoundError as error:
        raise ModelError(f"training needs {error.name}: pip install 'robustfim[torch]'.") from error
    manager = chosen.manager()
    sets = [each for value in data for each in _split(named_part("data", value, manager, "--data"), held)]
    sets += [_Texts("dev", *_read(named_part("data", value, manager, "--dev"))) for value in dev]
    given = [word for path in names for word in _lines(path)]
    golds = {each: [gold_of(row, label_of) for row in each.rows] for each in sets}
    largest = max(len(each.rows) for each in sets if each.part == "data")
    learnt = [
        gold for each, rows in golds.items() if each.part == "data"
        for gold in rows * max(1, round(largest / (2 * len(rows) or 1)))
    ]  # fmt: skip
    held_back = [gold for each, rows in golds.items() if each.part == "dev" for gold in rows]
    for option, rows in (("--data", learnt), ("--dev", held_back)):
        missing = [label for label in labels if label not in {span.label for _, spans in rows for span in spans}]
        if not rows or (missing and option == "--data"):
            raise DataError(
                f"{option} has no text with a span of {', '.join(missing)}, by which the tagger could learn it."
            )
    weights, epoch = fit(learnt, held_back, labels, given, seed=seed, epochs=epochs, report=click.echo)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--out {out} cannot be made a folder: {error}.") from error
    config = {"format": 1, "architecture": "tagger", "labels": written_tags(labels), "sizes": SIZES}
    (out / CONFIG).write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    (out / WEIGHTS).write_bytes(save(weights, metadata={"format": "np"}))
    scores = {each: score(weights, rows, labels) for each, rows in golds.items() if each.part == "dev"}
    numbers = sum(weight.size for weight in weights.values())
    made = command_line(["python", "-m", "benchmarks.taggers.spans"], ("plugins",))
    card = _card(made, sets, names, scores, epoch=epoch, seed=seed, numbers=numbers)
    (out / "MODEL_CARD.md").write_text(card, encoding="utf-8")
    click.echo(f"wrote {out}")


@dataclass(frozen=True, eq=False)
class _Texts:
    """Texts of one file: their part in the training (``data``, ``dev``), the file, and what of it they are."""

    part: str
    path: Path
    rows: list[Example]
    which: str = ""


def _labels(named: Sequence[str]) -> dict[str, str]:
    """Read ``person=person,PERSON`` as the label of each gold label."""
    label_of: dict[str, str] = {}
    for each in named:
        label, _, golds = each.partition("=")
        if not label or not golds:
            raise UsageError(f"--label {shown(each)} is no label with gold labels: --label person=PER,PERSON.")
        label_of |= dict.fromkeys(golds.split(","), label)
    return label_of


def _read(part: Named) -> tuple[Path, list[Example]]:
    """Load the texts of a file, each of which must have gold spans, none or more."""
    path = part.use.options.get("path")
    if path is None:
        raise UsageError(f"the tagger learns from files, and {part.use.use} is none: '{{use: conll, path: …}}'.")
    rows = list(part.make().load())
    strange = next((row for row in rows if not is_spans(row.label)), None)
    if strange is not None:
        raise DataError(f"{path}: example {strange.id} has no gold spans, but the label {shown(strange.label)}.")
    return Path(path), rows


def _split(part: Named, column: str | None) -> list[_Texts]:
    """Hold back the rows of every fifth value of a column."""
    path, rows = _read(part)
    if column is None or column not in rows[0].meta:
        return [_Texts("data", path, rows)]
    back = [zlib.crc32(str(row.meta.get(column)).encode()) % 5 == 0 for row in rows]
    learnt, held = ([row for row, away in zip(rows, back, strict=True) if away == part] for part in (False, True))
    which = f"those of every fifth `{column}`, by its CRC-32"
    return [_Texts("data", path, learnt, f"but for {which}"), _Texts("dev", path, held, which)]


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in read_text(path).splitlines() if line.strip()]
    except DataError as error:
        raise DataError(f"--names: {error}") from error


def _card(
    made: str, sets: Sequence[_Texts], names: Sequence[Path], scores: Mapping[_Texts, Mapping[str, Score]], *,
    epoch: int, seed: int, numbers: int,
) -> str:  # fmt: skip
    """Write the model card in Markdown; the same training gives the same card."""
    results = "\n".join(
        f"| `{texts.path.name}` | {label} | {_share(one.right, one.found)} | {_share(one.right, one.gold)} "
        f"| {one.f1:.2f} |"
        for texts, score in scores.items()
        for label, one in score.items()
        if one.gold
    )
    files = [(each.part, each.path, f"{len(each.rows):,} {each.which}".strip()) for each in sets]
    files += [("names", path, f"{len(_lines(path)):,}") for path in names]
    table = "\n".join(
        f"| {part} | `{shown_path(path)}` | {rows} | `{hashlib.sha256(path.read_bytes()).hexdigest()}` "
        f"| {_CREDIT.get(path.parent.name, 'as its owner says')} |"
        for part, path, rows in files
    )
    return f"""# Small tagger of names and personal data

Two convolutions over hashed embeddings of what a token looks like, {numbers:,} numbers, stored in float16. Trained from
scratch by

```
{made}
```

with seed {seed}; the weights of epoch {epoch}, the best on the development data, were kept.

## Precision and recall

Of spans with label and both ends, on the development data, with 95 % Wilson intervals that take spans for independent.
These rows chose the epoch, so the numbers lean upward.

| development data | label | precision | recall | F1 |
| --- | --- | --- | --- | --- |
{results}

## Data

| part | file | rows | SHA-256 | source and licence |
| --- | --- | --- | --- | --- |
{table}

No text is stored with the model, only its weights: words are hashed into rows that they share.

## Intended use

A small model to try robustfim's taggers on, and to test them with: it starts in a moment and needs no download. It is
meant to be broken. It misses most of what it should find, and must not be trusted with anybody's personal data.

## Limits

- It was trained on a few thousand noisy English messages and on sentences made of templates; elsewhere it guesses.
- It sees a token and three neighbours on either side.
- Given names of training were English ones for the most part: names of other origins are found less often.
"""


def _share(count: int, of: int) -> str:
    low, high = wilson(count, of) or (0.0, 1.0)
    return f"{count / of:.2f} ({count} of {of}; {low:.2f}–{high:.2f})" if of else "none found"


if __name__ == "__main__":
    command()
