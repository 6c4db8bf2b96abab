"""Measures the time of λmax with more than two classes, computed exactly and by Lanczos iterations.

The models are the reference models with a new random head of C classes, scaled so that the logits of the batch have a
standard deviation of 3. Up to 64 classes, the exact λmax of a batch is compared with the passes that any exact method
needs: one forward pass and C − 1 backward passes to the input. With 1,000 classes, the iterations are compared with the
exact method, one text at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from benchmarks.lambda_max import with_threads
from benchmarks.sections import listed, measured
from benchmarks.timing import Spread, interleave, ratios
from robustfim.errors import RobustfimError
from robustfim.example import Example
from robustfim.roles import Embedded
from robustfim_fisher.autograd import held_modules
from robustfim_fisher.differences import differentiate
from robustfim_fisher.information import lambda_max
from robustfim_fisher.lanczos import lanczos_eigenpair
from robustfim_reference import model as reference
from robustfim_reference.bundled import Reviews

__all__ = [
    "ERROR_AIM",
    "EXACT_AIM",
    "EXACT_CLASSES",
    "ITERATED_AIM",
    "MANY",
    "Exact",
    "Iterated",
    "ManyClasses",
    "as_markdown",
    "exact",
    "iterated",
    "many_classes",
]

EXACT_AIM = 1.15
EXACT_CLASSES = (3, 16, 64)
ITERATED_AIM = 0.1
ERROR_AIM = 1e-3
MANY = 1000
BATCH = 8
DEVIATION = 3.0
"""The standard deviation of the logits, so that the models are confident about some texts only."""


@dataclass(frozen=True)
class Exact:
    """The cost of the exact λmax of a batch.

    Attributes:
        model: The model's name.
        classes: The number of classes C.
        shape: The shape of the embeddings, ``[batch, tokens, dims]``.
        milliseconds: The time of λmax.
        ratio: The time of λmax divided by the time of one forward and C − 1 backward passes, for each pair of timings.
    """

    model: str
    classes: int
    shape: tuple[int, ...]
    milliseconds: Spread
    ratio: Spread

    @property
    def batch(self) -> str:
        """The shape as text."""
        return "×".join(map(str, self.shape))

    @property
    def met(self) -> bool:
        """Whether λmax is fast enough."""
        return self.ratio.median <= EXACT_AIM


@dataclass(frozen=True)
class Iterated:
    """The cost and error of λmax by Lanczos iterations, one text at a time.

    Attributes:
        model: The model's name.
        classes: The number of classes C.
        exact: Milliseconds of the exact method, over texts.
        share: The time of the iterations divided by the time of the exact method, for each text.
        products: The median number of products with the Fisher matrix for a text.
        residual: The largest residual.
        error: The largest relative difference from the exact value.
    """

    model: str
    classes: int
    exact: Spread
    share: Spread
    products: float
    residual: float
    error: float

    @property
    def met(self) -> tuple[bool, bool]:
        """Whether the iterations are fast enough, and precise enough."""
        return self.share.median <= ITERATED_AIM, self.error <= ERROR_AIM


class ManyClasses:
    """A reference model with a new random head.

    Args:
        base: The reference model whose head is replaced.
        classes: The number of classes of the new head.
        examples: The examples whose logits are scaled.
    """

    def __init__(self, base: Any, classes: int, examples: Sequence[Example]) -> None:
        self.base = base
        self.labels = tuple(f"class {index}" for index in range(classes))
        self.fingerprint = f"{base.fingerprint} {classes}"
        name = "classifier" if hasattr(base.module, "classifier") else "output"
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            head = nn.Linear(getattr(base.module, name).in_features, classes, bias=False)
        setattr(base.module, name, head)
        embedded = base.embed(examples)
        with torch.no_grad():
            head.weight.mul_(DEVIATION / self.logits(embedded.embeddings, embedded).std())

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up the embeddings of a batch."""
        found: Embedded = self.base.embed(examples)
        return found

    def logits(self, embeddings: Any, embedded: Embedded) -> Any:
        """Map embeddings to logits ``[batch, classes]``."""
        return self.base.logits(embeddings, embedded)

    def predict(self, examples: Sequence[Example]) -> Any:
        """Return probabilities ``[examples, classes]``."""
        embedded = self.embed(examples)
        with torch.no_grad():
            return self.logits(embedded.embeddings, embedded).double().softmax(1).numpy()


