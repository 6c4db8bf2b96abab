"""Recall of spans: the fraction of gold spans of each label that a tagger finds, before and after the edits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from robustfim.candidate import Candidate
from robustfim.prediction import Prediction
from robustfim.record import RecallRecord
from robustfim.spans import is_spans, read_spans
from robustfim.statistics import Rate, wilson
from robustfim.statistics.clusters import ClusterCounts

__all__ = ["SpanRecall"]


class SpanRecall:
    """Counts the gold spans of a check's candidates; spans of one example, or one cluster, are not independent.

    Args:
        clusters: Example id to cluster, for examples that are not independent.
    """

    def __init__(self, clusters: Mapping[str, str]) -> None:
        self._clusters = clusters
        self._before: defaultdict[str, ClusterCounts] = defaultdict(ClusterCounts)
        self._after: defaultdict[str, ClusterCounts] = defaultdict(ClusterCounts)
        self._left: Counter[str] = Counter()
        self._missed: dict[tuple[str, str], tuple[bool, bool]] = {}
        self._examples: defaultdict[str, set[str]] = defaultdict(set)

    def count(self, before: Prediction, after: Prediction, candidate: Candidate) -> None:
        """Count a candidate; candidates without gold spans, and models that are no taggers, are ignored.

        A span that was missed before counts as missed after, even if the edit repairs it. This agrees with examples
        that are not perturbed since all of their spans are missed before.
        """
        gold = candidate.source.label
        if before.spans is None or after.spans is None or not is_spans(gold):
            return
        was, now = ({span.bare for span in spans} for spans in (before.spans, after.spans))
        cluster = self._clusters.get(candidate.source.id, candidate.source.id)
        for old, new in zip(read_spans(gold), candidate.projected(gold).kept, strict=True):
            if new is None:
                self._left[old.label] += 1
            else:
                self._examples[old.label].add(cluster)
                self._before[old.label].add(old in was, cluster)
                self._after[old.label].add(old in was and new in now, cluster)
                key, before_it = (candidate.source.id, old.label), old not in was
                one, any_of = self._missed.get(key, (False, False))
                self._missed[key] = (one or before_it, any_of or before_it or new not in now)

    def _rate(self, counts: ClusterCounts, label: str) -> Rate:
        """Return a rate whose interval takes the spans for at most as many observations as there are examples.

        Candidates of one example test the same spans again. The variance between examples cannot show this if all spans
        are found.
        """
        rate, effective = counts.rate
        worth = min(effective or rate.tested, len(self._examples[label]))
        return Rate(rate.count, rate.tested, wilson(rate.count * worth / rate.tested, worth) if worth else None)

    def missed(self) -> list[tuple[str, str, bool, bool]]:
        """Return, for each example and label, whether a gold span is missed before any change, and before or after."""
        return [(*key, *found) for key, found in self._missed.items()]

    def records(self) -> list[RecallRecord]:
        """Return the recall of each label, in the order of the labels."""
        return [
            RecallRecord(
                label=label,
                before=self._rate(self._before[label], label),
                after=self._rate(self._after[label], label),
                left=self._left[label],
            )
            for label in sorted(self._after.keys() | self._left.keys())
        ]
