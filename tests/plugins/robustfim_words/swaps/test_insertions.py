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
    assert "In my opinion, the soup was awful." in texts(review, "The soup was awful.")
    assert not any("opinion" in text for text in texts(review, "The soup was on the table."))
    told = "The mill has closed. The town bought the site."
    assert {text.partition(". ")[2] for text in texts(news, told)} == {
        "As reported, the town bought the site.",
        "According to the report, the town bought the site.",
        "In fact, the town bought the site.",
    }


def test_a_list_of_ones_own_is_read_and_a_count_checked(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("Folks,\n", encoding="utf-8")
    assert texts(Openers(source=tmp_path / "mine.txt"), "The plot is dull.") == ["Folks, the plot is dull."]
    with pytest.raises(UsageError, match="alternatives: 0 is below 1"):
        Adverbs(alternatives=0)
