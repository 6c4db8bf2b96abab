from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.contractions import Contractions
from tests.plugins.robustfim_words.samples import edits, perturbation, sentences, texts


@pytest.mark.parametrize(
    ("text", "changed"),
    sentences("test_contractions_go_both_ways_with_their_case"),
)
def test_contractions_go_both_ways_with_their_case(tmp_path: Path, text: str, changed: str) -> None:
    assert changed in texts(perturbation("contractions", tmp_path), text)


@pytest.mark.parametrize(
    "text",
    [
        "I know what it is.",
        "It is, sadly.",
        "I have a car.",
        "It's gone.",  # is or has
        "They got lost in it's plot.",
        "Isn't it sad?",
        "Why doesn't he go?",
        "Kirsten's film is the film's best.",
        "It 's good.",
        "Bakers like you are kind.",
        "Any bakers out there will agree.",
    ],
)
def test_what_speech_does_not_allow_or_leaves_open_stays(tmp_path: Path, text: str) -> None:
    assert texts(perturbation("contractions", tmp_path), text) == []


def test_of_two_contractions_that_overlap_the_one_with_not_is_taken(tmp_path: Path) -> None:
    (edit,) = edits(perturbation("contractions", tmp_path), "It is not good.")
    assert (edit.before, edit.after, edit.origin) == ("is not", "isn't", "contractions: is not → isn't")


def test_one_direction_can_be_chosen(tmp_path: Path) -> None:
    text = "It is good, but I don't care."
    assert texts(perturbation("contractions", tmp_path, direction="expand"), text) == ["It is good, but I do not care."]
    assert texts(perturbation("contractions", tmp_path, direction="contract"), text) == ["It's good, but I don't care."]
    with pytest.raises(UsageError, match=r"direction: unknown 'expnd'. Did you mean 'expand'"):
        Contractions(direction="expnd")
