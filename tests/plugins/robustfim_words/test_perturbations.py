"""What holds for every perturbation, over arbitrary and over realistic texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import robustfim_words
from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim.roles import Perturbation, Substitution
from robustfim.seeds import random_for
from tests.plugins.robustfim_words.samples import ENGLISH, SENTENCES, candidates, perturbation, prepared, sentences

NAMES = ENGLISH
WHOLE = [
    *(
        "accents",
        "ages",
        "case",
        "drop_sentence",
        "gender",
        "identities",
        "links",
        "name_origins",
        "nationalities",
        "negative_sentence",
    ),
    "neutral_pronouns",
    *("neutral_sentence", "organisations", "people", "places", "positive_sentence", "punctuation", "religions"),
    *("spaces", "titles"),
]
"""The perturbations that make whole candidates; the others list single edits."""
SUBSTITUTIONS = sorted({*NAMES} - {*WHOLE})

WORDS = sorted({word for sentence in SENTENCES for word in sentence.split()})
MIXED = st.lists(
    st.sampled_from(
        [
            *WORDS,
            "a",
            "an",
            "A",
            "AN",
            "two",
            "1st",
            "$5",
            "'",
            '"',
            "\n",
            "é",
            "’s",
            "—",
            "8/10",
            "it's",
            "not",
            "her",
            "the",
            "Mr.",
            "Dr",
            "is",
            "an",
        ]
    ),
    max_size=12,
).map(" ".join)
TEXTS = st.one_of(st.text(max_size=60), MIXED, st.sampled_from(SENTENCES), MIXED.map(str.upper), MIXED.map(str.lower))
FIELDS = st.dictionaries(st.sampled_from(["text", "premise"]), TEXTS, min_size=1)
RELAXED = settings(suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("lexicons")
    return {name: prepared(perturbation(name, folder)) for name in NAMES}


def propose(made: Any, source: Example, seed: int) -> list[Candidate]:
    if isinstance(made, Substitution):
        return [Candidate(source, (edit,)) for edit in made.edits(source, random_for(seed, "words"))]
    return list(made.propose(source, random_for(seed, "words")))


@pytest.mark.parametrize("name", NAMES)
@RELAXED
@given(fields=FIELDS, seed=st.integers(0, 99))
def test_candidates_can_be_applied_change_the_text_come_again_with_their_seed_and_do_not_overlap(
    made: dict[str, Any], name: str, fields: dict[str, str], seed: int
) -> None:
    source = Example(fields)
    found = propose(made[name], source, seed)
    for candidate in found:
        assert not candidate.unchanged
        assert all(edit.before != edit.after for edit in candidate.edits)
        assert {edit.origin.partition(": ")[0] for edit in candidate.edits} <= {"rule", name}
    assert propose(made[name], source, seed) == found
    if name in SUBSTITUTIONS:  # alternatives share a place, and places do not overlap
        places = {(edit.field, edit.start, edit.end): edit for candidate in found for edit in candidate.edits}
        Candidate(source, tuple(places.values()))  # refuses edits that overlap


@pytest.mark.parametrize("name", NAMES)
def test_each_perturbation_fits_one_role_and_finds_something(made: dict[str, Any], name: str) -> None:
    assert isinstance(made[name], Substitution) is (name in SUBSTITUTIONS)
    assert isinstance(made[name], Perturbation) is (name not in SUBSTITUTIONS)
    more = (
        "Neither funny nor tedious, only long.",
        "My neighbour says that he likes his dog.",
        "The priest prayed.",
        "A gay man sings.",
    )
    rare = (
        "A 34-year-old man sings.",
        "It was an excellent film. I loved it.",
        "It was an excellent and wonderful film.",
        "An awful, boring and stupid film.",
        "A Polish film.",
        "We met Ms. Jones at the lake. The rooms are large. Breakfast costs ten euros.",
    )
    assert any(candidates(made[name], sentence) for sentence in (*SENTENCES, *more, *rare))


@pytest.mark.parametrize("name", NAMES)
def test_the_smallest_and_the_strangest_texts_are_no_obstacle(made: dict[str, Any], name: str) -> None:
    assert candidates(made[name], "") == []
    for text in sentences("test_the_smallest_and_the_strangest_texts_are_no_obstacle"):
        for candidate in candidates(made[name], text):
            assert candidate.example.fields["text"] != text
    for candidate in candidates(made[name], "A \ud800 great film by Kirsten Dunst"):
        assert "\ud800" in candidate.example.fields["text"]


def test_the_lexicons_that_ship_can_be_read() -> None:
    for name in ("synonyms", "nouns", "people", "places", "organisations", "contractions"):
        module, cls = robustfim_words.robustfim_offers()["perturbations"][name].split(":")
        assert getattr(__import__(module, fromlist=[cls]), cls)() is not None


def test_a_lexicon_that_is_missing_is_named(tmp_path: Path) -> None:
    from robustfim.errors import UsageError
    from robustfim_words.swaps.synonyms import Synonyms

    with pytest.raises(UsageError, match=r"none\.tsv"):
        Synonyms(source=tmp_path / "none.tsv")
