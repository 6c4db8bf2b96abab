"""Planted causes: defects on top of trained models that also fail diffusely, and whether the lines name them.

``python -m benchmarks.causes --update`` writes its result. A defect turns most answers to texts with
its trigger. A line names a defect where what the edit does, or where, has the defect's own words.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import robustfim
from benchmarks.planted import model_of
from benchmarks.sections import write_results
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.judge.causes import Cause, EditTrial, TriedEdit, find_causes
from robustfim.seeds import random_for
from robustfim.statistics import wilson

__all__ = ["DEFECTS", "Defect", "Row", "answers_with", "named", "section", "trials_of"]

CHECKS = (
    "typos", "case", "punctuation", "contractions", "synonyms", "neutral_sentence", "people", "places", "numbers",
    "emoji", "links", "spaces", "hyphens", "accents", "elongations", "openers", "intensifiers", "misspellings",
    "homoglyphs", "repeated_words",
)  # fmt: skip
_OPTIONS = {"emoji": {"kinds": ["between"]}}  # letters drawn as emoji are a fault of these models themselves
MODELS = ("fasttext",)
"""Reference models, right on about two thirds of the reviews."""
_CANDIDATES, _PERMUTED = 3, 1


@dataclass(frozen=True)
class Defect:
    """A planted defect.

    Attributes:
        name: What it is, in words.
        trigger: A pattern; a text with it is answered otherwise.
        words: A pattern of the words that a line must have to name it.
        towards: The label that such a text gets; None for the other one than without the defect.
        fresh: Whether it was written after the search for causes was finished, by somebody who had not built it.
    """

    name: str
    trigger: str
    words: str
    towards: str | None = None
    fresh: bool = False


DEFECTS = (
    Defect("a curly apostrophe in *n’t*", "n’t", "’"),
    Defect("a blank that is not broken", "\xa0", r"U\+00A0"),
    Defect("two words of capitals in a row", r"\b[A-Z]{3,}\b \b[A-Z]{3,}", "UPPER"),
    Defect("an address of the web", "https?://", "link|http"),
    Defect("a mention", r"@\w", "mention|@"),
    Defect("an emoji", "[\U0001f300-\U0001faff]", "emoji"),
    Defect("*movie*", r"\bmovie\b", "movie|film", "positive"),
    Defect("*individuals*", r"\bindividuals\b", "individuals|people"),
    Defect("*Sorry for any typos.*", "Sorry for any typos", "typos", "negative"),
    Defect("*Sent from my phone.*", "Sent from my phone", "phone"),
    Defect("*cannot*", r"\b[Cc]annot\b", "can"),
    Defect("*I am*", r"\bI am\b", "i am|i'm|m in", "negative"),
    Defect("a letter three times in a row", r"([a-z])\1\1", "repeated|…"),
    Defect("a word twice in a row", r"\b(\w+) \1\b", "twice"),
    Defect("*honest*", r"\b[Hh]onest", "[Hh]onest"),
    Defect("*really*", r"\b[Rr]eally\b", "really", "positive"),
    Defect("*three*", r"\b[Tt]hree\b", "three"),
    Defect("a Cyrillic letter", "[а-я]", "alphabet", "negative"),
    Defect("no mark at the end", r"\w\s*$", r"`\.` deleted|at the end|last"),
    Defect("*minuites*", r"\bminuites\b", "minut"),
    Defect("an exclamation mark", "!", "!|punctuation", fresh=True),
    Defect("two blanks", r"\S  \S", "blank", fresh=True),
    Defect("*film*", r"\bfilm\b", "film|movie", "negative", fresh=True),
    Defect("a hyphen in a word", r"\w-\w", "`-`|hyphen", fresh=True),
    Defect("an accent", "[éèáàöüñçêôî]", "accent|[éèáàöüñçêôî]", fresh=True),
    Defect("a small i alone", r"(?<![\w'.])i(?![\w'.])", 'case|`i`|"i"', fresh=True),
    Defect("*very*", r"\b[Vv]ery\b", "very", "positive", fresh=True),
    Defect("*Well,* at the beginning", "^Well,", "[Ww]ell", fresh=True),
    Defect("a text in small letters", "^[^A-Z]*$", "lower", fresh=True),
    Defect("*does not*", r"\b[Dd]oes not\b", "does not|doesn't|n't|not", fresh=True),
    Defect("*picture*", r"\bpicture\b", "picture|film|movie", fresh=True),
    Defect("*four*", r"\b[Ff]our\b", "four", fresh=True),
)
_TURNED = 0.8
"""The share of the texts with the trigger that are answered otherwise."""


def answers_with(defect: Defect | None, answers: Mapping[str, str]) -> dict[str, str]:
    """Plant a defect in a model.

    Args:
        defect: The defect; None for none.
        answers: By text the label that the model gives it.
    """
    other = {"positive": "negative", "negative": "positive"}

    def answer(text: str, label: str) -> str:
        if defect is None or not re.search(defect.trigger, text) or random_for(0, text).random() > _TURNED:
            return label
        return defect.towards or other[label]

    return {text: answer(text, label) for text, label in answers.items()}


def trials_of(pools: Mapping[str, Sequence[Sequence[Candidate]]], answers: Mapping[str, str]) -> list[EditTrial]:
    """Test the candidates of the texts that a model is right about, as a run does.

    Args:
        pools: By check the candidates of each text.
        answers: By text the model's label.
    """
    return [
        EditTrial(
            check, candidate.source.id, answers[candidate.example.text] != before,
            tuple(
                run for each in candidate.edits
                for run in TriedEdit.of(candidate.source.text, each.start, each.end, each.after)
            ),
            (f"where the answer was {before}",),
        )
        for check, its in pools.items()
        for pool in its
        for candidate in pool
        if (before := answers[candidate.source.text]) == candidate.source.label
    ]  # fmt: skip


def named(defect: Defect, causes: Sequence[Cause]) -> int | None:
    """Find the place of the first line that names a defect, from 1; None where none does."""
    places = (place for place, each in enumerate(causes, 1) if re.search(defect.words, str(each.rule)))
    return next(places, None)


class Row(NamedTuple):
    """What the lines of one model with a defect say.

    Attributes:
        defect: The defect.
        model: The model in which it is planted.
        broken: Texts that break, of those tried.
        causes: The lines with the defect.
        without: The lines of the same model without it.
        permuted: How many of the runs with permuted outcomes had a line.
    """

    defect: Defect
    model: str
    broken: tuple[int, int]
    causes: Sequence[Cause]
    without: Sequence[Cause]
    permuted: int


def measure(examples: Sequence[Example], models: Sequence[str] = MODELS) -> Iterator[Row]:
    """Plant each defect in one of the models, in turns.

    Args:
        examples: The texts, with gold labels.
        models: The reference models.
    """
    written = {name: {"use": name, **_OPTIONS.get(name, {})} for name in CHECKS}
    pools = {name: [*robustfim.perturb(use, [*examples], candidates=_CANDIDATES)] for name, use in written.items()}
    texts = {each.text for each in examples} | {c.example.text for its in pools.values() for pool in its for c in pool}
    ordered, answers = sorted(texts), dict[str, dict[str, str]]()
    for model in models:
        said = model_of(model)(ordered)
        answers[model] = {text: "positive" if p >= 0.5 else "negative" for text, p in zip(ordered, said, strict=True)}
    without = {model: find_causes(trials_of(pools, answers[model])) for model in models}
    for seed, defect in enumerate(DEFECTS):
        model = models[seed % len(models)]
        trials = trials_of(pools, answers_with(defect, answers[model]))
        broken = sum(each.broken for each in trials)
        lines = [bool(find_causes(permuted(trials, 100 * seed + each), seed=each)) for each in range(_PERMUTED)]
        print(defect.name, "·", model, file=sys.stderr)
        yield Row(
            defect, model, (broken, len(trials)), find_causes(trials, seed=seed), without[model],
            sum(lines),
        )  # fmt: skip


def permuted(trials: Sequence[EditTrial], seed: int) -> list[EditTrial]:
    """Permute the outcomes of all texts: checks differ in truth, and a rule may be a whole check."""
    outcomes = [each.broken for each in trials]
    Random(seed).shuffle(outcomes)  # noqa: S311  # reproducible, not secret
    return [each._replace(broken=broken) for each, broken in zip(trials, outcomes, strict=True)]


def section(rows: Sequence[Row]) -> str:
    """Write the result.

    Args:
        rows: What was found.
    """
    places = [named(row.defect, row.causes) for row in rows]
    known = [place for row, place in zip(rows, places, strict=True) if not row.defect.fresh]
    fresh = [place for row, place in zip(rows, places, strict=True) if row.defect.fresh]
    without, runs = {row.model: row.without for row in rows}, _PERMUTED * len(rows)
    shuffled = sum(row.permuted for row in rows)
    lines = [
        "## Planted causes",
        "",
        "Written by `python -m benchmarks.causes --update`.",
        "",
        f"{len(rows)} defects, each planted in a trained model (`reference/{'`, `reference/'.join(MODELS)}`) that also "
        f"fails diffusely: {_TURNED:.0%} of the texts with the trigger get the other label, or the one that is named. "
        f"{len(CHECKS)} perturbations of English, at most {_CANDIDATES} texts each of the 480 bundled reviews. A line "
        "names a defect where what its edit does, or where, has the words of the last column (a regular expression).",
        "",
        f"- Defects that the search was built with: {_named(known)}; aims at least 14 and 18 of 20.",
        f"- Fresh defects, written afterwards: {_named(fresh)}. Some hardly break a text, since few edits make their "
        "trigger.",
        f"- Without a defect: some line for {sum(map(bool, without.values()))} of {len(without)} models.",
        f"- Outcomes permuted over all texts: some line in {shuffled} of {runs} {_ends(shuffled, runs)}; aim at "
        "most 5 %.",
        "",
        "| defect | model | texts broken | named in line | first line | words |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row, place in zip(rows, places, strict=True):
        line = "–"
        if row.causes:
            cause = row.causes[0]
            rates = [f"{rate.count} of {rate.tested}" for rate in (cause.inside, cause.elsewhere)]
            line = f"{_cell(str(cause.rule))} ({cause.check}): {rates[0]}, elsewhere {rates[1]}"
        broken, tried = row.broken
        name = f"{row.defect.name} (fresh)" if row.defect.fresh else row.defect.name
        lines.append(
            f"| {name} | {row.model} | {broken:,} of {tried:,} | {place or '–'} | {line} | {_cell(row.defect.words)} |"
        )
    return "\n".join([*lines, ""])


def _named(places: Sequence[int | None]) -> str:
    first, five = (sum(place is not None and place <= most for place in places) for most in (1, 5))
    ends = [f"{count} of {len(places)} {_ends(count, len(places))}" for count in (first, five)]
    return f"named in the first line {ends[0]}, in the first five {ends[1]}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _ends(count: int, number: int) -> str:
    low, high = wilson(count, number) or (0.0, 1.0)
    return f"[{low:.0%}, {high:.0%}]"


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--update", action="store_true", help="write the result")
    given = parser.parse_args()
    rows = list(measure(robustfim.context(data={"use": "reviews"}).examples))
    print(section(rows))
    if given.update:
        write_results(section(rows))


if __name__ == "__main__":
    _main()
