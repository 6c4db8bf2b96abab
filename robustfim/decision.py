"""A decision: the result of a rule, such as a threshold, on a model's probabilities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import inf, isfinite, isnan, log, nan
from typing import Any, ClassVar

from robustfim.errors import ModelError, shown, shown_bare, suggestions

__all__ = [
    "ABSTAINS",
    "NO_LABEL",
    "DecisionRule",
    "EachRule",
    "FalseAlarms",
    "NumberRule",
    "OrderRule",
    "WithinRule",
    "read_number",
]

ABSTAINS = "(abstains)"
"""The decision of a rule that leaves a text to people."""

NO_LABEL = "(none)"
"""The decision for none of several labels."""

_FORMS = (
    "{label: LABEL, at: 0.7}, {label: LABEL, at: {fpr: 0.01, on: FILE}}, {label: LABEL}, {abstain: 0.8}, "
    "{each: {LABEL: 0.5, …}} or, of a number, {within: 0.25} or {order: [FIELD, FIELD]}"
)
_AND = " + "
_EVEN = 0.5
"""The threshold of a label if none is named."""
_MOST_LABELS = 8
"""The most labels decided for at once: the decisions are all sets of labels, 256 for eight."""


@dataclass(frozen=True)
class FalseAlarms:
    """A wanted false positive rate, from which data set a label's probability threshold.

    Attributes:
        fpr: The fraction of texts without the label that the rule may decide for the label, in (0, 1).
        on: The texts without the label: a file, or the value of ``data`` in a suite.
    """

    fpr: float
    on: Any


@dataclass(frozen=True)
class DecisionRule:
    """A decision rule with a threshold on probabilities: of one label, or of the likeliest label.

    The rule decides for the likeliest label whose probability p is at least the threshold τ. If no label reaches τ, the
    decision is the *rest*: the other label, or an abstention. Equivalently, each label gets the number o = logit p −
    logit τ, the rest gets 0, and the largest number decides. The softmax of these numbers is the *tilted* distribution:
    the probabilities, shifted so that the decision has the largest one. With two outcomes, the tilted distribution is
    the distribution of the decision after the prior odds are changed by the odds of τ (Elkan 2001, theorem 2).

    Attributes:
        at: The threshold τ, in (0, 1); NaN until data set it.
        label: The label that is decided for or against; None if the rule takes the likeliest label or abstains.
        target: The false positive rate by which data set the threshold; None if the suite gives the threshold.
    """

    at: float
    label: str | None = None
    target: FalseAlarms | None = None

    several: ClassVar = False
    """Whether the rule decides on each label separately, so that the model's probabilities need not sum to 1."""

    @classmethod
    def read(cls, value: Any) -> DecisionRule:
        """Build a decision rule from the value of ``decide`` in a suite.

        Args:
            value: ``{label: block, at: 0.7}``, ``{label: block, at: {fpr: 0.01, on: benign.csv}}``,
                ``{label: block}``, which means 0.5, ``{abstain: 0.8}`` or
                ``{each: {toxic: 0.5, insult: 0.3}}``; for a model that gives a number ``{within: 0.25}`` or
                ``{order: [chosen, rejected]}``.

        Raises:
            ValueError: The value has none of these forms, or a threshold lies outside (0, 1).
        """
        keys = set(value) if isinstance(value, Mapping) else set()
        if keys == {"each"}:
            return EachRule.of(value["each"])
        if keys == {"within"}:
            return WithinRule.of(value["within"])
        if keys == {"order"}:
            return OrderRule.of(value["order"])
        if keys not in ({"label", "at"}, {"label"}, {"abstain"}):
            raise ValueError(f"'decide' is {_FORMS}, not {shown(value)}")
        name = "abstain" if "abstain" in keys else "at"
        at, label, target = value.get(name, _EVEN), value.get("label"), None
        if name == "at" and not isinstance(label, str):
            raise ValueError(f"'decide.label' is the name of a label, not {shown_bare(label)}")
        if name == "at" and isinstance(at, Mapping):
            if set(at) != {"fpr", "on"}:
                raise ValueError(f"'decide.at' is a probability or {{fpr: 0.01, on: FILE}}, not {shown(at)}")
            target = FalseAlarms(_share(at["fpr"], "at.fpr"), at["on"])
        return cls(nan if target else _share(at, name), label, target)

    @property
    def settled(self) -> bool:
        """Whether the threshold is known; False until the data of ``target`` have set it."""
        return self.target is None or not isnan(self.at)

    @property
    def of_labels(self) -> bool:
        """Whether every threshold is 0.5, so that the rule also works for labels without probabilities."""
        return bool(self.targets) and all(self.threshold(label) == _EVEN for label in self.targets)

    @property
    def targets(self) -> tuple[str, ...]:
        """The labels on which the rule decides; false negatives and false positives are counted for each."""
        return () if self.label is None else (self.label,)

    def threshold(self, label: str) -> float:
        """Return the threshold τ of a label of ``targets``, in (0, 1)."""
        return self.at

    def takes(self, decision: str, label: str) -> bool:
        """Return whether a decision is a decision for a label."""
        return decision == label

    @property
    def identity(self) -> str:
        """The decision and its thresholds as text, for a fingerprint."""
        if not self.targets:
            return f"None at {self.at!r}"
        return ", ".join(f"{label} at {self.threshold(label)!r}" for label in self.targets)

    @property
    def rest(self) -> str:
        """The decision if no label reaches the threshold."""
        return ABSTAINS if self.label is None else f"not {self.label}"

    @property
    def sentence(self) -> str:
        """The rule in a few words."""
        if self.target is not None and isnan(self.at):
            share = f"{100 * self.target.fpr:g} %"
            return f"{self.label} where P reaches what {share} of texts without it do, else {self.rest}"
        return f"{self.label if self.label is not None else 'a label'} where P ≥ {self.at:g}, else {self.rest}"

    def columns(self, labels: Sequence[str]) -> list[int]:
        """Return the columns of the model's labels on which the rule decides.

        Returns:
            Column numbers from 0, in the order of ``targets``; all if the rule names no label.

        Raises:
            ModelError: The model lacks a label that the rule names.
        """
        return [_column(label, tuple(labels)) for label in self.targets] or [*range(len(labels))]

    def decisions(self, labels: Sequence[str]) -> tuple[str, ...]:
        """Return the names of the possible decisions: labels, and the decision if no label reaches its threshold.

        Raises:
            ModelError: The model lacks the rule's label, or has a label with the name of the last decision.
        """
        names = tuple(labels[column] for column in self.columns(labels))
        if self.rest in labels:
            raise ModelError(f"'decide' calls a decision {self.rest!r}, and the model has a label of that name.")
        return (*names, self.rest)

    def of_gold(self, labels: Sequence[str]) -> list[str]:
        """Return the decisions that are right for a text with given gold labels.

        Args:
            labels: The text's gold labels: labels of the model, or decisions. If the rule decides for or against one
                label, a text has the label if ``labels`` contains it.
        """
        if self.label is None:
            return list(labels)
        return [self.label if self.label in labels else self.rest]

    def probabilities(self, row: Sequence[float], labels: Sequence[str]) -> tuple[float, ...]:
        """Convert the model's probabilities of labels to probabilities of decisions.

        Args:
            row: One number per label, ``[classes]``.
            labels: The model's labels.

        Returns:
            One number per decision, summing to 1; 0 for an abstention, since no text has it as its label.
        """
        taken = [float(row[column]) for column in self.columns(labels)]
        return (*taken, 0.0 if self.label is None else 1.0 - taken[0])

    def alone(self, probabilities: Sequence[float]) -> list[float]:
        """The probability of each of ``targets`` by itself."""
        return [*probabilities[: len(self.targets)]]

    def chosen(self, probabilities: Sequence[float]) -> int:
        """Choose the decision of a text.

        Returns:
            The index of the decision.
        """
        taken = probabilities[:-1]
        best = max(range(len(taken)), key=taken.__getitem__)
        return best if taken[best] >= self.at else len(taken)

    def tilted(self, probabilities: Sequence[float]) -> tuple[float, ...]:
        """Shift the probabilities of decisions by the thresholds, so that the decision made has the largest one.

        Returns:
            The softmax of logit p − logit τ (p: a probability, τ: its threshold) and 0, ``[decisions]``, summing to 1.
        """
        odds = (1 - self.at) / self.at
        weights = [p * odds / (1 - p) if p < 1 else float("inf") for p in probabilities[:-1]]
        if float("inf") in weights:
            weights, last = [float(weight == float("inf")) for weight in weights], 0.0
        else:
            last = 1.0
        total = sum(weights) + last
        return (*(weight / total for weight in weights), last / total)

    def straight(self, tilted: Sequence[float]) -> tuple[float, ...]:
        """Undo :meth:`tilted`: turn a tilted row, ``[decisions]``, back into the probabilities."""
        last = tilted[-1] * (1 - self.at)
        taken = [t * self.at / (t * self.at + last) if t else 0.0 for t in tilted[:-1]]
        return (*taken, 0.0 if self.label is None else 1.0 - taken[0])

    # ---- on logits ------------------------------------------------------------------------------------

    def logits(self, logits: Any, labels: Sequence[str], *, alone: bool = False) -> Any:
        """Convert a batch of logits of labels to logits of decisions, shifted by the thresholds; differentiable.

        Args:
            logits: ``[batch, classes]``, a tensor or an array.
            labels: The model's labels.
            alone: Whether each logit belongs to its label alone, as with a sigmoid head.

        Returns:
            Logits ``[batch, decisions]``: logit p − logit τ for each label that can be decided for, with p its
            probability and τ its threshold.
        """
        from array_api_compat import array_namespace

        xp = array_namespace(logits)
        taken = []
        for column, at in zip(self.columns(labels), self._thresholds(labels), strict=True):
            own = logits[:, column]
            if not alone:
                others = xp.concat([logits[:, :column], logits[:, column + 1 :]], axis=1)
                most = xp.max(others, axis=1, keepdims=True)
                own = own - most[:, 0] - xp.log(xp.sum(xp.exp(others - most), axis=1))
            taken.append(own - (log(at) - log(1 - at)))
        return self._over_decisions(taken, xp)

    def derivative(self, logits: Any, jacobian: Any, labels: Sequence[str], *, alone: bool = False) -> Any:
        """Convert the derivatives of label logits to derivatives of the logits that :meth:`logits` returns.

        Args:
            logits: ``[batch, classes]``, an array.
            jacobian: ∂logits/∂embeddings, ``[batch, classes, tokens, dims]``.
            labels: The model's labels.
            alone: As in :meth:`logits`.

        Returns:
            The derivatives, ``[batch, decisions, tokens, dims]``.
        """
        import numpy as np
        from scipy.special import softmax

        taken = []
        for column in self.columns(labels):
            own = jacobian[:, column]
            if not alone:
                others = np.delete(np.arange(len(labels)), column)
                shares = softmax(logits[:, others], axis=1)
                own = own - np.einsum("bc,bctd->btd", shares, jacobian[:, others])
            taken.append(own)
        return self._over_decisions(taken, np)

    def _thresholds(self, labels: Sequence[str]) -> Sequence[float]:
        """The threshold of each of the columns."""
        return [self.threshold(label) for label in self.targets] or [self.at] * len(labels)

    def _over_decisions(self, taken: Sequence[Any], xp: Any) -> Any:
        """What belongs to labels, ``[batch, …]`` each, over the decisions ``[batch, decisions, …]``."""
        return xp.stack([*taken, xp.zeros_like(taken[0])], axis=1)


