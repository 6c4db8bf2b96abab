"""The integration of a batch's gradients from the baseline to the texts, by captum."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import torch
from captum.attr import IntegratedGradients
from torch import Tensor

from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.importance import Importance, gather_words
from robustfim.roles import DifferentiableModel, Embedded

__all__ = ["Baseline", "explain_batch", "text_baseline"]

Baseline = Literal["zero", "padding"] | Mapping[Literal["token"], str]


def explain_batch(
    model: DifferentiableModel, examples: Sequence[Example], *, steps: int, baseline: Baseline, rows: int = 1
) -> list[Importance]:
    """Compute the word importances of a batch of examples by integrated gradients.

    Args:
        model: The model.
        examples: The batch, ``[batch]``.
        steps: The number of points on the path from the baseline (a text without meaning) to the text, ≥ 1.
        baseline: The start of the path: ``"zero"``, ``"padding"`` or ``{"token": …}``.
        rows: The largest number of texts in a forward pass. If the batch is smaller, several points of the path are
            computed together, which is faster.

    Raises:
        ModelError: The model has no such baseline, its logits do not depend on the embeddings, or it does not report
            the places of tokens.
    """
    embedded = model.embed(examples)
    together = _together(steps, len(examples), rows)
    # The same texts once for each of the points that are looked at together: captum puts point behind point.
    several = embedded if together == 1 else model.embed([*examples] * together)
    text = embedded.mask & ~embedded.special
    _require_places(model, examples, embedded, text)
    with torch.inference_mode(False), torch.enable_grad(), torch.backends.cudnn.flags(enabled=False):
        # cuDNN refuses the backward pass of a recurrent layer in evaluation mode; torch's own kernels do not.
        x = embedded.embeddings.detach()
        own = x.dtype
        x = x.clone() if x.is_inference() else x
        x = x.to(torch.promote_types(own, torch.float32))
        start = torch.where(text[..., None], text_baseline(model, examples, baseline).to(x), x)
        with torch.no_grad():
            logits = model.logits(x.to(own), embedded).float()
        first, second = logits.topk(2, dim=1).indices.unbind(1)

        def margin(embeddings: Tensor) -> Tensor:
            """The logit of each example's label minus that of its runner-up, ``[batch]``."""
            points = len(embeddings) // len(examples)
            outward = model.logits(embeddings.to(own), embedded if points == 1 else several).to(embeddings.dtype)
            if embeddings.requires_grad and not outward.requires_grad:
                raise ModelError(
                    f"the logits of {type(model).__name__} do not depend on the embeddings that robustfim passed "
                    "to logits(). Remove no_grad() and detach() from logits()."
                )
            each = torch.arange(len(outward), device=outward.device)
            difference: Tensor = outward[each, first.repeat(points)] - outward[each, second.repeat(points)]
            return difference

        values, deltas = IntegratedGradients(margin).attribute(
            x, start, n_steps=steps, method="gausslegendre", internal_batch_size=together * len(examples),
            return_convergence_delta=True,
        )  # fmt: skip
    # Σ over dims: one value a token. Special tokens and padding do not move, so theirs is 0.
    tokens = values.detach().sum(2)
    changes = tokens.sum(1) - deltas  # f(x) − f(x′): what captum compared the sum with
    return [
        _importance(example, *each)
        for example, *each in zip(
            examples, embedded.spans, tokens.tolist(), changes.tolist(), deltas.tolist(), strict=True
        )
    ]


def _together(steps: int, examples: int, rows: int) -> int:
    """How many points of the path are differentiated at once: a divisor of all, so that each call has as many rows."""
    most = max(1, rows // examples)
    return max(each for each in range(1, steps + 1) if steps % each == 0 and each <= most)


def text_baseline(model: DifferentiableModel, examples: Sequence[Example], baseline: Baseline) -> Tensor:
    """Return the embedding that stands for "no word" in integrated gradients (the baseline), ``[dims]``.

    Args:
        model: The model.
        examples: Examples whose fields the model reads.
        baseline: ``"zero"``, ``"padding"`` or ``{"token": …}``.

    Raises:
        ModelError: The model does not pad texts, or the baseline's token is not exactly one token of the model.
    """
    fields = examples[0].fields
    if baseline == "zero":
        return torch.zeros(())
    if baseline == "padding":
        short, long = (Example(dict.fromkeys(fields, text)) for text in ("a", "a a a a a a a a"))
        embedded = model.embed([short, long])
        rows = embedded.embeddings[~embedded.mask]
        if not len(rows):
            raise ModelError(f"{type(model).__name__} does not pad its texts; use another baseline: zero.")
        padding: Tensor = rows[0].detach()
        return padding
    assert not isinstance(baseline, str)  # noqa: S101  # the two texts are handled above
    embedded = model.embed([Example(dict.fromkeys(fields, baseline["token"]))])
    rows = embedded.embeddings[embedded.mask & ~embedded.special].detach()
    if not len(rows) or not all(torch.equal(row, rows[0]) for row in rows):
        raise ModelError(
            f"baseline: {baseline['token']!r} is not one token of {type(model).__name__}; name one that it knows, "
            "or use 'zero'."
        )
    token: Tensor = rows[0]
    return token


def _require_places(model: DifferentiableModel, examples: Sequence[Example], embedded: Embedded, text: Tensor) -> None:
    """Refuse a model that places no token of a batch: its values would belong to no word."""
    rows = zip(embedded.spans, text.tolist(), strict=True)
    spans = [span for row, kept in rows for span, keep in zip(row, kept, strict=True) if keep]
    # Texts without a word, such as empty ones, have no place to tell: what is asked then is a word.
    if spans and not any(spans) and not any(model.embed([Example(dict.fromkeys(examples[0].fields, "a"))]).spans[0]):
        raise ModelError(
            f"{type(model).__name__} does not report where its tokens are in the text, so robustfim cannot measure "
            "the importance of a word. Let any word change instead: 'words: 0.1'."
        )


def _importance(
    example: Example,
    spans: Sequence[tuple[str, int, int] | None],
    values: Sequence[float],
    change: float,
    delta: float,
) -> Importance:
    if not all(map(math.isfinite, (*values, change, delta))):
        return Importance((), math.nan, math.nan)
    return Importance(gather_words(example, spans, values), change, delta)
