"""The report ``card``: a run's rates in a model card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from robustfim.errors import UsageError
from robustfim.record import Record
from robustfim.whole_file import write_whole
from robustfim_huggingface.card.results import BY, results

if TYPE_CHECKING:
    from huggingface_hub import EvalResult

__all__ = ["ModelCard"]


class ModelCard:
    """Writes a run's accuracy and failure rates into a model card, as the hub's ``model-index``.

    An existing card keeps its text, its other keys and the results of other tools; earlier results of robustfim are
    replaced.

    Args:
        path: The card, ``README.md`` beside the weights; ``README.md`` in the suite's report folder when None.
        name: The model's name on the card; by default the name already on the card, or the name of the model's folder.
    """

    def __init__(self, path: Path | None = None, name: str | None = None) -> None:
        self.path, self.name = path, name

    def write(self, record: Record, folder: Path) -> Path:
        """Write the card. If writing fails, an existing card stays as it was.

        Raises:
            UsageError: No check has a rate, the file is not a model card, or huggingface_hub is missing.
        """
        try:
            import huggingface_hub as hub
        except ImportError:
            raise UsageError("a model card needs huggingface_hub: pip install 'robustfim[huggingface]'") from None
        path, found = self.path or folder / "README.md", results(record)
        if not found:
            raise UsageError(
                f"{record.suite} has no rate for a model card, because no check of the run could be judged."
            )
        model = record.model
        called = self.name or Path(str(model.options.get("path") or model.use)).name
        try:
            card = hub.ModelCard(
                path.read_text(encoding="utf-8") if path.exists() else f"---\n{{}}\n---\n\n# {called}\n"
            )
        except (ValueError, yaml.YAMLError) as error:
            raise UsageError(f"{path} is not a model card: {' '.join(str(error).split())[:200]}") from None
        others = [each for each in getattr(card.data, "eval_results", None) or [] if not _ours(each)]
        given: dict[str, Any] = card.data.to_dict()  # type: ignore[no-untyped-call]  # the library is not typed here
        kept = {key: value for key, value in given.items() if key not in ("model-index", "model_name")}
        name = self.name or getattr(card.data, "model_name", None) or called
        card.data = hub.ModelCardData(**kept, model_name=name, eval_results=[*others, *found])
        return write_whole(path, str(card).encode())


def _ours(result: EvalResult) -> bool:
    return str((result.metric_args or {}).get("by", "")).startswith(BY)
