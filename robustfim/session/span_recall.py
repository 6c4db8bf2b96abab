"""Recall of spans: the fraction of gold spans of each label that a tagger finds, before and after the edits."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from robustfim.candidate import Candidate
from robustfim.prediction import Prediction
from robustfim.record import RecallRecord
from robustfim.spans import is_spans, read_spans
from robustfim.statistics import Mean, Rate
from robustfim.statistics.clusters import ClusterOf

__all__ = ["SpanRecall"]


class SpanRecall:
    """Counts of the gold spans that a tagger finds in perturbed texts, by label and cluster.

    Args:
        clusters: Example id to cluster (group of dependent examples), for examples that are not independent.
    """

    def __init__(self, clusters: ClusterOf) -> None:
        self._clusters = clusters
        self._found: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
        """By label and cluster: spans that are found before, those that are found before and after, and all."""
        self._left: Counter[str] = Counter()
        self._missed: dict[tuple[str, str], tuple[bool, bool]] = {}

    def count(self, before: Prediction, after: Prediction, candidate: Candidate) -> None:
        """Count the gold spans of a perturbed text; texts without gold spans and models other than taggers are ignored.

        A span that was missed before the edits counts as missed after them, even if an edit repairs it.
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
                counts = self._found[old.label][cluster]
                for place, counted in enumerate((old in was, old in was and new in now, True)):
                    counts[place] += counted
                key, before_it = (candidate.source.id, old.label), old not in was
                one, any_of = self._missed.get(key, (False, False))
                self._missed[key] = (one or before_it, any_of or before_it or new not in now)

    def missed(self) -> list[tuple[str, str, bool, bool]]:
        """Return which examples miss a gold span of which label.

        Returns:
            Example id, label, whether a span is missed before any edit, and whether one is missed before or after.
        """
        return [(*key, *found) for key, found in self._missed.items()]

    def records(self) -> list[RecallRecord]:
        """Return the recall of each label, in the order of the labels."""
        return [
            RecallRecord(label=label, before=before, after=after, left=self._left[label])
            for label in sorted(self._found.keys() | self._left.keys())
            for before, after in [
                [_rate([(each[of], each[2]) for each in self._found[label].values()]) for of in (0, 1)]
            ]
        ]


def _rate(clusters: Sequence[tuple[int, int]]) -> Rate:
    """Return the rate of spans, with an interval for spans of a cluster that may all be missed together."""
    found, whole = (sum(each) for each in zip(*clusters, strict=True)) if clusters else (0, 0)
    mean = Mean(Counter((float(found), float(whole)) for found, whole in clusters))
    return Rate(found, whole, mean.interval if whole else None)
