"""A plugin that offers a study: λmax before and after an edit, and the norm of a substitution against λmax.

Run ``robustfim -p examples/after_edits.py study edits reviews.yaml``. It repeats what Datta et al. (2020–22) show in
their tables of edited examples.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from robustfim import hookimpl
from robustfim.api import perturb
from robustfim.candidate import Candidate
from robustfim.commands import Chosen
from robustfim.errors import UsageError
from robustfim.exhibit import Figure, Series, Table
from robustfim.parts import GeometryPart
from robustfim.record import Environment, Study, describe_environment
from robustfim.roles import Shift
from robustfim.statistics import Rate
from robustfim_sears.mining.parts import open_mine
from robustfim_study.association import Array
from robustfim_study.estimate import decimal, shown
from robustfim_study.resilience import correlate
from robustfim_study.suite_options import suite_study

__all__ = ["command", "edits_study", "robustfim_studies"]

SHOWN = 10
"""Edited texts of the easiest and of the hardest examples that the table shows."""


@hookimpl
def robustfim_studies() -> dict[str, tuple[str, str]]:
    """Offer ``robustfim study edits``."""
    return {"edits": (f"{__name__}:command", "Show λmax before and after edits, and the norm of the edits.")}


@suite_study("edits", "-p examples/after_edits.py study edits suites/sentiment.yaml")
@click.option("--perturb", "name", default="synonyms", show_default=True, metavar="NAME", help="What edits one word.")
@click.option("--examples", default=100, show_default=True, type=click.IntRange(min=3), metavar="N",
              help="Size of the random sample of the data.")  # fmt: skip
def command(suite: Path, name: str, examples: int, chosen: Chosen) -> Study:
    """Edit one word of each text, and look at λmax before and after, and at the norm of the edit."""
    subject = open_mine(suite, chosen)
    manager, drawn = subject.model.manager, subject.sample(examples)
    found = perturb(name, drawn, words=1, candidates=1, seed=subject.seed, plugins=manager)
    edited = [each for pool in found.candidates for each in pool]
    if len(edited) < 3:
        raise UsageError(f"{name!r} edits {len(edited)} of {len(drawn)} texts; the study needs three or more.")
    run = subject.context(drawn, max_calls=chosen.max_calls, store=chosen.store)
    before = np.array([each.lambda_max for each in run.geometry.at([each.source for each in edited])])
    after = np.array([each.lambda_max for each in run.geometry.at([each.example for each in edited])])
    shifts = GeometryPart(run.geometry).shifts(edited)
    labels = [
        tuple("" if each is None else each.label for each in pair)
        for pair in zip(
            run.predict([each.source for each in edited]), run.predict([each.example for each in edited]), strict=True
        )
    ]
    return edits_study(edited, before, after, shifts or [], labels, environment=describe_environment(
        manager.records(), None), seed=subject.seed)  # fmt: skip


def edits_study(
    edited: list[Candidate], before: Array, after: Array, shifts: list[Shift],
    labels: list[tuple[str, ...]], *, environment: Environment, seed: int,
) -> Study:  # fmt: skip
    """Compare λmax before and after one edit a text.

    Args:
        edited: The edits, one a text.
        before: λmax of the texts, ``[edits]``.
        after: λmax of the edited texts, ``[edits]``.
        shifts: How far each moves the embedding, ``[edits]``; empty where the model does not say.
        labels: The model's label before and after.
        environment: That of the record.
        seed: That of the sample.
    """
    norms = np.array([shift.norm for shift in shifts]) if shifts else np.full(len(edited), np.nan)
    known = np.isfinite(before) & np.isfinite(after)
    harder = int((after > before)[known].sum())
    changed = np.array([first != second for first, second in labels])
    with_norm = correlate("norm of the edit", before, norms)
    order = np.argsort(before, kind="stable")
    ends = [("easiest", int(row)) for row in order[:SHOWN]] + [("hardest", int(row)) for row in order[::-1][:SHOWN]]
    rows = [
        [
            end, ", ".join(f"{edit.before} → {edit.after}" for edit in edited[row].edits),
            f"{decimal(before[row], 3)} → {decimal(after[row], 3)}", decimal(norms[row]),
            " → ".join(dict.fromkeys(labels[row])),
        ]
        for end, row in ends
    ]  # fmt: skip
    parts = {"label kept": ~changed, "label changed": changed}
    return Study(
        study="edits",
        title="Does an edit make a text harder?",
        environment=environment,
        seed=seed,
        findings=[
            f"λmax rises: {Rate(harder, int(known.sum()))} edits. The label changes: "
            f"{Rate(int(changed.sum()), len(edited))}.",
            f"log λmax and the norm of the edit: r = {decimal(with_norm.r)}, Spearman {shown(with_norm.rho)}, on "
            f"{with_norm.examples} edits.",
        ],
        tables=[
            Table(title="Edits of the easiest and the hardest texts", header=["end", "edit", "λmax", "norm", "label"],
                  texts=[1, 2, 4], rows=rows, notes=["Norm: of the embedding's change, over all tokens."])
        ],
        figures=[
            Figure(title="Norm of each edit", across="log₁₀ λmax before", up="norm of the edit",
                   series=[Series(name=part, kind="dots", points=[
                       (float(np.log10(before[row])), float(norms[row])) for row in np.flatnonzero(kept)
                       if before[row] > 0 and np.isfinite(norms[row])]) for part, kept in parts.items()])
        ],
        results={
            "edits": len(edited), "harder": harder, "changed": int(changed.sum()), "r_norm": with_norm.r,
            "before": before.tolist(), "after": after.tolist(),
            "norms": [None if np.isnan(norm) else float(norm) for norm in norms],
        },
    )  # fmt: skip
