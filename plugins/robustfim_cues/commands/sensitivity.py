"""``robustfim cues sensitivity``: measure how strongly each cue affects the choice of one model or of two models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from robustfim.commands import OUTPUT_FILE, Chosen, print_line, progress_bar
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
    "--model", "first", multiple=True, required=True, metavar="KEY=VALUE", help="The model: use=NAME and its options."
)
@click.option("--against", multiple=True, metavar="KEY=VALUE", help="A second model; without use=NAME, options that "
              "it has other than the first.")  # fmt: skip
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="Cues to print.")
@click.option("--html", "html_path", type=OUTPUT_FILE, help="File to draw everything in.")
def sensitivity(
    data: str, options: Sequence[str], minimum: int, first: Sequence[str], against: Sequence[str], top: int,
    html_path: Path | None,
) -> None:  # fmt: skip
    """Tell how sensitive a model is to each cue, by the cue's productivity.

    DATA holds choices. Productivity is measured on its original instances, sensitivity on all of them: the norm of the
    gradient of the chosen alternative's score with respect to the cue's embedding.
    """
    from robustfim_cues.choices.wording import correlation_text, table_lines
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
        other = [*([] if any(each.startswith("use=") for each in against) else first), *against] if against else []
        models = {name: _model(given) for name, given in _named(first, other).items()}
        originals = [example for example in examples if not example.meta.get("mirrored")] or examples
        progress("measure cues", 0, len(originals))
        cues = measure(originals, minimum=minimum).found
        found = {name: sensitivities(model, examples, cues, partial(progress, name)) for name, model in models.items()}
    sentences = [f"{name}: {correlation_text(each.correlation)}" for name, each in found.items()]
    for line in (
        *table_lines(sensitivity_bands(found)),
        "",
        *table_lines(sensitivity_table(found, top)),
        "",
        *sentences,
    ):
        print_line(console, line)
    if html_path is not None:
        from robustfim_drawing import page

        title = f"Do the cues of {Path(data).name or data} move the model more than other words?"
        about = f"model {', '.join(found)} · data {Path(data).name or data}"
        text = page(
            title, [sensitivity_answer(found), *sentences], [sensitivity_bands(found), sensitivity_table(found)],
            [sensitivity_figure(found)], about=about,
        )  # fmt: skip
        print_line(console, f"wrote {write(html_path, text, page=True)}")


def _named(first: Sequence[str], other: Sequence[str]) -> dict[str, Sequence[str]]:
    """Name one model, or two, as the command line does: by ``use``, or by the options in which they differ."""
    pairs = [{key: value for key, _, value in (each.partition("=") for each in given)} for given in (first, other)]
    named = [options.get("use", "the model") for options in pairs]
    if not other:
        return {named[0]: first}
    if named[0] == named[1]:
        parts = [
            [f"{key}={value}" for key, value in options.items() if key != "use" and rest.get(key) != value]
            for options, rest in (pairs, pairs[::-1])
        ]
        named = [", ".join(part) or name for part, name in zip(parts, named, strict=True)]
    return {named[0]: first, named[1] if named[1] != named[0] else f"{named[1]} again": other}


def _model(options: Sequence[str]) -> DifferentiableModel:
    """Make a model that the command line names, and see that it has gradients."""
    from robustfim_cues.sensitivity.measure import require_gradients

    (pair,) = Chosen.take({"model": tuple(options)}).model_and_data()
    assert pair.model is not None  # noqa: S101  # --model is required
    return require_gradients(pair.model.make(), pair.model.use.use)
