from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robustfim.candidate import Candidate
from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.roles import Perturbation
from robustfim.seeds import random_for
from robustfim_sears.rule.file import read_rules
from robustfim_sears.rule.perturbation import DEFAULT, Rules
from tests.plugins.robustfim_sears.small import context
from tests.robustfim.toys import Bench, check, example

ALPHABET = "aA.,?!'’ \t\n\u00a0éß\u0301🙂日\ud83d"
MANY = ["film → movie", "what VERB → so what VERB", "very ADJ → ADJ", "DET NOUN → NOUN", ". → , really .", "? → ??"]


def candidates(made: Rules, text: str) -> list[Candidate]:
    return list(made.propose(example(text), random_for(0, "rules")))


def texts(made: Rules, text: str) -> list[str]:
    return [candidate.example.fields["text"] for candidate in candidates(made, text)]


def small(**options: object) -> Rules:
    made = Rules(**options)  # type: ignore[arg-type]  # the options of a suite
    made.prepare(context())
    return made


def test_every_occurrence_can_be_asked_for() -> None:
    rules = small(rules=["movie -> film", "very -> so"], occurrences="all")
    assert texts(rules, "Movie after movie, very good") == ["Film after film, very good", "Movie after movie, so good"]


def test_an_edit_says_which_rule_made_it() -> None:
    (candidate,) = candidates(small(rules=["movie ->  film"]), "a movie")
    assert candidate.edits[0].origin == "movie → film"


def test_an_empty_list_and_no_rule_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the list is empty"):
        Rules(rules=[])
    with pytest.raises(UsageError, match="'film' is not a rule"):
        Rules(rules=["film"])
    with pytest.raises(UsageError, match=r"none\.yaml"):
        Rules(path=tmp_path / "none.yaml")


def test_rules_of_a_file_come_after_those_of_the_suite(tmp_path: Path) -> None:
    path = tmp_path / "rules.yaml"
    path.write_text("- movie -> film\n", encoding="utf-8")
    assert [rule.text for rule in Rules(path=path, rules=["a -> b"]).rules] == ["a → b", "movie → film"]


def test_each_field_has_its_own_first_occurrence_and_fields_are_chosen_by_the_harness() -> None:
    pair = Example({"premise": "a film, a film", "hypothesis": "the film"})
    made: Perturbation = small(rules=["film → movie"])
    assert [dict(candidate.example.fields) for candidate in made.propose(pair, random_for(0, "rules"))] == [
        {"premise": "a movie, a film", "hypothesis": "the film"},
        {"premise": "a film, a film", "hypothesis": "the movie"},
    ]


def test_a_run_tests_one_candidate_a_rule() -> None:
    rules = small(rules=["good → bad", "fine → dull", "it → that"])
    bench = Bench([example("good and fine"), example("it")])
    bench.context = context()
    record, failures = bench.run(check(rules))
    assert (record.tested, record.failing, record.candidates.tested) == (2, 1, 3)
    assert [failure.edits[0].origin for failure in failures] == ["good → bad"]


@settings(max_examples=60)
@given(st.text(ALPHABET), st.lists(st.sampled_from(["film", "Very", "good", "What", "happens", "A"])), st.booleans())
def test_edits_give_the_candidate_and_change_any_text(strange: str, words: list[str], everywhere: bool) -> None:
    text = f"{' '.join(words)}{strange} {' '.join(words)}"
    for candidate in candidates(small(rules=MANY, occurrences="all" if everywhere else "first"), text):
        assert everywhere or len(candidate.edits) == 1
        assert not candidate.unchanged
        again = text
        for edit in reversed(candidate.edits):
            assert again[edit.start : edit.end] == edit.before
            again = again[: edit.start] + edit.after + again[edit.end :]
        assert candidate.example.fields["text"] == again


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


@pytest.mark.parametrize(
    "text", ["See film.example.com/film or @film.", 'They saw "The Film Maker" again.', "we saw the film <b film>."]
)
def test_titles_addresses_and_markup_are_left_alone(text: str) -> None:
    after = texts(Rules(rules=["film -> movie"], occurrences="all"), text)
    assert after == ([text.replace("the film", "the movie")] if "the film" in text else [])
