"""The model card of a fine-tuned model: its base model, its training data and its accuracy."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from robustfim.statistics import Rate
from robustfim_huggingface.finetune.recipe import Recipe
from robustfim_steps.made_by import shown

if TYPE_CHECKING:
    from robustfim_huggingface.finetune.tuning import Tuned

__all__ = ["Source", "tuned_card"]


@dataclass(frozen=True)
class Source:
    """A data source used in fine-tuning: its role (``data`` or ``dev``), plugin, options and example ids."""

    part: str
    use: str
    options: Mapping[str, Any]
    ids: tuple[str, ...]

    @property
    def digest(self) -> str:
        """A SHA-256 that identifies the examples of the data source and their order."""
        return hashlib.sha256("\n".join(self.ids).encode()).hexdigest()


def tuned_card(
    tuned: Tuned, recipe: Recipe, base: str, digest: str, command: str, sources: Sequence[Source], *,
    seed: int,
) -> str:  # fmt: skip
    """Return a model card in Markdown. The same training gives the same card."""
    low, high = Rate(tuned.epoch.correct, tuned.tested).ends
    table = "\n".join(
        f"| {source.part} | `{source.use}` | {_options(source.options)} | {len(source.ids):,} | `{source.digest}` |"
        for source in sources
    )
    begun = ", ".join(f"`{name}`" for name in tuned.begun) or "nothing"
    labels = ", ".join(f"`{label}`" for label in tuned.labels)
    return f"""# {base}, fine-tuned

For `{tuned.spec["use"]}`. Labels, in the order of the output: {labels}. {tuned.parameters:,} parameters. Made by

```
{command}
```

- Began with `{base}` (`{digest}`); as random numbers: {begun}.
- Trained with AdamW, all weights, on batches of {recipe.batch_size}; learning rate {recipe.learning_rate:g}, warmed up
  over {recipe.warm_up:.0%} of the updates of {recipe.epochs} epochs and falling to 0; weight decay
  {recipe.weight_decay:g}; gradients clipped at {recipe.clip:g}; seed {seed};
  tokens read at most: {recipe.max_length or "as many as the model can"}.
- {tuned.run} epochs were run, and the weights of epoch {tuned.epoch.number}, the best on the development data, were
  kept.

## Accuracy

{tuned.epoch.correct / tuned.tested:.3f} on the development data ({tuned.epoch.correct:,} of {tuned.tested:,} examples;
95 % Wilson interval {low:.3f}–{high:.3f}). These examples chose the epoch, so the number leans upward.

## Data

| part | source | options | examples | SHA-256 of the examples' ids |
| --- | --- | --- | --- | --- |
{table}

## Limits

- It has the licence and the limits of the model that it began with, and those of the data.
- What it learnt are these examples' topics, words and superficial cues; `robustfim run` tells where it breaks.
"""


def _options(options: Mapping[str, Any]) -> str:
    """Write options, paths without the machine."""
    return ", ".join(f"`{key}={shown(str(value))}`" for key, value in options.items()) or "–"
