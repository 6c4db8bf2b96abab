"""``robustfim cues sensitivity``: measure how strongly each cue affects the choice of a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import COUNT, OUTPUT_FILE, Chosen, print_line, print_table, progress_bar
from robustfim_cues.choices.choice import originals
from robustfim_cues.choices.reading import read_data, require_choices
from robustfim_cues.commands.arguments import DATA, MINIMUM, OPTION, write

if TYPE_CHECKING:
    from robustfim.roles import DifferentiableModel

__all__ = ["sensitivity"]


@click.command(
    epilog="Example: robustfim cues sensitivity choices.jsonl --model use=huggingface/choice --model path=my-model"
)
@DATA
@OPTION
@MINIMUM
@click.option(
    "--model", "given", multiple=True, required=True, metavar="KEY=VALUE", help="The model: use=NAME and its options."
)
@click.option("--top", type=COUNT, default=10, show_default=True, help="Cues to print.")
@click.option("--html", "html_path", type=OUTPUT_FILE, help="File to draw everything in.")
def sensitivity(
    data: str, options: Sequence[str], minimum: int, given: Sequence[str], top: int, html_path: Path | None
) -> None:
    """Tell how sensitive a model is to each cue, by the cue's productivity.

    DATA holds choices. Productivity is measured on its original instances, sensitivity on all of them: the norm of the
    gradient of the chosen alternative's score with respect to the cue's embedding.
    """
    from robustfim_cues.choices.wording import correlation_text
    from robustfim_cues.measures.measures import measure
    from robustfim_cues.sensitivity.exhibits import (
        sensitivity_answer,
        sensitivity_bands,
        sensitivity_figure,
        sensitivity_table,
    )
    from robustfim_cues.sensitivity.measure import sensitivities

    console = Chosen().console()
    with progress_bar(console) as progress:
        progress("read", 0, 0)
        examples = read_data(data, options)
        require_choices(examples, data)
        model, use = _model(given)
        measured = originals(examples) or examples
        progress("measure cues", 0, len(measured))
        cues = measure(measured, minimum=minimum).found
        found = {use: sensitivities(model, examples, cues, partial(progress, use))}
    sentence = f"{use}: {correlation_text(found[use].correlation)}"
    for listed in (sensitivity_bands(found), sensitivity_table(found, top)):
        print_table(console, listed.header, listed.rows)
        console.print()
    print_line(console, sentence)
    if html_path is not None:
        from robustfim_drawing import page

        title = f"Do the cues of {Path(data).name or data} move the model more than other words?"
        about = f"model {use} · data {Path(data).name or data}"
        text = page(
            title, [sensitivity_answer(found), sentence], [sensitivity_bands(found), sensitivity_table(found)],
            [sensitivity_figure(found)], about=about,
        )  # fmt: skip
        print_line(console, f"wrote {write(html_path, text, page=True)}")


def _model(options: Sequence[str]) -> tuple[DifferentiableModel, str]:
    """Make the model that the command line names, which must have gradients, and return it with its name."""
    from robustfim_cues.sensitivity.measure import require_gradients

    (pair,) = Chosen.take({"model": tuple(options)}).model_and_data()
    assert pair.model is not None  # noqa: S101  # --model is required
    return require_gradients(pair.model.make(), pair.model.use.use), pair.model.use.use
