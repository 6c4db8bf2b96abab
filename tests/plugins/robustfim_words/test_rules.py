from __future__ import annotations

from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.rewriting import DEFAULT, Rule, Rules, read_rules
from tests.plugins.robustfim_words.samples import candidates, texts


@pytest.mark.parametrize(
    ("rule", "text", "changed"),
    [
        ("movie -> film", "A Movie, a movie.", "A Film, a movie."),
        ("movie → film", "A MOVIE!", "A FILM!"),
        ("movie -> film", "A movie-goer and movies", None),
        ("what is -> what's", "What  is it?", "What's it?"),
        ("what is -> what's", "What is it – that’s the thing?", "What’s it – that’s the thing?"),
        ("isn't -> is not", "It isn’t so", "It is not so"),
        ("movie -> action film", "a movie", "an action film"),
        ("an actor -> a performer", "AN ACTOR", "A PERFORMER"),
        ("? -> ??", "Why? Why?", "Why?? Why?"),
        ("so , -> so", "so, it ends", "so it ends"),
        ("and/or -> or", "this and/or that", "this or that"),
        ("film/NOUN -> movie", "They film a film.", "They film a movie."),
        ("film/VERB -> shoot", "They film a film.", "They shoot a film."),
        ("I think -> I believe", "i think so", "i believe so"),
    ],
)
def test_a_rule_replaces_whole_words_in_their_case(rule: str, text: str, changed: str | None) -> None:
    assert texts(Rules(rules=[rule]), text) == ([] if changed is None else [changed])


def test_every_occurrence_can_be_asked_for() -> None:
    rules = Rules(rules=["movie -> film", "very -> so"], occurrences="all")
    assert texts(rules, "Movie after movie, very good") == ["Film after film, very good", "Movie after movie, so good"]


def test_an_origin_is_the_rule_as_written() -> None:
    (candidate,) = candidates(Rules(rules=["movie ->  film"]), "a movie")
    assert candidate.edits[0].origin == "rule: movie ->  film"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("movie > film", "is no rule. The form is 'antecedent -> consequent'"),
        ("movie ->", "is no rule"),
        ("-> film", "is no rule"),
        ("a -> b -> c", "is no rule"),
        ("film -> Film", "changes nothing"),
        ("film/NUON -> movie", "unknown part of speech 'NUON'. Did you mean 'NOUN'"),
        ("a-b?/NOUN -> c", "belongs to one word"),
    ],
)
def test_what_is_no_rule_is_refused(rule: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Rule.parse(rule)


def test_options_are_checked() -> None:
    with pytest.raises(UsageError, match=r"Did you mean 'first'"):
        Rules(occurrences="frst")
    with pytest.raises(UsageError, match="the list is empty"):
        Rules(rules=[])


def test_a_file_holds_texts_and_notes(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text("- movie -> film\n- {rule: film -> movie, note: the other way}\n", encoding="utf-8")
    assert [rule.text for rule in read_rules(path)] == ["movie -> film", "film -> movie"]
    assert [rule.text for rule in Rules(path=path, rules=["a -> b"]).rules] == [
        "a -> b",
        "movie -> film",
        "film -> movie",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("- movie -> film\n- movie\n", r"rules\.yaml:2: 'movie' is no rule. The form is"),
        ("- movie -> film\n-\n  - a\n", r"rules\.yaml:3: a list is no rule"),
        ("- note: x\n", r"rules\.yaml:1: the key 'rule' is missing"),
        ("- {rul: a -> b}\n", r"rules\.yaml:1: .*unknown 'rul'. Did you mean 'rule'"),
        ("movie: film\n", "not a list of rules"),
        ("", "not a list of rules"),
        ("- movie -> film\n- [", r"rules\.yaml:2: no YAML: "),
        ("- a -> b\n- 'x -> y\n", r"rules\.yaml:\d: no YAML: "),
        ("- !!python/object/apply:os.system [ls]\n", r"rules\.yaml:1: a list is no rule"),
    ],
)
def test_a_file_that_is_no_list_of_rules_is_refused_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(UsageError, match=message):
        Rules(path=path)


def test_a_file_of_rules_that_is_no_text_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_bytes(b"- movie -> film\n- caf\xe9 -> bar\n")
    with pytest.raises(UsageError, match=r"rules\.yaml:2: not UTF-8"):
        Rules(path=tmp_path / "rules.yaml")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.yaml"):
        Rules(path=tmp_path / "none.yaml")


def test_the_shipped_rules_are_many_and_each_applies_to_its_own_words() -> None:
    rules = read_rules(DEFAULT)
    assert len(rules) >= 25
    assert len({rule.text for rule in rules}) == len(rules)
    text = "I think that it isn't a great movie, although everyone really likes the plot because of a lot of actors."
    assert texts(Rules(), text) == [
        text.replace("movie", "film"),
        text.replace("actors", "performers"),
        text.replace("the plot", "the story"),
        text.replace("really", "truly"),
        text.replace("everyone", "everybody"),
        text.replace("isn't", "is not"),
        text.replace("think", "believe"),
        text.replace("a lot of", "lots of"),
        text.replace("although", "though"),
    ]
