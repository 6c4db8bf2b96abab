"""The key ``words`` of a perturbation: how many words a candidate changes, and which words may change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

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
    "check_words",
    "important_edits",
    "important_words",
    "words_that_change",
    "words_that_may_change",
]

SHARE = 0.2
"""The fraction of the words that ``words: important`` allows to change."""

_FORMS = "{important: 0.3}, {important: {threshold: 0.5}} or {important: 0.3, change: 2}"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Ranked(_Strict):
    """The criterion for important words: a fraction of all words, or a threshold."""

    model_config = ConfigDict(json_schema_extra={"minProperties": 1, "maxProperties": 1})

    top: float | None = Field(default=None, gt=0, le=1, description="The share of the words that matter most.")
    threshold: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="The least importance, as a share of that of the text's most important word.",
    )


class ImportantWords(_Strict):
    """Only words that contribute to the predicted label may change."""

    important: float | Ranked = Field(description="The share of the words that may change; or {threshold: 0.5}.")
    change: float | int = Field(
        1, description="How many of them a candidate changes: a count, or a share of all words."
    )

    @property
    def ranked(self) -> Ranked:
        """The criterion for important words, with all defaults."""
        return self.important if isinstance(self.important, Ranked) else Ranked(top=self.important)


def check_words(value: Any) -> Any:
    """Check the value of ``words`` in a suite.

    Returns:
        The value as a :data:`WordChoice`.

    Raises:
        ValueError: The value has none of the allowed forms; the message shows one.
    """
    if value == "important" or isinstance(value, ImportantWords):
        return value
    if isinstance(value, dict):
        _check_important(value)
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{shown(value)} is neither a count of words (2) nor a share of them (0.1) nor 'important'")
    return _count_or_share(value)


def _check_important(value: dict[Any, Any]) -> None:
    """Refuse a mapping that is no :class:`ImportantWords`."""
    unknown = [key for key in value if key not in ImportantWords.model_fields]
    if unknown or "important" not in value:
        what = f"unknown key {unknown[0]!r}" if unknown else "the key 'important' is missing"
        raise ValueError(f"{what}; write {_FORMS}")
    important = value["important"]
    if isinstance(important, dict):
        if len(important) != 1 or next(iter(important)) not in Ranked.model_fields:
            raise ValueError(f"{important!r} must have the form {{top: 0.3}} or {{threshold: 0.5}}")
        ((_, important),) = important.items()
    if isinstance(important, bool) or not isinstance(important, int | float) or not 0 < important <= 1:
        raise ValueError(f"{shown(important)} is no share of important words above 0 and up to 1; write {_FORMS}")
    change = value.get("change", 1)
    if isinstance(change, bool) or not isinstance(change, int | float):
        raise ValueError(f"change: {shown(change)} is neither a count of words (2) nor a share of them (0.1)")
    _count_or_share(change)


def _count_or_share(value: float | int) -> float | int:
    if not value > 0 or (isinstance(value, float) and value > 1):  # NaN is not above 0
        raise ValueError(f"{shown(value)} is neither a count of at least 1 nor a share above 0 and up to 1.0")
    return value


WordChoice = Annotated[int | float | Literal["important"] | ImportantWords, BeforeValidator(check_words)]
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
