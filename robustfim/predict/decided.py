"""A model with a decision rule: to whoever looks, a model whose labels are the decisions."""

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
    """A model whose labels are the decisions that a rule makes of its probabilities.

    Its probabilities are tilted, so that the largest is the decision. The prediction queue asks the model itself, whose
    answers serve any rule, and decides.

    Args:
        wrapped: The model.
        rule: The rule.
        benign: The texts that set the threshold; None where the rule has one.
    """

    def __init__(self, wrapped: Any, rule: DecisionRule, benign: DataSource | None = None) -> None:
        super().__init__(wrapped)
        self.rule, self.benign = rule, benign

    @property
    def contract(self) -> ModelContract:
        """That of the model, but that decisions exclude each other, whatever its labels do."""
        return replace(ModelPart(self.wrapped).contract, several=False)

    def settle(self, at: float) -> None:
        """Set the threshold, before anything but the texts that set it is asked.

        Args:
            at: It, in (0, 1).
        """
        self.rule = replace(self.rule, at=at)

    @property
    def labels(self) -> tuple[str, ...]:
        """The decisions.

        Raises:
            ModelError: The model does not have the rule's label.
        """
        return self.rule.decisions(tuple(self.wrapped.labels))

    @property
    def fingerprint(self) -> str:
        """That of the model, and the rule: another rule is another model."""
        return f"{self.wrapped.fingerprint} decides {self.rule.identity}"

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return tilted probabilities ``[examples, decisions]``."""
        labels, rule = tuple(self.wrapped.labels), self.rule
        return np.array([rule.tilted(rule.probabilities(row, labels)) for row in self.wrapped.predict(examples)])


class _Differentiable(Decided):
    """One with gradients, which are those of the tilted logits."""

    @property
    def alone(self) -> bool:
        """Whether each logit is that of its label alone."""
        return ModelPart(self.wrapped).contract.several

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the input embeddings of a batch ``[batch]``."""
        embedded: Embedded = self.wrapped.embed(examples)
        return embedded

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map embeddings to tilted logits ``[batch, decisions]``."""
        return self.rule.logits(self.wrapped.logits(embeddings, embedded), tuple(self.wrapped.labels), alone=self.alone)


class _InClosedForm(_Differentiable):
    """One that differentiates itself."""

    def jacobian(self, embeddings: Any, embedded: Embedded) -> Any:
        """Return the derivative of the tilted logits, ``[batch, decisions, tokens, dims]``."""
        logits = np.asarray(self.wrapped.logits(embeddings, embedded))
        jacobian = self.wrapped.jacobian(embeddings, embedded)
        return self.rule.derivative(logits, jacobian, tuple(self.wrapped.labels), alone=self.alone)


def decided(model: Any, rule: DecisionRule, benign: DataSource | None = None) -> Decided:
    """Put a decision rule over a model.

    Args:
        model: A model with labels.
        rule: The rule.
        benign: The texts that set its threshold; None where it has one.
    """
    if not all(callable(getattr(model, name, None)) for name in ("embed", "logits")):
        return Decided(model, rule, benign)
    return (_InClosedForm if callable(getattr(model, "jacobian", None)) else _Differentiable)(model, rule, benign)


def decision_rule(model: object) -> DecisionRule | None:
    """The rule over a model; None where the label with the highest probability is the decision."""
    return model.rule if isinstance(model, Decided) else None


def require_threshold(model: object) -> None:
    """Refuse a rule whose threshold only a run sets.

    Raises:
        ModelError: Its rule has no threshold yet.
    """
    rule = decision_rule(model)
    if rule is not None and not rule.settled:
        raise ModelError(
            "'decide' leaves the threshold to data of its own, on which a run sets it and says which it is: give the "
            "number here, decide.at=0.7."
        )


def without_rule(model: Any) -> Any:
    """The model itself, without its rule."""
    return model.wrapped if isinstance(model, Decided) else model
