"""What λmax costs: against a bare forward pass of the same batch, and against the published algorithm.

    python -m benchmarks.lambda_max [--json FILE] [--repeats 40] [--no-literal]

Run from the repository's root with the plugins installed (or ``PYTHONPATH=.:plugins``). The batch is 32 bundled
reviews; for ``minilm``, a 6-layer BERT of MiniLM's size with random weights (the cost does not depend on them),
32 texts of 27 tokens. The aim for two classes is 2.2 forward passes. Repetitions of both sides are interleaved,
so that a busy moment touches both; the ratio is taken pair by pair.

- ``forward``: ``logits`` of embeddings already looked up, without gradients.
- ``λmax``: one forward and one backward pass from the same embeddings, and the eigenvalue.
- ``ratio``: λmax / forward, median and quartiles. ``with lookup``: the same with tokenising and lookup on both
  sides, as a run pays it.
- ``literal``: Algorithm 1 once on the batch's first example, its nd × nd matrix built and decomposed; ``error`` is
  the relative difference of the two numbers.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from robustfim.errors import RobustfimError
from robustfim.example import Example
from robustfim.roles import Embedded
from robustfim_fisher.differences import differentiate
from robustfim_fisher.information import lambda_max
from robustfim_reference import model as reference
from robustfim_reference.reviews import Reviews
from tests.plugins.robustfim_fisher.reference import fisher_matrix, largest_eigenvalue

BATCH = 32
AIM = 2.2


class MiniLm:
    """A BERT of MiniLM's size: 6 layers, 384 dimensions, 12 heads, two labels, random weights.

    Args:
        tokens: Tokens a text, the first and last of them special.
    """

    labels = ("negative", "positive")
    fingerprint = "random MiniLM"

    def __init__(self, tokens: int = 27) -> None:
        transformers: Any = importlib.import_module("transformers")
        config = transformers.BertConfig(
            hidden_size=384, num_hidden_layers=6, num_attention_heads=12, intermediate_size=1536, num_labels=2
        )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            self.module: Any = transformers.BertForSequenceClassification(config).eval()
        self.tokens = tokens

    def predict(self, examples: Sequence[Example]) -> Any:
        """Predict a batch."""
        embedded = self.embed(examples)
        with torch.no_grad():
            return self.logits(embedded.embeddings, embedded).softmax(1).numpy()

    def embed(self, examples: Sequence[Example]) -> Embedded:
        """Look up random rows, the same for the same place in the batch."""
        generator = torch.Generator().manual_seed(0)
        ids = torch.randint(1000, 30000, (len(examples), self.tokens), generator=generator)
        mask = torch.ones_like(ids, dtype=torch.bool)
        special = torch.zeros_like(mask)
        special[:, [0, -1]] = True
        embeddings = self.module.bert.embeddings.word_embeddings(ids).detach()
        return Embedded(embeddings, mask, special, [[None] * self.tokens for _ in examples])

    def logits(self, embeddings: Tensor, embedded: Embedded) -> Tensor:
        """Map embeddings to logits."""
        logits: Tensor = self.module(inputs_embeds=embeddings, attention_mask=embedded.mask.long()).logits
        return logits


def models() -> Iterator[tuple[str, Any]]:
    """Yield each model with its name; one that cannot be loaded is named on stderr and left out."""
    kinds: dict[str, Callable[[], Any]] = {
        "fasttext": reference.FastText,
        "cnn": reference.Cnn,
        "lstm": reference.Lstm,
        "bert": reference.Bert,
        "minilm": MiniLm,
    }
    for name, kind in kinds.items():
        try:
            yield name, kind()
        except (RobustfimError, ModuleNotFoundError) as error:
            print(f"{name}: left out: {error}", file=sys.stderr)


def seconds(work: Callable[[], object]) -> float:
    """Time one call."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the lower quartile, the median and the upper quartile."""
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def measure(name: str, model: Any, examples: Sequence[Example], *, repeats: int, literal: bool) -> dict[str, Any]:
    """Measure one model.

    Args:
        name: Its name in the table.
        model: A differentiable model of two classes.
        examples: The batch.
        repeats: Pairs of timings.
        literal: Whether to run the published algorithm once.

    Returns:
        Times in milliseconds, medians; ratios as [lower quartile, median, upper quartile].
    """
    embedded = model.embed(examples)

    def forward(batch: Embedded) -> None:
        with torch.no_grad():
            model.logits(batch.embeddings, batch)

    def eigenvalue(batch: Embedded) -> Tensor:
        return lambda_max(differentiate(model, batch))

    sides: dict[str, Callable[[], object]] = {
        "forward": lambda: forward(embedded),
        "lambda": lambda: eigenvalue(embedded),
        "lookup and forward": lambda: forward(model.embed(examples)),
        "lookup and lambda": lambda: eigenvalue(model.embed(examples)),
    }
    for work in list(sides.values()) * 3:
        work()
    times: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(repeats):
        for side, work in sides.items():
            times[side].append(seconds(work))
    result: dict[str, Any] = {
        "model": name,
        "batch": len(examples),
        "tokens": int(embedded.mask.sum(1).max()),
        "dims": int(embedded.embeddings.shape[2]),
        "forward_ms": statistics.median(times["forward"]) * 1e3,
        "lambda_ms": statistics.median(times["lambda"]) * 1e3,
        "ratio": quartiles([b / a for a, b in zip(times["forward"], times["lambda"], strict=True)]),
        "ratio_with_lookup": quartiles(
            [b / a for a, b in zip(times["lookup and forward"], times["lookup and lambda"], strict=True)]
        ),
    }
    if literal:
        started = time.perf_counter()
        slow = largest_eigenvalue(fisher_matrix(model, examples[0]))
        result["literal_ms"] = (time.perf_counter() - started) * 1e3
        fast = float(eigenvalue(model.embed(examples[:1])))
        result["literal_error"] = abs(fast - slow) / slow
    return result


