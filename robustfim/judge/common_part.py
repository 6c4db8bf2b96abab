"""The examples that two runs drew in common, their weights, and what each check finds on them in both runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

from robustfim.decision import ABSTAINS
from robustfim.errors import UsageError
from robustfim.judge.accuracy import PairedAccuracy
from robustfim.judge.errors import SLICE
from robustfim.judge.trials import Trials
from robustfim.record import CheckRecord, Record
from robustfim.record.check_record import LABEL_KEPT
from robustfim.record.comparison import WITHOUT_LABELS
from robustfim.seeds import random_for
from robustfim.statistics.clusters import ClusteredPairs, ClusterOf, clustered_pairs
from robustfim.statistics.paired import Paired, stratified_pairs
from robustfim.suite.format import CHOSEN

__all__ = ["CommonPart", "Drawn", "Match", "counts_apart", "keeps_label", "redefined", "stops_early"]

_BY_ANSWERS = {"prediction", "confidence", "score"}
"""The conditions of a slice that depend on the model."""


@dataclass(frozen=True)
class Drawn:
    """The examples that one run drew from the data, with the group (arm) or stratum of each, and the model's answers.

    Attributes:
        record: The run.
        arms: The arm or stratum of each example that a check may have drawn, by id.
        place: The place in the random order of each example of the control group, if checks draw until enough can be
            tested; else empty.
        missing: Why the random order is unknown; empty if it is known or not needed.
        right: Whether the model is right about the unchanged example, by id; None without a gold label or an answer.
        labels: The gold labels, by id.
        abstained: Ids of the examples on which the model abstains.
        failing: By check, how much an example fails: 1, or a number if the check takes a mean.
        by_step: Failing examples that only steps in embedding space, and no text, make fail.
    """

    record: Record
    arms: Mapping[str, str]
    place: Mapping[str, int]
    missing: str
    right: Mapping[str, bool | None]
    labels: Mapping[str, str | None]
    abstained: Set[str]
    failing: Mapping[tuple[str, str], float]
    by_step: Set[tuple[str, str]]

    @classmethod
    def of(cls, record: Record, seed: int) -> Drawn:
        """Find in the record of a run which examples the run drew, and read the answers to them.

        Args:
            record: The run.
            seed: The seed of the run that chose the order.
        """
        tested = dict.fromkeys((id for check in record.checks for id in check.examples), "all")
        arms = tested | {example.id: example.arm for example in record.examples if example.arm is not None}
        arms |= {id: name for name, ids in record.selection.drawn.items() for id in ids}
        place: dict[str, int] = {}
        rows = [(example.id, example.label, example.correct, example.prediction) for example in record.examples]
        missing = ""
        try:
            if record.selection.testable is not None:
                pilot = record.selection.pilot
                left_out = {id for id, arm in arms.items() if arm in CHOSEN} | set(pilot.examples if pilot else ())
                ids = [id for (id,) in record.table.rows(["id"]) if id not in left_out]
                ids.sort(key=lambda id: random_for(seed, "control", id).random())
                most = max((_of_control(check) for check in record.checks), default=0)
                place = {id: number for number, id in enumerate(ids[:most])}
        except UsageError as error:
            missing = f"the order in which the checks drew is not known: {error}"
        if untested := place.keys() - {id for id, *_ in rows}:
            columns = ["id", "label", "correct", "prediction"]
            rows += [tuple(row) for row in record.table.rows(columns) if row[0] in untested]
        trials = Trials.of_record(record)
        values = zip(trials.check, trials.example, trials.value.tolist(), strict=True)
        steps = trials.where(trials.by_step)
        return cls(
            record, arms | dict.fromkeys(place, "control"), place, missing,
            right={id: correct for id, _, correct, _ in rows},
            labels={id: label for id, label, *_ in rows},
            abstained={id for id, *_, prediction in rows if prediction == ABSTAINS},
            failing={(check, id): by for check, id, by in values if by},
            by_step={*zip(steps.check.tolist(), steps.example.tolist(), strict=True)},
        )  # fmt: skip

    def wrong(self, id: str, *, label_kept: bool) -> bool:
        """Return whether the model is wrong about an example in a way the check counts; an abstention is not right."""
        return id in self.abstained or (label_kept and self.right.get(id) is False)

    def fails(self, check: CheckRecord) -> dict[str, float]:
        """Return how much each failing example of a check fails, by id."""
        return {id: by for id in check.examples if (by := self.failing.get((check.id, id), 0.0))}

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
        gone: Ids of the baseline's tested examples that the new run's data should hold but lack.
        labelled: Whether either run has gold labels. Examples without a gold label, or with different ones, are then
            left out.
        fractions: For both runs, the fraction of right answers to each example that was asked again.
    """

    before: Drawn
    after: Drawn
    design: Drawn | None
    clusters: ClusterOf
    no_sample: str
    gone: Set[str]
    labelled: bool
    fractions: tuple[Mapping[str, float], Mapping[str, float]]

    @classmethod
    def of(cls, before: Record, after: Record, accuracy: PairedAccuracy) -> CommonPart:
        """Find the examples that two runs have in common.

        Args:
            before: The baseline.
            after: The new run.
            accuracy: The comparison of their accuracy.
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
        no_sample, labelled = old.missing or new.missing or reason, accuracy.found.missing != WITHOUT_LABELS
        return cls(old, new, design, clusters, no_sample, accuracy.gone, labelled, accuracy.fractions)

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

    def whole(self, checks: Sequence[tuple[CheckRecord, CheckRecord]]) -> Match:
        """Match the labelled examples that all given checks drew, by whether any check fails on them.

        An example that was asked again and that no check breaks counts with its fraction of right answers, as in the
        accuracy: robust accuracy is then at most the accuracy of the same examples.
        """
        if not checks:
            return Match(self)
        old, new = zip(*checks, strict=True)
        label_kept = keeps_label(new[0])
        drawn = self.of_data(self.drawn(old, new))
        lost = {id for one in checks for id in self._lost(*one)} | (self.gone & self.before.by(old))
        was, now = (
            {id: 1.0 for check in side for id in drew.fails(check) if (check.id, id) not in drew.by_step}
            for side, drew in ((old, self.before), (new, self.after))
        )
        match = self._match(drawn, was, now, lost, drawn, label_kept=label_kept)
        return replace(match, right=self.fractions) if label_kept else match

    def reached(self, old: CheckRecord, new: CheckRecord, part: str = "") -> Match:
        """Match the examples that either run tested; with a budget, whose stop depends on failures, those of both.

        Args:
            old: The check in the baseline.
            new: The check in this run.
            part: A slice with a limit; "" for all examples.
        """
        label_kept, drawn = keeps_label(new), self.drawn([old], [new])
        there, here = (set(check.errors[part].examples if part else check.examples) for check in (old, new))
        lost = (set(self._lost(old, new)) | self.gone) & there
        if counts_apart(old, new):  # the one that counts changes tested what is wrong, too
            there = {id for id in there if not self.before.wrong(id, label_kept=label_kept)}
            here = {id for id in here if not self.after.wrong(id, label_kept=label_kept)}
        some = there & here if stops_early(old, new) else there | here
        was, now = self.before.fails(old), self.after.fails(new)
        match = self._match([id for id in drawn if id in some], was, now, lost, drawn, label_kept=label_kept)
        if "changes" in (old.counts, new.counts):  # a change of a wrong answer is no loss
            return match
        # An answer that is wrong as a whole may be right about a label or a span, which the check then tests.
        alike = match.wrong_before & match.wrong_now
        before, after = match.wrong_before - (alike & there), match.wrong_now - (alike & here)
        return replace(match, wrong_before=before, wrong_now=after)

    def errors(self, old: CheckRecord, new: CheckRecord) -> dict[str, Match]:
        """Match the examples of each slice, and for each kind of error those on which it is possible in both runs."""
        drawn, matches = self.drawn([old], [new]), {}
        others = redefined(self.before.record, self.after.record)
        for kind, error in new.errors.items():
            if kind in others:
                continue
            if kind in old.errors and kind.startswith(SLICE):
                matches[kind] = self.reached(old, new, kind)
            elif kind in old.errors:
                known = set(old.errors[kind].examples)
                ids = [example for example in error.examples if example in known]
                if not ids and error.limit is None:
                    continue  # nothing to compare, as of a recall whose threshold does not exist
                was, now = (
                    dict.fromkeys(set(error_record.wrong).intersection(ids), 1.0)
                    for error_record in (old.errors[kind], error)
                )
                matches[kind] = Match(self, ids, was, now, lost=known & self.gone, drawn=drawn)
        return matches

    def _lost(self, old: CheckRecord, new: CheckRecord) -> list[str]:
        """Ids of examples that a check tested before and not now, though this run drew them and is right about them."""
        testable = self.before.record.selection.testable or self.after.record.selection.testable
        if stops_early(old, new) or testable is not None:
            return []
        here, drawn, label_kept = set(new.examples), self.after.arms, keeps_label(new)
        return [
            id
            for id in old.examples
            if id in drawn and id not in here and not self.after.wrong(id, label_kept=label_kept)
        ]

    def _match(
        self, some: Sequence[str], was: Mapping[str, float], now: Mapping[str, float], lost: Set[str],
        drawn: Collection[str], *, label_kept: bool,
    ) -> Match:  # fmt: skip
        """Match some examples; leave out those without a gold label, and without the label or answer that they had."""
        sides, known = (self.before, self.after), some
        if label_kept and self.labelled:
            some = [id for id in some if self.before.right.get(id) is not None]
            known = [
                id
                for id in some
                if self.after.right.get(id) is not None and self.before.labels[id] == self.after.labels[id]
            ]
        ids = [id for id in known if id not in lost]
        before, after = (frozenset(id for id in ids if drew.wrong(id, label_kept=label_kept)) for drew in sides)
        return Match(self, ids, was, now, before, after, lost | set(some).difference(known), drawn)


@dataclass(frozen=True)
class Match:
    """Matched examples of two runs, before any test."""

    part: CommonPart
    matched: Sequence[str] = ()
    was: Mapping[str, float] = field(default_factory=dict)
    now: Mapping[str, float] = field(default_factory=dict)
    """How much each failing example fails, by id."""
    wrong_before: Set[str] = frozenset()
    wrong_now: Set[str] = frozenset()
    lost: Collection[str] = ()
    """Examples about which only the baseline has an answer."""
    drawn: Collection[str] = ()
    """All examples that were drawn, if known."""
    right: tuple[Mapping[str, float], Mapping[str, float]] = ({}, {})
    """The fraction of right answers, before and now, of the examples of which it counts; of others, the first answer
    does."""

    @cached_property
    def values(self) -> tuple[Mapping[str, float], Mapping[str, float]]:
        """How much each matched example is wrong or broken, before and now; 0 for a missing one."""
        wrong = (self.wrong_before, self.wrong_now)
        was, now = (
            {id: by for id in self.matched if (by := max(fails.get(id, 0.0), 1.0 - right.get(id, id not in bad)))}
            for bad, fails, right in zip(wrong, (self.was, self.now), self.right, strict=True)
        )
        return was, now

    @cached_property
    def paired(self) -> Paired:
        """The counts as independent examples."""
        return self._with({})

    @cached_property
    def proof(self) -> Paired:
        """The same counts with lost examples as losses, since nothing is known about them."""
        return self._with(dict.fromkeys(self.lost, 1.0)) if self.lost else self.paired

    @cached_property
    def least(self) -> Paired:
        """The same counts with lost examples as right now, as they are unchanged: a loss has to show without them."""
        return self._with({id: -self.was.get(id, 0.0) for id in self.lost}) if self.lost else self.paired

    def _with(self, lost: Mapping[str, float]) -> Paired:
        was, now = self.values
        changes = {id: now.get(id, 0.0) - was.get(id, 0.0) for id in now.keys() | was}
        return self.part.paired([*self.matched, *lost], {**changes, **lost}, {*self.drawn, *lost})

    def share(self, bad: Mapping[str, float]) -> float | None:
        """The share that is right and not broken, of what the examples stand for."""
        found = self.part.paired(self.matched, bad, self.drawn).difference if self.matched else None
        return None if found is None else 1 - found


def keeps_label(check: CheckRecord) -> bool:
    """Return whether the texts of a check keep the gold label, or the gold spans, of their examples."""
    return check.expectation.get("use") in (*LABEL_KEPT, "found") and not check.yardstick


def redefined(before: Record, after: Record) -> list[str]:
    """Return the slices that may hold other examples than in the baseline: ``slice x``.

    They are defined otherwise, or by what each model answers. An equally good model whose failures lie more often where
    it is unsure would seem worse in a slice of unsure answers.
    """
    there: dict[str, object] = {}
    here: dict[str, object] = {}
    for record, found in ((before, there), (after, here)):
        for each in record.slices:
            within = [found.get(SLICE + name) for name in each.definition.get("within", ())]
            chosen = id(found) if _BY_ANSWERS.intersection(each.definition) else None
            found[SLICE + each.name] = {**each.definition, "within": within, "limit": None, "chosen": chosen}
    return [name for name in here if name in there and there[name] != here[name]]


def stops_early(old: CheckRecord, new: CheckRecord) -> bool:
    """Whether a budget ends the draw of a check by what fails."""
    return bool(old.budget or new.budget)


def counts_apart(old: CheckRecord, new: CheckRecord) -> bool:
    """Return whether only one of two runs counts what an edit makes wrong."""
    return (old.counts == "broken") is not (new.counts == "broken")


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