@dataclass(frozen=True)
class EachRule(DecisionRule):
    """A decision rule that decides for or against each of several labels; a decision is a set of labels.

    With a sigmoid head, labels are independent given the text. So the probability of a set is a product. The set's
    score is the sum of logit p − logit τ over its labels, with p the label's probability and τ its threshold. The rule
    decides for the set with the largest sum. The Fisher information over all sets is that of independent outcomes, Σ
    ∇p∇pᵀ/(p(1 − p)).

    Attributes:
        thresholds: The labels that are decided for, each with its threshold in (0, 1).
    """

    thresholds: tuple[tuple[str, float], ...] = ()

    several = True

    @classmethod
    def of(cls, value: Any) -> EachRule:
        """Build the rule from the value of ``decide: {each: …}`` in a suite.

        Raises:
            ValueError: The value is malformed, or has too many labels.
        """
        if not isinstance(value, Mapping) or not value or not all(isinstance(label, str) for label in value):
            raise ValueError(f"'decide.each' is a threshold for each label, {{toxic: 0.5, …}}, not {shown(value)}")
        if len(value) > _MOST_LABELS:
            raise ValueError(
                f"'decide.each' takes at most {_MOST_LABELS} labels, not {len(value)}. Put the other labels into "
                "a second suite; the second suite sends no text to the model again"
            )
        return cls(nan, None, None, tuple((label, _share(at, f"each.{label}")) for label, at in value.items()))

    @property
    def targets(self) -> tuple[str, ...]:
        """The labels that are decided for or against."""
        return tuple(label for label, _ in self.thresholds)

    def threshold(self, label: str) -> float:
        """Return the threshold of a label of ``targets``, in (0, 1)."""
        return dict(self.thresholds)[label]

    def takes(self, decision: str, label: str) -> bool:
        """Return whether a label is in the set of a decision."""
        return _sets(len(self.thresholds))[self._names.index(decision)][self.targets.index(label)]

    @property
    def rest(self) -> str:
        """The decision if no label reaches its threshold."""
        return NO_LABEL

    @property
    def sentence(self) -> str:
        """The rule in a few words."""
        return f"each of {', '.join(f'{label} where P ≥ {at:g}' for label, at in self.thresholds)}"

    def decisions(self, labels: Sequence[str]) -> tuple[str, ...]:
        """Return the possible decisions: all sets of labels, the empty one last."""
        self.columns(labels)
        names = self._names
        if len(set(names)) < len(names):
            raise ModelError(f"'decide.each' writes two sets of labels alike: {', '.join(names)}.")
        return names

    @property
    def _names(self) -> tuple[str, ...]:
        return _set_names(self.targets)

    def of_gold(self, labels: Sequence[str]) -> list[str]:
        """Return the right decision for a text: the set of its gold labels, without labels the rule ignores."""
        sets = _sets(len(self.thresholds))
        found = [row for name, row in zip(self._names, sets, strict=True) if name in labels]
        return [self._names[sets.index(tuple(map(any, zip(*found, strict=True))) if found else sets[-1])]]

    def probabilities(self, row: Sequence[float], labels: Sequence[str]) -> tuple[float, ...]:
        """Convert the probabilities of single labels to probabilities of sets of labels.

        Returns:
            One number per set of labels, summing to 1.
        """
        return _products([min(max(float(row[column]), 0.0), 1.0) for column in self.columns(labels)])

    def chosen(self, probabilities: Sequence[float]) -> int:
        """Return the index of the chosen decision."""
        there = (p >= at - _ROUNDED for p, at in zip(self.alone(probabilities), self._thresholds(()), strict=True))
        return _sets(len(self.thresholds)).index(tuple(there))

    def alone(self, probabilities: Sequence[float]) -> list[float]:
        """The probability of each label by itself."""
        import numpy as np

        found: list[float] = (np.asarray(probabilities) @ _members(len(self.thresholds))).tolist()
        return found

    def tilted(self, probabilities: Sequence[float]) -> tuple[float, ...]:
        """Shift the probabilities of sets of labels by the thresholds, so that the decision has the largest one.

        Returns:
            For each set of labels, the softmax of the sum of logit p − logit τ over its labels, ``[decisions]``.
        """
        import numpy as np

        p, at = np.array([self.alone(probabilities), self._thresholds(())])
        return _products(p * (1 - at) / (p * (1 - at) + (1 - p) * at))

    def straight(self, tilted: Sequence[float]) -> tuple[float, ...]:
        """Undo :meth:`tilted`: turn a tilted row, ``[decisions]``, back into the probabilities."""
        import numpy as np

        p, at = np.array([self.alone(tilted), self._thresholds(())])
        return _products(p * at / (p * at + (1 - p) * (1 - at)))

    def _over_decisions(self, taken: Sequence[Any], xp: Any) -> Any:
        rows = _sets(len(taken))
        zero = xp.zeros_like(taken[0])
        return xp.stack(
            [sum((one for one, there in zip(taken, row, strict=True) if there), zero) for row in rows], axis=1
        )


