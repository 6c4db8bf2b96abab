"""Measures the time of λmax, compared with a forward pass of the same batch and with the published algorithm.

For the transformer, the network itself is called for the forward pass, without robustfim. For the reference models, the
forward pass is ``logits`` of embeddings that were already looked up, without gradients. λmax takes one forward and one
backward pass from the same embeddings, and the eigenvalue. ``autograd`` is the time of torch alone for the two passes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from benchmarks.literal_algorithm import literal_lambda_max
from benchmarks.sections import listed, measured
from benchmarks.timing import Spread, interleave, ratios, seconds
from benchmarks.transformer import BareLoop, Transformer
from robustfim.errors import RobustfimError
from robustfim.example import Example
from robustfim.roles import Embedded
from robustfim_fisher.autograd import held_modules
from robustfim_fisher.differences import differentiate
from robustfim_fisher.information import lambda_max
from robustfim_huggingface.classifier.model import SequenceClassifier
from robustfim_reference import model as reference
from robustfim_reference.bundled import Reviews

__all__ = ["AIM", "Cost", "Literal", "as_markdown", "cost", "costs", "with_threads"]

AIM = 2.2
BATCH = 32
WORDS = 15
"""Words of the text on which Algorithm 1 runs: its matrix has words · dims rows, its time grows with their cube."""


@dataclass(frozen=True)
class Literal:
    """The time and error of Algorithm 1, run once on the beginning of one text.

    Attributes:
        seconds: The time of Algorithm 1.
        times: The time of Algorithm 1 divided by robustfim's time for λmax of the same text.
        error: The relative difference of the two eigenvalues.
    """

    seconds: float
    times: float
    error: float


@dataclass(frozen=True)
class Cost:
    """The cost of λmax on one model. Ratios are computed for each pair of timings.

    Attributes:
        model: The model's name.
        threads: The number of threads of torch.
        shape: The shape of the embeddings, ``[batch, tokens, dims]``.
        forward: Milliseconds of the forward pass.
        eigenvalue: Milliseconds of λmax.
        ratio: The time of λmax divided by the time of the forward pass.
        autograd: The time of a forward and a backward pass in torch divided by the time of the forward pass.
        from_text: The time of λmax divided by the time of the forward pass, both with tokenising and lookup.
        literal: The result of the published algorithm; None if it was not run.
    """

    model: str
    threads: int
    shape: tuple[int, ...]
    forward: Spread
    eigenvalue: Spread
    ratio: Spread
    autograd: Spread
    from_text: Spread
    literal: Literal | None

    @property
    def batch(self) -> str:
        """The shape as text."""
        return "×".join(map(str, self.shape))

    @property
    def met(self) -> bool:
        """Whether λmax is fast enough."""
        return self.ratio.median <= AIM


def costs(transformer: Transformer, *, repeats: int) -> Iterator[Cost | tuple[str, str]]:
    """Measure the transformer and the reference models.

    Every model is measured on one thread; the transformer is also measured on all cores. (In passes of a few
    milliseconds, several threads mostly wait for each other.)

    Args:
        transformer: A sequence classifier with two labels.
        repeats: The number of timings of λmax and of each pass.

    Yields:
        The cost for each model, or the name of a model that cannot be loaded and the reason.
    """
    examples = list(Reviews(limit=BATCH).load())
    cores = torch.get_num_threads()
    for threads in sorted({1, cores}):
        with with_threads(threads):
            model = SequenceClassifier(path=transformer.folder, batch_size=BATCH, device="cpu")
            bare = BareLoop(transformer.folder, BATCH)
            literal = threads == cores
            yield cost(transformer.name, model, examples, repeats=repeats, literal=literal, bare=bare)
    for kind in (reference.Bert, reference.Lstm, reference.Cnn, reference.FastText):
        with with_threads(1):
            name = f"reference/{kind.architecture}"
            try:
                yield cost(name, kind(), examples, repeats=repeats, literal=True)
            except RobustfimError as error:
                yield name, str(error)


def cost(
    name: str, model: Any, examples: Sequence[Example], *, repeats: int, literal: bool, bare: BareLoop | None = None
) -> Cost:
    """Measure one model.

    Args:
        name: The model's name in the table.
        model: A differentiable model of two classes.
        examples: The batch.
        repeats: The number of timings of λmax and of each pass.
        literal: Whether to run the published algorithm once.
        bare: The same network without robustfim; None to call the model's ``logits``.

    Returns:
        The cost.

    Raises:
        RobustfimError: The model cannot be loaded.
    """
    texts = [example.text for example in examples]
    embedded = model.embed(examples)
    encoded = None if bare is None else bare.encode(texts)

    def from_embeddings(batch: Embedded) -> None:
        with torch.inference_mode():
            model.logits(batch.embeddings, batch)

    def eigenvalue(batch: Embedded) -> torch.Tensor:
        value: torch.Tensor = lambda_max(differentiate(model, batch))
        return value

    def autograd() -> None:
        x = embedded.embeddings.detach().requires_grad_()
        logits = model.logits(x, embedded)
        torch.autograd.grad((logits[:, 0] - logits[:, 1]).sum(), x)

    sides: dict[str, Callable[[], object]] = {
        "forward": (lambda: from_embeddings(embedded)) if bare is None else lambda: bare.forward(encoded),
        "eigenvalue": lambda: eigenvalue(embedded),
        "autograd": autograd,
        "text, forward": (lambda: from_embeddings(model.embed(examples)))
        if bare is None
        else lambda: bare.forward(bare.encode(texts)),
        "text, eigenvalue": lambda: eigenvalue(model.embed(examples)),
    }
    for module in held_modules(model):
        module.requires_grad_(False)  # else autograd alone would have more to do than λmax
    times = interleave(sides, repeats, warm=2)
    return Cost(
        model=name,
        threads=torch.get_num_threads(),
        shape=tuple(embedded.embeddings.shape),
        forward=Spread.of([1e3 * value for value in times["forward"]]),
        eigenvalue=Spread.of([1e3 * value for value in times["eigenvalue"]]),
        ratio=ratios(times["eigenvalue"], times["forward"]),
        autograd=ratios(times["autograd"], times["forward"]),
        from_text=ratios(times["text, eigenvalue"], times["text, forward"]),
        literal=_literal(model, examples[0]) if literal else None,
    )


def _literal(model: Any, example: Example) -> Literal:
    """Run Algorithm 1 on the first words of an example."""
    short = Example({"text": " ".join(example.text.split()[:WORDS])})
    found: dict[str, float] = {}

    def fast() -> None:
        found["fast"] = float(lambda_max(differentiate(model, model.embed([short]))))

    def slow() -> None:
        found["slow"] = literal_lambda_max(model, short)

    quick = Spread.of(interleave({"fast": fast}, 5, warm=1)["fast"]).median
    taken = seconds(slow)
    return Literal(taken, taken / quick, abs(found["fast"] - found["slow"]) / found["slow"])


@contextmanager
def with_threads(number: int) -> Iterator[None]:
    """Let torch compute on ``number`` threads in the body of the ``with`` statement."""
    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def as_markdown(found: Sequence[Cost | tuple[str, str]]) -> str:
    """Write the costs that :func:`costs` yielded as a section of Markdown."""
    costs, absent = measured(found)
    parts = [
        "`λmax / forward` is against a bare forward pass of the same batch; `autograd` is what a forward and a "
        "backward pass cost in torch alone, the least that any gradient costs; `from text` has tokenising and lookup "
        "on both sides, as a run has.",
        listed(
            f"model | threads | batch | forward, ms | λmax, ms | λmax / forward | ≤ {AIM} | autograd / forward | "
            "from text | repetitions",
            "{model} | {threads} | {batch} | {forward:.2f} | {eigenvalue:.2f} | {ratio:.2f} | {met} | {autograd:.2f} | "
            "{from_text:.2f} | {ratio.count}",
            costs,
        ),
    ]
    if absent:
        parts.append("\n".join(absent))
    if literal := [cost for cost in costs if cost.literal is not None]:
        parts += [
            f"The published algorithm, once, on {WORDS} words, its whole matrix built and decomposed:",
            listed(
                "model | seconds | times λmax's, same text | relative difference",
                "{model} | {literal.seconds:.2f} | {literal.times:,.0f} | {literal.error:.0e}",
                literal,
            ),
        ]
    return "\n\n".join(parts)
