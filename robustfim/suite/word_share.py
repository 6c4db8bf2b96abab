"""The key ``words`` of a perturbation: how many words a candidate changes, and which words may change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from robustfim.candidate import Edit
from robustfim.errors import shown
from robustfim.example import Example
from robustfim.importance import Importance, WordImportance
from robustfim.words import word_spans

__all__ = [
    "SHARE",
    "ImportantWords",
    "Ranked",
    "WordChoice",
    "important_edits",
    "important_words",
    "words_that_change",
    "words_that_may_change",
]

SHARE = 0.2
"""The fraction of the words that ``words: important`` allows to change."""

_FORMS = "{important: 0.3}, {important: {threshold: 0.5}} or {important: 0.3, change: 2}"


_Fraction = Annotated[float, Field(gt=0, le=1, strict=True)]
_Number = Annotated[int, Field(ge=1, strict=True)] | _Fraction
"""A count, or a fraction of all words."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ranked(_Strict):
    """The criterion for important words: a fraction of all words, or a threshold."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    top: _Fraction | None = Field(default=None, description="The share of the words that matter most.")
    threshold: _Fraction | None = Field(
        default=None, description="The least importance, as a share of that of the text's most important word."
    )

    @model_validator(mode="after")
    def _one(self) -> Ranked:
        if len(self.model_fields_set) != 1:
            raise ValueError("give 'top' or 'threshold'")
        return self


class ImportantWords(_Strict):
    """Only words that contribute to the predicted label may change."""

    important: _Fraction | Ranked = Field(description="The share of the words that may change; or {threshold: 0.5}.")
    change: _Number = Field(1, description="How many of them a candidate changes: a count, or a share of all words.")

    @property
    def ranked(self) -> Ranked:
        """The criterion for important words, with all defaults."""
        return self.important if isinstance(self.important, Ranked) else Ranked(top=self.important)


def _choice(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
    """Show all forms in an error."""
    try:
        return handler(value)
    except ValidationError:
        raise ValueError(
            f"{shown(value)} is neither a count of words, 1 or more (2), nor a share of them, up to 1.0 (0.1), nor "
            f"'important', {_FORMS}"
        ) from None


WordChoice = Annotated[_Number | Literal["important"] | ImportantWords, WrapValidator(_choice)]
"""A count, a fraction, or the important words only."""


def words_that_change(choice: int | float | str | ImportantWords) -> int | float:
    """Return how many words of a text a perturbation changes: a count, or a fraction of all words.

    Args:
        choice: The value of ``words`` in the suite.
    """
    if isinstance(choice, ImportantWords):
        return choice.change
    return 1 if isinstance(choice, str) else choice


def words_that_may_change(choice: int | float | str | ImportantWords) -> Ranked | None:
    """Return which words a perturbation may change, ranked by importance; None for any word.

    Args:
        choice: The value of ``words`` in the suite.
    """
    if isinstance(choice, ImportantWords):
        return choice.ranked
    return Ranked(top=SHARE) if isinstance(choice, str) else None


def important_words(
    example: Example, importance: Importance, ranked: Ranked, fields: Sequence[str] | None = None
) -> list[WordImportance]:
    """Choose the words of an example that matter for its prediction.

    Args:
        example: The example.
        importance: The importance of the example's words.
        ranked: The criterion for important words.
        fields: The fields that may change; all by default.

    Returns:
        Words that contribute to the predicted label, the most important first. A fraction of the words is rounded to
        the nearest count, at least 1; words that count against the label are never included.
    """
    words = {
        (name, *span)
        for name, text in example.fields.items()
        if fields is None or name in fields
        for span in word_spans(text)
    }
    known = [word for word in importance.words if (word.field, word.start, word.end) in words and word.value > 0]
    known.sort(key=lambda word_importance: (-word_importance.value, word_importance.field, word_importance.start))
    if ranked.threshold is not None:
        return [
            word_importance for word_importance in known if word_importance.value >= ranked.threshold * known[0].value
        ]
    return known[: max(1, round((ranked.top or SHARE) * len(words)))]


def important_edits(
    example: Example,
    edits: Sequence[Edit],
    importance: Importance,
    ranked: Ranked,
    fields: Sequence[str] | None = None,
) -> list[Edit]:
    """Keep the edits that change a character of an important word, or insert something beside an important word.

    Args:
        example: The example.
        edits: The example's edits.
        importance: The importance of the example's words.
        ranked: The criterion for important words.
        fields: The fields that may change; all by default.
    """
    words = important_words(example, importance, ranked, fields)
    places = [Edit(word.field, word.start, word.end, "", "") for word in words]
    return [edit for edit in edits if any(edit.overlaps(place) for place in places)]
