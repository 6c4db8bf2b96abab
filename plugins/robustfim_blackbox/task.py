"""The task of a model behind a function or an address: labels, spans or a number."""

from __future__ import annotations

from typing import Literal, TypeAlias

from robustfim.errors import UsageError

__all__ = ["Task", "require_labels"]

Task: TypeAlias = Literal["labels", "spans", "number"]
"""The kind of answer: a label, spans, or a number."""


def require_labels(task: Task, labels: list[str] | None, *, logits: bool) -> None:
    """Check that labels are given if the task needs them, and only then.

    Args:
        task: The kind of answer.
        labels: The labels; None if none are given.
        logits: Whether the numbers are logits.

    Raises:
        UsageError: The task needs labels and none are given, or labels are given for another task.
    """
    if task == "labels":
        if labels is None:
            raise UsageError(
                "the option 'labels' is missing: the model's labels, in the order of its probabilities. Write 'labels: "
                "[negative, positive]' beside it, --model 'labels=[negative, positive]', or labels=[…] in Python."
            )
    elif labels is not None or logits:
        what = "a tagger, 'task: spans'" if task == "spans" else "a model of numbers, 'task: number'"
        why = "each span has its label" if task == "spans" else "a number is all it says"
        raise UsageError(f"{what}, takes no 'labels' and no 'logits': {why}.")
