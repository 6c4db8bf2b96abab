"""The threshold of a label at which 1 % of the texts without the label are false positives."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable

from robustfim.example import Example
from robustfim.prediction import Prediction
from robustfim.statistics.clusters import ClusterOf
from robustfim.statistics.threshold import FewAlarms, few_alarms

__all__ = ["Benign"]

_SHARE = 0.01
"""The false positive rate at which recall is reported."""


class Benign:
    """A collector of probabilities on texts without a label, from which that label's threshold is set.

    It keeps P(label) for each label that the decision rule names.

    Args:
        clusters: Example id to cluster, for groups of dependent examples.
    """

    def __init__(self, clusters: ClusterOf) -> None:
        self._clusters = clusters
        self._found: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))
        self._groups: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, answered: Iterable[tuple[Example, Prediction | None]]) -> None:
        """Add examples with their predictions; ignore examples without a gold label or without a decision rule."""
        for example, prediction in answered:
            if prediction is None or prediction.rule is None or prediction.answer is not None or not example.gold:
                continue
            rule = prediction.rule
            for label, probability in zip(rule.targets, rule.alone(prediction.probabilities), strict=True):
                if not any(rule.takes(each, label) for each in example.gold):
                    self._found[label].append(probability)
                    if self._clusters:
                        self._groups[label].add(self._clusters.get(example.id, f"\0{example.id}"))

    def thresholds(self) -> dict[str, FewAlarms | None]:
        """Return the threshold of each label with 1 % false positives, if there are enough texts without the label.

        Returns:
            Label to threshold (texts of one cluster count as one); None for a label whose highest probabilities tie, so
            that no threshold gives 1 %.
        """
        by_label: dict[str, FewAlarms | None] = {}
        for label, probabilities in self._found.items():
            worth = float(len(self._groups[label])) if self._clusters else None
            try:
                few = few_alarms(probabilities, _SHARE, worth)
            except ValueError:
                by_label[label] = None
            else:
                by_label |= {} if few is None else {label: few}
        return by_label
