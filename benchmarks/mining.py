"""Times ``robustfim mine`` with the shipped paraphraser, in a new process and with an empty store."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks.main_job import robustfim
from benchmarks.timing import Spread, seconds

__all__ = ["AIM", "Mining", "time_mining"]

AIM = 60.0
_SUITE = "suite: mining\nmodel: {use: reference/fasttext}\ndata: {use: csv, path: DATA, text: text, label: label}\n"


@dataclass(frozen=True)
class Mining:
    """The result and the time of ``robustfim mine``.

    Attributes:
        source: The source of the texts, in words.
        texts: The number of texts from which rules were mined.
        rules: The number of selected rules.
        flips: Of the texts that were not used to select the first rule, the number whose label it changes and the
            number that it applies to.
        first: The first rule.
        taken: The command's time, in seconds.
    """

    source: str
    texts: int
    rules: int
    flips: tuple[int, int]
    first: str
    taken: Spread


def time_mining(data: Path | None, scratch: Path, *, texts: int = 1000, repeats: int) -> Mining | str:
    """Time the mining of rules for ``reference/fasttext``.

    Args:
        data: The folder that holds ``rotten_tomatoes/dev.csv``; without it, nothing is measured.
        scratch: A folder for the suite and the rules.
        texts: The number of texts in the sample.
        repeats: The number of timings.

    Returns:
        The time and the rules, or a string with the reason why nothing was measured.

    Raises:
        RuntimeError: The command failed, or found no rule.
    """
    if data is None:
        return "no --data"
    scratch.mkdir(parents=True, exist_ok=True)
    suite, out = scratch / "mining.yaml", scratch / "rules.yaml"
    suite.write_text(_SUITE.replace("DATA", str((data / "rotten_tomatoes" / "dev.csv").resolve())), encoding="utf-8")
    command = ["mine", str(suite), "--examples", str(texts), "--out", str(out), "--force", "--no-store"]
    taken = Spread.of([seconds(lambda: robustfim(*command, codes=(0,))) for _ in range(repeats)])
    found: dict[str, Any] = yaml.safe_load(out.read_text(encoding="utf-8"))
    first = found["rules"][0]
    return Mining(
        source="rotten_tomatoes/dev",
        texts=found["mined"]["data"]["sampled"],
        rules=len(found["rules"]),
        flips=(first["flips"], first["support"]),
        first=first["rule"],
        taken=taken,
    )
