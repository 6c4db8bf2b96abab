"""A model with a decision rule: a wrapper that looks like a model whose labels are the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from robustfim.contract import ModelContract
from robustfim.decision import DecisionRule
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.members import Wrapper
from robustfim.parts import ModelPart
from robustfim.roles import DataSource, Embedded, Tensor

__all__ = ["Decided", "decided", "decision_rule", "require_threshold", "without_rule"]


class Decided(Wrapper):
    """A wrapper around a classifier, in which a decision rule such as a threshold replaces the likeliest label.

    The probabilities are rescaled so that the decision has the largest one. Stored answers of the model can be used
    with any rule.

    Args:
        wrapped: The model.
        rule: The rule.
        benign: Texts without the label, from which the threshold is set; None if the rule gives the threshold.
    """

    def __init__(self, wrapped: Any, rule: DecisionRule, benign: DataSource | None = None) -> None:
        super().__init__(wrapped)
        self.rule, self.benign = rule, benign

    @property
    def contract(self) -> ModelContract:
        """The wrapped model's contract (declared facts), except that exactly one decision holds for each text."""
        return replace(ModelPart(self.wrapped).contract, several=False)

    def settle(self, at: float) -> None:
        """Set the threshold of the rule, before any text of the run is predicted.

        Args:
            at: The threshold, in (0, 1).
        """
        self.rule = replace(self.rule, at=at)

    @property
    def labels(self) -> tuple[str, ...]:
        """The decisions.

        Raises:
            ModelError: The model lacks the rule's label.
        """
        return self.rule.decisions(tuple(self.wrapped.labels))

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the model together with the rule."""
        return f"{self.wrapped.fingerprint} decides {self.rule.identity}"

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return the rescaled probabilities ``[examples, decisions]``; the largest is the decision."""
        labels, rule = tuple(self.wrapped.labels), self.rule
        return np.array([rule.tilted(rule.probabilities(row, labels)) for row in self.wrapped.predict(examples)])


class _Differentiable(Decided):
    """A wrapper with gradients: those of the tilted logits."""

    @property
    def alone(self) -> bool:
        """Whether each logit belongs to its label alone."""
        return ModelPart(self.wrapped).contract.several

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the input embeddings of a batch ``[batch]``."""
        embedded: Embedded = self.wrapped.embed(examples)
        return embedded

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map embeddings to tilted logits ``[batch, decisions]``."""
        return self.rule.logits(self.wrapped.logits(embeddings, embedded), tuple(self.wrapped.labels), alone=self.alone)


class _InClosedForm(_Differentiable):
    """A wrapper for a model that differentiates itself."""

    def jacobian(self, embeddings: Any, embedded: Embedded) -> Any:
        """Return the derivative of the tilted logits, ``[batch, decisions, tokens, dims]``."""
        logits = np.asarray(self.wrapped.logits(embeddings, embedded))
        jacobian = self.wrapped.jacobian(embeddings, embedded)
        return self.rule.derivative(logits, jacobian, tuple(self.wrapped.labels), alone=self.alone)


def decided(model: Any, rule: DecisionRule, benign: DataSource | None = None) -> Decided:
    """Wrap a classifier so that a decision rule, such as a threshold, replaces the likeliest label.

    Args:
        model: A model with labels.
        rule: The rule.
        benign: Texts without the label, from which the threshold is set; None if the rule gives the threshold.
    """
    if not all(callable(getattr(model, name, None)) for name in ("embed", "logits")):
        return Decided(model, rule, benign)
    return (_InClosedForm if callable(getattr(model, "jacobian", None)) else _Differentiable)(model, rule, benign)


def decision_rule(model: object) -> DecisionRule | None:
    """Return the decision rule of a model; None if the label with the highest probability is the decision."""
    return model.rule if isinstance(model, Decided) else None


def require_threshold(model: object) -> None:
    """Raise an error if the threshold of a model's decision rule is still to be set from data.

    Raises:
        ModelError: The rule has no threshold yet.
    """
    rule = decision_rule(model)
    if rule is not None and not rule.settled:
        raise ModelError(
            "'decide' takes its threshold from data, which needs a run. Give the number here: decide.at=0.7."
        )


def without_rule(model: Any) -> Any:
    """Return the wrapped model, without its rule."""
    return model.wrapped if isinstance(model, Decided) else model