@dataclass(frozen=True)
class NumberRule(DecisionRule):
    """A rule for a model that gives a number instead of probabilities of labels."""


@dataclass(frozen=True)
class WithinRule(NumberRule):
    """A rule for models that return a number: two numbers are the same decision if they differ by at most a tolerance.

    Attributes:
        within: The tolerance, > 0, in the units of the numbers.
    """

    within: float = inf

    @classmethod
    def of(cls, value: Any) -> WithinRule:
        """Build the rule from the value of ``decide: {within: …}`` in a suite.

        Raises:
            ValueError: The value is not a finite number above 0.
        """
        return cls(nan, within=_number(value, inf, "within' is a number above 0, in the unit of the model's numbers"))

    @property
    def identity(self) -> str:
        """The rule as text, for a fingerprint."""
        return f"within {self.within!r}"

    @property
    def sentence(self) -> str:
        """The rule in a few words."""
        return f"a number, the same within {self.within:g}"

    def decisions(self, labels: Sequence[str]) -> tuple[str, ...]:
        """Return an empty tuple: any number is a possible decision, so none are listed."""
        return ()

    def same(self, number: float, other: str) -> bool:
        """Return whether two numbers differ by at most the tolerance.

        Args:
            number: Any number.
            other: Another number, as text; rounding errors in the difference are ignored.

        Raises:
            ValueError: ``other`` is not a number.
        """
        wanted = read_number(other)
        return abs(number - wanted) <= self.within + 1e-9 * max(abs(number), abs(wanted))

    def closeness(self, number: float, other: str) -> float:
        """Return the closeness of two numbers, 2^(−distance / tolerance): 1 if equal, ½ at the tolerance.

        Raises:
            ValueError: ``other`` is not a number.
        """
        return float(2 ** -min(1e3, abs(number - read_number(other)) / self.within))