def shown(row: dict[str, Any]) -> str:
    """Format one line of the table."""
    ratio, lookup = ("{1:5.2f} [{0:.2f}, {2:.2f}]".format(*row[key]) for key in ("ratio", "ratio_with_lookup"))
    each = row["lambda_ms"] / row["batch"]
    literal = (
        f"{row['literal_ms']:10.0f} ms  {row['literal_ms'] / each:9.0f}x  {row['literal_error']:.0e}"
        if "literal_ms" in row
        else ""
    )
    return (
        f"{row['model']:9} {row['tokens']:4}x{row['dims']:<4} {row['forward_ms']:8.2f} {row['lambda_ms']:8.2f} "
        f"{each:8.3f}  {ratio:19} {lookup:19} {literal}"
    )


def main() -> None:
    """Measure every model and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the numbers")
    parser.add_argument("--repeats", type=int, default=40, help="pairs of timings (default 40)")
    parser.add_argument("--no-literal", action="store_true", help="leave the published algorithm out")
    parser.add_argument("--only", action="append", metavar="MODEL", help="only this model; may be repeated")
    options = parser.parse_args()
    examples = list(Reviews(limit=BATCH).load())
    print(f"torch {torch.__version__}, {torch.get_num_threads()} threads, batch {BATCH}, aim ≤ {AIM}")
    print(
        "model     tokens     forward   λmax ms     each  ratio [quartiles]   with lookup         literal, an example"
    )
    rows = []
    for name, model in models():
        if not options.only or name in options.only:
            rows.append(measure(name, model, examples, repeats=options.repeats, literal=not options.no_literal))
            print(shown(rows[-1]), flush=True)
    if options.json:
        about = {"torch": str(torch.__version__), "threads": torch.get_num_threads(), "aim": AIM, "models": rows}
        options.json.write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
