"""Conversion of a model's labels to the labels of a released suite, which may be fewer or have other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from robustfim.errors import DataError, UsageError, did_you_mean, shown, suggestions
from robustfim.labels import match_name
from robustfim.prediction import Prediction

__all__ = ["LabelGroups"]

_NO_ENTAILMENT = {"non-entailment": ("neutral", "contradiction"), "not_entailment": ("neutral", "contradiction")}
"""What a model with three labels may say instead, as HANS's and GLUE's own scripts count."""


class LabelGroups:
    """Maps a model's labels to the labels of a released test suite.

    Raises:
        UsageError: ``given`` names a label that the suite does not have.
    """

    def __init__(self, labels: Sequence[str], given: Mapping[str, str | Sequence[str]]) -> None:
        self._labels = tuple(labels)
        self._names: tuple[str | None, ...] = ()
        self._given = {name: (each,) if isinstance(each, str) else tuple(each) for name, each in given.items()}
        for name in self._given:
            if name not in self._labels:
                raise UsageError(
                    f"'labels' names {name!r}, which the suite does not have."
                    f"{suggestions(name, labels)} Write 'labels: {{SUITE_LABEL: MODEL_LABEL}}'."
                )

    def bind(self, known: Sequence[str]) -> None:
        """Match a model's labels with a released suite's labels, ignoring case if this is unambiguous.

        Args:
            known: The model's labels, in the model's order.

        Raises:
            DataError: A label of the suite has no label of the model, or a label of the model counts as two of the
                suite's.
        """
        groups: list[tuple[int, ...]] = []
        for label in self._labels:
            wanted = self._given.get(label, (label,))
            found = [match_name(each, known) for each in wanted]
            if None in found and label not in self._given and label in _NO_ENTAILMENT:
                wanted = _NO_ENTAILMENT[label]
                found = [match_name(each, known) for each in wanted]
            for each, name in zip(wanted, found, strict=True):
                if name is None:
                    raise DataError(
                        f"the model has no label {shown(each)}; it has {', '.join(map(repr, known))}."
                        f"{did_you_mean(each, known)} Say what counts as {label!r}: "
                        f"'labels: {{{label}: …}}' in 'checks', one label of the model or a list."
                    )
            groups.append(tuple(known.index(name) for name in found if name is not None))
        places = [place for group in groups for place in group]
        if len(set(places)) < len(places):
            twice = next(known[place] for place in places if places.count(place) > 1)
            raise DataError(
                f"'labels' gives the model's label {twice!r} to two labels of the suite. Give it to one of them: "
                f"{', '.join(self._labels)}."
            )
        named = {place: label for label, group in zip(self._labels, groups, strict=True) for place in group}
        self._names = tuple(named.get(place) for place in range(len(known)))

    def __call__(self, prediction: Prediction) -> Prediction:
        """Return a prediction in the suite's labels.

        The model's most probable label decides, as in the publishers' scripts: a group has the probability of its
        most probable label, and they are divided by their sum. A label of the model that counts as none of the
        suite's keeps its own probability, so that predicting it is an error.
        """
        best: dict[str, tuple[float, int]] = {}
        for place, probability in enumerate(prediction.probabilities):
            name = self._names[place] or prediction.labels[place]
            if name not in best or probability > best[name][0]:
                best[name] = probability, place
        # In the model's order of what decided, so that of two that are equally probable the model's first one stays.
        ordered = sorted(best, key=lambda name: best[name][1])
        total = sum(probability for probability, _ in best.values())
        return Prediction.of([best[name][0] / total for name in ordered], tuple(ordered))
