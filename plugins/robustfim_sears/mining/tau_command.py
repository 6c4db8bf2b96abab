"""``robustfim study tau``: the threshold τ from people's ratings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median

import click

from robustfim.commands import FRACTION, INPUT, INPUT_FILE, Chosen, shared_options
from robustfim.errors import DataError, UsageError, shown
from robustfim.exhibit import Table
from robustfim.record import Study, describe_environment
from robustfim.statistics import percent
from robustfim_sears.mining.parts import open_mine
from robustfim_sears.mining.seas import scores
from robustfim_sears.mining.tau import LearnedTau, largest_f1, proved_precision

__all__ = ["command", "read_ratings"]

_EQUIVALENT = 4
"""The median of the ratings, from 1 to 5, at which two texts mean the same."""


@click.command(name="tau", epilog="Example: robustfim study tau ratings.csv --suite suites/reviews.yaml")
@click.argument("ratings", type=INPUT_FILE)
@click.option("--suite", required=True, type=INPUT, help="Names the model and the data.")
@click.option("--paraphraser", multiple=True, metavar="NAME | KEY=VALUE", help="Its score is compared with the "
              "ratings; 'phrases' by default; or an option of it.")  # fmt: skip
@click.option("--delta", default=0.1, show_default=True, type=FRACTION,
              help="Share of pairs above τ that may differ in meaning.")  # fmt: skip
@shared_options("model", "data", "override", "seed", "offline", "plugins")
def command(ratings: Path, suite: Path, paraphraser: tuple[str, ...], delta: float, chosen: Chosen) -> Study:
    """Learn the threshold τ of a paraphraser's score from people's ratings of similarity.

    RATINGS is a CSV or JSON Lines file with the columns 'before', 'after' and 'similarity' from 1 to 5, one row a
    rating, such as the answers of a user study. Two texts mean the same at a median of 4 or more.
    """
    pairs = read_ratings(ratings)
    subject = open_mine(suite, chosen, paraphraser)
    made = subject.prepared()
    same = [median(given) >= _EQUIVALENT for given in pairs.values()]
    found = scores(made, [before for before, _ in pairs], [after for _, after in pairs])
    by_f1, proved = largest_f1(found, same), proved_precision(found, same, delta)
    found_by = {"largest F1": by_f1, f"proved for δ = {delta:g}": proved}
    own = made.contract.tau
    if by_f1 is None:
        raise DataError(f"{ratings}: for none of {len(pairs)} pairs do the ratings say that both texts mean the same.")
    return Study(
        study="tau", title="From which score on do two texts mean the same?", suite=subject.suite, seed=subject.seed,
        environment=describe_environment(subject.model.manager.records(), None),
        findings=[
            f"F1 is largest at τ = {by_f1.tau:g}: {by_f1.f1:.2f} on {len(pairs)} pairs, {sum(same)} of which mean the "
            f"same. The paraphraser's own τ is {own:g}.",
            f"At most {percent(delta)} of the pairs above τ differ in meaning: "
            + (f"proved for τ = {proved.tau:g}." if proved else f"proved for no τ; {len(pairs)} pairs are too few."),
        ],
        tables=[
            Table(
                title="Thresholds", header=["criterion", "τ", "F1", "precision", "recall"],
                rows=[_row(name, tau) for name, tau in found_by.items() if tau is not None],
                notes=["Precision: pairs that mean the same among those that reach τ. Recall: pairs that reach τ among "
                       "those that mean the same. In brackets: 95 % Wilson intervals."],
            )
        ],
        results={
            "score": made.contract.score, "own": own, "pairs": len(pairs), "equivalent": sum(same), "delta": delta,
            "f1": {"tau": by_f1.tau, "f1": by_f1.f1}, "proved": None if proved is None else proved.tau,
        },
    )  # fmt: skip


def _row(name: str, found: LearnedTau) -> list[str]:
    return [name, f"{found.tau:g}", f"{found.f1:.2f}", str(found.precision), str(found.recall)]


def read_ratings(path: Path) -> dict[tuple[str, str], Sequence[int]]:
    """Read people's ratings of similarity.

    Returns:
        For each pair of a text and its paraphrase, the ratings from 1 to 5.

    Raises:
        DataError: The file cannot be read, holds no rating, or a rating is not from 1 to 5.
    """
    import pandas as pd

    try:
        rows = pd.read_csv(path) if path.suffix == ".csv" else pd.read_json(path, lines=True)
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {error}.") from error
    if missing := {"before", "after", "similarity"} - set(rows.columns):
        raise UsageError(f"{path} has no column {', '.join(map(shown, sorted(missing)))}.")
    found: dict[tuple[str, str], list[int]] = {}
    for before, after, given in rows.loc[rows["similarity"].notna(), ["before", "after", "similarity"]].values.tolist():
        if given not in (1, 2, 3, 4, 5):
            raise DataError(f"{path}: {shown(given)} is not a rating from 1 to 5.")
        found.setdefault((str(before), str(after)), []).append(int(given))
    if not found:
        raise DataError(f"{path} has no rating.")
    return dict(found)
