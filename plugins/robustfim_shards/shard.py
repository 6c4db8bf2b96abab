"""The command ``robustfim run --shard``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.commands import INPUT, Chosen, printable, progress_bar, shared_options
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.members import Wrapper

if TYPE_CHECKING:
    from robustfim.record import Record
    from robustfim.session import Session

__all__ = ["Share", "command"]


@dataclass(frozen=True)
class Share:
    """One of several parts of the examples, for a run divided over machines.

    Attributes:
        number: The number of this part, from 1.
        of: The number of parts.
    """

    number: int
    of: int

    @classmethod
    def read(cls, written: str) -> Share:
        """Parse a share such as ``2/4``, the second of four parts.

        Raises:
            UsageError: The text has another form, or the number is not between 1 and the number of parts.
        """
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", written)
        number, of = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= number <= of:
            raise UsageError(f"{written!r} is not a part of a run: write 2/4 for the second of four.")
        return cls(number, of)

    def has(self, id: str) -> bool:
        """Return whether an example is in this share. ``id`` is the example's id, a hash of its content."""
        return int(id, 16) % self.of == self.number - 1


class _Rows(Wrapper):
    """A data source of which only a share is read."""

    def __init__(self, source: object, share: Share) -> None:
        super().__init__(source)
        self._share = share

    def load(self) -> Iterator[Example]:
        """Read the rows of this share only."""
        return (row for row in self.wrapped.load() if self._share.has(row.id))


@click.command(name="run", epilog="Example: robustfim run suites/sentiment.yaml --shard 2/4 --store part-2.sqlite")
@click.argument("suite", type=INPUT)
@click.argument("stores", type=INPUT, nargs=-1, metavar="[STORE]...")
@click.option("--shard", "part", required=True, metavar="K/N", help="Which part of how many: 2/4.")
@click.option("--scores", is_flag=True, help="Predict and score a share of all examples, and test none yet.")
@shared_options(
    "model", "data", "override", "seed", "max_calls", "store", "engine", "workers", "offline", "plugins", "color"
)
def command(suite: Path, part: str, stores: Sequence[Path], scores: bool, chosen: Chosen) -> None:
    """Ask the model for part K of N of what a run of SUITE asks it, and keep the answers in --store.

    A part is a share of the tested examples with all of their candidates; 'robustfim merge SUITE STORE...' makes the
    record of the whole. What the STOREs named here hold is not asked for again.
    """
    from robustfim.session import open_session
    from robustfim_shards.stores import gather

    own = Share.read(part)
    session = open_session(chosen.suite(suite), plugins=chosen.plugin_options, options=chosen.options)
    gather(stores, chosen.store)
    with progress_bar(chosen.console()) as progress:
        session.manager.register(progress, "robustfim.progress_bar")
        session.configure()
        if scores:
            _read_share(session, own)
        ids, asked = _selected(session)
        if not scores:
            tested, ids = len(ids), [id for id in ids if own.has(id)]
            if not ids:
                raise UsageError(f"part {part} is empty: {tested} examples are tested. Cut the run into fewer parts.")
            record = _tested(session, ids)
            asked += record.model_calls
    what = "predicted and scored" if scores else f"of {tested:,} tested"
    click.echo(f"{chosen.store}: {len(ids):,} examples {what}, {asked:,} texts asked for")


def _selected(session: Session) -> tuple[list[str], int]:
    """Predict, score and select: the ids of the examples that are tested, and how many texts the model was asked."""

    def ids(stage: Any) -> tuple[list[str], int]:
        own = session.collection.own_examples
        return [*stage.selection.arms, *(id for id in own if id not in stage.selection.arms)], stage.context.queue.sent

    return session.select(ids)


def _tested(session: Session, ids: Sequence[str]) -> Record:
    """Test some examples alone, as ``--example`` does, with the texts of the suite's lock if it has one."""
    from robustfim.select import LockFile

    config = session.config
    if config.lock is not None:
        session.lock = LockFile.load(config.lock, config.suite.suite)
    session.config = replace(config, options=replace(config.options, examples=tuple(ids)))
    session.collection = replace(session.collection, config=session.config)
    record, _ = session.run()
    if record.message:
        raise ModelError(record.message)
    for warning in record.warnings:
        click.echo(f"warning: {printable(warning)}", err=True)
    return record


def _read_share(session: Session, share: Share) -> None:
    """Let a session read no more of its data, and of the examples that checks bring, than a share."""
    found = session.collection
    data = None if found.data is None else replace(found.data, made=_Rows(found.data.made, share))
    checks = (
        check
        if check.examples is None
        else replace(check, examples=tuple(example for example in check.examples if share.has(example.id)))
        for check in found.checks
    )
    session.collection = replace(found, data=data, checks=tuple(checks))
