"""Visual question answering: any model that transformers can load for it and that chooses among a list of answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.prediction import MOST_ANSWERS
from robustfim.roles import Embedded, Span
from robustfim_huggingface.answering.images import ImageFolder
from robustfim_huggingface.checkpoint.saved_model import Loading, SavedModel
from robustfim_huggingface.checkpoint.window import read_in_part
from robustfim_huggingface.classifier.labels import label_names

if TYPE_CHECKING:
    from robustfim_huggingface.answering.visual_network import VisualNetwork

__all__ = ["VisualQuestionAnswering"]


class VisualQuestionAnswering(SavedModel["VisualNetwork"]):
    """A Hugging Face model that answers a question on an image, from a folder or from the hub.

    Architectures of ``AutoModelForVisualQuestionAnswering`` that choose among a list of answers, such as ViLT, with
    safetensors weights; code that comes with a model is never run. The image stays as it is: perturb the question
    alone, with ``fields: [question]``. Of its thousands of answers the likeliest ten are kept with their softmax
    probabilities, and the gold answer may be none of the list. The embedding of the question can be differentiated.
    Needs ``pip install 'robustfim[huggingface,images]'``.

    Args:
        images: The folder from which the paths of images start.
        question: The field of the question.
        image: The field of the image's path.
    """

    libraries: ClassVar = {
        "torch": "robustfim[torch]",
        "transformers": "robustfim[huggingface]",
        "PIL": "robustfim[images]",
    }

    def __init__(
        self,
        path: Path | str,
        images: Path,
        question: str = "question",
        image: str = "image",
        **loading: Unpack[Loading],
    ) -> None:
        if question == image:
            raise UsageError(f"'question' and 'image' both name the field {question!r}.")
        self._question, self._image = question, image
        self._images = ImageFolder(images)
        super().__init__(path, **loading)

    def _kind(self) -> type[VisualNetwork]:
        from robustfim_huggingface.answering.visual_network import VisualNetwork

        return VisualNetwork

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The answers among which the model chooses."""
        return label_names(self._checkpoint.config, None, self._checkpoint.name)

    def _deciding(self) -> list[object]:
        own = self._question, self._image, self._max_length, self._dtype
        return ["huggingface/visual-question-answering", self._checkpoint.digest, *own]

    def attached(self, example: Example) -> str:
        """Hash the content of an example's image, which decides the answer as much as its question does.

        Raises:
            UsageError: The example names no image.
            DataError: Its image is missing.
        """
        return self._images.digest(self._text(example, self._image))

    def picture(self, example: Example) -> bytes:
        """Write an example's image small, for the pages of a run.

        Returns:
            A JPEG of at most 160 pixels a side.

        Raises:
            UsageError: The example names no image.
            DataError: Its image is missing or broken.
        """
        return self._images.small(self._text(example, self._image))

    def answer(self, examples: Sequence[Example]) -> list[list[tuple[str, float]]]:
        """Answer questions, ``batch_size`` at a time.

        Returns:
            For each the 10 likeliest answers with their probabilities among all, the likeliest first; none where the
            logits are not finite, or the tokenizer makes no token of the question.
        """
        rows = self.predict(examples)
        order = np.argsort(-rows, axis=1, kind="stable")[:, :MOST_ANSWERS]
        return [
            [(self.labels[place], float(row[place])) for place in places] if np.isfinite(row).all() else []
            for row, places in zip(rows, order, strict=True)
        ]

    def predict(self, examples: Sequence[Example]) -> npt.NDArray[np.float64]:
        """Predict all answers; the harness asks for the likeliest, :meth:`answer`.

        Returns:
            Probabilities ``[examples, answers]``; a row is NaN where the tokenizer makes no token of the question.
        """
        return self._network.look(*self._columns(examples), self._batch_size)

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the input embeddings of a batch of questions, in one piece.

        Returns:
            Embeddings, masks and spans of the questions; the images are among ``inputs``.
        """
        return self._network.embed_questions(*self._columns(examples), self._question)

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Map input embeddings to logits, differentiably, any number of times, and without dropout."""
        return self._network.logits(embeddings, embedded)

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Tell the spans that are read of each example; None where it is read whole."""
        cut = self._network.overlong([self._text(each, self._question) for each in examples], None)
        return read_in_part(self.embed, examples, cut)

    def _columns(self, examples: Sequence[Example]) -> tuple[list[str], list[Any]]:
        """Split examples into questions and images, each image opened once."""
        names = [self._text(each, self._image) for each in examples]
        opened = {name: self._images.open(name) for name in dict.fromkeys(names)}
        questions = [self._text(each, self._question) for each in examples]
        return questions, [opened[name] for name in names]

    def _text(self, example: Example, name: str) -> str:
        return self._field(example, name, "'question' and 'image'")
