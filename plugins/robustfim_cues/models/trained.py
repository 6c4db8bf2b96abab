"""A partial-input model made by a trainer: any classifier, trained without some fields."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from robustfim.collect import Named, predict
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.roles import Model, Trainer
from robustfim.suite import Use

__all__ = ["TrainedModel", "made_by"]

_STOP = 10
"""One in so many training examples decides when to stop, and is not learnt from."""


class TrainedModel:
    """A model that a trainer plugin makes without some text fields, both in training and in prediction.

    Args:
        trainer: The trainer, such as ``huggingface/choice``.
        leave_out: Fields that the model does not read.
        seed: The seed of each training.
    """

    def __init__(self, trainer: Named, leave_out: Collection[str], *, seed: int = 0) -> None:
        self._trainer, self._leave_out, self._seed = trainer, frozenset(leave_out), seed
        self.labels: tuple[str, ...] = ()

    def fit(self, examples: Sequence[Example]) -> TrainedModel:
        """Train on labelled examples, one tenth of which is development data.

        Raises:
            DataError: The trainer cannot learn from the examples.
            ModelError: A library is missing.
        """
        made: Trainer = self._trainer.make()
        self._folder = TemporaryDirectory()  # a model may read its weights when it is first asked
        shown = self._shown(examples)
        learnt = [example for place, example in enumerate(shown) if place % _STOP]
        use = made.train(learnt, shown[::_STOP], Path(self._folder.name), seed=self._seed, report=lambda _: None)
        self._model = made_by(self._trainer, Use.model_validate(dict(use)))
        self.labels = tuple(self._model.labels)
        return self

    def probabilities(self, examples: Sequence[Example]) -> npt.NDArray[np.float64]:
        """Return probabilities ``[examples, labels]``.

        Raises:
            ModelError: The model returns a probability that is not finite.
        """
        answers = predict(self._model, self._shown(examples), None)
        if len(answers) < len(examples):
            raise ModelError(
                f"{self._trainer.use.use}: {len(examples) - len(answers)} answers of the trained model are not "
                "finite numbers."
            )
        return np.array([answer.probabilities for _, answer in answers])

    def _shown(self, examples: Sequence[Example]) -> list[Example]:
        kept = [
            {name: text for name, text in example.fields.items() if name not in self._leave_out} for example in examples
        ]
        return [Example(fields, example.label) for fields, example in zip(kept, examples, strict=True)]


def made_by(trainer: Named, use: Use) -> Model:
    """Load the model that a trainer plugin has trained and written.

    Args:
        trainer: The trainer.
        use: The model's name and options, which the trainer returned.
    """
    model: Model = Named("models", use, trainer.file, trainer.manager).make()
    return model
