"""The output of ``robustfim mine`` on the terminal.

It shows each rule with two examples, and counts texts, paraphrases and rules that were left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from robustfim.commands import print_line
from robustfim.prediction import Prediction
from robustfim.record import EditRecord
from robustfim_drawing import inline_diff
from robustfim_sears.mining.mined import HELD, Flip, Mined, MinedRule
from robustfim_sears.paraphrase.edit_score import EditScore

__all__ = ["kept_by", "print_mined", "print_rule_table", "summary", "sure", "together"]

_EXAMPLES = 2


def print_mined(console: Console, mined: Mined) -> None:
    """Print the selected rules, and counts of texts, paraphrases and rules."""
    for line in summary(mined):
        print_line(console, line)
    for number, rule in enumerate(mined.rules, 1):
        console.print()
        print_rule_table(console, rule, mined, f"{number}. ")
    if mined.rules:
        console.print()
        print_line(console, f"together: {together(mined)}")


def together(mined: Mined) -> str:
    """Return a phrase on how many texts flip under at least one selected rule."""
    flipped, texts = mined.flipped
    if texts:
        return f"{flipped} of {texts:,} texts flip under at least one rule that they did not choose"
    own = len({flip.source for rule in mined.rules for flip in rule.flips})
    return f"{own} of {mined.texts:,} texts flip under at least one rule"


def kept_by(mined: Mined) -> str:
    """Return a phrase for changes that count as keeping the meaning: a paraphraser's score S reaches its threshold τ.

    With the edit score, which compares known rewrites and not meanings, the phrase says so.
    """
    edits = mined.score_name == EditScore.contract.score
    return f"differ by few known rewrites (edit score ≥ {mined.tau:g})" if edits else "mean the same"


def print_rule_table(console: Console, rule: MinedRule, mined: Mined, before: str = "") -> None:
    """Print one rule: its text, its numbers, and two texts that it flips."""
    print_line(console, Text(before).append(rule.rule.text, style="bold"))
    chosen, same = f"{len(rule.flips)} flips of {rule.support} texts", f"{rule.share.equivalent} of {rule.share.scored}"
    if rule.rate.tested:
        rate = rule.rate.text
        print_line(console, f"   flips {rule.rate.count} of {rule.rate.tested} texts that did not choose it, {rate}")
    else:
        print_line(console, "   no text tells that did not choose it")
    print_line(console, f"   chosen for {chosen}; {same} scored {kept_by(mined)}")
    for flip in rule.flips[:_EXAMPLES]:
        print_line(console, f"   {sure(flip.before)} → {sure(flip.after)}")
        print_line(console, Text("      ").append_text(_difference(flip)))


def summary(mined: Mined) -> Iterator[str]:
    """Yield sentences that count the texts, paraphrases and rules of a mining, and why some were left out."""
    counts = mined.counts
    adversarial = len({sea.source for sea in mined.seas})
    alone = counts["without paraphrases"]
    left_out = f", {counts['overlong']} too long" if counts.get("overlong") else ""
    if counts.get("wrong before"):
        left_out += f", {counts['wrong before']:,} that the model is wrong about and no rule can break"
    yield (
        f"{mined.texts:,} texts{left_out}; {counts['paraphrases']:,} paraphrases, {alone:,} "
        f"{'text' if alone == 1 else 'texts'} without; left out: {counts['same']:,} the same text, "
        f"{counts['below tau']:,} below τ = {mined.tau:g}"
        + (f", {counts['unpredicted']:,} without a prediction" if counts.get("unpredicted") else "")
    )
    for reason, number in counts.items():
        if reason.startswith("skipped, "):
            yield f"the paraphraser left out {number:,}: {reason.removeprefix('skipped, ')}"
    score = (
        f"{mined.score_name}, with weights set by hand"
        if mined.score_name == EditScore.contract.score
        else mined.score_name
    )
    yield f"{len(mined.seas):,} of them flip the label (SEAs), of {adversarial:,} texts; score S: {score}"
    yield (
        f"{counts['rules']:,} rules learnt, {counts['distinct rules']:,} that do different things; "
        f"{counts['flipping rules']:,} flip enough texts, {counts['equivalent rules']:,} of these keep the meaning "
        f"by S (E[SemEq] ≥ {1 - mined.delta:g}); {len(mined.rules)} selected"
    )
    held_out = sum(half == HELD for half in mined.halves)
    if mined.split:
        yield f"{len(mined.halves) - held_out:,} texts chose the rules, and the {held_out:,} others tell what they do"
    elif mined.halves:
        yield "each half of the texts tells of the rules that the other half chose"
    else:
        yield "all texts chose the rules, so none tells what they do elsewhere"
    if not mined.rules:
        yield _why_none(mined)


def _why_none(mined: Mined) -> str:
    """Say what to change where no rule was found."""
    counts = mined.counts
    if counts["paraphrases"] == counts["same"]:
        return "No rule: the paraphraser found no paraphrase. 'robustfim plugins' lists others."
    if not mined.seas:
        return "No rule: no paraphrase changes the label. Try more examples, or a lower --tau."
    if not counts["flipping rules"]:
        return "No rule flips enough texts. Try more examples, or a lower --min-flips."
    return "No rule keeps the meaning often enough. Try a higher --delta or a lower --tau, and read what comes out."


def sure(prediction: Prediction) -> str:
    """Write a label with its probability."""
    return f"{prediction.shown} {prediction.confidence:.2f}"


def _difference(flip: Flip) -> Text:
    """The text with its edit, as reports of failures show it."""
    record = EditRecord(**asdict(flip.edit))
    return inline_diff(flip.texts[0], [record])
