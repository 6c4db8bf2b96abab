"""The base class of sequence classifiers and regressions, which read a text or a pair of texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from robustfim.errors import UsageError, suggestions
from robustfim.example import Example
from robustfim.roles import Span
from robustfim_huggingface.checkpoint.saved_model import Loading, SavedModel, without_surrogates

if TYPE_CHECKING:
    from robustfim_huggingface.checkpoint.network import Network
    from robustfim_huggingface.checkpoint.reading import Columns

__all__ = ["TextModel"]


class TextModel(SavedModel["Network"]):
    """Base class of the models of ``AutoModelForSequenceClassification``, whether their outputs are labels or a number.

    Args:
        path: A folder written by ``save_pretrained``, or a hub id. If it is a PEFT adapter, its base model is loaded,
            too.
        text: The field that the model reads; by default an example's first field.
        pair: The field with the second text of a pair; by default the second field, if an example has two.
        **loading: Options of loading and computing that all models of this plugin share.

    Raises:
        UsageError: The folder is missing or not a model, or an option has no usable value.
        ModelError: The folder has only pickled weights.
    """

    def __init__(
        self, path: Path | str, text: str | None = None, pair: str | None = None, **loading: Unpack[Loading]
    ) -> None:
        if text is not None and text == pair:
            raise UsageError(f"'text' and 'pair' both name the field {text!r}.")
        self._text, self._pair = text, pair
        super().__init__(path, **loading)

    def _kind(self) -> Callable[..., Network]:
        from robustfim_huggingface.checkpoint.network import Network

        return Network

    def foresee(self, examples: Sequence[Example]) -> None:
        """Start tokenizing a later batch in the background while the device computes."""
        texts, pairs, _ = self._columns(examples)
        self.network.reading.foresee(texts, pairs)

    def _reading(self) -> list[object]:
        """What decides what is read, for the fingerprint."""
        return [self._text, self._pair, self._max_length, self._dtype]

    def window(self, examples: Sequence[Example]) -> list[list[Span] | None]:
        """Return for each example the parts of its text that the model reads; None if it reads the whole example."""
        return self.network.reading.window(examples, self._columns)

    def _columns(self, examples: Sequence[Example]) -> Columns:
        """Split examples into texts, their pairs (None where there are none), and the names of both."""
        read = {fields: self._fields(fields) for fields in dict.fromkeys(tuple(example.fields) for example in examples)}
        names = [read[tuple(example.fields)] for example in examples]
        if len({len(each) for each in read.values()}) > 1:
            odd = sorted({", ".join(each) for each in read.values()})
            raise UsageError(f"some examples are pairs and some are not ({'; '.join(odd)}): name 'text' and 'pair'.")
        texts, *pairs = (
            [without_surrogates(example.fields[name[side]]) for example, name in zip(examples, names, strict=True)]
            for side in range(len(names[0]))
        )
        return texts, pairs[0] if pairs else None, names

    def _fields(self, fields: tuple[str, ...]) -> tuple[str, ...]:
        """Name the text field and, if there is one, the pair field."""
        for option, name in (("text", self._text), ("pair", self._pair)):
            if name is not None and name not in fields:
                raise UsageError(f"{option}={name!r} names no field.{suggestions(name, fields, 'Fields')}")
        if self._text is not None:
            return (self._text,) if self._pair is None else (self._text, self._pair)
        others = tuple(name for name in fields if name != self._pair)
        if len(fields) > 2 or not others:
            raise UsageError(
                f"model {self._path} reads one text or a pair, the examples have {len(fields)} fields "
                f"({', '.join(fields)}): name the field with 'text', and a second one with 'pair'."
            )
        return (others[0], self._pair) if self._pair is not None else others
