"""Paired accuracy: how often two models are right on the same labelled examples, whether a check tested them or not."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from robustfim.errors import UsageError, shown
from robustfim.record import Record
from robustfim.record.comparison import WITHOUT_LABELS, AccuracyComparison, PairedTest
from robustfim.statistics import Rate
from robustfim.statistics.clusters import clustered_changes
from robustfim.statistics.paired import Paired

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PairedAccuracy", "paired_accuracy"]

_LABELS = 20
"""The most gold labels that are compared one by one."""


@dataclass(frozen=True)
class PairedAccuracy:
    """The accuracy of two runs, compared on the labelled examples that both runs have in common.

    Attributes:
        found: The comparison without its test.
        paired: The newly wrong (broken) and newly right (fixed) examples, as effective numbers (of independent examples
            with equal information).
        proof: The same numbers, with the lost examples counted as newly wrong.
        note: How the usable examples of the two runs differ; "" if they do not differ.
        gone: Ids of the baseline's tested examples that this run's data should hold but lack.
        first_rows: The number of rows that the suite reads, if some examples of the baseline come from later rows; else
            0.
        fractions: For the baseline and for this run, the fraction of right answers to each example that was asked
            again.
    """

    found: AccuracyComparison
    paired: Paired = field(default_factory=lambda: Paired(0, 0, 0))
    proof: Paired = field(default_factory=lambda: Paired(0, 0, 0))
    note: str = ""
    gone: frozenset[str] = frozenset()
    first_rows: int = 0
    fractions: tuple[Mapping[str, float], Mapping[str, float]] = ({}, {})


def _fractions(record: Record) -> dict[str, float]:
    """Return, for the examples whose text was asked about again, which fraction of all their answers is right.

    A user gets one answer. The fraction is an unbiased estimate of the probability that this answer is right. The
    majority of the answers is not: it hides a model that is wrong in a third of them. If a score chose the examples,
    the first answers alone count: which examples were asked about again then depends on these answers.
    """
    if record.selection.by is not None:
        return {}
    return {
        example.id: (example.again[0] + example.correct) / (example.again[1] + 1)
        for example in record.examples
        if example.again and example.again[1] and example.correct is not None
    }


def paired_accuracy(before: Record, after: Record) -> PairedAccuracy:
    """Compare the accuracy of two runs on the labelled examples that both have in common.

    All examples with a prediction count, since tested examples may be chosen for their difficulty.

    Raises:
        UsageError: A record says of an answer that it is right or wrong, and the gold label says otherwise.
    """
    import numpy as np

    try:
        again = _fractions(before), _fractions(after)
        old, new = map(_Answers.of, (before, after), again)
    except UsageError as error:
        note = f"whether the data are the same is not known: {error}"
        missing = "the baseline's examples, or this run's, cannot be read"
        return PairedAccuracy(AccuracyComparison(missing=missing, verdict="no loss found"), note=note)
    for record, answers in ((before, old), (after, new)):
        if answers.wrong:
            id, label, answer, correct = answers.wrong
            raise UsageError(
                f"the record of {record.model.use}, {record.started[:10]}, contradicts itself: example {id} has the "
                f"gold label {shown(label)} and the answer {shown(answer)}, and 'correct' is {correct}. Run it again."
            )
    _, here, there = np.intersect1d(new.ids, old.ids, return_indices=True)
    several = f"{len(again[0].keys() | again[1]):,} examples that were asked again"
    note = f"accuracy counts the fraction of right answers to the {several}." * any(again)
    if not len(here) == len(old.ids) == len(new.ids):
        note = (
            f"the data differ: {len(here)} examples are in both, {len(old.ids) - len(here)} only in the baseline, "
            f"{len(new.ids) - len(here)} only in this run."
        )
    fewer = len(old.ids) - len(here)
    asked = fewer > _left_to_the_limit(old, after)
    first_rows = after.data.options["limit"] if fewer and not asked else 0
    gone = _not_in(new, before) if asked else frozenset()
    was, now = old.right[there], new.right[here]
    both = (was >= 0) & (now >= 0) & (old.labels[there] == new.labels[here])
    lost = int((old.right >= 0 if asked else was >= 0).sum() - both.sum())
    none = np.frombuffer(_hashed(None), dtype=np.uint64)[0]
    blank = int(((old.labels[there] == none) | (new.labels[here] == none))[~both].sum())
    was, now, labels = was[both], now[both], np.unique(old.labels[there][both])
    if not len(was):
        nothing = AccuracyComparison(missing=_missing(old, new), verdict="no loss found")
        return PairedAccuracy(nothing, note=note, gone=gone, first_rows=first_rows)
    # Examples that either run names as dependent are.
    clusters = new.clusters[here][both] if new.clustered else old.clusters[there][both] if old.clustered else None
    paired, _ = clustered_changes(was - now, clusters)
    alone = None if clusters is None else np.append(clusters, np.arange(lost, dtype=np.uint64))
    borne, _ = clustered_changes(np.append(was - now, np.ones(lost)), alone)
    compared = _compared(was, now, paired)
    accuracy = AccuracyComparison(
        old=compared.old,
        estimate=compared.estimate,
        lost=lost,
        newly_wrong=compared.estimate.count,
        newly_right=int((now > was).sum()),
        missing="",
        unlabelled=blank,
        one_label=len(labels) == 1 and labels[0] != none and not after.one_label,
        labels={
            name: _compared(
                was[own], now[own], clustered_changes((was - now)[own], None if clusters is None else clusters[own])[0]
            )
            for code, name in sorted(new.names.items(), key=lambda pair: pair[1])
            if len(labels) <= _LABELS and (own := old.labels[there][both] == code).any()
        },
    )
    return PairedAccuracy(accuracy, paired, borne, note, gone, first_rows, again)


def _compared(was: NDArray[np.float64], now: NDArray[np.float64], paired: Paired) -> PairedTest:
    """Compare the right answers to some examples."""
    loss = Rate(int((was > now).sum()), len(was), paired.interval, paired.difference)
    return PairedTest(old=float(was.mean()), estimate=loss, verdict="not gated")


def _left_to_the_limit(old: _Answers, after: Record) -> int:
    """How many examples of the baseline a suite gives up that asks for so many rows and no more."""
    limit = after.data.options.get("limit")
    return max(0, len(old.ids) - limit) if isinstance(limit, int) else 0


def _not_in(new: _Answers, before: Record) -> frozenset[str]:
    """The tested examples of the baseline that a run neither reads nor brings with a check."""
    import numpy as np

    tested = list(dict.fromkeys(example for check in before.checks for example in check.examples))
    held = np.isin(np.frombuffer(b"".join(map(_hashed, tested)), dtype=np.uint64), new.ids)
    return frozenset(each for each, here in zip(tested, held, strict=True) if not here)


def _missing(before: _Answers, after: _Answers) -> str:
    if not before.labelled and not after.labelled:
        return WITHOUT_LABELS
    if not before.labelled or not after.labelled:
        return f"only {'the baseline' if before.labelled else 'this run'} has gold labels"
    for name, answers in (("the baseline", before), ("this run", after)):
        if not (answers.right >= 0).any():
            return f"the model of {name} gave no answer"
    return "no labelled example is in both"


@dataclass(frozen=True)
class _Answers:
    """The usable examples of a run, 8 bytes for each text, since the texts may not fit into memory.

    ``right`` is the fraction of right answers: 1 or 0 if the model was asked once, and −1 without a gold label or an
    answer.
    """

    ids: NDArray[np.uint64]
    right: NDArray[np.float64]
    labels: NDArray[np.uint64]
    clusters: NDArray[np.uint64]
    clustered: bool
    labelled: bool
    names: dict[int, str]
    """The gold labels as texts, by their codes in ``labels``; if there are more than 20, the first ones."""
    wrong: tuple[Any, ...]
    """The first row whose ``correct`` contradicts its gold label and its answer; empty if none does."""

    @classmethod
    def of(cls, record: Record, fractions: Mapping[str, float]) -> _Answers:
        import numpy as np

        texts: dict[str, bytearray] = {"id": bytearray(), "label": bytearray(), "cluster": bytearray()}
        right, clustered, labelled = array("d"), False, False
        gold: set[str] = set()
        known, counted = {*record.model.labels}, 0
        wrong: tuple[Any, ...] = ()
        other: tuple[Any, ...] = ()
        for id, label, cluster, correct, answer in record.table.rows([*texts, "correct", "prediction"]):
            if label in known and answer in known and correct is not (label == answer):
                row = id, label, answer, correct
                # Another answer may be right, too, if the data accept several labels of a text.
                wrong, other = (wrong, other or row) if correct else (wrong or row, other)
            clustered, labelled = clustered or cluster is not None, labelled or label is not None
            for name, value in (("id", id), ("label", label), ("cluster", ("", id) if cluster is None else cluster)):
                texts[name] += _hashed(value)
            right.append(-1 if correct is None else fractions.get(id, correct))
            counted += len(right) <= record.data.examples and correct is True
            if label is not None and len(gold) <= _LABELS:
                gold.add(label)
        hashed = {name: np.frombuffer(column, dtype=np.uint64) for name, column in texts.items()}
        ids, first = np.unique(hashed["id"], return_index=True)
        correct = np.array(right)[first]
        names = {int.from_bytes(_hashed(each), sys.byteorder): each for each in gold}
        if other and counted != record.model.accuracy.count:
            wrong = wrong or other
        return cls(ids, correct, hashed["label"][first], hashed["cluster"][first], clustered, labelled, names, wrong)


def _hashed(value: object) -> bytes:
    return blake2b(repr(value).encode(), digest_size=8).digest()
