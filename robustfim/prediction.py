"""A prediction: what a model says of one example, as one of its labels or in its own words."""

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
"""How many of a model's likeliest answers are kept of a prediction."""

NO_ANSWER = "(no answer)"
"""The answer of a model that finds none, and the gold answer of a question that has none."""

_ROUNDING = 1e-5
"""The relative error of a probability in single precision, from the other texts of its batch."""
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def normal_form(answer: str) -> str:
    """Bring an answer into the form by which SQuAD's evaluation compares (Rajpurkar et al. 2016).

    Lower case, no punctuation, no English articles, single blanks. An answer of which that leaves nothing, such as
    the blood group ``A``, keeps its lower case alone; spans keep their notation, without probabilities.

    Args:
        answer: Any text; an empty one is :data:`NO_ANSWER`.

    Returns:
        The form; that of a form is itself.

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
    """Read the gold answers of a row where a column holds several.

    Args:
        value: A list of texts, or a mapping with such a list under ``text``, as SQuAD's datasets have it.

    Returns:
        The answers without repeats, :data:`NO_ANSWER` alone for an empty list; None where the value is something else.
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
    """The label a model gives, and how sure it is of each.

    Attributes:
        label: The predicted label; of an open answer, its normal form; of a number, the number as text.
        probabilities: One number in [0, 1] a label of the model, in the model's order, summing to 1. Of an open
            answer, those of the likeliest answers, which may sum to less.
        labels: The model's labels, in the same order; of an open answer, the likeliest answers' normal forms.
        answer: The answer in the model's own words; None where the model chooses among labels.
        rule: How the label was decided, which is then a decision; None where the highest probability decides.
    """

    label: str
    probabilities: tuple[float, ...]
    labels: tuple[str, ...]
    answer: str | None = None
    rule: DecisionRule | None = None

    def near(self, other: Prediction) -> bool:
        """Whether another says the same, each probability within the rounding that the other texts of a batch bring.

        The error is relative: a model that is sure moves its small probability by a factor and its large one by little.
        """
        if (self.label, self.labels, self.answer) != (other.label, other.labels, other.answer):
            return False
        pairs = zip(self.probabilities, other.probabilities, strict=True)
        return all(math.isclose(p, q, rel_tol=_ROUNDING) for p, q in pairs)

    @classmethod
    def of(
        cls, probabilities: Sequence[float], labels: tuple[str, ...], rule: DecisionRule | None = None
    ) -> Prediction:
        """Make a prediction of a row of probabilities; the first of equal maxima wins.

        Args:
            probabilities: One number a label or, with a rule, a decision: ``[classes]``.
            labels: The labels or decisions, ``[classes]``.
            rule: What decides.
        """
        row = tuple(map(float, probabilities))
        place = row.index(max(row)) if rule is None else rule.chosen(row)
        return cls(labels[place], row, labels, rule=rule)

    @classmethod
    def of_answers(cls, answers: Sequence[tuple[str, float]]) -> Prediction:
        """Make a prediction of open answers; the first is the model's, and stands for all of its normal form.

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
        """Make a prediction of a number.

        Args:
            number: It, as text.
            rule: Within what it is the same.
        """
        return cls(number, (1.0,), (number,), number, rule)

    @property
    def number(self) -> float | None:
        """The number that a model gives; None of one that chooses among labels, answers or tags."""
        return float(self.label) if isinstance(self.rule, WithinRule) else None

    @property
    def shown(self) -> str:
        """What a reader should see: the answer in the model's own words, or the label."""
        return self.label if self.answer is None else self.answer

    @property
    def spans(self) -> tuple[Span, ...] | None:
        """What a tagger found, in the order of the text; None of any other model."""
        return read_spans(self.answer) if self.answer is not None and is_spans(self.answer) else None

    @property
    def confidence(self) -> float:
        """The probability of the predicted label, in [0, 1]; of an abstention, that of the likeliest label."""
        return max(self.probabilities) if self.label == ABSTAINS else self.probability(self.label)

    @property
    def tilted(self) -> tuple[float, ...]:
        """The probabilities, moved so that the predicted label has the largest whatever the rule, summing as before."""
        if self.rule is None or isinstance(self.rule, NumberRule):
            return self.probabilities
        return self.rule.tilted(self.probabilities)

    @property
    def lead(self) -> float:
        """How far the predicted label lies before all others, in [0, 1]: 0 where the decision turns."""
        ordered = sorted(self.tilted)
        return ordered[-1] - (ordered[-2] if len(ordered) > 1 else 0.0)

    def behind(self, label: str) -> float:
        """How far a label lies behind the predicted one, in [0, 1]: 0 where it could be decided for as well.

        Of a number, 1 − 2 :meth:`robustfim.decision.WithinRule.closeness`, which is below 0 within the tolerance.

        Args:
            label: One of ``labels``, any open answer, or any number.

        Raises:
            KeyError: The model does not know the label.
        """
        if self.number is not None:
            return 1 - 2 * self.probability(label)
        return max(self.tilted) - self.tilt(label) if self.rule else self.confidence - self.probability(label)

    def tilt(self, label: str) -> float:
        """Return the tilted probability of a label, in [0, 1]: what moves it moves it toward or from the decision.

        Args:
            label: One of ``labels``, or any open answer.

        Raises:
            KeyError: The model does not know the label.
        """
        probability = self.probability(label)
        if self.rule is None or isinstance(self.rule, NumberRule):
            return probability
        return self.tilted[self.labels.index(label)]

    def says(self, label: str) -> bool:
        """Tell whether a label is the predicted one; answers are compared by their normal form, numbers by the rule.

        Raises:
            ValueError: The prediction is a number, and ``label`` is none.
        """
        if isinstance(self.rule, WithinRule):
            return self.rule.same(float(self.label), label)
        return self.label == (label if self.answer is None else normal_form(label))

    def right(self, gold: Sequence[str]) -> bool | None:
        """Tell whether it is the gold label, or another that is accepted; None where there is none."""
        return any(map(self.says, gold)) if gold else None

    def alone(self, label: str) -> float:
        """Return the probability of a label whatever others apply, in [0, 1]; of a model with one label, its own.

        Args:
            label: One of the labels that are decided for at once, or one of ``labels``.

        Raises:
            KeyError: The model does not know the label.
        """
        if self.rule is None or not self.rule.several or label not in self.rule.targets:
            return self.probability(label)
        return self.rule.alone(self.probabilities)[self.rule.targets.index(label)]

    def probability(self, label: str) -> float:
        """Return the probability of a label, in [0, 1]; 0 of an answer that is not among the likeliest.

        Of a number how near it is to another: :meth:`robustfim.decision.WithinRule.closeness`.

        Args:
            label: One of ``labels``, any open answer, or any number.

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
    """Refuse a model that has no one label to change: a tagger, a number, several labels that are decided for at once.

    Raises:
        UsageError: It is one of them.
    """
    refuse_tagger(model, what)
    rule = getattr(model, "rule", None)
    if isinstance(rule, WithinRule):
        raise UsageError(f"{what} speaks of labels that change, and the model gives a number: a suite tests it.")
    if isinstance(rule, DecisionRule) and rule.several:
        raise UsageError(
            f"{what} speaks of one label that changes, and 'decide.each' decides for {len(rule.targets)} at once; "
            f"'decide: {{label: {rule.targets[0]}, at: …}}' asks of one alone, from the same answers."
        )
