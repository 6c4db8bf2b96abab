"""Output of measured cues: a table, JSON, and a page with a figure of productivity against coverage."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from robustfim.example import Example
from robustfim_cues.measures.measures import Cue, Cues

__all__ = ["as_json", "as_page", "lines"]


def lines(cues: Cues, top: int) -> Iterator[str]:
    """Write a table of cues for the terminal, the most significant first.

    Args:
        cues: The cues.
        top: The largest number of rows.
    """
    shown = cues.found[:top]
    width = max((len(cue.text) for cue in shown), default=3)
    side = max((len(cue.label) for cue in shown), default=5)
    yield f"{'cue':{width}}  {'label':{side}}  applies  productivity           coverage  p        corrected"
    for cue in shown:
        low, high = cue.interval
        yield (
            f"{cue.text:{width}}  {cue.label:{side}}  {cue.applicability:7}  "
            f"{cue.productivity:.3f} [{low:.3f}, {high:.3f}]   {cue.coverage:7.3f}  "
            f"{cue.p_value:<8.2g} {cue.adjusted:.2g}"
        )
    method = {"holm": "Holm", "bh": "Benjamini-Hochberg"}[cues.correction]
    sure = len(cues.significant())
    yield (
        f"{len(cues.found)} cues in {cues.examples} {'choices' if cues.choices else 'examples'}, {sure} of them sure "
        f"({method}, 0.05); {cues.rarer} rarer than {cues.minimum} left out"
    )


def as_json(cues: Cues, data: str) -> str:
    """Write all cues as JSON."""
    return json.dumps(
        {
            "schema": 1,
            "data": data,
            "examples": cues.examples,
            "choices": cues.choices,
            "minimum": cues.minimum,
            "rarer": cues.rarer,
            "correction": cues.correction,
            "cues": [_row(cue) for cue in cues.found],
        },
        ensure_ascii=False,
        indent=1,
    )


def as_page(cues: Cues, data: str, examples: Sequence[Example], fields: Sequence[str] = ()) -> str:
    """Write an HTML page with a figure of productivity against coverage, the table of cues, and examples.

    Args:
        cues: The cues.
        data: The name of the data, as the user gave it.
        examples: The examples on which the cues were measured.
        fields: The fields that were read, as for :func:`~robustfim_cues.measures.measures.measure`.
    """
    from robustfim_cues.measures.exhibits import cue_passages, cues_answer, cues_table, productivity_figure
    from robustfim_drawing import page

    title = f"Does a word of {Path(data).name or data} give the answer away?"
    passages = cue_passages(cues, examples, fields)
    return page(
        title, [cues_answer(cues)], [cues_table(cues)], [productivity_figure(cues)], passages=passages,
        about=f"data {Path(data).name or data}",
    )  # fmt: skip


def _row(cue: Cue) -> dict[str, object]:
    return {
        "cue": cue.text,
        "label": cue.label,
        "applicability": cue.applicability,
        "hits": cue.hits,
        "productivity": cue.productivity,
        "interval": list(cue.interval),
        "coverage": cue.coverage,
        "coverage_interval": list(cue.coverage_interval),
        "chance": cue.chance,
        "p_value": cue.p_value,
        "adjusted": cue.adjusted,
    }
