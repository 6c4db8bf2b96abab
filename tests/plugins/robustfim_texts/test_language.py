"""The language of a text and of a data set."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from robustfim.example import Example
from robustfim_texts import language_of, language_shares, main_language

SUITES = Path(__file__).parents[4] / "shared/data/suites"
FILES = {
    "en": "hatecheck_test_suite_cases.csv", "de": "hatecheck_german.csv", "es": "hatecheck_spanish_half.csv",
    "fr": "hatecheck_french_half.csv",
}  # fmt: skip
ENGLISH, GERMAN = "It is a good film and they are good in it.", "Das ist nicht gut und auch nicht neu."


def examples(*texts: str) -> list[Example]:
    return [Example({"text": text}) for text in texts]


def texts_of(code: str) -> list[str]:
    if not SUITES.is_dir():
        pytest.skip("the shared data are not here")
    with (SUITES / FILES[code]).open(encoding="utf-8", newline="") as file:
        return [row["test_case"] for row in csv.DictReader(file)]


@pytest.mark.parametrize("code", FILES)
def test_texts_of_one_language_are_recognised_with_at_most_one_error_in_a_thousand(code: str) -> None:
    texts = texts_of(code)
    main = main_language(examples(*texts))
    assert main == code
    assert sum(language_of(text, main) != code for text in texts) <= len(texts) / 1000


def test_in_data_of_several_languages_no_text_counts_as_english_that_is_not() -> None:
    mixed = [(code, text) for code in FILES for text in texts_of(code)[::15]]
    assert main_language(examples(*(text for _, text in mixed)), "en") == ""
    assert not [text for code, text in mixed if code != "en" and language_of(text) == "en"]
    right = sum(language_of(text) == code for code, text in mixed)
    assert right >= 0.9 * len(mixed), "the others are of no clear language"


def test_a_short_text_is_in_the_main_language_and_two_function_words_show_another() -> None:
    assert [language_of("Mord an Juden", main) for main in ("", "de", "en")] == ["", "de", "en"]
    assert language_of("Las Vegas rocks", "en") == "en"
    assert language_of(GERMAN, "en") == language_of(GERMAN, "fr") == "de"
    assert language_of("Фильм хороший", "de") == ""


def test_few_texts_have_the_language_that_all_of_them_together_show() -> None:
    assert main_language(examples("Las Vegas rocks", "good film"), "en") == "en"
    assert main_language(examples("good film"), "en") == "en"
    assert main_language(examples("good film")) == ""
    assert main_language(examples(GERMAN, "Mord an Juden"), "en") == "de"


def test_nine_of_ten_clear_texts_make_a_main_language_and_shares_leave_out_what_is_not_clear() -> None:
    most = [*[GERMAN] * 9, ENGLISH, "Mord"]
    assert main_language(examples(*most)) == "de"
    assert language_shares(examples(*most)) == {"de": 0.9, "en": 0.1}
    assert main_language(examples(*most, ENGLISH)) == ""
    assert language_shares(examples("Mord")) == {}
