"""A prediction: a model's output for one example, as one of its labels or in its own words."""

from __future__ import annotations

import math
import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from robustfim.decision import ABSTAINS, DecisionRule, NumberRule, WithinRule
from robustfim.errors import UsageError
from robustfim.spans import Span, is_spans, read_spans, refuse_tagger, written_spans

__all__ = ["MOST_ANSWERS", "NO_ANSWER", "Prediction", "gold_answers", "normal_form", "require_one_label"]

MOST_ANSWERS = 10
"""The number of likeliest answers that a prediction keeps."""

NO_ANSWER = "(no answer)"
"""The answer of a model that finds no answer, and the gold answer of a question without one."""

_ROUNDING = 1e-5
"""The relative error of a probability in single precision, caused by the other texts of its batch."""
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def normal_form(answer: str) -> str:
    """Normalize an answer as SQuAD's evaluation does before it compares answers (Rajpurkar et al. 2016).

    The form is in lower case, without punctuation and English articles, and with single blanks. If nothing would be
    left, as of the blood group ``A``, the form is the answer in lower case. Spans keep their notation, without
    probabilities.

    Args:
        answer: Any text; an empty text becomes :data:`NO_ANSWER`.

    Returns:
        The normalized answer; normalizing it again changes nothing.

    >>> normal_form("The Eiffel  Tower."), normal_form("A"), normal_form(" ")
    ('eiffel tower', 'a', '(no answer)')
    """
    if is_spans(answer):
        return written_spans(span.bare for span in read_spans(answer))
    text = " ".join(answer.lower().split())
    if text in ("", NO_ANSWER):
        return NO_ANSWER
    return " ".join(_ARTICLE.sub(" ", text.translate(_WITHOUT_PUNCTUATION)).split()) or text


def gold_answers(value: Any) -> list[str] | None:
    """Convert a cell of a dataset to the list of its gold answers.

    Args:
        value: A list of texts, or a mapping with a list of texts under ``text``, as in SQuAD's datasets.

    Returns:
        The answers without repeats; :data:`NO_ANSWER` alone for an empty list; None for any other value.
    """
    if isinstance(value, Mapping):
        value = value.get("text")
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return None
    if not all(isinstance(each, str) for each in value):
        return None
    return list(dict.fromkeys(value)) or [NO_ANSWER]


