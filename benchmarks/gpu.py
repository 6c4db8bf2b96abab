"""Measures predictions and λmax on a CUDA device: speed, and the difference from the processor's numbers.

The bare loop and the queue are taken from :mod:`benchmarks.queue_rate`; here both compute on the device. The numbers
are compared with the processor's numbers in float32.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import torch

from benchmarks.queue_rate import QueueLoop
from benchmarks.texts import candidates, sources
from benchmarks.timing import Spread, interleave, ratios
from benchmarks.transformer import BareLoop, Transformer, open_transformer
from robustfim.example import Example
from robustfim_fisher.geometry import FisherGeometry
from robustfim_huggingface.classifier.model import SequenceClassifier

__all__ = ["DeviceCost", "as_markdown", "costs_on_device"]

BATCH = 128
BASE = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072}
"""The sizes of BERT base."""

Dtype: TypeAlias = Literal["float32", "bfloat16", "float16"]
DTYPES: tuple[Dtype, ...] = ("float32", "bfloat16", "float16")

_COMPARED = 64


@dataclass(frozen=True)
class DeviceCost:
    """The speed, memory and accuracy of one model in one precision on one device.

    Attributes:
        device: The device's name, the versions of torch and transformers, and the machine's number of cores.
        model: The model, in words.
        dtype: The precision.
        texts: The number of distinct texts.
        words: The mean length of the texts, in words.
        bare: Texts per second of the bare loop.
        queue: Texts per second of the queue with an empty store on disk.
        share: The queue's rate divided by the bare loop's rate, for each pair of timings.
        geometry: Texts per second for λmax, its eigenvector and the prediction.
        slower: The time for λmax divided by the time of the bare loop, for each pair of timings.
        memory: The peak memory on the device, in bytes.
        probability: The largest absolute difference of a probability from the processor's.
        eigenvalue: The largest relative difference of λmax from the processor's.
    """

    device: str
    model: str
    dtype: str
    texts: int
    words: float
    bare: Spread
    queue: Spread
    share: Spread
    geometry: Spread
    slower: Spread
    memory: int
    probability: float
    eigenvalue: float


def costs_on_device(data: Path | None, scratch: Path, *, texts: int, repeats: int) -> Iterator[DeviceCost]:
    """Measure BERT models with random weights, of the size of MiniLM and of BERT base, on the CUDA device.

    Args:
        data: The folder of data, as for :func:`benchmarks.texts.sources`.
        scratch: A folder for models and stores.
        texts: The number of distinct texts.
        repeats: The number of timings of the bare loop and of the queue.

    Raises:
        RuntimeError: There is no CUDA device.
    """
    if not torch.cuda.is_available():
        raise RuntimeError("there is no CUDA device")
    given = [text for pool in candidates(sources(data)[1], texts).values() for text in pool]
    for name, sizes in (("a random BERT of MiniLM's size", {"hidden_size": 384}), ("a random BERT base", BASE)):
        folder = scratch / name.replace(" ", "-")
        transformer = Transformer(name, open_transformer(None, folder, **sizes).folder)
        exact = _numbers(SequenceClassifier(folder, device="cpu"), given[:_COMPARED])
        for dtype in DTYPES:
            yield _cost(transformer, dtype, given, scratch / f"{folder.name}-{dtype}", exact, repeats)


def _cost(
    transformer: Transformer,
    dtype: Dtype,
    given: list[str],
    scratch: Path,
    exact: tuple[np.ndarray, np.ndarray],
    repeats: int,
) -> DeviceCost:
    model = SequenceClassifier(transformer.folder, batch_size=BATCH, device="cuda", dtype=dtype)
    bare = BareLoop(transformer.folder, BATCH, "cuda", dtype)
    examples = [Example({"text": text}) for text in given]
    queue = QueueLoop(model, scratch)
    probabilities, eigenvalues = _numbers(model, given[: len(exact[0])])
    torch.cuda.reset_peak_memory_stats()
    sides = {
        "bare": lambda: bare.run(given),
        "queue": lambda: queue.run(given),
        "λmax": lambda: FisherGeometry(model).at(examples),
    }
    times = interleave(sides, repeats, warm=1)
    rate = {name: Spread.of([len(given) / value for value in values]) for name, values in times.items()}
    return DeviceCost(
        device=_described(),
        model=transformer.name,
        dtype=dtype,
        texts=len(given),
        words=float(np.mean([len(text.split()) for text in given])),
        bare=rate["bare"],
        queue=rate["queue"],
        share=ratios(times["bare"], times["queue"]),
        geometry=rate["λmax"],
        slower=ratios(times["λmax"], times["bare"]),
        memory=torch.cuda.max_memory_allocated(),
        probability=float(np.abs(probabilities - exact[0]).max()),
        eigenvalue=float((np.abs(eigenvalues - exact[1]) / exact[1]).max()),
    )


def _numbers(model: SequenceClassifier, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities ``[texts, classes]`` and λmax ``[texts]``."""
    examples = [Example({"text": text}) for text in texts]
    points = FisherGeometry(model).at(examples)
    return np.array(model.predict(examples)), np.array([point.lambda_max for point in points])


def _described() -> str:
    import transformers

    return (
        f"{torch.cuda.get_device_name()}, torch {torch.__version__}, transformers {transformers.__version__}, "
        f"{os.cpu_count()} processor cores"
    )


def as_markdown(found: Sequence[DeviceCost]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The measurements of each model and precision.
    """
    if not found:
        return "left out"
    least = found[0]
    head = (
        f"{least.device}; {least.texts:,} distinct texts of {least.words:.0f} words on average, batches of {BATCH}, "
        f"{least.bare.count} repetitions. `λmax` is λmax, its eigenvector and the prediction. The last two columns are "
        f"the largest differences from the processor in float32, over {_COMPARED} texts: of a probability, and of λmax "
        "(relative)."
    )
    lines = [
        "| model | precision | bare loop, texts/s | queue, texts/s | queue / bare | λmax, texts/s | λmax / bare, time "
        "| peak GB | probability | λmax |",
        "| --- " * 10 + "|",
    ]
    for each in found:
        cells = [
            each.model, each.dtype, f"{each.bare.median:,.0f}", f"{each.queue.median:,.0f}",
            f"{each.share.median:.3f} [{each.share.low:.3f}, {each.share.high:.3f}]", f"{each.geometry.median:,.0f}",
            f"{each.slower.median:.2f}", f"{each.memory / 1e9:.1f}", f"{each.probability:.0e}",
            f"{each.eigenvalue:.0e}",
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return head + "\n\n" + "\n".join(lines)
