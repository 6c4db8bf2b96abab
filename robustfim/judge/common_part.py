"""The examples that two runs drew in common, their weights, and whether they are a random sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property

from robustfim.errors import UsageError
from robustfim.judge.accuracy import PairedAccuracy
from robustfim.record import CheckRecord, Record
from robustfim.seeds import random_for
from robustfim.statistics.clusters import ClusteredPairs, clustered_pairs
from robustfim.statistics.paired import Paired, stratified_pairs
from robustfim.suite.format import CHOSEN

__all__ = ["CommonPart", "Drawn"]


@dataclass(frozen=True)
class Drawn:
    """The examples that one run drew from the data, with the group (arm) or stratum of each.

    Attributes:
        record: The run.
        arms: The arm or stratum of each example that a check may have drawn, by id.
        place: The place in the random order of each example of the control group, if checks draw until enough can be
            tested; else empty.
        missing: Why the random order is unknown; empty if it is known or not needed.
    """

    record: Record
    arms: Mapping[str, str]
    place: Mapping[str, int] = field(default_factory=dict)
    missing: str = ""

    @classmethod
    def of(cls, record: Record, seed: int) -> Drawn:
        """Find in the record of a run which examples the run drew.

        Args:
            record: The run.
            seed: The seed of the run that chose the order.
        """
        tested = dict.fromkeys((id for check in record.checks for id in check.examples), "all")
        arms = tested | {example.id: example.arm for example in record.examples if example.arm is not None}
        arms |= {id: name for name, ids in record.selection.drawn.items() for id in ids}
        if record.selection.testable is None:
            return cls(record, arms)
        pilot = record.selection.pilot
        left_out = {id for id, arm in arms.items() if arm in CHOSEN} | set(pilot.examples if pilot else ())
        try:
            ids = [id for (id,) in record.table.rows(["id"]) if id not in left_out]
        except UsageError as error:
            return cls(record, arms, missing=f"the order in which the checks drew is not known: {error}")
        ids.sort(key=lambda id: random_for(seed, "control", id).random())
        most = max((_of_control(check) for check in record.checks), default=0)
        place = {id: number for number, id in enumerate(ids[:most])}
        return cls(record, arms | dict.fromkeys(place, "control"), place)

    def by(self, checks: Collection[CheckRecord]) -> Set[str]:
        """Return the ids of the examples that all of the given checks drew."""
        least = min(map(_of_control, checks), default=0)
        return {id for id in self.arms if self.place.get(id, -1) < least} if self.place else self.arms.keys()

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        """The number of data examples that each sampled group (arm or stratum) represents; empty if unweighted."""
        selection, data = self.record.selection, self.record.data.examples
        if selection.by is None:
            return {}
        whole = data - (0 if selection.pilot is None else len(selection.pilot.examples))
        return selection.sizes(whole)

    @property
    def covers(self) -> bool:
        """Whether every example of the data had a chance to be drawn."""
        arms = set(self.arms.values())
        return all(name in arms for name, size in self.sizes.items() if size)


def _of_control(check: CheckRecord) -> int:
    """How many examples of the control arm a check drew."""
    return check.arms["control"].drawn if "control" in check.arms else 0


@dataclass(frozen=True)
class CommonPart:
    """The examples that a run and its baseline (an earlier run) both drew from the same data.

    Attributes:
        before: The draw of the baseline.
        after: The draw of the new run.
        design: The draw (``before`` or ``after``) by which the common examples are weighted; None if neither sample is
            stratified.
        clusters: Example id to cluster (group of dependent examples).
        no_sample: Why the common examples are not a random sample of the data; "" if they are.
    """

    before: Drawn
    after: Drawn
    design: Drawn | None
    clusters: Mapping[str, str]
    no_sample: str

    @classmethod
    def of(cls, before: Record, after: Record, accuracy: PairedAccuracy) -> CommonPart:
        """Find the examples that two runs have in common.

        Args:
            before: The baseline.
            after: The new run.
            accuracy: The accuracy comparison, whose ``gone`` lists examples that the new run's data should hold but
                lack.
        """
        old = Drawn.of(before, before.seed)
        new = Drawn.of(after, before.seed if after.selection.of_baseline else after.seed)
        known = (
            {example.id: example.cluster for example in record.examples if example.cluster is not None}
            for record in (after, before)
        )
        clusters = next(filter(None, known), {})  # examples that either run names as dependent are
        design, reason = _sample(old, new, accuracy.gone)
        if accuracy.first_rows:
            reason = (
                f"the suite reads the first {accuracy.first_rows:,} rows and the baseline read more, of which these "
                "are no sample: remove 'limit', or accept a run of the baseline's model with it"
            )
        return cls(old, new, design, clusters, old.missing or new.missing or reason)

    def drawn(self, old: Collection[CheckRecord], new: Collection[CheckRecord]) -> list[str]:
        """Return the ids of the examples that the given checks drew in both runs, in the new run's order."""
        both = self.before.by(old) & self.after.by(new)
        return [id for id in self.after.arms if id in both]

    def of_data(self, ids: Collection[str]) -> list[str]:
        """Return those of the given ids that belong to a stratum; all ids for a simple random sample."""
        sizes, arms = ({}, {}) if self.design is None else (self.design.sizes, self.design.arms)
        return [id for id in ids if not sizes or arms.get(id) in sizes]

    def paired(self, matched: Sequence[str], changes: Mapping[str, float], drawn: Collection[str]) -> Paired:
        """Count the changes between two runs, with weights that make the examples representative of the data.

        Args:
            matched: Ids of the examples that are compared.
            changes: The change on each example, in [−1, 1], positive if it became worse; 0 for a missing example.
            drawn: Ids of all drawn examples, compared or not.

        Returns:
            The counts of an equally informative simple random sample.
        """
        if self.design is None or len(self.of_data(matched)) < len(matched) or not self.design.sizes:
            return clustered_pairs(changes, matched, self.clusters)[0]
        sizes, arms = self.design.sizes, self.design.arms
        taken = Counter(map(arms.get, drawn))
        known = [[changes.get(id, 0.0) for id in matched if arms[id] == name] for name in sizes]
        broken, fixed = ([sum(max(0.0, by * change) for change in own) for own in known] for by in (1, -1))
        paired = stratified_pairs([*sizes.values()], [taken[name] for name in sizes], [*map(len, known)], broken, fixed)
        weights = {id: sizes[arms[id]] / max(1, taken[arms[id]]) for id in matched}
        tested, effective = clustered_pairs(changes, matched, self.clusters, weights)
        if not isinstance(tested, ClusteredPairs) or effective is None:
            return paired
        share = effective / len(matched)
        return ClusteredPairs(share * paired.broken, share * paired.fixed, share * paired.matched, tested.changes)


def _sample(old: Drawn, new: Drawn, gone: Set[str]) -> tuple[Drawn | None, str]:
    """Say whose draw the common part is, and why it is no sample of the data."""
    before, after = old.record.selection, new.record.selection
    if before.by is None and after.by is None:  # what two random draws share is one, too
        return None, ""
    was, now = (
        {id for id, arm in drawn.arms.items() if arm in CHOSEN}  # only what a score chose is drawn beforehand
        if before.testable is not None and after.testable is not None
        else drawn.arms.keys()
        for drawn in (old, new)
    )
    was = was - gone
    if was <= now and (before.by is not None or was == now):
        return (old, "") if old.covers else (None, _hardest(old, "the baseline's"))
    if now <= was:
        return (new, "") if new.covers else (None, _hardest(new, "this run's"))
    return None, (
        "each run chose examples by its own scores, and what they share is no sample of the data: 'robustfim run "
        "--baseline' tests the baseline's examples"
    )


def _hardest(drawn: Drawn, whose: str) -> str:
    return (
        f"only {whose} hardest examples by {drawn.record.selection.by} were compared, which are no sample of the data: "
        "add a control arm, 'select: {control: 200}', and accept a run with it"
    )
