"""The model ``predictions``, which reads its answers from a file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from robustfim.contract import ModelContract
from robustfim.errors import UsageError, near_path
from robustfim.example import Example
from robustfim.labels import class_names
from robustfim_blackbox.answer_file import AnswerFile, require_suffix, write_texts
from robustfim_blackbox.digest import digest

__all__ = ["Predictions"]


class Predictions:
    """Answers from a file, for a model that runs elsewhere.

    Texts without an answer are written to ``export``, and the run stops with their number. Add their answers to
    ``path`` and run the same command again to continue. Answered texts are not exported again.

    Args:
        path: The answers, JSON Lines or CSV: a row has the ``id`` of a text (or its fields), and a ``label`` or
            ``probabilities`` (in CSV a column for each label). With ``export``, it need not exist yet.
        labels: The labels, in the order of the probabilities.
        export: The file for texts without an answer, with their ids: ``.jsonl`` or ``.csv``.
        logits: Whether ``probabilities`` are logits, to which a softmax is applied.

    Raises:
        UsageError: ``path`` is missing without ``export``, both are the same file, or a name has an unknown suffix.
    """

    contract = ModelContract(batch_size=1_000_000)
    """The number of texts in a call, large enough to export all unanswered texts together."""

    def __init__(self, path: Path, labels: list[str], export: Path | None = None, logits: bool = False) -> None:
        require_suffix(path, "path")
        if export is None and not path.is_file():
            raise UsageError(
                f"no file {path}.{near_path(path)} To write the texts that need answers, name a file with 'export'."
            )
        if export is not None:
            require_suffix(export, "export")
            if export.resolve() == path.resolve():
                raise UsageError(
                    "'path' and 'export' name the same file, so the exported texts would replace the answers. Name "
                    "another file in 'export'."
                )
        self.labels, self._path, self._export, self._logits = class_names(labels), path, export, logits
        self._asked: dict[str, Example] = {}

    @cached_property
    def _file(self) -> AnswerFile:
        return AnswerFile(self._path, self.labels, logits=self._logits)

    @cached_property
    def fingerprint(self) -> str:
        """The hash of the file of answers and of the options."""
        contents = self._path.read_bytes() if self._path.is_file() else b""
        return digest("predictions", hashlib.sha256(contents).hexdigest(), self.labels, self._logits)

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return the answers that the file has for the examples.

        Raises:
            UsageError: Some texts have no answer. They were written to ``export``, if it is given.
            ModelError: The file cannot be read.
        """
        rows = [self._file.find(example) for example in examples]
        missing = [example for example, row in zip(examples, rows, strict=True) if row is None]
        if missing:
            raise UsageError(self._without_answer(missing, len(examples)))
        return rows

    def _without_answer(self, missing: Sequence[Example], asked: int) -> str:
        """Export texts, and say what to do next."""
        blank = f" ({self._file.blank} of its rows have no 'label' or 'probabilities')" if self._file.blank else ""
        lack = f"{len(missing)} of {asked} texts have no answer in {self._path}{blank}"
        if self._export is None:
            return f"{lack}. Name a file with 'export', and they are written there to be answered."
        if not self._asked and len(AnswerFile(self._export, self.labels, logits=self._logits)):
            return (
                f"{lack}, and {self._export} holds answers, so it was not written again: add them to "
                f"{self._path} and delete it, or name another file with 'export'."
            )
        self._asked |= {example.id: example for example in missing}
        write_texts(self._export, self._asked.values(), self.labels)
        return (
            f"{lack}: they are in {self._export} now ({len(self._asked)} texts of this run). Let the model answer "
            f"them, add a row for each to {self._path} with its 'id' and 'label' or 'probabilities', and run the "
            "same command again."
        )
