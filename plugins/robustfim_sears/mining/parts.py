"""Prepare mining: read model, data and paraphraser from a suite and the command line, and call :func:`mine`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing
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
from robustfim_sears.mining.mined import Mined, MinedRule
from robustfim_sears.mining.mining import Progress, measured, mine
from robustfim_sears.mining.review import Measure
from robustfim_sears.rule.rule import Rule

__all__ = ["PARAPHRASER", "MineSubject", "MinedSubject", "mine_subject", "open_mine"]

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

    def prepared(self, around: Context | None = None) -> Paraphraser:
        """Return the paraphraser, with its models loaded.

        Args:
            around: The context of a run; by default a context without examples.
        """
        made: Paraphraser = self.paraphraser.make()
        ParaphraserPart(made).prepare(
            around or context(self.model.make(), [], seed=self.seed, offline=self.offline, plugins=self.model.manager)
        )
        return made

    def provenance(self, mined: MinedSubject) -> dict[str, Any]:
        """Return the origin of mined rules, for the head of the file of rules."""
        return {
            "suite": self.suite,
            "model": {**_written(self.model.use), "fingerprint": mined.fingerprint},
            "data": {**_written(self.data.use), "sampled": len(mined.examples), "hash": _data_hash(mined.examples)},
            "paraphraser": {**_written(self.paraphraser.use), "identity": mined.identity},
            "score": mined.mined.score_name,
            "tau": mined.mined.tau,
            "delta": mined.mined.delta,
            "told": "by the half that did not choose each rule" if mined.mined.halves else "by no text",
            "seed": self.seed,
            "robustfim": robustfim.__version__,
        }


@dataclass(frozen=True)
class MinedSubject:
    """The mined rules, with their data and models.

    Attributes:
        mined: The rules.
        examples: The examples from which they were mined.
        fingerprint: The fingerprint of the model.
        identity: The paraphraser's identifier of its models; None if it reports none.
        measure: A function that measures another rule on these examples.
        told: Lines in which the model and the paraphraser report their requests to services.
    """

    mined: Mined
    examples: Sequence[Example]
    fingerprint: str
    identity: str | None
    measure: Measure
    told: Sequence[str] = ()


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


def mine_subject(
    subject: MineSubject,
    *,
    examples: int,
    store: Path | None = None,
    max_calls: int | None = None,
    tau: float | None = None,
    delta: float = 0.1,
    rules: int = 10,
    min_flips: int = 2,
    fields: Sequence[str] = (),
    progress: Progress | None = None,
) -> MinedSubject:
    """Load a model and data, draw a sample of the data, and mine rules that change the model's labels.

    Args:
        subject: The result of :func:`open_mine`.
        examples: The largest size of the random sample.
        store: The file of the prediction store; None stores nothing.
        max_calls: The largest number of texts that may be sent to the model.
        tau: The threshold τ of the score, as for :func:`~robustfim_sears.mining.mining.mine`.
        delta: δ, the fraction of a rule's applications that may change the meaning.
        rules: The largest number of rules.
        min_flips: The smallest number of texts that a rule must flip.
        fields: The fields to rewrite.
        progress: Called now and then.

    Raises:
        NothingCollected: The data has no usable example.
        CallLimitReached: ``max_calls`` would be exceeded; earlier predictions are kept.
        RobustfimError: As for :func:`~robustfim_sears.mining.mining.mine`.
    """
    paraphraser: Paraphraser = subject.paraphraser.make()
    use = subject.data.use.use
    found = sample(subject.data.make(), use, examples, subject.seed)
    if not found:
        raise NothingCollected(f"data {use!r} has no usable example.")
    model: Model = subject.model.make()

    def around() -> RunContext:
        return context(
            model, found, seed=subject.seed, offline=subject.offline, max_calls=max_calls, store=store,
            plugins=subject.model.manager,
        )  # fmt: skip

    def measure(rule: Rule) -> MinedRule:
        with closing(around()) as own:
            return measured([rule], mined, found, own, paraphraser)[0]

    with closing(around()) as own:
        mined = mine(
            found, own, paraphraser, tau=tau, delta=delta, rules=rules, min_flips=min_flips, fields=fields,
            progress=progress,
        )  # fmt: skip
        told = own.told
    identity = ", ".join(ParaphraserPart(paraphraser).resources().values()) or None
    return MinedSubject(mined, found, model.fingerprint, identity, measure, told)


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
