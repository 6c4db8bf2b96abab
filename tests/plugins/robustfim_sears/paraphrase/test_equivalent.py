"""The constraint ``equivalent``: a paraphraser's score decides, at its own threshold or another."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.contract import ParaphraserContract
from robustfim.example import Example
from robustfim.roles import Paraphrase
from robustfim_sears.paraphrase.equivalent import Equivalent
from robustfim_sears.paraphrase.phrases import Phrases
from tests.plugins.robustfim_sears.small import context
from tests.robustfim.command_line import CommandLine, refused
from tests.robustfim.conftest import robustfim as robustfim  # the fixture, which pytest finds by its name

SOURCE = Example({"text": "The movie is great.", "title": "A movie"})


class Half:
    """Takes a half as the score of everything but of an unchanged text."""

    contract = ParaphraserContract(score="half", tau=0.4)

    def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
        return [[] for _ in texts]

    def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
        return [
            1.0 if text == made else 0.2 if "bad" in made else 0.5 for text, made in zip(texts, candidates, strict=True)
        ]


def candidate(*edits: tuple[str, str, str]) -> Candidate:
    made = []
    for field, before, after in edits:
        start = SOURCE.fields[field].index(before)
        made.append(Edit(field, start, start + len(before), before, after))
    return Candidate(SOURCE, tuple(made))


@pytest.mark.parametrize(("least", "accepted"), [(None, True), (0.5, True), (0.6, False)])
def test_the_threshold_is_the_paraphrasers_or_the_one_asked_for(least: float | None, accepted: bool) -> None:
    reason = Equivalent(by=Half(), least=least).reject(candidate(("text", "movie", "film")))
    assert reason == (None if accepted else "half score too low")


def test_the_lowest_score_of_the_changed_fields_decides() -> None:
    constraint = Equivalent(by=Half())
    assert constraint.reject(candidate(("text", "movie", "film"), ("title", "A movie", "A bad one"))) is not None
    assert constraint.reject(candidate(("text", "movie", "film"), ("title", "movie", "film"))) is None
    assert constraint.reject(Candidate(SOURCE, ())) is None


def test_a_shipped_rewriting_is_equivalent_and_another_word_is_not() -> None:
    constraint = Equivalent(by=Phrases())
    constraint.prepare(context())
    assert constraint.reject(candidate(("text", "movie", "film"))) is None
    assert constraint.reject(candidate(("text", "great", "awful"))) == "edit score too low"


def test_a_suite_names_the_paraphraser_and_its_rejections_are_counted(robustfim: CommandLine) -> None:
    constrain = "constrain: [{use: equivalent, by: {use: phrases, most: 4}}]"
    suite = robustfim.suite(
        "{calm: {perturb: {use: rename, table: {film: movie, good: bad}}, limit: 1, " + constrain + "}}"
    )
    robustfim(f"run {suite}")
    counts = robustfim.record("other").checks[0].candidates
    assert counts.tested > 0
    assert set(counts.rejected) | set(counts.edits_rejected) == {"equivalent: edit score too low"}
    wrong = robustfim.suite("{calm: {perturb: rename, constrain: [{use: equivalent, by: phrase}]}}")
    refused(robustfim(f"run {wrong}"), "unknown paraphraser 'phrase'", "Did you mean 'phrases'?")
