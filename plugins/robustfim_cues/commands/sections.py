"""The sections on cues in a record: how well cues predict the answers, and whether the model relies on cues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from robustfim.collect import Collection
from robustfim.errors import DataError, RobustfimError
from robustfim.example import Example
from robustfim.exhibit import Section, Table
from robustfim.roles import Context, DifferentiableModel
from robustfim.statistics import Gap, percent
from robustfim_cues.choices.choice import LABELS, is_choice, originals
from robustfim_cues.models.hard_as_easy import HardAsEasy
from robustfim_cues.models.scorer import CueScore

if TYPE_CHECKING:
    from robustfim_cues.measures.measures import Cue

__all__ = ["cue_sections"]

_CUES, _ROWS, _POINTS = 12, 20, 300
"""Cues and instances that a table lists, and cues that a figure shows."""

_DIFFERENTIATED = 400
"""Choices whose gradients are computed, at most."""


def cue_sections(collection: Collection, context: Context) -> list[Section]:
    """Make a run record's sections on cues: words that betray the label.

    Sections are made if the data are choices, or if the suite uses a score, perturbation or expectation of this plugin.

    Returns:
        The section on the cues. Also a section on easy and hard examples if the data have a split, on pairs if the data
        have mirrors, and on sensitivity if the suite uses this plugin and the model chooses between alternatives and
        has gradients. Empty for all other runs, and if the cues cannot be measured.
    """
    asked = _asked(collection)
    # Of any number of other data, the first block is read: it holds an example that is not a choice.
    if not (asked or all(is_choice(example.fields) for example in collection.examples)):
        return []
    examples = [example for example in collection.examples if example.label is not None]
    if not examples:
        return []
    from robustfim_cues.measures.exhibits import cues_table, productivity_figure
    from robustfim_cues.measures.measures import measure

    measured = originals(examples) or examples
    try:
        cues = measure(measured)
    except DataError:  # one label alone, or examples of several kinds: there is nothing to measure
        return []
    answers = {
        example.id: answer.label
        for example, answer in zip(examples, context.predict(examples), strict=True)
        if answer is not None
    }
    sure = f"{len(cues.significant())} of {len(cues.found)} cues surely do not stand by accident with an answer."
    tables = [cues_table(cues, _CUES), *([_instances_of(cues.found, measured, answers)] if cues.choices else [])]
    figures = [productivity_figure(cues, _POINTS)]
    sections = [Section(name="cues", title="Cues", findings=[sure], tables=tables, figures=figures)]
    parts = [_easy_and_hard(_sides(collection, context, examples), examples, answers), _pairs(examples, answers)]
    if asked and cues.choices:
        parts.append(_sensitivity(context, examples, cues.found))
    for part in parts:
        try:
            sections += part
        except RobustfimError as error:  # what a run has found is not lost with a part of its report
            sections[0].findings.append(f"Something could not be shown: {error}")
    return sections


def _asked(collection: Collection) -> bool:
    """Whether a score or check of this plugin takes part."""
    parts: list[object] = [scorer.made for scorer in collection.scorers]
    parts += [part.made for check in collection.checks for part in check.parts]
    return any(type(part).__module__.partition(".")[0] == "robustfim_cues" for part in parts)


def _instances_of(cues: Sequence[Cue], examples: Sequence[Example], answers: Mapping[str, str]) -> Table:
    """List instances of the surest cues."""
    from robustfim_cues.measures.occurrence import standing

    rows = []
    for cue in cues[:5]:
        found = [(example, side) for example in examples if (side := standing(cue.text, example)) is not None]
        for example, side in found[:3]:
            right = "right" if LABELS[side] == example.label else "wrong"
            rows.append([cue.text, right, *_shown(example), answers.get(example.id, "–")])
    header = ["cue", "stands in the", "premise", "alternative 1", "alternative 2", "right", "model"]
    return Table(
        title="Instances of the surest cues",
        header=header,
        rows=rows,
        notes=["Up to three of each of the five surest."],
        texts=[2, 3, 4],
    )


def _shown(example: Example) -> list[str]:
    """The texts of a choice and its gold label."""
    return [*(example.fields.get(name, "") for name in ("premise", "choice1", "choice2")), example.label or "–"]


def _easy_and_hard(
    sides: Mapping[str, str], examples: Sequence[Example], answers: Mapping[str, str]
) -> Iterator[Section]:
    """Accuracy on both sides of the split, and the wrong answers."""
    from robustfim_cues.measures.exhibits import BY_CONSTRUCTION
    from robustfim_cues.measures.exhibits import sides as drawn

    known = [example for example in examples if example.id in sides and example.id in answers]
    counts = Counter(sides[example.id] for example in known)
    wrong = [example for example in known if answers[example.id] != example.label]
    if not (counts["hard"] and counts["easy"]):
        return
    lost = Counter(sides[example.id] for example in wrong)
    gap = Gap((lost["hard"], counts["hard"]), (lost["easy"], counts["easy"]))
    points = percent(gap.rate, gap.interval, unit="points")
    sentence = f"The accuracy on easy examples, which cues alone solve, less that on hard ones: {points}."
    figure, table = drawn(gap)
    rows = [
        [sides[example.id], " · ".join(example.fields.values()), example.label or "–", answers[example.id]]
        for example in sorted(wrong, key=lambda each: sides[each.id] == "easy")
    ]
    listed = Table(
        title="Examples that were answered wrongly",
        header=["side", "example", "right", "model"],
        rows=rows[:_ROWS],
        notes=[f"{min(len(rows), _ROWS)} of {len(rows)}."],
        texts=[1],
    )
    tables = [table, *([listed] if rows else [])]
    yield Section(
        name="easy-hard", title="Easy and hard", findings=[sentence, BY_CONSTRUCTION], tables=tables, figures=[figure]
    )


def _sides(collection: Collection, context: Context, examples: Sequence[Example]) -> dict[str, str]:
    """Which side each example is on, by id; nothing where the run has no split."""
    for check in collection.checks:
        if isinstance(check.reducer.made, HardAsEasy):
            return {each: side for side, ids in check.reducer.made.groups().items() for each in ids}
    for scorer in collection.scorers:
        if isinstance(scorer.made, CueScore):
            try:
                found = scorer.made.cross_validated(examples, context.seed)
            except RobustfimError:  # the score says why
                return {}
            return {
                example.id: "easy" if solved else "hard" for example, solved in zip(examples, found.solved, strict=True)
            }
    return {
        example.id: str(example.meta["split"]) for example in examples if example.meta.get("split") in ("easy", "hard")
    }


def _pairs(examples: Sequence[Example], answers: Mapping[str, str]) -> Iterator[Section]:
    """Of how many instances and mirrors both are right, one, or none."""
    from robustfim_cues.choices.choice import partners
    from robustfim_cues.copa.consistency import pair_tables

    if not any(example.meta.get("mirrored") for example in examples):
        return
    answered = partners([example for example in examples if example.id in answers]).values()
    pairs = [group for group in answered if [bool(example.meta.get("mirrored")) for example in group] == [False, True]]
    if pairs:
        told, counts, listed = pair_tables(pairs, answers, _ROWS)
        tables = [counts, *([listed] if listed.rows else [])]
        yield Section(name="pairs", title="Instances and mirrors", findings=[told], tables=tables)


def _sensitivity(context: Context, examples: Sequence[Example], cues: Sequence[Cue]) -> Iterator[Section]:
    """How far each cue moves the choice, where the model has gradients."""
    model = context.model
    if not isinstance(model, DifferentiableModel) or tuple(model.labels) != LABELS:
        return
    from robustfim_cues.choices.wording import correlation_text
    from robustfim_cues.sensitivity.exhibits import sensitivity_bands, sensitivity_figure, sensitivity_table
    from robustfim_cues.sensitivity.measure import sensitivities

    some = sorted(examples, key=lambda example: context.random("cues", example.id).random())[:_DIFFERENTIATED]
    found = {"model": sensitivities(model, some, cues)}
    tables, figures = [sensitivity_bands(found), sensitivity_table(found)], [sensitivity_figure(found)]
    sentences = [
        f"Over cues: {correlation_text(found['model'].correlation)}.",
        f"{len(some)} choices were differentiated.",
    ]
    yield Section(name="sensitivity", title="Sensitivity to cues", findings=sentences, tables=tables, figures=figures)
