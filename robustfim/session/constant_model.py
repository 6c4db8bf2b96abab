"""One label for everything: a model that says so is loaded wrongly, or is none."""

from __future__ import annotations

from robustfim.errors import ModelError
from robustfim.select.columns import Predictions

__all__ = ["refuse_constant"]

_ENOUGH = 20
"""Examples after which one label for all of them is no accident."""


def refuse_constant(predictions: Predictions) -> None:
    """Refuse a model that says the same of everything: it would pass whatever asks that its label stays.

    Raises:
        ModelError: All of at least 20 examples got one label, and their gold labels are not one.
    """
    if len(predictions) >= _ENOUGH and len(predictions.said) == 1 and len(predictions.told) != 1:
        raise ModelError(
            f"the model gives the label {next(iter(predictions.said))!r} to all of {len(predictions):,} examples, so "
            "that nothing could change its mind. Is it loaded and are its labels mapped as they should be? 'robustfim "
            "doctor' looks at both; 'one_label: true' in the suite tests it all the same."
        )