def many_classes(*, repeats: int) -> Iterator[Exact | Iterated | tuple[str, str]]:
    """Measure the reference models on one thread.

    Args:
        repeats: The number of timings for a batch, and the number of texts for the iterations.

    Yields:
        The cost for each model, or the name of a model that cannot be loaded and the reason.
    """
    examples = list(Reviews(limit=max(BATCH, repeats)).load())
    for kind in (reference.Bert, reference.Lstm, reference.Cnn, reference.FastText):
        name = f"reference/{kind.architecture}"
        try:
            with with_threads(1):
                for classes in EXACT_CLASSES:
                    yield exact(name, ManyClasses(kind(), classes, examples), examples[:BATCH], repeats=repeats)
                yield iterated(name, ManyClasses(kind(), MANY, examples), examples[:repeats])
        except RobustfimError as error:
            yield name, str(error)


def exact(name: str, model: ManyClasses, examples: Sequence[Example], *, repeats: int) -> Exact:
    """Measure the exact λmax of a batch, compared with the forward and backward passes that it needs.

    Args:
        name: The model's name in the table.
        model: The model.
        examples: The batch.
        repeats: The number of timings of λmax and of the passes.
    """
    embedded = model.embed(examples)
    _freeze(model)

    def passes() -> None:
        x = embedded.embeddings.detach().requires_grad_()
        logits = model.logits(x, embedded)
        for label in range(1, logits.shape[1]):
            torch.autograd.grad((logits[:, 0] - logits[:, label]).sum(), x, retain_graph=True)

    sides = {"exact": lambda: lambda_max(differentiate(model, embedded)), "passes": passes}
    times = interleave(sides, repeats, warm=1)
    return Exact(
        model=name,
        classes=len(model.labels),
        shape=tuple(embedded.embeddings.shape),
        milliseconds=Spread.of([1e3 * value for value in times["exact"]]),
        ratio=ratios(times["exact"], times["passes"]),
    )


def iterated(name: str, model: ManyClasses, examples: Sequence[Example]) -> Iterated:
    """Measure λmax by Lanczos iterations, compared with the exact method, text by text.

    Args:
        name: The model's name in the table.
        model: The model.
        examples: The texts. Each is timed once, after a first untimed call.
    """
    _freeze(model)
    exactly, fractions, pairs, errors = [], [], [], []
    for row, example in enumerate([examples[0], *examples]):
        embedded = model.embed([example])
        found: dict[str, Any] = {}

        def precise(embedded: Embedded = embedded, found: dict[str, Any] = found) -> None:
            found["exact"] = float(lambda_max(differentiate(model, embedded)))

        def iterations(embedded: Embedded = embedded, found: dict[str, Any] = found) -> None:
            found["pair"] = lanczos_eigenpair(model, embedded)

        times = interleave({"exact": precise, "iterated": iterations}, 1)
        if row == 0:
            continue
        exactly.append(1e3 * times["exact"][0])
        fractions.append(times["iterated"][0] / times["exact"][0])
        pairs.append(found["pair"])
        errors.append(abs(found["pair"].value - found["exact"]) / found["exact"])
    return Iterated(
        model=name,
        classes=len(model.labels),
        exact=Spread.of(exactly),
        share=Spread.of(fractions),
        products=Spread.of([float(pair.products) for pair in pairs]).median,
        residual=max(pair.residual for pair in pairs),
        error=max(errors),
    )


def _freeze(model: ManyClasses) -> None:
    """Switch off the gradients of parameters, which the bare passes would otherwise pay for alone."""
    for module in held_modules(model):
        module.requires_grad_(False)


def as_markdown(found: Sequence[Exact | Iterated | tuple[str, str]]) -> str:
    """Write the costs that :func:`many_classes` yielded as a section of Markdown."""
    costs, absent = measured(found)
    parts = [
        f"The reference models with random heads, their logits scaled to a standard deviation of {DEVIATION:.0f}, on "
        "one thread. The exact λmax of a batch, against one forward pass and C − 1 backward passes to the input alone:",
        listed(
            f"model | C | batch | λmax, ms | λmax / passes | ≤ {EXACT_AIM} | repetitions",
            "{model} | {classes} | {batch} | {milliseconds:.1f} | {ratio:.2f} | {met} | {ratio.count}",
            (each for each in costs if isinstance(each, Exact)),
        ),
        "Lanczos iterations, one text at a time, against the exact way on the same text; error and residual are the "
        "worst of all texts, products with the Fisher matrix the median:",
        listed(
            f"model | C | exact, ms | iterations / exact | ≤ {ITERATED_AIM} | error | ≤ {ERROR_AIM:g} | residual | "
            "products | texts",
            "{model} | {classes} | {exact:.0f} | {share:.3f} | {met[0]} | {error:.0e} | {met[1]} | {residual:.0e} | "
            "{products:.0f} | {share.count}",
            (each for each in costs if isinstance(each, Iterated)),
        ),
        *absent,
    ]
    return "\n\n".join(parts)