@dataclass(frozen=True)
class OrderRule(NumberRule):
    """A rule for a reward model or a ranker: the decision is the field whose text gets the larger number.

    Attributes:
        fields: The names of the two fields that hold the texts, such as ``chosen`` and ``rejected``.
    """

    fields: tuple[str, str] = ("", "")

    @classmethod
    def of(cls, value: Any) -> OrderRule:
        """Read the value of ``decide.order``.

        Raises:
            ValueError: The value is malformed.
        """
        names = [*value] if isinstance(value, Sequence) and not isinstance(value, str) else []
        if len(names) != 2 or not all(isinstance(name, str) and name for name in names) or names[0] == names[1]:
            raise ValueError(f"'decide.order' is the names of two fields, [chosen, rejected], not {shown(value)}")
        return cls(nan, fields=(names[0], names[1]))

    @property
    def sentence(self) -> str:
        """The rule in a few words."""
        return f"which of {' and '.join(self.fields)} has the larger number"


def read_number(text: str) -> float:
    """Convert a gold label or an answer, given as text, to a number.

    Raises:
        ValueError: The text is not a finite number.

    >>> read_number("4.5")
    4.5
    """
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{shown(text)} is no number") from None
    if not isfinite(number):
        raise ValueError(f"{shown(text)} is no finite number")
    return number


