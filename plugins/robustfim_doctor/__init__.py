"""The first steps with a model: ``robustfim doctor``, and ``robustfim scan`` with the suite that it drafts.

This entry module imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustfim.given import check_given
from robustfim.hookspecs import Commands, hookimpl

if TYPE_CHECKING:
    from robustfim.result import Run

__all__ = ["robustfim_commands", "scan"]


@hookimpl
def robustfim_commands() -> Commands:
    """Offer ``robustfim doctor`` and ``robustfim scan``."""
    scanning = (
        "Find out what changes a model's answers: tries what applies within its budget, and shows the worst first."
    )
    return {
        "scan": ("robustfim_doctor.scan_command:scan", scanning, "test"),
        "doctor": (
            "robustfim_doctor.doctor_command:doctor",
            "Look at the installation, and at a model and its data.",
            "set up",
        ),
    }


def scan(
    model: Any,
    data: Any,
    *,
    labels: Sequence[str] | Mapping[str, str] | None = None,
    decide: Mapping[str, Any] | None = None,
    examples: int = 1000,
    seconds: float | None = 120,
    max_calls: int | None = 50_000,
    seed: int = 0,
    plugins: Sequence[str] = (),
    offline: bool = False,
    store: str | Path | None = None,
    allow_weak: bool = False,
) -> Run:
    """Find out which changes of the text change a model's answers: run the applicable checks on a budget, worst first.

    Args:
        model: As for :func:`robustfim.run`.
        data: As for :func:`robustfim.run`.
        labels: The model's labels.
        decide: How the model's probabilities become decisions: ``{"label": "block", "at": 0.7}``.
        examples: The largest number of examples that each check tests.
        seconds: The time limit; None for no limit.
        max_calls: The largest number of texts that may be sent to the model.
        seed: The seed of all random choices.
        plugins: As for :func:`robustfim.run`; also all their perturbations without required options are tested.
        offline: Whether downloads are forbidden.
        store: The file of a prediction store; by default a temporary store.
        allow_weak: Whether the model may give one label to all examples.

    Returns:
        The run. The first of ``run.record.sections`` has the findings in sentences, and a report begins with it.

    Raises:
        UsageError: The model or the data cannot be used.
        ModelError: The model gave no usable answer.
        NothingCollected: The data has no usable example.
    """
    check_given(scan, locals())
    from robustfim_doctor.budgeted_scan import scan_objects

    return scan_objects(
        model, data, labels, decide, examples=examples, seconds=seconds, max_calls=max_calls, seed=seed,
        plugins=plugins, offline=offline, store=store, one_label=allow_weak,
    )  # fmt: skip
