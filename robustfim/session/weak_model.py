"""Detect a model that is no better than chance: unrelated to the gold labels, or with a constant answer."""

from __future__ import annotations

import shlex

from robustfim.errors import ModelError, shown
from robustfim.record import AssociationRecord
from robustfim.select.columns import Predictions
from robustfim.session.stages import Begun
from robustfim.statistics.clusters import ClusterOf
from robustfim.statistics.rate import LEVEL
from robustfim.suite.config import RunConfig

__all__ = ["associated", "never_given", "refuse_constant", "weak_warning"]

ONE_LABEL = "one gold label"
"""Why the test does not apply if all rows have the same gold label."""
_ENOUGH = 20
"""The number of examples from which on a single label for all of them, or never theirs, is no accident."""


def associated(predictions: Predictions, config: RunConfig, clusters: ClusterOf) -> AssociationRecord:
    """Test whether the answers of a model are related to the gold labels.

    Accuracy does not show this if one label is rare: a model that never predicts the rare label is nearly always right.

    Args:
        predictions: The model's predictions.
        config: The run.
        clusters: Example id to cluster (group of dependent examples); empty if all are independent.

    Returns:
        The result: *positive*, or *inconclusive* until the checks have run. The test for *negative* is corrected
        together with the other tests that can fail the run, so it comes later.
    """
    suite = config.suite
    allowed = suite.allow_weak or suite.one_label
    if missing := _missing(predictions, config):
        # Labels that are read as missing leave one and blank rows: then the answers have nothing to go with.
        blank = missing == ONE_LABEL and predictions.gold.total() < len(predictions.of_data)
        return AssociationRecord(
            allowed=allowed, missing=missing, verdict="inconclusive" if blank and not allowed else "does not apply"
        )
    measured = predictions.association(clusters)
    if measured is None:  # one label for everything
        return AssociationRecord(coefficient=0.0, interval=(-1.0, 1.0), verdict="inconclusive", allowed=allowed)
    return AssociationRecord(
        coefficient=measured.coefficient,
        interval=measured.interval,
        p_value=measured.p_negative,
        verdict="positive" if measured.p_positive <= LEVEL else "inconclusive",
        allowed=allowed,
    )


def _missing(predictions: Predictions, config: RunConfig) -> str:
    """Say why the test does not apply; "" where it does."""
    if config.suite.data is None:
        return "the checks bring their own examples"
    if config.options.examples:
        return "named examples alone were asked for"
    if predictions.open:
        return "the model answers in its own words, or with numbers"
    return "" if len(predictions.gold) > 1 else ONE_LABEL if predictions.gold else "no gold labels"


def weak_warning(stage: Begun, measured: AssociationRecord) -> list[str]:
    """Return warnings if a model's answers contradict the gold labels or are not shown to be related to them."""
    data, config = stage.data, stage.config
    if measured.missing == ONE_LABEL and measured.verdict == "inconclusive":
        return [
            f"only {ONE_LABEL} is left{stage.model.labelled_text}, so that a weak model is not seen and no accuracy is "
            "proved: a label such as None, NA or null may be read as missing. 'one_label: true' in the suite says that "
            "the data have one"
        ]
    if measured.missing == ONE_LABEL:
        limit = data.options.get("limit")
        read = data.examples + sum(data.skipped.values())
        if limit is None or read < limit:  # all that there is was read
            return []
        ((label, number),) = stage.predictions.gold.items()
        return [
            f"'limit: {limit}' ends the reading after {read:,} rows; {number:,} of them have the gold label "
            f"{shown(label, 40)}, and none another, so that a weak model is not seen: rows sorted by label need "
            "shuffling, or no 'limit'"
        ]
    if measured.verdict in ("positive", "does not apply"):
        return []
    tested = f"Matthews' coefficient {measured} of {data.labelled:,} labelled examples"
    options = config.options.overrides
    pairs = zip(options[::2], options[1::2], strict=False)
    words = [word for option, value in pairs if option != "--seed" for word in (option, value)]
    look = f"Look closer: {shlex.join(['robustfim', 'doctor', config.shown_path, *words])}"
    if measured.verdict == "negative":
        return [f"answers go against the gold labels ({tested}): labels may be mapped wrongly. {look}"]
    if measured.allowed:
        return []
    return [
        f"it is not shown that answers have anything to do with the gold labels ({tested}); 'allow_weak: true' in "
        f"the suite tests such a model all the same. {look}"
    ]


def never_given(predictions: Predictions) -> str:
    """Return a warning that names the gold labels that the model never gives; "" if it gives each of at least 20 rows.

    All examples of such a label are wrong before any edit, so that no edit breaks one.
    """
    names = [f"{shown(label, 40)} ({n:,} rows)" for label, n in predictions.never_given.items() if n >= _ENOUGH]
    if not names:
        return ""
    return (
        f"the model never gives a gold label of the data: {', '.join(names)}. Nothing of these rows can break; is the "
        "label spelt as the model spells it?"
    )


def refuse_constant(predictions: Predictions) -> None:
    """Raise an error if the model always gives the same answer, since it would pass every invariance check.

    Raises:
        ModelError: All of at least 20 examples got the same label, and their gold labels differ.
    """
    if len(predictions) >= _ENOUGH and len(predictions.said) == 1 and len(predictions.told) != 1:
        said = next(iter(predictions.said))
        raise ModelError(
            f"the model gives {'no span' if said == '⟦⟧' else f'the label {said!r}'} to all of {len(predictions):,} "
            "examples, so that nothing could change its mind. Is it loaded and are its labels mapped rightly? "
            "'robustfim doctor' looks at both; 'one_label: true' in the suite tests it all the same."
        )
