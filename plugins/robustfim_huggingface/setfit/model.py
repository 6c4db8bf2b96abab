"""SetFit: a sentence transformer and a logistic regression over its embeddings."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import PositiveInt

from robustfim.errors import ModelError, UsageError
from robustfim_huggingface.classifier.labels import label_names
from robustfim_huggingface.classifier.model import SequenceClassifier
from robustfim_huggingface.setfit.head import HEAD, Head

if TYPE_CHECKING:
    from robustfim_huggingface.checkpoint.network import Network

__all__ = ["SetFit"]


class SetFit(SequenceClassifier):
    """A SetFit classifier, from a folder, with gradients.

    The folder was written by ``SetFitModel.save_pretrained``. It has a sentence transformer with safetensors weights,
    and a logistic regression of scikit-learn over its embeddings. No code in the pickle of the logistic regression is
    run. Needs ``pip install 'robustfim[setfit]'``.

    Args:
        path: The folder.
        max_length: The largest number of tokens read, special tokens included; by default the sentence transformer's
            limit.
        dtype: The precision of weights and activations. The softmax is always in float64.
    """

    libraries: ClassVar = {
        **SequenceClassifier.libraries,
        "sentence_transformers": "robustfim[setfit]",
        "sklearn": "robustfim[setfit]",
    }

    def __init__(
        self,
        path: Path,
        labels: dict[str, str] | list[str] | None = None,
        max_length: PositiveInt | None = None,
        batch_size: PositiveInt = 64,
        device: str = "auto",
        dtype: Literal["float32", "float16", "bfloat16"] = "float32",
    ) -> None:
        super().__init__(
            Path(path), labels=labels, max_length=max_length, batch_size=batch_size, device=device, dtype=dtype
        )
        for name in ("modules.json", HEAD):
            if not (self._folder / name).is_file():
                raise UsageError(
                    f"{path} is not a SetFit model: it has no {name}. A transformers classifier is 'use: huggingface'; "
                    "a sentence transformer without a head has no labels."
                )

    def _kind(self) -> Callable[..., Network]:
        from robustfim_huggingface.setfit.network import SetFitNetwork

        normalised = bool(self._config.get("normalize_embeddings"))
        return partial(SetFitNetwork, head=self._head, normalised=normalised)

    @property
    def _folder(self) -> Path:
        return self._checkpoint.folder

    @cached_property
    def _config(self) -> dict[str, Any]:
        try:
            config = json.loads((self._folder / "config_setfit.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}  # models of before SetFit 1.0 have none
        return config if isinstance(config, dict) else {}

    @cached_property
    def _head(self) -> Head:
        return Head(self._folder)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the head's classes."""
        own = self._config.get("labels") or self._head.classes
        if len(own) != len(self._head.classes):
            raise ModelError(
                f"model {self._path}: config_setfit.json names {len(own)} labels, the head has "
                f"{len(self._head.classes)} classes."
            )
        return label_names({"id2label": dict(enumerate(own))}, self._names, self._checkpoint.name)

    def _deciding(self) -> list[object]:
        below = sorted(self._folder.glob("[0-9]*_*/*"))
        parts = [path.read_bytes().hex() for path in below if path.is_file()]
        head = (self._folder / HEAD).read_bytes().hex()
        return ["setfit", self._checkpoint.digest, *parts, head, self.labels, self._max_length, self._dtype]