_ROUNDED = 1e-12
"""The largest rounding error of a probability that is a sum over sets."""


@cache
def _sets(number: int) -> tuple[tuple[bool, ...], ...]:
    """All sets of so many labels, ``[sets][labels]``, the empty one last."""
    counts = [*range(1, 2**number), 0]
    return tuple(tuple(bool(count >> place & 1) for place in range(number)) for count in counts)


@cache
def _members(number: int) -> Any:
    """The same as an array of booleans."""
    import numpy as np

    return np.array(_sets(number))


@cache
def _set_names(labels: tuple[str, ...]) -> tuple[str, ...]:
    """The names of all sets of labels, in the order of the sets."""
    return tuple(
        _AND.join(label for label, there in zip(labels, row, strict=True) if there) or NO_LABEL
        for row in _sets(len(labels))
    )


@lru_cache(maxsize=256)
def _column(label: str, labels: tuple[str, ...]) -> int:
    """Return the place of a rule's label among the labels of a model.

    Raises:
        ModelError: The model lacks the label.
    """
    if label not in labels:
        raise ModelError(
            f"'decide' names the label {shown(label)}, which the model does not have.{suggestions(label, labels)}"
        )
    return labels.index(label)


def _products(alone: Any) -> tuple[float, ...]:
    """The probabilities of all sets of independent labels."""
    import numpy as np

    p = np.asarray(alone)
    found: list[float] = np.where(_members(len(alone)), p, 1 - p).prod(axis=1).tolist()
    return tuple(found)


def _share(value: Any, name: str) -> float:
    """Read a probability that is neither 0 nor 1."""
    return _number(value, 1, f"{name}' is a probability between 0 and 1")


def _number(value: Any, below: float, wanted: str) -> float:
    """Read a number above 0."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < below:
        raise ValueError(f"'decide.{wanted}, not {shown(value)}")
    return float(value)
