"""Measures the memory and the time of one run of the command line, for growing numbers of short texts."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from benchmarks.csv_files import write_rows
from benchmarks.sections import table

__all__ = ["ScaleCost", "as_markdown", "scale", "write_texts"]

_PARTS = (
    ("the", "a", "this", "that", "one"),
    ("film", "movie", "story", "plot", "cast", "scene", "script", "music", "ending", "drama", "comedy", "thriller"),
    ("really", "never", "always", "hardly", "quite", "almost", "truly", "often"),
    (
        "good",
        "bad",
        "great",
        "dull",
        "fine",
        "awful",
        "moving",
        "boring",
        "sharp",
        "weak",
        "bright",
        "flat",
        "charming",
    ),
)


@dataclass(frozen=True)
class ScaleCost:
    """The cost of one run.

    Attributes:
        texts: The number of rows of the data.
        peak: The largest resident memory of the process, in bytes.
        seconds: Seconds from the call to the exit.
        computed: Seconds of processor time, of the user and the system.
        record: The size of results.json, in bytes.
        examples: The size of the database, in bytes.
    """

    texts: int
    peak: int
    seconds: float
    computed: float
    record: int
    examples: int


def write_texts(path: Path, number: int) -> None:
    """Write different texts of eight words with labels, the same in every call.

    Args:
        path: The CSV file to write.
        number: The number of texts.
    """
    drawn = random.Random(0)  # noqa: S311  # reproducible, not secret

    def row(place: int) -> tuple[str, str]:
        article, noun, adverb, adjective = (drawn.choice(words) for words in _PARTS)
        text = f"{article} {noun} {place} is {adverb} {adjective} and {drawn.choice(_PARTS[-1])}"
        return text, drawn.choice(("positive", "negative"))

    write_rows(path, ["text", "label"], map(row, range(number)))


def scale(scratch: Path, texts: Sequence[int]) -> Iterator[ScaleCost]:
    """Run one suite on data of several sizes, each time with an empty store.

    The suite tests the 100 hardest and 100 random examples.

    Args:
        scratch: A folder for data, stores and reports.
        texts: For each run, the number of rows.

    Raises:
        RuntimeError: A run ended with an exit code other than 0, 1 or 6.
    """
    for number in texts:
        data, suite, reports = scratch / "texts.csv", scratch / "scale.yaml", scratch / f"reports-{number}"
        write_texts(data, number)
        content = {
            "suite": "scale", "model": "reference/fasttext", "data": {"use": "csv", "path": str(data)},
            "scores": ["fisher"], "select": {"by": "fisher", "difficult": 100, "control": 100}, "reports": ["json"],
            "checks": {"typos": {"perturb": {"use": "typos", "words": 1, "candidates": 2}, "limit": 0.9}},
        }  # fmt: skip
        suite.write_text(yaml.safe_dump(content), encoding="utf-8")
        store = scratch / f"store-{number}"
        command = ["run", str(suite), "-q", "--store", str(store), "--reports", str(reports)]
        started = time.perf_counter()
        process = subprocess.Popen([sys.executable, "-m", "robustfim", *command], stdout=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1, 6):
            raise RuntimeError(f"the run on {number} texts ended with exit code {process.returncode}")
        folder = reports / "scale"
        yield ScaleCost(
            texts=number,
            peak=used.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
            seconds=seconds,
            computed=used.ru_utime + used.ru_stime,
            record=(folder / "results.json").stat().st_size,
            examples=sum(each.stat().st_size for each in folder.glob("results.sqlite")),
        )
        store.unlink()


def as_markdown(found: Sequence[ScaleCost]) -> str:
    """Write the results as a section of Markdown.

    Args:
        found: The costs of the runs, from the fewest texts to the most.
    """
    least, rows = found[0], []
    for each in found:
        # What the run costs whatever the data is in the first one, too: the difference is that of the texts.
        more = each.texts - least.texts
        fraction = f"{1000 * (each.computed - least.computed) / more:.3f}" if more else ""
        rows.append(
            [
                f"{each.texts:,}", f"{each.peak / 1e6:,.0f}", f"{each.seconds:,.1f}", f"{each.computed:,.1f}", fraction,
                f"{each.record / 1e6:.2f}", f"{each.examples / 1e6:.1f}",
            ]
        )  # fmt: skip
    head = [
        "texts",
        "peak MB",
        "seconds",
        "processor s",
        "of it for 1,000 texts",
        "results.json, MB",
        "all examples, MB",
    ]
    most, before = found[-1], found[-2] if len(found) > 1 else found[-1]
    ratio = (
        f"Peak memory at {most.texts:,} texts is {most.peak / before.peak:.2f} times that at {before.texts:,} (aim at "
        "most 1.25 from 100,000 to 1,000,000)."
    )
    about = (
        "`reference/fasttext`, short texts, `scores: [fisher]`, 100 hardest and 100 random ones tested, an empty "
        "store; one run each, as a process of its own. The time for 1,000 texts is that beyond the smallest run's."
    )
    return "\n\n".join([about, table(head, rows), ratio])
