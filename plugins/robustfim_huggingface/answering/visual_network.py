"""The network of a visual question answering model: from questions and images to one logit an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from robustfim.errors import ModelError
from robustfim.roles import Embedded
from robustfim_huggingface.checkpoint.folder import Checkpoint
from robustfim_huggingface.checkpoint.loading import load_image_processor
from robustfim_huggingface.checkpoint.network import Network, probabilities_of, readable_rows

__all__ = ["VisualNetwork"]


class VisualNetwork(Network):
    """A visual question answering model in memory, in evaluation mode, its weights frozen.

    Its input x is the question; the image stays as it is.
    """

    auto = "AutoModelForVisualQuestionAnswering"

    def __init__(
        self, checkpoint: Checkpoint, *, classes: int, max_length: int | None, device: str, dtype: str
    ) -> None:
        super().__init__(checkpoint, classes=classes, max_length=max_length, device=device, dtype=dtype)
        if hasattr(self._model, "generate"):
            raise ModelError(
                f"model {self._name} ({type(self._model).__name__}) writes its answers word by word; only models that "
                "choose among a list of answers, such as ViLT, can be tested so. Wrap it as 'python:'."
            )
        self._process = load_image_processor(checkpoint)
        self._dtype: torch.dtype = getattr(torch, dtype)

    def look(self, questions: Sequence[str], images: Sequence[Any], batch_size: int) -> npt.NDArray[np.float64]:
        """Return probabilities ``[questions, answers]``; a row is NaN where a question has no token."""
        rows = np.full((len(questions), self._classes), np.nan)
        for start in range(0, len(questions), batch_size):
            batch = slice(start, start + batch_size)
            encoding = self._reading.encode(questions[batch], None)
            readable = encoding["attention_mask"].any(1)
            if readable.any():
                inputs = self._inputs(readable_rows(encoding, readable))
                inputs |= self._pixels([images[start + int(row)] for row in readable.nonzero()])
                with torch.inference_mode():
                    logits = self._forward(inputs)
                rows[batch][readable.numpy()] = probabilities_of(logits)
        return rows

    def embed_questions(self, questions: Sequence[str], images: Sequence[Any], field: str) -> Embedded:
        """Return the input embeddings of questions, with their images among the inputs."""
        embedded = self.embed(questions, None, [(field,)] * len(questions))
        return replace(embedded, inputs={**embedded.inputs, **self._pixels(images)})

    def _pixels(self, images: Sequence[Any]) -> dict[str, Tensor]:
        found = self._process(list(images), return_tensors="pt")
        tensors = {name: found[name].to(self.device) for name in found if name in self._accepted}
        return {name: each.to(self._dtype) if each.is_floating_point() else each for name, each in tensors.items()}

    def _forward(self, inputs: dict[str, Tensor]) -> Tensor:
        # ViLT draws among the patches of an image that has more than it reads: always the same ones.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            return super()._forward(inputs)
