"""Output of measured cues: a table, and a page with a figure of productivity against coverage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from robustfim.example import Example
from robustfim_cues.measures.measures import Cues

__all__ = ["as_page", "lines"]


def lines(cues: Cues, top: int) -> Iterator[str]:
    """Yield a terminal table of cues (words that betray the label), the most significant first.

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
    sure = len(cues.significant())
    yield (
        f"{len(cues.found)} cues in {cues.examples} {'choices' if cues.choices else 'examples'}, {sure} of them sure "
        f"(Holm, 0.05); {cues.rarer} rarer than {cues.minimum} left out"
    )


def as_page(cues: Cues, data: str, examples: Sequence[Example], fields: Sequence[str] = ()) -> str:
    """Return an HTML page on cues: a figure of how often they are right, their table, and examples.

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
