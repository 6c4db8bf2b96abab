"""Perturbations as paraphrasers, made by name and by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.collect.lookup import Named
from robustfim.errors import PluginError, UsageError
from robustfim.example import Example
from robustfim.parts import PerturbationPart
from robustfim.plugin.manager import PluginManager
from robustfim.suite.file import SuiteFile
from robustfim.suite.format import Use
from robustfim_sears.mining.mining import mine
from robustfim_sears.paraphrase.perturbed import Perturbed
from tests.plugins.robustfim_sears.small import context, examples
from tests.robustfim.toys import CountingModel


class Swap:
    """Each ``film`` becomes ``movie``."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        for field, text in example.fields.items():
            start = -1
            while (start := text.find("film", start + 1)) >= 0:
                yield Edit(field, start, start + 4, "film", "movie", "swap")


class Ending:
    """A whole text at a time; ``prepare`` is called."""

    end = ""

    def prepare(self, context: object) -> None:
        self.end = "!"

    def propose(self, example: Example, random: Random) -> Iterator[Candidate]:
        yield Candidate.replacing(example, {"text": example.fields["text"] + self.end})
        yield Candidate(example)


class Broken:
    """Raises."""

    def edits(self, example: Example, random: Random) -> Iterator[Edit]:
        raise KeyError("film")


def made(*perturbations: object, **options: object) -> Perturbed:
    found = Perturbed(of=[*map(PerturbationPart, perturbations)], **options)  # type: ignore[arg-type]  # options of every kind
    found.prepare(context())
    return found


def part(**options: object) -> Named:
    manager = PluginManager()
    manager.load_entry_points()
    use = Use.model_validate({"use": "perturbations", **options})
    return Named("paraphrasers", use, SuiteFile(Path("the command line"), {}), manager)


def test_edits_and_whole_candidates_are_paraphrases() -> None:
    (found,) = made(Swap(), Ending()).paraphrase(["a film of a film"], seed=0)
    assert {paraphrase.text: paraphrase.score for paraphrase in found} == pytest.approx(
        {
            "a movie of a film": 0.9 * (1 - 1 / 5 / 2),
            "a film of a movie": 0.9 * (1 - 1 / 5 / 2),
            "a film of a film!": 0.9 * (1 - 1 / 6 / 2),
            "a movie of a movie": 0.81 * (1 - 2 / 5 / 2),
            "a movie of a film!": 0.81 * (1 - 2 / 6 / 2),
            "a film of a movie!": 0.81 * (1 - 2 / 6 / 2),
        }
    )


def test_what_no_perturbation_does_has_a_score_below_tau() -> None:
    swap = made(Swap(), weight=1.0)
    known, unknown = swap.score(["the film was long"] * 2, ["the movie was long", "the play was long"])
    assert (known, swap.contract.score) == (1 - 1 / 4 / 2, "edit")
    assert unknown < swap.contract.tau <= known


def test_rules_are_mined_from_a_perturbation() -> None:
    """The model of the toys counts words: it says positive where there are more good ones."""
    texts = ["the good film", "a good film", "this film"]
    model = CountingModel()
    found = mine(examples(*texts), context(model), made(Swap()), min_flips=1)
    assert found.score_name == "edit"
    assert found.counts["paraphrases"] == 3


def test_perturbations_are_made_by_name_with_their_options() -> None:
    paraphraser = part(of=["contractions", {"use": "contractions", "direction": "expand"}], together=1).make()
    paraphraser.prepare(context())
    (found,) = paraphraser.paraphrase(["This is not what I don't like."], seed=0)
    assert {each.text for each in found} == {"This isn't what I don't like.", "This is not what I do not like."}
    assert "Contractions" in paraphraser.resources()["paraphraser"]


def test_an_unknown_perturbation_or_option_is_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown perturbation 'contraction'. Did you mean 'contractions'"):
        part(of=["contraction"]).make()
    with pytest.raises(UsageError, match="unknown option 'way'"):
        part(of=[{"use": "contractions", "way": "both"}]).make()
    with pytest.raises(UsageError, match="3 names no perturbation: write its name"):
        part(of=[3]).make()
    with pytest.raises(UsageError, match="'of' is missing"):
        part().make()


def test_no_perturbation_and_a_step_are_refused() -> None:
    with pytest.raises(UsageError, match="'of' names no perturbation"):
        Perturbed(of=[])
    with pytest.raises(UsageError, match="steps in embedding space"):
        part(of=["eigenvector"]).make()


def test_a_perturbation_that_raises_is_named() -> None:
    with pytest.raises(PluginError, match=r"perturbation 'Broken' \(Broken\) raised KeyError: 'film'"):
        made(Broken()).paraphrase(["a film"], seed=0)


def test_a_text_and_a_seed_decide_its_paraphrases_alone() -> None:
    typos = part(of=["typos"], most=5).make()
    typos.prepare(context())
    text = "a rather long story of a film"
    first, other = typos.paraphrase([text], seed=1), typos.paraphrase(["nothing else", text], seed=1)
    assert first[0] == other[1]
    assert first != typos.paraphrase([text], seed=2)
    assert len(first[0]) == 5
