"""Insertions: intensifiers, adverbs and openers."""

from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.insertions import Adverbs, Intensifiers, Openers
from tests.plugins.robustfim_words.samples import sentences, texts


def test_an_adverb_fits_the_degree_of_its_adjective() -> None:
    found = texts(Intensifiers(alternatives=99), "It was superb and funny.")
    assert "It was very superb and funny." not in found
    assert "It was superb and absolutely funny." not in found


@pytest.mark.parametrize(
    ("text", "opened"),
    sentences("test_an_opener_takes_the_capital_but_not_that_of_a_name"),
)
def test_an_opener_takes_the_capital_but_not_that_of_a_name(text: str, opened: str, tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("Well,\nHonestly,\n")
    assert opened in texts(Openers(alternatives=99, source=tmp_path / "own.txt"), text)


def test_the_phrases_fit_the_kind_of_the_text_and_of_what_the_sentence_says() -> None:
    review, news = (Openers(alternatives=99, texts=kind) for kind in ("review", "news"))
    assert "I ate. In my opinion, the soup was awful." in texts(review, "I ate. The soup was awful.")
    assert not any("opinion" in text for text in texts(review, "The soup was awful."))
    assert not any("opinion" in text for text in texts(review, "The soup was on the table."))
    told = "The mill has closed. The town bought the site."
    assert {text.partition(". ")[2] for text in texts(news, told)} == {
        "Reportedly, the town bought the site.",
        "According to reports, the town bought the site.",
    }


PERSONAL = "I saw my dentist. "
REPORT = "The council of Leeds met on Monday, its spokesman told Reuters. "


@pytest.mark.parametrize(
    ("made", "text", "opened"),
    [
        (Openers, PERSONAL + "The plan was awful.", True),
        (Openers, PERSONAL + "The plan was in the drawer.", False),  # a fact
        (Openers, PERSONAL + "If the plan is awful, the mayor will know.", False),
        (Openers, PERSONAL + "Always check the awful plan.", False),
        (Openers, PERSONAL + "Is the plan awful?", False),
        (Openers, PERSONAL + "Frankly speaking the plan was awful.", False),
        (Openers, PERSONAL + "Sometimes makes awful plans.", False),  # no subject
        (Adverbs, PERSONAL + "The plan pleases the mayor.", True),
        (Adverbs, PERSONAL + "The plan moved to the mayor.", False),  # a fact
        (Adverbs, PERSONAL + "It ends as if the plan pleases the mayor.", False),
        (Adverbs, PERSONAL + "He said if the plan pleases the mayor.", False),
        (Intensifiers, PERSONAL + "The plan was good.", True),
        (Intensifiers, PERSONAL + "Is the plan good?", False),
        (Intensifiers, PERSONAL + "The plan goes from good to better.", False),
    ],
)
def test_only_statements_are_opened_assured_and_strengthened(made: type, text: str, opened: bool) -> None:
    found = [each for each in texts(made(alternatives=99), text) if each.startswith(PERSONAL)]
    phrases = ("honest", "rankly", "opinion", "certainly pleases", "really good")
    assert any(phrase in each for each in found for phrase in phrases if phrase not in text) is opened


def test_a_report_is_not_assured_and_strengthened_as_its_reader_would() -> None:
    text = REPORT + "The plan pleases the good mayor of the town, which has many farms."
    assert {"The plan apparently pleases", "The plan reportedly pleases"} == {
        each.removeprefix(REPORT).partition(" the good")[0]
        for each in texts(Adverbs(alternatives=99), text)
        if "pleases the" in each and "plan pleases" not in each
    }
    assert not any("really good" in each for each in texts(Intensifiers(alternatives=99), text))
    assert any("very good" in each for each in texts(Intensifiers(alternatives=99), text))


def test_an_adverb_of_assurance_stands_in_the_main_clause() -> None:
    found = texts(Adverbs(alternatives=99), PERSONAL + "She likes the plan because it helps the town.")
    assert any("She certainly likes" in each for each in found)
    assert any("it really helps" in each for each in found)
    assert not any("it certainly helps" in each for each in found)


def test_a_list_of_ones_own_is_read_and_a_count_checked(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("Folks,\n", encoding="utf-8")
    assert texts(Openers(source=tmp_path / "mine.txt"), "The plot is dull.") == ["Folks, the plot is dull."]
    with pytest.raises(UsageError, match="alternatives: 0 is below 1"):
        Adverbs(alternatives=0)
