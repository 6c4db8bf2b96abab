"""The constraint ``acceptable``: a classifier of texts or pairs must give a candidate a certain label."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.candidate import Candidate
from robustfim.errors import UsageError, suggestions
from robustfim.suite import Fraction
from robustfim_huggingface.fluency.measure import Measure

if TYPE_CHECKING:
    from robustfim.roles import Context

__all__ = ["Acceptable"]

_ROWS = 32


class Acceptable(Measure):
    """Rejects a perturbed text unless a classifier gives it a label such as "acceptable" or "entailment".

    Use any sequence classifier of transformers. A classifier of acceptability (CoLA) reads the perturbed text only.
    With ``pair``, a classifier of inference (NLI) reads source and perturbed text. Each changed field is classified,
    and the field with the smallest probability decides.

    Args:
        model: A name on the hub, or a folder.
        label: The label that a candidate must get, by its name in the model's config.
        pair: Whether the classifier reads the source's field before the candidate's field.
        least: The smallest probability of the label that is accepted, in [0, 1].

    Raises:
        UsageError: The model does not have the label (in ``prepare``).
        ModelError: transformers or the model is missing (in ``prepare``).
    """

    def __init__(self, *, model: Path | str, label: str, pair: bool = False, least: Fraction = 0.5) -> None:
        super().__init__("acceptable", model, lambda _: "AutoModelForSequenceClassification")
        self._label, self._pair, self._least = label, pair, least
        self._known: dict[tuple[str, ...], float] = {}

    @cached_property
    def _place(self) -> int:
        """The number of the label."""
        labels = {str(name): int(number) for number, name in self._loaded.model.config.id2label.items()}
        if self._label not in labels:
            raise UsageError(
                f"acceptable: {str(self._name)!r} has no label {self._label!r}.{suggestions(self._label, labels)}"
            )
        return labels[self._label]

    def prepare(self, context: Context) -> None:
        """Load the classifier, and find its label."""
        super().prepare(context)
        _ = self._place

    def foresee(self, candidates: Sequence[Candidate]) -> None:
        """Classify candidates in batches, so that later answers are ready."""
        self.numbers(candidates)

    def numbers(self, candidates: Sequence[Candidate]) -> list[float]:
        """Return each candidate's log-odds of the required label, the smallest of all changed fields."""
        texts = [self._texts(candidate) for candidate in candidates]
        new = list(dict.fromkeys(text for each in texts for text in each if text not in self._known))
        self._known |= dict(zip(new, self._odds(new), strict=True))
        return [min((self._known[text] for text in each), default=0.0) for each in texts]

    def reject(self, candidate: Candidate) -> str | None:
        """Return a reason to reject a candidate if the required label's probability is below ``least``, else None."""
        sure = 1 / (1 + exp(-max(min(self.numbers([candidate])[0], 700.0), -700.0)))
        return f"not {self._label}" if sure < self._least else None

    def _texts(self, candidate: Candidate) -> list[tuple[str, ...]]:
        before, after = candidate.source.fields, candidate.example.fields
        changed = [field for field in after if after[field] != before[field]]
        return [(before[field], after[field]) if self._pair else (after[field],) for field in changed]

    def _odds(self, texts: Sequence[tuple[str, ...]]) -> list[float]:
        import torch

        tokenizer, model = self._loaded.tokenizer, self._loaded.model
        longest = min(getattr(model.config, "max_position_embeddings", 512), 512)
        found: list[float] = []
        for start in range(0, len(texts), _ROWS):
            columns = [list(column) for column in zip(*texts[start : start + _ROWS], strict=True)]
            inputs = tokenizer(*columns, return_tensors="pt", truncation=True, max_length=longest, padding=True)
            with torch.inference_mode():
                fractions = model(**inputs).logits.double().softmax(-1)[:, self._place].tolist()
            found += [log(max(fraction, 1e-300)) - log(max(1 - fraction, 1e-300)) for fraction in fractions]
        return found
