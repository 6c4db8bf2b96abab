"""Training dynamics: what a model in training says of its training examples, epoch by epoch."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from robustfim.errors import UsageError
from robustfim.whole_file import write_whole

__all__ = ["write_dynamics"]


def write_dynamics(folder: Path, epoch: int, rows: Iterable[tuple[str, Sequence[float], int]]) -> Path:
    """Write one epoch in the format of Dataset Cartography (Swayamdipta et al. 2020).

    ``dynamics_epoch_N.jsonl`` with lines ``{"guid": …, "logits_epoch_N": [...], "gold": 0}``
    (https://github.com/allenai/cartography).

    Args:
        folder: The folder; made if it is not there.
        epoch: The number of the epoch, counted from 0.
        rows: For each example what names it, its logits ``[classes]``, and the number of its gold class. Of several
            with one name the first is written.

    Raises:
        UsageError: It cannot be written.
    """
    lines: dict[str, str] = {}
    for guid, logits, gold in rows:
        numbers = [round(float(each), 8) for each in logits]
        lines.setdefault(guid, json.dumps({"guid": guid, f"logits_epoch_{epoch}": numbers, "gold": gold}))
    path = folder / f"dynamics_epoch_{epoch}.jsonl"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return write_whole(path, "".join(f"{line}\n" for line in lines.values()).encode())
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from error
