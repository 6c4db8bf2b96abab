"""The HTML page of ``robustfim mine``."""

from __future__ import annotations

from collections.abc import Iterator

from robustfim.exhibit import Figure, Mark, Passage, Passages, Series, Table
from robustfim.statistics import Rate
from robustfim_sears.mining.listing import kept_by, summary, sure, together
from robustfim_sears.mining.mined import Flip, Mined, MinedRule

__all__ = ["mine_page", "mined_answer"]

_MOST = 100
"""Flips of a rule that are shown, those of texts that did not choose it first."""


def mine_page(mined: Mined, about: str) -> str:
    """Write mined rules as one HTML document: their joint effect, each rule with its rate, and every text that flips.

    Args:
        mined: The result of mining; its texts are escaped.
        about: The model and data, a line under the heading.
    """
    from robustfim_drawing import page

    names = [rule.rule.text for rule in mined.rules]
    told = any(rule.rate.tested for rule in mined.rules)
    which = "that did not choose it" if told else "that chose it"
    rates = [rule.rate if told else rule.chosen_by for rule in mined.rules]
    figure = Figure(
        title=f"What each rule flips of the texts {which}",
        across="rule",
        up="share that flips",
        series=[
            Series.bars(
                "flips",
                ((rate.rate, rate.interval, rate.tested) for rate in rates),
                leads=[_id(row) for row, rate in enumerate(rates) if rate.tested],
            )
        ],
        names=names,
        shares=True,
        notes=[
            "Of the texts that the rule changes; a flip changes the label, and its S reaches τ. 95 % Wilson "
            "intervals. A bar leads to its texts."
            + ("" if told else " A rule is chosen for its flips, so the texts that chose it say too much of it.")
        ],
    )
    return page(
        "Do small rewordings that keep the meaning change what the model says?",
        [mined_answer(mined), *summary(mined)],
        [_table(mined)] if names else [],
        [figure] if names else [],
        passages=[_passages(row, rule) for row, rule in enumerate(mined.rules)],
        about=about,
    )


def mined_answer(mined: Mined) -> str:
    """Return a sentence on the joint effect of the selected rules."""
    if not mined.rules:
        return "No rule was found that does."
    flipped, texts = mined.flipped
    if not texts:
        return f"Yes, of the texts that chose the rules: {together(mined)}."
    rate = Rate(flipped, texts)
    if not flipped:
        return f"Not shown: none of {texts:,} texts flips under a rule that it did not choose."
    return f"Yes: {together(mined)}, {rate.text}."


def _id(row: int) -> str:
    return f"rule-{row + 1}"


def _table(mined: Mined) -> Table:
    return Table(
        title="Rules",
        header=["rule", "flips", "of those that did not choose it", "chosen for", "keep S"],
        rows=[
            [
                rule.rule.text,
                f"{rule.rate.count} of {rule.rate.tested}" if rule.rate.tested else "–",
                rule.rate.text,
                f"{len(rule.flips)} of {rule.support}",
                f"{rule.share.equivalent} of {rule.share.scored}",
            ]
            for rule in mined.rules
        ],
        notes=[
            "Flips: texts that did not choose the rule, whose label it changes and whose score S reaches "
            f"τ = {mined.tau:g}. Chosen for: the same of the texts that chose it. Keep S: how many of its changes that "
            f"were scored {kept_by(mined)}."
        ],
    )


def _passages(row: int, rule: MinedRule) -> Passages:
    flips = [*((flip, "") for flip in rule.held), *((flip, "; chose the rule") for flip in rule.flips)]
    number = f"{len(flips)} {'text' if len(flips) == 1 else 'texts'}"
    more = f", {_MOST} of them here" if len(flips) > _MOST else ""
    return Passages(
        id=_id(row),
        title=f"{row + 1}. {rule.rule.text}: {number}{more}",
        passages=[
            Passage(
                note=f"{sure(flip.before)} → {sure(flip.after)}{chose}",
                pieces=list(_pieces(flip)),
            )
            for flip, chose in flips[:_MOST]
        ],
    )


def _pieces(flip: Flip) -> Iterator[tuple[Mark, str]]:
    text, edit = flip.texts[0], flip.edit
    yield "", text[: edit.start]
    yield "del", edit.before
    yield "ins", edit.after
    yield "", text[edit.end :]
