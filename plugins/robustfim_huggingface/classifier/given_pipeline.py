"""A pipeline of transformers that a script has loaded, as a model without gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from robustfim.contract import ModelContract
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.labels import class_names
from robustfim.roles import Span
from robustfim_huggingface.checkpoint.given import Given
from robustfim_huggingface.checkpoint.saved_model import without_surrogates

if TYPE_CHECKING:
    from robustfim_huggingface.checkpoint.reading import Columns

__all__ = ["GivenPipeline"]


class GivenPipeline(Given):
    """A text-classification pipeline given by a script; no gradients.

    Texts are truncated at the pipeline's ``max_length``, else at the limit of its tokenizer and model. For gradients,
    give the folder of the weights instead: ``{use: huggingface, path: …}``.

    Args:
        pipeline: The pipeline, made by ``transformers.pipeline("text-classification", …)``. In a suite, give
            ``package.module:name`` of the pipeline, or of a function that returns it.
        labels: New names of the labels: all in the order of ``id2label`` (a list), or some (a mapping).
        batch_size: The number of texts in a call, at least 1.

    Raises:
        UsageError: The pipeline has another task, ``labels`` do not fit it, or its ``max_length`` is more than the
            model can read.
    """

    def __init__(self, pipeline: Any, labels: list[str] | dict[str, str] | None = None, batch_size: int = 32) -> None:
        super().__init__(pipeline, ("text-classification", "sentiment-analysis"))
        config = self._pipeline.model.config
        self._own = [str(config.id2label[index]) for index in sorted(config.id2label)]
        several = config.problem_type == "multi_label_classification"
        self.contract = ModelContract(batch_size=batch_size, several=several)
        self.labels = class_names(self._own, labels, "the pipeline")
        limit = self._reading.limit
        cut: dict[str, Any] = {} if limit is None else {"truncation": True, "max_length": limit}
        # A learned position is counted from the left: padding there would change the answer with the batch.
        left = self._pipeline.tokenizer.padding_side == "left" and config.model_type != "xlnet"
        self._options = {"top_k": None, **cut, **({"batch_size": 1} if left else {})}

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example."""
        return self._reading.window(examples, _columns)

    def predict(self, examples: Sequence[Example]) -> list[list[float]]:
        """Predict examples in one call of the pipeline."""
        texts, pairs, _ = _columns(examples)
        both = [{"text": text, "text_pair": pair} for text, pair in zip(texts, pairs or texts, strict=True)]
        answers = self._pipeline(both if pairs else texts, **self._options)
        rows = []
        for answer in answers:
            found = {each["label"]: float(each["score"]) for each in answer}
            if missing := [name for name in self._own if name not in found]:
                raise ModelError(f"the pipeline gave no number for {missing[0]!r}.")
            rows.append([found[name] for name in self._own])
        return rows


def _columns(examples: Sequence[Example]) -> Columns:
    """Split examples into texts, their pairs (None where there are none), and the names of both."""
    fields = [[without_surrogates(text) for text in example.fields.values()] for example in examples]
    if len({len(field) for field in fields}) > 1 or len(fields[0]) > 2:
        raise ModelError(f"a pipeline reads one text or two; an example has {', '.join(examples[0].fields)}.")
    texts, *pairs = map(list, zip(*fields, strict=True))
    return texts, pairs[0] if pairs else None, [tuple(example.fields) for example in examples]
