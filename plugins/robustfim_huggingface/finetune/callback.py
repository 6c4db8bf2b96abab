"""A callback of transformers' ``Trainer`` that runs a suite while a model learns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from transformers import TextClassificationPipeline, TrainerCallback

import robustfim
from robustfim import UsageError

__all__ = ["SuiteCallback"]


class SuiteCallback(TrainerCallback):
    """Runs a suite every few steps of a training, and logs accuracy and broken examples like the losses.

    The suite runs before the first step, after every ``every`` steps, and at the end. A mistake in the suite therefore
    stops the training before it begins. The callback logs ``eval_robustfim_accuracy``. For each check with a rate it
    logs ``eval_robustfim_broken_CHECK``, the fraction (0 to 1) of right examples that an edit makes wrong. The model
    predicts in evaluation mode, and the training steps are not affected. With several processes, the first one runs the
    suite and needs the whole model in memory, without sharded weights.

    Args:
        trainer: The trainer of a sequence classifier, with a ``processing_class``.
        suite: A suite file, or the content of a suite as a mapping. The trainer's model replaces the suite's model.
        every: The number of steps between two runs, at least 1.
        **keywords: Keywords of :func:`robustfim.run`, such as ``data``, ``checks`` or ``seed``.

    Raises:
        UsageError: ``every`` is below 1, the trainer has no tokenizer, or a model is given.
    """

    def __init__(
        self, trainer: Any, suite: str | Path | Mapping[str, Any] | None = None, *, every: int = 500, **keywords: Any
    ) -> None:
        if every < 1:
            raise UsageError(f"{every=} is below 1.")
        if "model" in keywords:
            raise UsageError("the trainer's model is tested: leave out 'model'.")
        if not callable(getattr(trainer, "processing_class", None)):
            raise UsageError("the trainer has no tokenizer: Trainer(…, processing_class=tokenizer).")
        self._trainer, self._suite, self._every, self._keywords = trainer, suite, every, keywords
        self._last = -1

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Run the suite before the first step."""
        self._run(state)

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Run the suite after every ``every`` steps."""
        if state.global_step % self._every == 0:
            self._run(state)

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Run the suite at the end, unless it ran after the last step."""
        self._run(state)

    def _run(self, state: Any) -> None:
        if state.global_step == self._last or not state.is_world_process_zero:
            return
        self._last = state.global_step
        model: Any = self._trainer.accelerator.unwrap_model(self._trainer.model)
        trains = model.training
        try:
            make: Any = TextClassificationPipeline
            pipeline = make(
                model=model.eval(),
                tokenizer=self._trainer.processing_class,
                task="text-classification",
                device=model.device,
            )
            record = robustfim.run(self._suite, model=pipeline, **self._keywords).record
        finally:
            model.train(trains)
        rates = {check.name: check.rate for check in record.checks}
        found = {"accuracy": record.model.accuracy.rate, **{f"broken_{name}": rate for name, rate in rates.items()}}
        self._trainer.log({f"eval_robustfim_{name}": value for name, value in found.items() if value is not None})
