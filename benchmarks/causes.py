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
from typing import NamedTuple

import robustfim
from benchmarks.planted import model_of
from benchmarks.sections import write_results
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.judge.causes import CauseTable, EditTrial, TriedEdit
from robustfim.record import CauseRecord
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
_CANDIDATES, _PERMUTED = 3, 3


@dataclass(frozen=True)
class Defect:
    """A planted defect.

    Attributes:
        name: The defect, in words.
        trigger: A regular expression. The defect changes the model's answers to texts in which it matches.
        words: A regular expression that matches a printed line if the line names the defect.
        towards: The label of an answer that the defect changes; None for the opposite of the model's label.
        round: 0 if the search was built with knowledge of the defect; 1 if somebody else wrote the defect afterwards,
            before the search was improved; 2 if the defect was written after that improvement.
    """

    name: str
    trigger: str
    words: str
    towards: str | None = None
    round: int = 0


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
    Defect("an exclamation mark", "!", "!|punctuation", round=1),
    Defect("two blanks", r"\S  \S", "blank", round=1),
    Defect("*film*", r"\bfilm\b", "film|movie", "negative", round=1),
    Defect("a hyphen in a word", r"\w-\w", "`-`|hyphen", round=1),
    Defect("an accent", "[éèáàöüñçêôî]", "accent|[éèáàöüñçêôî]", round=1),
    Defect("a small i alone", r"(?<![\w'.])i(?![\w'.])", 'case|`i`|"i"', round=1),
    Defect("*very*", r"\b[Vv]ery\b", "very", "positive", round=1),
    Defect("*Well,* at the beginning", "^Well,", "[Ww]ell", round=1),
    Defect("a text in small letters", "^[^A-Z]*$", "lower", round=1),
    Defect("*does not*", r"\b[Dd]oes not\b", "does not|doesn't|n't|not", round=1),
    Defect("*picture*", r"\bpicture\b", "picture|film|movie", round=1),
    Defect("*four*", r"\b[Ff]our\b", "four", round=1),
    Defect("*superb*", r"\bsuperb\b", "superb", "negative", round=2),
    Defect("*London*", r"\bLondon\b", "london", round=2),
    Defect("a line break", r"\S\n", r"U\+000A", round=2),
    Defect("*won’t* or *won't*", r"\b[Ww]on['’]t\b", r"won't|will not|`’`", round=2),
    Defect("*definately*", r"\b[Dd]efinately\b", "definat|definit", "negative", round=2),
    Defect("a number of three digits", r"(?<!\d)\d{3}(?!\d)", r"digits|\d{3}", round=2),
    Defect("two marks at the end", r"[.!?]{2}\s*$", r"!|\?|`\.|punctuation", round=2),
    Defect("three words in title case", r"(?:\b[A-Z][a-z]+ ){3}", "case|[A-Z]` for", round=2),
)
_TURNED = 0.8
"""The fraction of the texts with the trigger whose answer the defect changes."""


def answers_with(defect: Defect | None, answers: Mapping[str, str]) -> dict[str, str]:
    """Plant a defect in a model.

    Args:
        defect: The defect; None changes nothing.
        answers: A mapping from each text to the model's label.

    Returns:
        A mapping from each text to the label of the model with the defect.
    """
    other = {"positive": "negative", "negative": "positive"}

    def answer(text: str, label: str) -> str:
        if defect is None or not re.search(defect.trigger, text) or random_for(0, text).random() > _TURNED:
            return label
        return defect.towards or other[label]

    return {text: answer(text, label) for text, label in answers.items()}


def trials_of(pools: Mapping[str, Sequence[Sequence[Candidate]]], answers: Mapping[str, str]) -> list[EditTrial]:
    """Test the candidates of all texts that the model labels correctly, as a run does.

    Args:
        pools: A mapping from each check to the candidates of each text.
        answers: A mapping from each text to the model's label.
    """
    return [
        EditTrial(
            check, candidate.source.id, answers[candidate.example.text] != before,
            tuple(
                run for edit in candidate.edits
                for run in TriedEdit.of(candidate.source.text, edit.start, edit.end, edit.after)
            ),
            (f"where the answer was {before}",),
        )
        for check, its in pools.items()
        for pool in its
        for candidate in pool
        if (before := answers[candidate.source.text]) == candidate.source.label
    ]  # fmt: skip


def named(defect: Defect, causes: Sequence[CauseRecord]) -> int | None:
    """Return the rank, from 1, of the first cause that names a defect; None if no cause does."""
    places = (place for place, cause in enumerate(causes, 1) if re.search(defect.words, cause.rule))
    return next(places, None)


class Row(NamedTuple):
    """The causes that were found for one model with a planted defect.

    Attributes:
        defect: The defect.
        model: The model in which the defect is planted.
        broken: The number of texts whose answer becomes wrong, and the number of tested texts.
        causes: The causes found with the defect.
        without: The causes found for the same model without the defect.
        permuted: The number of runs with randomly permuted outcomes in which a cause was found.
    """

    defect: Defect
    model: str
    broken: tuple[int, int]
    causes: Sequence[CauseRecord]
    without: Sequence[CauseRecord]
    permuted: int


def measure(examples: Sequence[Example], models: Sequence[str] = MODELS) -> Iterator[Row]:
    """Plant each defect in one of the models, taking the models in turn, and search for causes.

    Args:
        examples: The texts, with gold labels.
        models: The reference models.
    """
    written = {name: {"use": name, **_OPTIONS.get(name, {})} for name in CHECKS}
    pools = {name: [*robustfim.perturb(use, [*examples], candidates=_CANDIDATES)] for name, use in written.items()}
    texts = {example.text for example in examples} | {
        c.example.text for its in pools.values() for pool in its for c in pool
    }
    ordered, answers = sorted(texts), dict[str, dict[str, str]]()
    for model in models:
        said = model_of(model)(ordered)
        answers[model] = {text: "positive" if p >= 0.5 else "negative" for text, p in zip(ordered, said, strict=True)}
    without = {model: CauseTable(trials_of(pools, answers[model]), 0).named() for model in models}
    for seed, defect in enumerate(DEFECTS):
        model = models[seed % len(models)]
        trials = trials_of(pools, answers_with(defect, answers[model]))
        broken = sum(trial.broken for trial in trials)
        table = CauseTable(trials, seed)
        causes = table.named()
        lines = [bool(table.permuted(100 * seed + each).named()) for each in range(_PERMUTED)]
        print(defect.name, "·", model, file=sys.stderr)
        yield Row(defect, model, (broken, len(trials)), causes, without[model], sum(lines))


def section(rows: Sequence[Row]) -> str:
    """Write the results as a section of Markdown.

    Args:
        rows: The results, one row for each defect.
    """
    places = [named(row.defect, row.causes) for row in rows]
    known, fresh, last = ([p for row, p in zip(rows, places, strict=True) if row.defect.round == r] for r in range(3))
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
        "trigger. The search was changed after they were measured.",
        f"- Defects written after that change: {_named(last)}.",
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
            line = f"{_cell(cause.rule)} ({cause.check}): {rates[0]}, elsewhere {rates[1]}"
        broken, tried = row.broken
        name = f"{row.defect.name}{('', ' (fresh)', ' (after the change)')[row.defect.round]}"
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
