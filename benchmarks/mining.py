"""Mining rules as a user pays it: ``robustfim mine`` with the shipped paraphraser, a new process, an empty store."""

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
    """Times of ``robustfim mine``, in seconds.

    Attributes:
        source: Where the texts come from.
        texts: Texts that rules were mined from.
        rules: Rules that were selected.
        flips: Texts that the first of them flips, and that it changes, of those that did not choose it.
        first: The first rule.
        taken: The command's time.
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
        data: Holds ``rotten_tomatoes/dev.csv``; None has nothing to mine.
        scratch: A folder for the suite and the rules.
        texts: Size of the sample.
        repeats: Timings.

    Returns:
        The time and what was found; or why nothing was measured.

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
