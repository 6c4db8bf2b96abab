"""Causes: a planted rule is named in one line, and outcomes that follow no rule name none."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING

import pytest

from robustfim.judge.causes import CauseTable, EditTrial, Rule, TriedEdit, _Tested, cause_texts, find_causes
from robustfim.record import CauseRecord, Failure, PredictionRecord, Record
from robustfim.statistics import Rate
from robustfim.statistics.odds import odds_tail
from tests.robustfim.record.test_format import record

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS = ["film", "plot", "actor", "scene", "music", "end", "start", "cast"]


def edits(random: Random) -> TriedEdit:
    word = random.choice(WORDS)
    place = random.randrange(1, len(word))
    letter = random.choice("abcdefgh")
    left, right = (
        random.choice(["", "the ", "that is not a ", "a great "]),
        random.choice(["", " was fine", " bores"]),
    )
    return TriedEdit(word, word[:place] + letter + word[place:], left, right)


def apostrophes(seed: int, rate: float = 0.2, others: float = 0.0, texts: int = 500) -> Iterator[EditTrial]:
    """28 of 500 texts with an apostrophe that the change makes a curly one, three other edits of each."""
    random = Random(seed)
    for number in range(texts):
        planted = number % 18 == 0
        if planted:
            word = random.choice(["ca", "is", "do", "wo"])
            edit = TriedEdit("'", "’", f"It {word}n", "t matter")
            yield EditTrial("s::punctuation", str(number), random.random() < rate, (edit,))
        for _ in range(3):
            yield EditTrial("s::punctuation", str(number), random.random() < others, (edits(random),))


def named(found: list[CauseRecord]) -> list[str]:
    return [cause.rule for cause in found]


def test_the_apostrophe_that_breaks_6_of_28_is_the_first_line() -> None:
    random = Random(0)
    trials = [*apostrophes(0, rate=0)]
    curly = [place for place, trial in enumerate(trials) if trial.edits[0].after == "’"]
    for place in random.sample(curly, 6):
        trials[place] = trials[place]._replace(broken=True)
    found = [cause for seed in range(20) for cause in find_causes(trials, seed=seed)[:1]]
    assert len(found) == 20
    assert {cause.rule for cause in found} <= {"`’` for `'`", "other punctuation"}
    assert {(cause.inside.count, cause.inside.tested, cause.elsewhere.count) for cause in found} == {(6, 28, 0)}


def test_permuted_outcomes_name_a_cause_in_at_most_five_of_a_hundred_runs() -> None:
    falsely = 0
    for seed in range(60):
        trials = [*apostrophes(seed, rate=0.5, others=0.1, texts=150)]
        outcomes = [trial.broken for trial in trials]
        Random(seed).shuffle(outcomes)
        falsely += bool(find_causes([trial._replace(broken=it) for trial, it in zip(trials, outcomes, strict=True)]))
    assert falsely <= 3


def test_what_breaks_diffusely_hides_no_planted_rule_and_adds_none() -> None:
    found = find_causes([*apostrophes(1, rate=0.9, others=0.1)])
    assert len(found) == 1
    assert found[0].edit == "`’` for `'`"
    assert found[0].inside.ends[0] > found[0].elsewhere.ends[1]


def test_a_rule_that_covers_its_whole_check_is_compared_with_the_other_checks() -> None:
    loud = [EditTrial("s::case", str(n), n % 5 > 0, (TriedEdit("ok", "OK", f"{n} is ", " then"),)) for n in range(60)]
    quiet = [EditTrial("s::typos", str(n), n % 20 == 0, (TriedEdit("film", "fiml", "a "),)) for n in range(60)]
    (cause,) = find_causes([*loud, *quiet])
    assert (cause.check, cause.others) == ("s::case", True)
    assert (cause.inside.count, cause.inside.tested) == (48, 60)
    assert (cause.elsewhere.count, cause.elsewhere.tested) == (3, 60)


def test_a_rule_is_named_below_the_smallest_p_value_of_one_in_twenty_permuted_runs() -> None:
    """The level and the p-values are those of a slow look at each permuted run."""
    table = CauseTable([*apostrophes(2, rate=0.9, others=0.05, texts=300)], seed=0)

    def p_value(rule: _Tested, outcomes: NDArray[np.bool_]) -> float:
        (x, n), (y, m) = ((int(outcomes[its].sum()), len(its)) for its in (rule.inside, rule.elsewhere))
        return odds_tail((x, n), (y, m), 2.0) if x >= 3 and x * m > y * n else 1.0

    bound = table.bound(0.05, 2.0)
    smallest = [min(p_value(rule, table.permuted(seed).broken) for rule in table.rules) for seed in range(50)]
    assert sum(each < bound for each in smallest) <= 7, "2.5 of 50 are expected, more than 7 in one run of 300"
    held = {str(rule.rule): p_value(rule, table.broken) for rule in table.rules}
    (cause, *_) = table.named()
    assert cause.rule.startswith("`’` for `'`")
    assert cause.p_value == pytest.approx(held[cause.rule])
    assert cause.p_value < bound


def test_a_permuted_table_has_the_texts_of_the_table_and_as_many_broken() -> None:
    table = CauseTable([*apostrophes(1, rate=0.9, others=0.1)], seed=0)
    mixed = table.permuted(1)
    assert mixed.broken.sum() == table.broken.sum()
    assert (mixed.broken != table.broken).any()
    assert (mixed.unit == table.unit).all()
    assert mixed.named() == []


def test_an_example_counts_once_however_many_of_its_texts_break() -> None:
    edit = TriedEdit("film", "movie", "a ")
    often = [EditTrial("s::c", "one", True, (edit,)) for _ in range(100)]
    rest = [EditTrial("s::c", str(n), False, (TriedEdit("plot", "story", "a "),)) for n in range(100)]
    assert find_causes([*often, *rest]) == []


@pytest.mark.parametrize(
    ("edit", "rules"),
    [
        (TriedEdit("'", "’", "It can", "t be"), ["`’` for `'`", "other punctuation", "`’` for `'` in \"n't\""]),
        (TriedEdit("film", "movie", "a "), ['"film" -> "movie"', '"film" -> …', '… -> "movie"', 'any edit after "a"']),
        (TriedEdit("", " Bye now.", "It ends."), ['+ "Bye now."', "a text put last"]),
        (TriedEdit("good", "GOOD", "not "), ["UPPER CASE", "UPPER CASE in or behind a negation"]),
        (TriedEdit("good", "goood", ""), ["`o` added", "a letter changed", "a letter changed at the beginning"]),
        (TriedEdit("", " 🙂", "fine"), ["an emoji"]),
        (TriedEdit("", " http://x.org", "fine"), ["a link"]),
        (TriedEdit(" ", "", "so", "good"), ["a blank deleted", "other blanks"]),
        (TriedEdit("e", "é", "caf", ""), ["a letter of another alphabet or with an accent"]),
        (TriedEdit("Smith", "Müller", "Ms "), ["a letter of another alphabet or with an accent"]),
        (TriedEdit("Müller", "Smith", "Ms "), ["a letter of another alphabet or with an accent replaced"]),
        (TriedEdit("7", "8", "in ", " days"), ["digits"]),
        (TriedEdit(" ", "\xa0", "a", "b"), ["`U+00A0` for a blank", "other blanks"]),
        (TriedEdit("so", "soooo", "", " bad"), ["a letter repeated"]),
        (TriedEdit("", " the", "in The", " end"), ["a word twice"]),
        (TriedEdit("", " @jo.m", "fine"), ["a mention"]),
    ],
)
def test_an_edit_follows_what_a_person_would_say_of_it(edit: TriedEdit, rules: list[str]) -> None:
    assert set(rules) <= set(map(str, edit.rules()))


@pytest.mark.parametrize(
    ("text", "start", "end", "after", "runs"),
    [
        ("I saw it.", 0, 1, "To be honest, I", [("", "To be honest, ", "", "I saw it.")]),
        ("so bad a film", 0, 13, "SO bad a FILM", [("so", "SO"), ("film", "FILM")]),
        ("It ends.", 8, 8, " Bye.", [("", " Bye.", "It ends.", "")]),
        ("the film", 4, 8, "movie", [("film", "movie", "the ", "")]),
        ("in the end", 3, 6, "the the", [("", " the", "in the", " end")]),
    ],
)
def test_each_run_of_words_that_an_edit_changes_is_looked_at(
    text: str, start: int, end: int, after: str, runs: list[tuple[str, ...]]
) -> None:
    made = [*TriedEdit.of(text, start, end, after)]
    assert [edit[: len(run)] for edit, run in zip(made, runs, strict=True)] == runs


def test_a_fact_of_the_text_stands_beside_what_the_edit_does_and_never_alone() -> None:
    rules = [*TriedEdit("film", "movie", "a ").rules(["where the answer was good"])]
    assert Rule('"film" -> "movie"', "where the answer was good") in rules
    assert Rule("any edit", "where the answer was good") not in rules


def failure(id: str, example: str, reproduce: str) -> Failure:
    says = PredictionRecord(label="a", probabilities=[])
    return Failure(id=id, check="s::c", example=example, fields={}, before=says, after=says, reproduce=reproduce)


@pytest.mark.parametrize(
    ("one", "both"),
    [
        ("robustfim run s.yaml::c --example {} --seed 3", "robustfim run s.yaml::c --example e1 --example e2 --seed 3"),
        ("robustfim.run(…, only=['c'], examples=['{}'])", "robustfim.run(…, only=['c'], examples=['e1', 'e2'])"),
    ],
)
def test_one_command_repeats_the_two_texts_of_a_cause(one: str, both: str) -> None:
    failures = [failure("f1", "e1", one.format("e1")), failure("f3", "e1", "-"), failure("f2", "e2", one.format("e2"))]
    cause = CauseRecord(
        check="s::c", edit="`’` for `'`", where="in \"n't\"", inside=Rate(6, 28), elsewhere=Rate(0, 470), p_value=0.001,
        failures=["f1", "f3", "f2"],
    )  # fmt: skip
    made: Record = record(failures=failures, causes=[cause])
    texts, command = cause_texts(made, cause)
    assert [text.id for text in texts] == ["f1", "f2"]
    assert command == both
    assert cause.sentence == "`’` for `'` in \"n't\": breaks 6 of 28, elsewhere 0 of 470"


def test_a_kind_that_broke_no_more_than_its_level_proves_is_not_named_though_few_runs_could_name_one() -> None:
    rare = [EditTrial("s::c", str(n), n < 3, (TriedEdit("film", "movie", "a "),)) for n in range(6)]
    rest = [EditTrial("s::c", f"r{n}", n < 9, (TriedEdit("plot", "story", "a "),)) for n in range(20)]
    table = CauseTable([*rare, *rest], seed=0)
    assert table.bound(0.05, 2.0) <= 0.05
    assert table.named() == []
