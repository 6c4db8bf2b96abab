"""A classifier in ONNX: of a tokenizer's ids, as transformers exports it, or of texts, as scikit-learn does."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim_blackbox.digest import digest
from robustfim_blackbox.onnx_weights import weight_files
from robustfim_blackbox.pipeline import renamed
from robustfim_blackbox.saved import file_hash, library, one_text, onnx_files

__all__ = ["OnnxFile"]


class OnnxFile:
    """A classifier that onnxruntime runs; no gradients.

    It reads either the ids of the ``tokenizer.json`` beside it (``input_ids``, ``attention_mask``, ``token_type_ids``)
    and gives ``logits``, as the exports of transformers do, or texts, and gives probabilities or a map from labels to
    them, as those of a scikit-learn pipeline do. Needs ``pip install 'robustfim[onnx]'``.

    Args:
        path: The ``.onnx`` file, or a folder with one, itself or in ``onnx/`` as on the hub; of several ``model.onnx``.
        labels: Names of the classes: all in order (a list), or new names for some (a mapping); by default those of
            the ``config.json``, or of the map. That and ``tokenizer.json`` lie beside the file, or above ``onnx/``.
        output: The output with the numbers of the classes; by default ``logits``, ``probabilities``, or the only one
            of two dimensions or of maps.
        max_length: Tokens read at most, special ones included; by default what ``tokenizer.json`` cuts at.
        batch_size: Texts a call, at least 1.

    Raises:
        UsageError: There is no such file, or several in the folder.
    """

    libraries: ClassVar = {"onnxruntime": "robustfim[onnx]", "tokenizers": "robustfim[onnx]"}

    def __init__(
        self,
        path: Path,
        labels: list[str] | dict[str, str] | None = None,
        output: str | None = None,
        max_length: int | None = None,
        batch_size: int = 64,
    ) -> None:
        if batch_size < 1 or (max_length is not None and max_length < 1):
            raise UsageError(f"'batch_size' and 'max_length' are at least 1, not {batch_size} and {max_length}.")
        files = onnx_files(path) if path.is_dir() else [path]
        if len(files) != 1 or files[0].suffix != ".onnx" or not files[0].is_file():
            listed = ", ".join(file.relative_to(path).as_posix() for file in files) or "none, nor in 'onnx'"
            there = listed if path.is_dir() else "no file of ONNX"
            raise UsageError(f"{path}: name one .onnx file with 'path'; there is {there}.")
        self._path, self._names, self._output, self._max_length = files[0], labels, output, max_length
        self.contract = ModelContract(batch_size=batch_size)

    @cached_property
    def _session(self) -> Any:
        runtime = library("onnxruntime", extra="onnx")
        try:
            return runtime.InferenceSession(str(self._path), providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime's errors share no base
            raise ModelError(f"model {self._path} cannot be loaded: {error}") from error

    @cached_property
    def _inputs(self) -> dict[str, str]:
        """The type of each input by its name."""
        return {given.name: given.type for given in self._session.get_inputs()}

    @cached_property
    def _numbers(self) -> str:
        """The output that has a number a class."""
        outputs = {given.name: given for given in self._session.get_outputs()}
        wide = [
            name
            for name, given in outputs.items()
            if "float" in given.type and (len(given.shape or ()) == 2 or given.type.startswith("seq(map("))
        ]
        preferred = [name for name in ("logits", "probabilities") if name in wide]
        found = [self._output] if self._output else preferred or wide
        if len(found) != 1 or found[0] not in wide:
            raise UsageError(
                f"model {self._path}: name the output with one number a class with 'output'; there are "
                f"{', '.join(outputs)}{'' if wide else ', none of two dimensions (of scikit-learn: zipmap=False)'}."
            )
        return found[0]

    @cached_property
    def _tokenizer(self) -> Any:
        tokenizers, file = library("tokenizers", extra="onnx"), self._beside("tokenizer.json")
        if not file.is_file():
            raise ModelError(
                f"model {self._path} reads {', '.join(self._inputs)}, and no tokenizer.json lies beside it. Save it "
                "there: AutoTokenizer.from_pretrained(…).save_pretrained(folder)."
            )
        tokenizer = tokenizers.Tokenizer.from_file(str(file))
        if self._max_length is not None:
            tokenizer.enable_truncation(self._max_length)
        tokenizer.enable_padding(pad_id=self._padding(tokenizer))
        return tokenizer

    def _beside(self, name: str) -> Path:
        """A file of the model's folder, which of ``onnx/model.onnx`` is the one above."""
        here = self._path.with_name(name)
        return here if here.is_file() or self._path.parent.name != "onnx" else self._path.parent.with_name(name)

    def _padding(self, tokenizer: Any) -> int:
        """The id of the token to pad with; masked, so that any will do where none is known."""
        known = self._config.get("pad_token_id")
        if known is None:
            known = next(filter(None, map(tokenizer.token_to_id, ("[PAD]", "<pad>"))), 0)
        return int(known)

    @cached_property
    def _config(self) -> dict[str, Any]:
        try:
            config = json.loads(self._beside("config.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return config if isinstance(config, dict) else {}

    @property
    def _several(self) -> bool:
        """Whether each label is told by itself."""
        return self._config.get("problem_type") == "multi_label_classification"

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the model's output."""
        given = next(each for each in self._session.get_outputs() if each.name == self._numbers)
        if given.type.startswith("seq(map("):
            return renamed([str(name) for name in self._answered([""])[0]], self._names)
        width, table = given.shape[1], self._config.get("id2label") or {}
        own = [str(table[key]) for key in sorted(table, key=int)]
        if not own and isinstance(self._names, list):
            own = list(self._names)
        if not own or (isinstance(width, int) and width != len(own)):
            raise UsageError(
                f"model {self._path} has {width} classes and {len(own) or 'no'} names: name all with 'labels', a list "
                "in the order of its output."
            )
        return renamed(own, self._names)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the file, of its files of tensors, of what lies beside it, and of the options."""
        beside = [*weight_files(self._path), self._beside("tokenizer.json"), self._beside("config.json")]
        files = [file_hash(file) for file in [self._path, *beside] if file.is_file()]
        return digest("onnx", files, self.labels, self._numbers, self._max_length, self._several)

    def predict(self, examples: Sequence[Example]) -> npt.NDArray[np.float64]:
        """Predict a batch.

        Returns:
            Probabilities ``[examples, classes]``: the softmax of logits, their sigmoid where the ``config.json`` says
            that the labels do not exclude one another, or what the model gives.

        Raises:
            UsageError: An example has several fields.
            ModelError: The model cannot be loaded, or reads something else.
        """
        from scipy.special import expit, softmax

        rows = self._answered([one_text(example, "onnx") for example in examples])
        numbers = np.asarray([list(row.values()) if isinstance(row, dict) else row for row in rows], np.float64)
        if self._numbers == "logits":
            return np.asarray(expit(numbers) if self._several else softmax(numbers, axis=-1))
        sums = numbers.sum(axis=1, keepdims=True)
        return np.asarray(numbers / sums) if np.allclose(sums, 1, atol=1e-4) else numbers  # from float32

    def _answered(self, texts: Sequence[str]) -> Any:
        """What the model gives for each text: a row of numbers, or a map whose keys are sorted."""
        return self._session.run([self._numbers], self._fed(texts))[0]

    def _fed(self, texts: Sequence[str]) -> dict[str, Any]:
        """Turn texts into what the model reads."""
        if list(self._inputs.values()) == ["tensor(string)"]:
            (given,) = self._session.get_inputs()
            column = np.array(texts, object)
            return {given.name: column[:, None] if len(given.shape or ()) == 2 else column}
        encodings = self._tokenizer.encode_batch(list(texts))
        known = {
            "input_ids": [each.ids for each in encodings],
            "attention_mask": [each.attention_mask for each in encodings],
            "token_type_ids": [each.type_ids for each in encodings],
        }
        if strange := [name for name in self._inputs if name not in known]:
            raise ModelError(
                f"model {self._path} reads {strange[0]!r}; robustfim gives it texts, or {', '.join(known)}. Call it "
                "from a function of yours, with 'use: python'."
            )
        return {name: np.array(known[name], np.int64) for name in self._inputs}
