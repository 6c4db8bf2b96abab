"""The tables of rewrites: the shipped ones, and what is wrong with others."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_sears.paraphrase.phrase_table import SHIPPED, Phrase, PhraseTable, read_phrases
from robustfim_sears.paraphrase.rewrite import apply
from robustfim_sears.rule.rule import Rule
from tests.plugins.robustfim_sears.small import tagged


def made(text: str, *rules: str, place: str = "any") -> list[str]:
    table = PhraseTable([Phrase(Rule.parse(rule), place, 0.9) for rule in rules])
    return [apply(text, (rewrite,)) for rewrite in table.rewrites(tagged(text))]


def test_the_shipped_tables_are_many_and_none_stands_twice() -> None:
    phrases = read_phrases(SHIPPED)
    assert len(phrases) > 1500
    assert len({path.name for path in SHIPPED.glob("*.tsv")}) == 8
    assert [
        rule for rule, number in Counter((phrase.rule.text, phrase.place) for phrase in phrases).items() if number > 1
    ] == []


def test_no_shipped_rewrite_changes_tense_or_negation() -> None:
    present = {"is", "are", "has", "have", "does", "do", "can", "will"}
    past = {"was", "were", "had", "did", "could", "would"}
    for phrase in read_phrases(SHIPPED):
        before = {element.word for element in phrase.rule.antecedent}
        after = {piece.word.casefold() for piece in phrase.rule.consequent}
        assert not (before & present and after & past and not after & present), phrase.rule.text
        assert not (before & past and after & present and not after & past), phrase.rule.text


def test_a_line_with_two_arrows_reads_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("# mine\n\nfilm ↔ movie\tany\t0.9\nwhat → which\tstart\t1\n", encoding="utf-8")
    assert [(phrase.rule.text, phrase.place, phrase.weight) for phrase in read_phrases(path)] == [
        ("film → movie", "any", 0.9),
        ("movie → film", "any", 0.9),
        ("what → which", "start", 1.0),
    ]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("film → movie\tany", "has 2 cells, not 3"),
        ("film → movie\tmiddle\t1", "'middle' is not a place"),
        ("film → movie\tany\tsure", "'sure' is not a number"),
        ("film → movie\tany\t0", "the weight 0.0 is not above 0"),
        ("film → movie\tany\tnan", "the weight nan is not above 0"),
        ("film movie\tany\t1", "'film movie' is not a rule"),
        ("film/NUON → movie\tany\t1", "Did you mean 'NOUN'"),
    ],
)
def test_a_malformed_line_is_refused_with_its_number(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(f"# comment\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match=r"own.tsv:2: ") as error:
        read_phrases(path)
    assert complaint in str(error.value)


def test_a_missing_or_empty_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"rewrites: no file .*\. Each line is"):
        read_phrases(tmp_path / "none.tsv")
    (tmp_path / "empty.tsv").write_text("# nothing\n")
    with pytest.raises(UsageError, match="has no rewrite"):
        read_phrases(tmp_path / "empty.tsv")


def test_a_rule_applies_wherever_it_stands() -> None:
    assert made("the film is a film", "film → movie") == ["the movie is a film", "the film is a movie"]


def test_a_place_is_kept() -> None:
    assert made("What is it? It is what is", "what is → what's", place="start") == ["What's it? It is what is"]
    assert made("It is. It is.", ". → !", place="end") == ["It is. It is!"]


def test_a_name_or_a_title_stays() -> None:
    assert made("the film Good Day", "good → fine", "day → end") == []
    assert made("THE GOOD FILM", "good → fine") == ["THE FINE FILM"]
    assert made("Good film", "good → fine") == ["Fine film"]


def test_an_article_before_a_rewrite_agrees() -> None:
    assert made("it is an awful film", "awful → bad") == ["it is a bad film"]


def test_a_mark_leaves_no_words_run_together() -> None:
    assert made("the film, it is", ", it → it") == ["the film it is"]
    assert made("the film , it is", ", it → it") == ["the film it is"]


def test_rules_that_begin_with_a_tag_need_a_sign_of_english() -> None:
    assert made("il film", "NOUN → NOUN!") == []
    assert made("the film", "NOUN → NOUN!") == ["the film!"]
    assert made("il film", "film → movie") == ["il movie"]
