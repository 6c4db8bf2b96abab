"""A model with a decision rule: a wrapper that looks like a model whose labels are the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from robustfim.contract import ModelContract
from robustfim.decision import DecisionRule
from robustfim.example import Example
from robustfim.members import Wrapper
from robustfim.parts import ModelPart
from robustfim.roles import Embedded, Tensor

__all__ = ["Decided", "decided", "decision_rule", "without_rule"]


class Decided(Wrapper):
    """A wrapper around a classifier, in which a decision rule such as a threshold replaces the likeliest label.

    The probabilities are rescaled so that the decision has the largest one. Stored answers of the model can be used
    with any rule.

    Args:
        wrapped: The model.
        rule: The rule.
    """

    def __init__(self, wrapped: Any, rule: DecisionRule) -> None:
        super().__init__(wrapped)
        self.rule = rule

    @property
    def contract(self) -> ModelContract:
        """The wrapped model's contract (declared facts), except that exactly one decision holds for each text."""
        return replace(ModelPart(self.wrapped).contract, several=False)

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


def decided(model: Any, rule: DecisionRule) -> Decided:
    """Wrap a classifier so that a decision rule, such as a threshold, replaces the likeliest label.

    Args:
        model: A model with labels.
        rule: The rule.
    """
    if not all(callable(getattr(model, name, None)) for name in ("embed", "logits")):
        return Decided(model, rule)
    return (_InClosedForm if callable(getattr(model, "jacobian", None)) else _Differentiable)(model, rule)


def decision_rule(model: object) -> DecisionRule | None:
    """Return the decision rule of a model; None if the label with the highest probability is the decision."""
    return model.rule if isinstance(model, Decided) else None


def without_rule(model: Any) -> Any:
    """Return the wrapped model, without its rule."""
    return model.wrapped if isinstance(model, Decided) else model
