from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from robustfim.example import Example
from robustfim_words.tagging.tagger import SHIPPED
from robustfim_words.things.organisations import Organisations
from robustfim_words.things.places import Places
from tests.plugins.robustfim_words.samples import perturbation, sentences, texts


def made(perturbation: Places | Organisations, text: str) -> list[str]:
    return [candidate.example.text for candidate in perturbation.propose(Example({"text": text}), Random(0))]


def test_what_stands_before_a_word_of_places_is_called_otherwise() -> None:
    for text in made(Places(), "We met at the Ogden Theatre in the evening."):
        assert text.startswith("We met at the ")
        assert text.endswith(" Theatre in the evening.")
        assert "Ogden" not in text


def test_a_company_is_called_otherwise_wherever_its_name_stands() -> None:
    candidates = made(Organisations(), "We trust Iomega Corp. because Iomega ships.")
    assert candidates
    for text in candidates:
        name = text.removeprefix("We trust ").partition(" Corp.")[0]
        assert text == f"We trust {name} Corp. because {name} ships."


def test_each_kind_leaves_the_other() -> None:
    assert made(Organisations(), "We met at the Ogden Theatre in the evening.") == []
    assert made(Places(), "We trust Iomega Corp. because Iomega ships.") == []


def test_a_place_that_no_list_has_is_told_by_the_word_before_it_but_in_reviews() -> None:
    for text in made(Places(), "Troops were killed in Honiara on Monday."):
        assert text.startswith("Troops were killed in ")
        assert text.endswith(" on Monday.")
        assert "Honiara" not in text
    assert made(Places(), "Troops were killed in Honiara on Monday.")
    assert made(Places(), "This film is boring: the actors were better in Honiara, and the plot is dull.") == []


def test_a_name_with_a_capital_inside_and_a_place_without_its_article_are_known() -> None:
    assert made(Organisations(), "We watch it on YouTube now.")
    assert made(Places(), "We flew to United States last week.")


@pytest.fixture(scope="module")
def recogniser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped tagger with a recogniser of three names that no table has, saved as a pipeline."""
    import spacy

    folder = tmp_path_factory.mktemp("pipeline") / "named"
    nlp = spacy.load(SHIPPED)
    patterns = [("GPE", "Vuollerim"), ("ORG", "Plumbix Zentra"), ("PERSON", "Sunny Market")]
    ruler: Any = nlp.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": label, "pattern": name} for label, name in patterns])
    nlp.to_disk(folder)
    return folder


@pytest.mark.parametrize(
    ("name", "text", "entity"),
    sentences("test_what_a_pipeline_recognises_is_renamed_wherever_it_stands"),
)
def test_what_a_pipeline_recognises_is_renamed_wherever_it_stands(
    recogniser: Path, name: str, text: str, entity: str
) -> None:
    without, named = (perturbation(name, recogniser, pipeline=pipeline) for pipeline in (SHIPPED, recogniser))
    assert texts(without, text) == []
    made = texts(named, text)
    assert made
    assert all(entity not in each and each.startswith(text[: text.index(entity)]) for each in made)


def test_an_organisation_whose_kind_nothing_says_stays(recogniser: Path) -> None:
    assert texts(Organisations(pipeline=recogniser), "Shares of Plumbix Zentra fell on Monday.") == []
