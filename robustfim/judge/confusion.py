"""Confusion tables: decisions by gold label, for unchanged and perturbed texts, if a check limits errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from robustfim.decision import ABSTAINS
from robustfim.exhibit import Section, Table
from robustfim.judge.check_counts import CheckCounts
from robustfim.prediction import Prediction
from robustfim.suite.format import ERRORS

__all__ = ["CONFUSION", "confusion_of", "confusion_section"]

CONFUSION = "confusion"
"""The name of the section."""

_MOST = 10
"""The most decisions in a table; with more labels, the ones confused most often."""


def confusion_of(
    check: CheckCounts,
    tested: Iterable[tuple[str, Collection[str], Prediction, str]],
    after: Mapping[str, Collection[str]],
) -> Table | None:
    """Count the model's decisions for each gold label of the tested texts, before and after the edits.

    A cell holds two numbers: the texts that get the decision unchanged, and those that get it unchanged or in any
    perturbed version. With ``repeat`` the cell counts answers instead: to unchanged texts, and equally many to
    perturbed texts.

    Args:
        check: The counts of the check.
        tested: For each tested example its id, gold decisions, prediction, and group (arm).
        after: Example id to the decisions on its failing perturbed texts.

    Returns:
        A row for each gold label, a column for each decision; None if the check has no limit for errors, or the model
        is a tagger.
    """
    if not isinstance(check.limit, dict) or ERRORS.isdisjoint(check.limit):
        return None
    before, later, labels = Counter[tuple[str, str]](), Counter[tuple[str, str]](), dict[str, None]()
    for id, gold, prediction, _ in tested:
        if not gold or prediction.answer is not None:
            continue
        labels |= dict.fromkeys(prediction.labels)
        right = prediction.label if prediction.label in gold else next(iter(gold))
        once = ({prediction.label, *after.get(id, ())}, [prediction.label])
        changed, unchanged = check.said.get(id, once)
        before.update((right, each) for each in unchanged)
        later.update((right, each) for each in changed)
    given = {decision for _, decision in later}
    shown = [label for label in labels if label != ABSTAINS or ABSTAINS in given]
    if len(shown) > _MOST:
        confused = Counter[str]()
        for pair, number in later.items():
            confused.update(dict.fromkeys(pair, number if pair[0] != pair[1] else 0))
        most = {label for label, _ in confused.most_common(_MOST)}
        shown = [each for each in shown if each in most]
    gold_labels = {gold for gold, _ in later}
    rows = [
        [gold, *(f"{before[gold, each]:,} → {later[gold, each]:,}" for each in shown)]
        for gold in shown
        if gold in gold_labels
    ]
    return Table(title=check.name, header=["gold, decided as", *shown], rows=rows) if rows else None


def confusion_section(tables: Iterable[Table | None], *, answers: bool) -> list[Section]:
    """Return a report section with the confusion tables of all checks; no section without tables.

    Args:
        tables: For each check its table, or None.
        answers: Whether the cells count answers, as with ``repeat``, instead of texts.
    """
    filled = [table for table in tables if table is not None]
    counted = (
        "Answers: further ones to the unchanged texts → as many to their candidates."
        if answers
        else "Texts: decided so unchanged → decided so unchanged or by a candidate."
    )
    return [Section(name=CONFUSION, title="How labels are confused", findings=[counted], tables=filled)] * bool(filled)
