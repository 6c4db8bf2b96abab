"""A classifier in ONNX, exported from transformers (reads token ids) or from scikit-learn (reads texts)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import PositiveInt

from robustfim.contract import ModelContract
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.labels import class_names
from robustfim.roles import Span
from robustfim_blackbox.digest import digest
from robustfim_blackbox.onnx_tokens import Tokens, fixed
from robustfim_blackbox.saved import external_weights, file_hash, json_object, one_text, onnx_files
from robustfim_checkpoints.library import library

__all__ = ["OnnxFile"]

_ALIKE = 1e-4
"""The largest difference of probabilities at which two answers to one text count as the same."""


class OnnxFile:
    """A classifier in ONNX, run by onnxruntime; no gradients.

    An export of transformers reads token ids, made by the ``tokenizer.json`` beside the file, and returns ``logits``.
    An export of a scikit-learn pipeline reads texts and returns probabilities, or a map from labels to probabilities.
    Type, length and batch size of the ids follow the graph. If the answer to a text depends on the other texts of its
    batch, as in dynamic int8, texts are sent one by one. Needs ``pip install 'robustfim[onnx]'``.

    Args:
        path: The ``.onnx`` file, or a folder that has one, directly or in ``onnx/`` as on the hub. If there are
            several, ``model.onnx`` is used.
        labels: Names of the classes: all in order (a list), or new names for some (a mapping); by default the names in
            ``config.json``, or in the map. ``config.json`` and ``tokenizer.json`` are beside the file, or one folder
            above ``onnx/``.
        output: The name of the output with a number for each class; by default ``logits``, ``probabilities``, or the
            only output of two dimensions or of maps.
        max_length: The largest number of tokens read, special tokens included. The default is ``model_max_length`` of
            ``tokenizer_config.json``, else the truncation of ``tokenizer.json``, and at most the number of positions in
            ``config.json`` and the length in the graph.
        batch_size: The number of texts in a call, at least 1.

    Raises:
        UsageError: The file does not exist, or the folder has several.
    """

    libraries: ClassVar = {"onnxruntime": "robustfim[onnx]", "tokenizers": "robustfim[onnx]"}

    def __init__(
        self,
        path: Path,
        labels: list[str] | dict[str, str] | None = None,
        output: str | None = None,
        max_length: PositiveInt | None = None,
        batch_size: PositiveInt = 64,
    ) -> None:
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
    def _tokens(self) -> Tokens | None:
        """How texts become tokens; None of a graph that reads texts."""
        inputs = self._session.get_inputs()
        if [each.type for each in inputs] == ["tensor(string)"]:
            return None
        beside = self._beside("tokenizer.json"), self._beside("config.json")
        return Tokens(str(self._path), inputs, *beside, self._max_length)

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
                f"model {self._path}: set 'output' to the output that has one number per class. The outputs are "
                f"{', '.join(outputs)}{'' if wide else ', none of two dimensions (of scikit-learn: zipmap=False)'}."
            )
        return found[0]

    def _beside(self, name: str) -> Path:
        """A file of the model's folder, which of ``onnx/model.onnx`` is the one above."""
        here = self._path.with_name(name)
        return here if here.is_file() or self._path.parent.name != "onnx" else self._path.parent.with_name(name)

    @cached_property
    def _config(self) -> dict[str, Any]:
        return json_object(self._beside("config.json"))

    @property
    def _several(self) -> bool:
        """Whether each label is told by itself."""
        return self._config.get("problem_type") == "multi_label_classification"

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels, in the order of the model's output.

        Raises:
            ModelError: The graph cannot be loaded, or reads neither token ids nor texts.
            UsageError: The labels have no names, or ``max_length`` does not fit.
        """
        _ = self._tokens  # what does not fit is refused before the first prediction
        given = next(output for output in self._session.get_outputs() if output.name == self._numbers)
        if given.type.startswith("seq(map("):
            return class_names(self._answered([""], 1)[0], self._names)
        width, table = given.shape[1], self._config.get("id2label") or {}
        own = [str(table[key]) for key in sorted(table, key=int)]
        if not own and isinstance(self._names, list):
            own = list(self._names)
        if not own or (isinstance(width, int) and width != len(own)):
            raise UsageError(
                f"model {self._path} has {width} classes and {len(own) or 'no'} label names. List all label "
                "names in 'labels', in the order of the model's output."
            )
        return class_names(own, self._names)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the ``.onnx`` file, its external files of weights, the configuration and the options."""
        names = ("tokenizer.json", "tokenizer_config.json", "config.json")
        beside = [*external_weights(self._path), *map(self._beside, names)]
        files = [file_hash(file) for file in [self._path, *beside] if file.is_file()]
        limit = self._tokens and self._tokens.limit
        return digest("onnx", files, self.labels, self._numbers, limit, self._several)

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example."""
        if self._tokens is None:
            return [None] * len(examples)
        for example in examples:
            one_text(example, "onnx")
        return [self._tokens.window(example) for example in examples]

    def predict(self, examples: Sequence[Example]) -> npt.NDArray[np.float64]:
        """Return the class probabilities of a batch of examples.

        Returns:
            Probabilities ``[examples, classes]``: the softmax of logits, their sigmoid if ``config.json`` declares
            several labels at once, or the model's own probabilities. A row is NaN if a text has no token.

        Raises:
            UsageError: An example has several fields.
            ModelError: The model cannot be loaded, or fails.
        """
        return self._probabilities([one_text(example, "onnx") for example in examples], self._together)

    @cached_property
    def _together(self) -> int | None:
        """How many texts are asked at once: one where their answers depend on one another, None for any number."""
        if self._tokens is None:
            return None
        texts = self._tokens.samples()
        batch, alone = (self._probabilities(texts, size) for size in (None, 1))
        return None if np.allclose(batch, alone, rtol=0, atol=_ALIKE, equal_nan=True) else 1

    def _probabilities(self, texts: Sequence[str], together: int | None) -> npt.NDArray[np.float64]:
        from scipy.special import expit, softmax

        rows = self._answered(texts, together)
        numbers = np.asarray([list(row.values()) if isinstance(row, dict) else row for row in rows], np.float64)
        if self._numbers == "logits":
            return np.asarray(expit(numbers) if self._several else softmax(numbers, axis=-1))
        sums = numbers.sum(axis=1, keepdims=True)
        return np.asarray(numbers / sums) if np.allclose(sums, 1, atol=1e-4) else numbers  # from float32

    def _answered(self, texts: Sequence[str], together: int | None) -> list[Any]:
        """What the model gives for each text: a row of numbers, or a map whose keys are sorted."""
        size = fixed(self._session.get_inputs()[0].shape or (), 0)
        step, rows = together or size or len(texts), []
        for start in range(0, len(texts), step):
            asked = list(texts[start : start + step])
            # A graph of a fixed batch gets the last text again, which changes nothing for the others.
            rows += self._run([*asked, *asked[-1:] * ((size or 0) - len(asked))])[: len(asked)]
        return rows

    def _run(self, texts: Sequence[str]) -> list[Any]:
        readable = np.ones(len(texts), bool)
        if self._tokens is None:
            (given,) = self._session.get_inputs()
            column = np.array(texts, object)
            fed = {given.name: column[:, None] if len(given.shape or ()) == 2 else column}
        else:
            fed, readable = self._tokens.encode(texts)
        try:
            rows = self._session.run([self._numbers], fed)[0]
        except Exception as error:  # onnxruntime's errors share no base
            way = "" if self._tokens is None else " Where they are too long, say how much it reads: max_length=512."
            raise ModelError(
                f"model {self._path} fails on {len(texts)} texts of up to {max(map(len, texts))} characters: {error}"
                f"{way}"
            ) from error
        return [row if there else np.full_like(row, np.nan) for row, there in zip(rows, readable, strict=True)]
