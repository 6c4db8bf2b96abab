"""A decision: what a product makes of a model's probabilities, by a rule of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan, log, nan
from typing import Any

from robustfim.errors import ModelError, did_you_mean, shown

__all__ = ["ABSTAINS", "DecisionRule", "FalseAlarms"]

ABSTAINS = "(abstains)"
"""The decision of a rule that leaves a text to people."""

_FORMS = "{label: LABEL, at: 0.7}, {label: LABEL, at: {fpr: 0.01, on: FILE}} or {abstain: 0.8}"


@dataclass(frozen=True)
class FalseAlarms:
    """What sets a threshold: the share of texts without the label that may be decided for it.

    Attributes:
        fpr: That share, in (0, 1).
        on: The data of such texts: a file, or what a suite says under ``data``.
    """

    fpr: float
    on: Any


@dataclass(frozen=True)
class DecisionRule:
    """A threshold on probabilities: of one label, or of whichever is the likeliest.

    A label is decided for where its probability p is at least τ, the likeliest first; where none reaches it, what is
    decided is the rest. The same holds of the numbers o = logit p − logit τ, of which the largest, with 0 for the
    rest, is the decision. Their softmax is the *tilted* distribution: the surface where the decision changes lies
    where its two largest are equal, as it does for a model without a rule. Of two outcomes it is the distribution of
    the decision with the prior moved by the odds of τ (Elkan 2001, theorem 2).

    Attributes:
        at: The threshold τ, in (0, 1); NaN where data have yet to set it.
        label: The label that is decided for or against; None where a label is taken or the rule abstains.
        target: What sets the threshold; None where the suite says it.
    """

    at: float
    label: str | None = None
    target: FalseAlarms | None = None

    @classmethod
    def read(cls, value: Any) -> DecisionRule:
        """Read what stands under ``decide``.

        Args:
            value: ``{label: block, at: 0.7}``, ``{label: block, at: {fpr: 0.01, on: benign.csv}}`` or
                ``{abstain: 0.8}``.

        Raises:
            ValueError: It is neither, or the threshold lies outside (0, 1).
        """
        keys = set(value) if isinstance(value, Mapping) else set()
        if keys not in ({"label", "at"}, {"abstain"}):
            raise ValueError(f"'decide' is {_FORMS}, not {shown(value)}")
        name = "at" if "at" in keys else "abstain"
        at, label, target = value[name], value.get("label"), None
        if name == "at" and not isinstance(label, str):
            raise ValueError(f"'decide.label' is the name of a label, not {shown(label)}")
        if name == "at" and isinstance(at, Mapping):
            if set(at) != {"fpr", "on"}:
                raise ValueError(f"'decide.at' is a probability or {{fpr: 0.01, on: FILE}}, not {shown(at)}")
            target = FalseAlarms(_share(at["fpr"], "at.fpr"), at["on"])
        return cls(nan if target else _share(at, name), label, target)

    @property
    def settled(self) -> bool:
        """Whether the threshold is known."""
        return not isnan(self.at)

    @property
    def rest(self) -> str:
        """What is decided where no label reaches the threshold."""
        return ABSTAINS if self.label is None else f"not {self.label}"

    @property
    def sentence(self) -> str:
        """The rule in a few words."""
        if self.target is not None and not self.settled:
            share = f"{100 * self.target.fpr:g} %"
            return f"{self.label} where P reaches what {share} of texts without it do, else {self.rest}"
        return f"{self.label if self.label is not None else 'a label'} where P ≥ {self.at:g}, else {self.rest}"

    def columns(self, labels: Sequence[str]) -> list[int]:
        """Which of a model's labels can be decided for.

        Args:
            labels: The model's labels.

        Returns:
            Their places, ascending.

        Raises:
            ModelError: The model does not have the rule's label.
        """
        if self.label is None:
            return [*range(len(labels))]
        if self.label not in labels:
            raise ModelError(
                f"'decide' names the label {shown(self.label)}, which the model does not have."
                f"{did_you_mean(self.label, labels)} It has: {', '.join(labels)}."
            )
        return [labels.index(self.label)]

    def decisions(self, labels: Sequence[str]) -> tuple[str, ...]:
        """Name what can be decided: labels, and the rest.

        Args:
            labels: The model's labels.

        Raises:
            ModelError: The model does not have the rule's label, or has one of the name of the rest.
        """
        names = tuple(labels[column] for column in self.columns(labels))
        if self.rest in labels:
            raise ModelError(f"'decide' calls a decision {self.rest!r}, and the model has a label of that name.")
        return (*names, self.rest)

    def of_label(self, label: str) -> str:
        """Tell which decision is right for a text of a gold label.

        Args:
            label: A label of the model.
        """
        return label if self.label in (None, label) else self.rest

    def probabilities(self, row: Sequence[float], labels: Sequence[str]) -> tuple[float, ...]:
        """Turn a row of the model's probabilities into those of the decisions.

        Args:
            row: One number a label, ``[classes]``.
            labels: The model's labels.

        Returns:
            One number a decision, summing to 1; that of an abstention, which no text has for its label, is 0.
        """
        taken = [float(row[column]) for column in self.columns(labels)]
        return (*taken, 0.0 if self.label is None else 1.0 - taken[0])

    def chosen(self, probabilities: Sequence[float]) -> int:
        """Decide.

        Args:
            probabilities: Those of the decisions.

        Returns:
            The place of the decision.
        """
        taken = probabilities[:-1]
        best = max(range(len(taken)), key=taken.__getitem__)
        return best if taken[best] >= self.at else len(taken)

    def tilted(self, probabilities: Sequence[float]) -> tuple[float, ...]:
        """Move probabilities of decisions so that the decision is where they are largest.

        Args:
            probabilities: Those of the decisions.

        Returns:
            The softmax of logit p − logit τ and 0, ``[decisions]``, summing to 1.
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
        """Undo :meth:`tilted`.

        Args:
            tilted: A tilted row, ``[decisions]``.
        """
        last = tilted[-1] * (1 - self.at)
        taken = [t * self.at / (t * self.at + last) if t else 0.0 for t in tilted[:-1]]
        return (*taken, 0.0 if self.label is None else 1.0 - taken[0])

    # ---- on logits ------------------------------------------------------------------------------------

    def logits(self, logits: Any, labels: Sequence[str]) -> Any:
        """Tilt a batch of logits, differentiably.

        Args:
            logits: ``[batch, classes]``, a tensor or an array.
            labels: The model's labels.

        Returns:
            logit p − logit τ of each label that can be decided for, and 0, ``[batch, decisions]``.
        """
        from array_api_compat import array_namespace

        xp = array_namespace(logits)
        shift = log(self.at) - log(1 - self.at)
        taken = []
        for column in self.columns(labels):
            others = xp.concat([logits[:, :column], logits[:, column + 1 :]], axis=1)
            most = xp.max(others, axis=1, keepdims=True)
            rest = most[:, 0] + xp.log(xp.sum(xp.exp(others - most), axis=1))
            taken.append(logits[:, column] - rest - shift)
        return xp.stack([*taken, xp.zeros_like(taken[0])], axis=1)

    def derivative(self, logits: Any, jacobian: Any, labels: Sequence[str]) -> Any:
        """Turn the derivative of logits into that of the tilted ones.

        Args:
            logits: ``[batch, classes]``, an array.
            jacobian: ∂logits/∂embeddings, ``[batch, classes, tokens, dims]``.
            labels: The model's labels.

        Returns:
            ``[batch, decisions, tokens, dims]``.
        """
        import numpy as np
        from scipy.special import softmax

        taken = []
        for column in self.columns(labels):
            others = np.delete(np.arange(len(labels)), column)
            shares = softmax(logits[:, others], axis=1)
            taken.append(jacobian[:, column] - np.einsum("bc,bctd->btd", shares, jacobian[:, others]))
        return np.stack([*taken, np.zeros_like(taken[0])], axis=1)


def _share(value: Any, name: str) -> float:
    """Read a probability that is neither 0 nor 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise ValueError(f"'decide.{name}' is a probability between 0 and 1, not {shown(value)}")
    return float(value)
