"""The page: a study as one HTML document that needs no network and no other file."""

from __future__ import annotations

from robustfim.drawing import page
from robustfim.record import Study

__all__ = ["render"]


def render(study: Study) -> str:
    """Write a study as one HTML document.

    Args:
        study: The study; nothing in it is trusted.

    Returns:
        The document. Its policy forbids every request, and every script and style but its own.
    """
    about = [
        f"model {study.model.use}" if study.model else "",
        f"data {study.data.use} ({study.data.examples} examples)" if study.data else "",
        f"seed {study.seed}",
        f"robustfim {study.environment.robustfim}",
    ]
    title = f"{study.title} · {study.suite}" if study.suite else study.title
    return page(
        title, study.findings, study.tables, study.figures, passages=study.passages,
        about=" · ".join(each for each in about if each), made=study.started,
    )  # fmt: skip
