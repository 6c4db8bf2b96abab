"""The first contact with a model: ``robustfim doctor``, and ``robustfim scan`` with the suite that it drafts.

This is the plugin's face, which imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustfim.given import check_given
from robustfim.hookspecs import hookimpl

if TYPE_CHECKING:
    from robustfim.result import Run

__all__ = ["robustfim_commands", "scan"]


@hookimpl
def robustfim_commands() -> dict[str, tuple[str, str, str]]:
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
    """Find out what changes a model's answers: choose what applies, run it on a budget, tell the worst first.

    Args:
        model: As for :func:`robustfim.run`.
        data: As for :func:`robustfim.run`.
        labels: The model's labels.
        decide: How the model's probabilities become decisions: ``{"label": "block", "at": 0.7}``.
        examples: Examples tested by each check, at most.
        seconds: How long it may take; None for as long as it takes.
        max_calls: The most texts that may be sent to the model.
        seed: Every random choice follows from it.
        plugins: As for :func:`robustfim.run`; every perturbation of theirs that needs no option takes part.
        offline: Whether nothing may be fetched.
        store: The file of a prediction store; by default one that is gone afterwards.
        allow_weak: Whether the model may give one label to all examples.

    Returns:
        The run; the first of ``run.record.sections`` has what was found in sentences, and a report opens on it.

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
