"""Measures the speed of the prediction queue, compared with a bare loop, on one transformer.

The bare loop sorts the texts by length, cuts them into batches, tokenises them, runs the model, and takes the softmax.
The queue does the same, and also hashes and deduplicates texts, looks answers up and stores them on disk. Both get the
same distinct texts and the same batch size.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

from benchmarks.csv_files import read_rows
from benchmarks.sections import table
from benchmarks.timing import Spread, interleave, ratios
from benchmarks.transformer import BareLoop, Transformer
from robustfim.example import Example
from robustfim.predict import PredictionQueue, Store
from robustfim.roles import Model
from robustfim_huggingface.classifier.model import SequenceClassifier
from robustfim_reference.bundled import Reviews

__all__ = ["AIM", "QueueLoop", "QueueRate", "against_bare_loop", "as_markdown", "sources"]

AIM = 0.95
BATCH = 64


@dataclass(frozen=True)
class QueueRate:
    """The rates of the queue and of the bare loop on the same texts.

    Attributes:
        transformer: The model, in words.
        source: The source of the texts, in words.
        texts: The number of distinct candidate texts.
        bare: Texts per second of the bare loop.
        queue: Texts per second of the queue.
        share: The queue's rate divided by the bare loop's rate, for each pair of timings.
    """

    transformer: str
    source: str
    texts: int
    bare: Spread
    queue: Spread
    share: Spread


def against_bare_loop(
    transformer: Transformer, data: Path | None, scratch: Path, *, texts: int, repeats: int
) -> QueueRate:
    """Time the queue and the bare loop in turn.

    Args:
        transformer: The model.
        data: The folder of data, as for :func:`sources`.
        scratch: A folder for the stores, one for each repetition.
        texts: The number of distinct candidates.
        repeats: The number of timings of the queue and of the bare loop.

    Returns:
        The rates and their ratio.
    """
    source, originals = sources(data)
    numbered = (f"{text} {number}" for number in itertools.count() for text in originals)
    given = list(itertools.islice(numbered, texts))
    bare = BareLoop(transformer.folder, BATCH)
    queue = QueueLoop(_on_the_processor(transformer), scratch)
    bare.run(given[:BATCH])
    queue.run(given[:BATCH])
    times = interleave({"bare": lambda: bare.run(given), "queue": lambda: queue.run(given)}, repeats)
    return QueueRate(
        transformer.name,
        source,
        len(given),
        _rate(len(given), times["bare"]),
        _rate(len(given), times["queue"]),
        ratios(times["bare"], times["queue"]),
    )


def sources(data: Path | None) -> tuple[str, list[str]]:
    """Read source texts.

    Args:
        data: A folder that holds ``rotten_tomatoes/dev.csv``; None for the reviews that ship with robustfim.

    Returns:
        The source of the texts, in words, and the texts.

    Raises:
        OSError: The folder does not hold the file.
    """
    if data is None:
        return "the bundled reviews", [example.text for example in Reviews().load()]
    return "rotten_tomatoes/dev", [row["text"] for row in read_rows(data / "rotten_tomatoes" / "dev.csv")]


class QueueLoop:
    """The prediction queue over one model, with an empty store on disk for every run.

    Args:
        model: The model.
        scratch: A folder for the stores.
    """

    def __init__(self, model: Model, scratch: Path) -> None:
        self._model = model
        self._stores = (scratch / f"store-{number}.sqlite" for number in itertools.count())

    def run(self, texts: list[str]) -> None:
        """Send all texts through the queue, and keep the answers."""
        store = Store(next(self._stores))
        queue = PredictionQueue(self._model, store)
        queue.predict([Example({"text": text}) for text in texts])
        store.close()
        assert queue.sent == len(texts)


def _on_the_processor(transformer: Transformer) -> SequenceClassifier:
    return SequenceClassifier(transformer.folder, batch_size=BATCH, device="cpu")


def _rate(texts: int, times: list[float]) -> Spread:
    return Spread.of([texts / time for time in times])


def as_markdown(found: QueueRate) -> str:
    """Write the rates as a section of Markdown."""
    rows: list[list[object]] = [
        ["bare loop, texts a second", f"{found.bare:.0f}", "", ""],
        ["queue, texts a second", f"{found.queue:.0f}", "", ""],
        ["queue / bare loop", f"{found.share:.3f}", f"≥ {AIM}", found.share.median >= AIM],
    ]
    return (
        f"{found.texts:,} distinct texts made from {found.source}, batches of {BATCH}, on "
        f"{found.transformer}; {found.share.count} repetitions. Both sort by length. The queue also hashes, "
        "deduplicates, looks up, checks, and writes each batch to an empty store on disk.\n\n"
        + table(["", "measured", "aim", ""], rows)
    )
