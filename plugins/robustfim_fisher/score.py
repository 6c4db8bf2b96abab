"""The command ``robustfim score``: the difficulty of texts, and the geometry of one text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.commands import (
    NUMBER,
    OUTPUT_FILE,
    Chosen,
    print_line,
    printable,
    progress_bar,
    shared_options,
    text_of_input,
)
from robustfim.parts import ModelPart
from robustfim.spans import is_spans, span_labels
from robustfim.whole_file import csv_bytes, write_whole

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.result import Scored
    from robustfim.roles import Context

__all__ = ["score"]


@click.command(epilog="Example: robustfim score --model reference/fasttext --data reviews --by fisher --out s.csv")
@shared_options(
    "model", "data", "seed", "offline", "max_calls", "store", "plugins", "color",
    model={"required": True}, data={"help": "The data: --data test.csv; without it, a text is "
                                            "read from standard input."},
)  # fmt: skip
@click.option("--by", default=None, metavar="NAME",
              help="The score: fisher, boundary, margin, entropy …; by default the one that selects.")  # fmt: skip
@click.option("--out", type=OUTPUT_FILE, metavar="FILE",
              help="Write all scores to this .csv or .jsonl file.")  # fmt: skip
@click.option("--top", type=NUMBER, default=10, show_default=True, help="Texts to print, the most difficult first.")
def score(chosen: Chosen, by: str | None, out: Path | None, top: int) -> None:
    """Score how difficult texts are for a model, or look at one text from standard input.

    Of one text it tells λmax (how much a small step of the input can change the output distribution), the margin, the
    first-order distance to the decision boundary, and the words along the top eigenvector.
    """
    from robustfim.api import context
    from robustfim.api import score as scored
    from robustfim.errors import UsageError

    spec = chosen.suite().data
    console = chosen.console()
    common: dict[str, Any] = {
        "plugins": chosen.plugins, "offline": chosen.offline, "max_calls": chosen.max_calls, "store": chosen.store,
        "seed": chosen.seed or 0,
    }  # fmt: skip
    if out is not None and out.suffix not in _WRITERS:
        raise UsageError(f"--out {out}: a file of scores ends with {' or '.join(_WRITERS)}.")
    if "data" not in spec:
        text = text_of_input("score --model …")
        if out is not None or by is not None:
            raise UsageError("--by and --out need --data. Leave both out to score one text from standard input.")
        _look(console, context(spec["model"], [text], **common))
        return
    with progress_bar(console) as progress:
        progress("load", 0, 0)
        found = scored(spec["model"], spec["data"], by, **common, progress=progress)
    if out is not None:
        write_whole(out, _WRITERS[out.suffix](found))
        print_line(console, f"{len(found):,} scores are in {out}")
    _print_hardest(console, found, top)


def _print_hardest(console: Console, found: Scored, top: int) -> None:
    """Print the most difficult examples, one a line, cut at the width of the terminal."""
    defined = sum(value == value for value in found.values)
    missing = f"; of {len(found) - defined:,} it is not defined" if defined < len(found) else ""
    print_line(console, f"{found.by} of {len(found):,} texts, {found.hardest} is hardest{missing}")
    for example, value in found.hardest_first()[:top]:
        label = ", ".join(span_labels([example.label or ""])) if is_spans(example.label) else example.label or ""
        line = f"{value:>11.4g}  {label:<10.10}  {printable(' '.join(example.text.split()))}"
        room = max(40, console.width)
        print_line(console, line if len(line) <= room else f"{line[: room - 1]}…")


def _look(console: Console, around: Context) -> None:
    """Print what the model and its geometry say of one text."""
    from robustfim.errors import ModelError

    (example,) = around.examples
    (answer,) = around.predict(list(around.examples))
    if answer is None:
        raise ModelError("the model gave no finite probabilities for this text.")
    ranked = sorted(zip(answer.labels, answer.probabilities, strict=True), key=lambda pair: -pair[1])
    print_line(console, "label     " + ", ".join(f"{label} {share:.3f}" for label, share in ranked[:5]))
    if not ModelPart(around.model).differentiable:
        print_line(console, "margin    " + (f"{answer.lead:.3f} of probability" if ranked[1:] else "–"))
        print_line(console, "λmax and the boundary need gradients, which this model has not.")
        return
    (point,) = around.geometry.at([example])
    print_line(console, f"λmax      {point.lambda_max:.4g}")
    print_line(console, f"margin    {point.margin:.4g} (logits)")
    print_line(console, f"boundary  {point.distance:.4g} (first-order distance, in units of the embedding)")
    embedded: Any = around.model
    (spans,) = embedded.embed([example]).spans
    fractions: dict[tuple[str, int, int], float] = {}
    for span, row in zip(spans, point.eigenvector, strict=False):
        if span is not None:
            fractions[tuple(span)] = fractions.get(tuple(span), 0.0) + float((row * row).sum())
    if len(fractions) > 1 and max(fractions.values()) - min(fractions.values()) < _EVEN:
        even = f"as long at each of the {len(fractions)} tokens, as where a model reads their mean"
        print_line(console, f"eigenvector, {even}")
        return
    print_line(console, "eigenvector, share of its squared length at each word:")
    for (field, start, end), fraction in sorted(fractions.items(), key=lambda pair: -pair[1])[:_WORDS]:
        print_line(console, f"  {fraction:6.1%}  {example.fields[field][start:end]}")


_WORDS = 12
"""The number of words shown along the eigenvector."""

_EVEN = 1e-6
"""Words whose fractions of the eigenvector differ by less than this count as equal."""


def _rows(found: Scored) -> list[dict[str, Any]]:
    """Make a row of each text: its fields, its label and its score; a score that is not defined is None."""
    return [
        {"id": example.id, **example.fields, "label": example.label, found.by: None if value != value else float(value)}
        for example, value in zip(found.examples, found.values, strict=True)
    ]


def _csv(found: Scored) -> bytes:
    rows = _rows(found)
    fields = dict.fromkeys(name for example in found.examples for name in example.fields)
    columns = ["id", *fields, "label", found.by]
    return csv_bytes([columns, *([row.get(name) for name in columns] for row in rows)])


def _jsonl(found: Scored) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(found)).encode("utf-8")


_WRITERS = {".csv": _csv, ".jsonl": _jsonl}
