"""``robustfim card``: write what a run found into a model card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from yaml import YAMLError

from robustfim.errors import UsageError
from robustfim.record import Record
from robustfim.whole_file import write_whole
from robustfim_huggingface.card.results import BY, results

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

__all__ = ["command"]


@click.command(
    name="card", epilog="Example: robustfim card reports/reviews/results.json --name my-model --out README.md"
)
@click.argument("record", metavar="RESULTS", type=click.Path(path_type=Path))
@click.option("--name", required=True, help="The model's name on the card.")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The card, README.md beside the weights; one that is there keeps its text and its other keys.",
)
def command(record: Path, name: str, out: Path) -> None:
    """Write a run's accuracy and failure rates into a model card, as the hub's 'model-index'.

    Results of robustfim that the card holds already are replaced; those of others stay. Nothing is
    sent anywhere: commit the card, or push it with the weights.
    """
    run = Record.load(record)
    try:
        from huggingface_hub import ModelCard, ModelCardData
    except ImportError:
        raise UsageError("a model card needs huggingface_hub: pip install 'robustfim[huggingface]'") from None
    found = results(run)
    if not found:
        raise UsageError(f"{record} has no rate to tell: no check of it could be judged.")
    try:
        card = ModelCard(out.read_text(encoding="utf-8") if out.exists() else f"---\n{{}}\n---\n\n# {name}\n")
    except (ValueError, YAMLError) as error:
        raise UsageError(f"{out} is no model card: {' '.join(str(error).split())[:200]}") from None
    others = [each for each in getattr(card.data, "eval_results", None) or [] if not _ours(each)]
    held: dict[str, Any] = card.data.to_dict()  # type: ignore[no-untyped-call]  # the library is not typed here
    kept = {key: value for key, value in held.items() if key not in ("model-index", "model_name")}
    card.data = ModelCardData(**kept, model_name=name, eval_results=[*others, *found])
    write_whole(out, str(card).encode())
    click.echo(f"wrote {out}: {len(found)} results")


def _ours(result: EvalResult) -> bool:
    return str((result.metric_args or {}).get("by", "")).startswith(BY)