@dataclass(frozen=True, slots=True)
class Prediction:
    """The label that a model predicts for an example, with the probability of each label.

    Attributes:
        label: The predicted label. For an answer in free text, the normalized answer; for a number, the number as text.
        probabilities: One number in [0, 1] per label, in the model's order, summing to 1. For an answer in free text,
            the probabilities of the likeliest answers, which may sum to less.
        labels: The model's labels, in the same order; for an answer in free text, the normalized likeliest answers.
        answer: The answer in the model's own words; None if the model chooses among labels.
        rule: The rule that decided from the probabilities; None if the label is the one with the highest probability.
    """

    label: str
    probabilities: tuple[float, ...]
    labels: tuple[str, ...]
    answer: str | None = None
    rule: DecisionRule | None = None

    def near(self, other: Prediction) -> bool:
        """Return whether two predictions are equal, apart from rounding errors.

        Rounding errors arise since a batch's other texts change the last digits. The tolerance is relative, so small
        probabilities are compared more strictly.
        """
        if (self.label, self.labels, self.answer) != (other.label, other.labels, other.answer):
            return False
        pairs = zip(self.probabilities, other.probabilities, strict=True)
        return all(math.isclose(p, q, rel_tol=_ROUNDING) for p, q in pairs)

    @classmethod
    def of(
        cls, probabilities: Sequence[float], labels: tuple[str, ...], rule: DecisionRule | None = None
    ) -> Prediction:
        """Make a prediction from the probabilities of an example; the first of equal maxima wins.

        Args:
            probabilities: One number per label or, with a rule, per decision: ``[classes]``.
            labels: The labels or decisions, ``[classes]``.
            rule: The rule that decides.
        """
        row = tuple(map(float, probabilities))
        place = row.index(max(row)) if rule is None else rule.chosen(row)
        return cls(labels[place], row, labels, rule=rule)

    @classmethod
    def of_answers(cls, answers: Sequence[tuple[str, float]]) -> Prediction:
        """Make a prediction from answers in free text; the first answer is the model's choice.

        Answers that are equal after normalization count as one, with the probability of the first.

        Args:
            answers: At least one answer with its probability, the model's own choice first.
        """
        best: dict[str, float] = {}
        for text, probability in answers:
            best.setdefault(normal_form(text), float(probability))
        first = answers[0][0]
        label = normal_form(first)
        return cls(label, tuple(best.values()), tuple(best), first if first.strip() else label)

    @classmethod
    def of_number(cls, number: str, rule: WithinRule) -> Prediction:
        """Make a prediction from the number that a model returns.

        Args:
            number: The number, as text.
            rule: The tolerance within which two numbers are equal.
        """
        return cls(number, (1.0,), (number,), number, rule)

    @property
    def number(self) -> float | None:
        """The number that a model gives; None if the model chooses among labels, answers or tags."""
        return float(self.label) if isinstance(self.rule, WithinRule) else None

    @property
    def shown(self) -> str:
        """The predicted label as reports show it; for an answer in free text, the answer in the model's own words."""
        return self.label if self.answer is None else self.answer

    @property
    def spans(self) -> tuple[Span, ...] | None:
        """The spans that a tagger found, in the order of the text; None for any other model."""
        return read_spans(self.answer) if self.answer is not None and is_spans(self.answer) else None

    @property
    def confidence(self) -> float:
        """The probability of the predicted label, in [0, 1]; if the model abstains, of the likeliest label."""
        return max(self.probabilities) if self.label == ABSTAINS else self.probability(self.label)

    @property
    def tilted(self) -> tuple[float, ...]:
        """The probabilities, shifted by the rule's thresholds so that the predicted label has the largest one.

        See :class:`robustfim.decision.DecisionRule`. Without a rule the probabilities are unchanged.
        """
        if self.rule is None or isinstance(self.rule, NumberRule):
            return self.probabilities
        return self.rule.tilted(self.probabilities)

    @property
    def lead(self) -> float:
        """The largest probability minus the second largest, in [0, 1]; 0 on the decision boundary.

        Probabilities are those of :attr:`tilted`, which a decision rule shifts.
        """
        ordered = sorted(self.tilted)
        return ordered[-1] - (ordered[-2] if len(ordered) > 1 else 0.0)

    def behind(self, label: str) -> float:
        """Return how far a label lies behind the predicted one: the difference of their probabilities; 0 for a tie.

        Probabilities are those of :attr:`tilted`, in [0, 1]. If the prediction is a number, return 1 − 2
        :meth:`robustfim.decision.WithinRule.closeness`, which is below 0 within the tolerance.

        Args:
            label: One of ``labels``, any answer in free text, or any number.

        Raises:
            KeyError: The model does not know the label.
        """
        if self.number is not None:
            return 1 - 2 * self.probability(label)
        return max(self.tilted) - self.tilt(label) if self.rule else self.confidence - self.probability(label)

    def tilt(self, label: str) -> float:
        """Return the probability of a label after the shift by the decision rule, in [0, 1].

        After the shift, the predicted label has the largest probability.

        Args:
            label: One of ``labels``, or any answer in free text.

        Raises:
            KeyError: The model does not know the label.
        """
        probability = self.probability(label)
        if self.rule is None or isinstance(self.rule, NumberRule):
            return probability
        return self.tilted[self.labels.index(label)]

    def says(self, label: str) -> bool:
        """Return whether a label equals the predicted one: answers after normalization, numbers within the tolerance.

        Raises:
            ValueError: The prediction is a number, and ``label`` is not.
        """
        if isinstance(self.rule, WithinRule):
            return self.rule.same(float(self.label), label)
        return self.label == (label if self.answer is None else normal_form(label))

    def right(self, gold: Sequence[str]) -> bool | None:
        """Return whether the predicted label is among the gold labels; None if there is no gold label."""
        return any(map(self.says, gold)) if gold else None

    def alone(self, label: str) -> float:
        """Return the probability of a label, in [0, 1], whichever other labels apply to the text.

        The result differs from :meth:`probability` only if the decision rule decides for several labels at once.

        Args:
            label: One of the labels that the rule decides for, or one of ``labels``.

        Raises:
            KeyError: The model does not know the label.
        """
        if self.rule is None or not self.rule.several or label not in self.rule.targets:
            return self.probability(label)
        return self.rule.alone(self.probabilities)[self.rule.targets.index(label)]

    def probability(self, label: str) -> float:
        """Return the probability of a label, in [0, 1]; 0 for an answer in free text that is not among the likeliest.

        If the prediction is a number, return the closeness of that number to ``label``:
        :meth:`robustfim.decision.WithinRule.closeness`.

        Args:
            label: One of ``labels``, any answer in free text, or any number.

        Raises:
            KeyError: The model does not know the label.
        """
        if isinstance(self.rule, WithinRule):
            return self.rule.closeness(float(self.label), label)
        if self.answer is not None:
            return dict(zip(self.labels, self.probabilities, strict=True)).get(normal_form(label), 0.0)
        try:
            return self.probabilities[self.labels.index(label)]
        except ValueError:
            raise KeyError(f"no label {label!r} among {list(self.labels)}") from None


def require_one_label(model: object, what: str) -> None:
    """Raise an error if a model does not predict exactly one label per example.

    Raises:
        UsageError: The model predicts spans, a number or several labels.
    """
    refuse_tagger(model, what)
    rule = getattr(model, "rule", None)
    if isinstance(rule, WithinRule):
        raise UsageError(f"{what} needs labels, but the model gives numbers. Test the model with a suite.")
    if isinstance(rule, DecisionRule) and rule.several:
        raise UsageError(
            f"{what} compares one label, and 'decide.each' decides {len(rule.targets)} labels at once. Decide "
            f"one label alone with 'decide: {{label: {rule.targets[0]}, at: …}}'; robustfim reads the same "
            "answers of the model."
        )
