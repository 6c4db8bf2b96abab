"""Prepare mining: read model, data and paraphraser from a suite and the command line."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import robustfim
from robustfim.api import context
from robustfim.collect import Named, sample
from robustfim.commands import Chosen
from robustfim.errors import NothingCollected, UsageError
from robustfim.example import Example
from robustfim.parts import ParaphraserPart
from robustfim.plugin import PluginManager
from robustfim.predict import RunContext
from robustfim.roles import Context, Model, Paraphraser
from robustfim.suite import SuiteFile, Use, as_plain, parse_override
from robustfim_sears.mining.mined import Mined

__all__ = ["PARAPHRASER", "MineSubject", "open_mine"]

PARAPHRASER = "phrases"
"""The paraphraser that is used where none is named: it needs no weights."""


@dataclass(frozen=True)
class MineSubject:
    """The model and data of a suite, and a paraphraser."""

    suite: str
    model: Named
    data: Named
    paraphraser: Named
    seed: int
    offline: bool = False

    def sample(self, number: int) -> list[Example]:
        """Draw a random sample of the data.

        Raises:
            NothingCollected: The data has no usable example.
        """
        drawn = sample(self.data.make(), self.data.use.use, number, self.seed)
        if not drawn:
            raise NothingCollected(f"data {self.data.use.use!r} has no usable example.")
        return drawn

    def context(
        self, examples: Sequence[Example], model: Model | None = None, *, max_calls: int | None = None,
        store: Path | None = None,
    ) -> RunContext:  # fmt: skip
        """Make the context of a run on some examples, with a model that is made already or else with the suite's."""
        return context(
            model or self.model.make(), examples, seed=self.seed, offline=self.offline, max_calls=max_calls,
            store=store, plugins=self.model.manager,
        )  # fmt: skip

    def prepared(self, around: Context | None = None) -> Paraphraser:
        """Return the paraphraser, with its models loaded.

        Args:
            around: The context of a run; by default a context without examples.
        """
        made: Paraphraser = self.paraphraser.make()
        ParaphraserPart(made).prepare(around or self.context([]))
        return made

    def provenance(
        self, mined: Mined, examples: Sequence[Example], model: Model, paraphraser: Paraphraser
    ) -> dict[str, Any]:
        """Return the origin of mined rules, for the head of the file of rules."""
        identity = ", ".join(ParaphraserPart(paraphraser).resources().values()) or None
        return {
            "suite": self.suite,
            "model": {**_written(self.model.use), "fingerprint": model.fingerprint},
            "data": {**_written(self.data.use), "sampled": len(examples), "hash": _data_hash(examples)},
            "paraphraser": {**_written(self.paraphraser.use), "identity": identity},
            "score": mined.score_name,
            "tau": mined.tau,
            "delta": mined.delta,
            "told": "by the half that did not choose each rule" if mined.halves else "by no text",
            "seed": self.seed,
            "robustfim": robustfim.__version__,
        }


def open_mine(path: Path, chosen: Chosen, paraphraser: Sequence[str] = ()) -> MineSubject:
    """Find the model, the data and the paraphraser that a suite and the command line name.

    Args:
        path: The suite file.
        chosen: The options of the command.
        paraphraser: ``--paraphraser NAME`` or ``KEY=VALUE``.

    Raises:
        UsageError: The suite or an option is wrong, or there is no model, or several, or no data.
        PluginError: A plugin is broken.
    """
    pair, seed = chosen.one_model_and_data(path), chosen.seed
    if pair.model is None or pair.data is None:
        missing = "model" if pair.model is None else "data"
        raise UsageError(
            f"{path}: mining needs a model and data, and the suite has no {missing!r}. Name it with "
            f"--{missing} use=NAME."
        )
    file = pair.model.file
    if seed is None:
        seed = file.data.get("seed", 0)
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise file.error(f"the seed must be a whole number, not {seed!r}.", ("seed",))
    name = file.data.get("suite", path.stem)
    part = _paraphraser_part(paraphraser, pair.manager, chosen.offline)
    return MineSubject(str(name), pair.model, pair.data, part, seed, chosen.offline)


def _data_hash(examples: Sequence[Example]) -> str:
    """Hash the texts of examples, in whatever order."""
    digest = hashlib.blake2b(digest_size=8)
    for each in sorted({example.id for example in examples}):
        digest.update(each.encode())
    return digest.hexdigest()


def _paraphraser_part(values: Sequence[str], manager: PluginManager, offline: bool = False) -> Named:
    """Read what ``--paraphraser`` says.

    Args:
        values: Each ``NAME`` or ``KEY=VALUE``; without a name :data:`PARAPHRASER` is taken.
        manager: The plugins.
        offline: Whether nothing may be fetched.

    Raises:
        UsageError: There is no such paraphraser, or it has no such option.
    """
    file = SuiteFile(Path("the command line"), {})
    for value in values:
        text = value if "=" in value else f"use={value}"
        location, read = parse_override(text, "--paraphraser")
        file.override(("paraphraser", *location), read, f"--paraphraser {value}")
    named = file.data.setdefault("paraphraser", {})
    named.setdefault("use", PARAPHRASER)
    part = Named("paraphrasers", Use.model_validate(named), file, manager)
    if offline and "offline" in manager.get("paraphrasers", part.use.use).options:
        named.setdefault("offline", True)
    return Named("paraphrasers", Use.model_validate(named), file, manager)


def _written(use: Use) -> dict[str, Any]:
    return {"use": use.use, **as_plain(use.options)}
