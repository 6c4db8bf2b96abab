from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest
from rich.console import Console

from robustfim_sears.mining.mined import Mined, MinedRule
from robustfim_sears.mining.mining import measured
from robustfim_sears.mining.review import review
from robustfim_sears.mining.selection import gain
from robustfim_sears.rule.rule import Rule
from tests.plugins.robustfim_sears.mining.test_mining import SWAPS, TEXTS, mined
from tests.plugins.robustfim_sears.small import Swaps, context, examples
from tests.robustfim.command_line import unbroken


def measure(rule: Rule) -> MinedRule:
    (found,) = measured([rule], mined(), examples(*TEXTS), context(), Swaps(SWAPS))
    return found


def reviewed(answers: list[str], found: Mined | None = None) -> tuple[Mined, str]:
    """Review with answers; after the last of them the terminal is closed."""
    left: Iterator[str] = iter(answers)

    def ask(asked: str) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    console = Console(file=io.StringIO(), width=120, color_system=None)
    result = review(found or mined(rules=3), console, ask, measure)
    assert isinstance(console.file, io.StringIO)
    return result, console.file.getvalue()


def test_accepted_rules_stay_and_quitting_keeps_them() -> None:
    result, shown = reviewed(["y", "q"])
    assert [rule.rule.text for rule in result.rules] == ["good → bad"]
    assert shown.count("mean the same") == 2
    assert "1 accepted, 0 rejected" in shown


def test_after_a_rejection_the_rule_that_adds_most_without_it_is_shown() -> None:
    found = mined(rules=3)
    first = found.candidates[found.chosen[0]]
    result, _ = reviewed(["n", "yes"], found)
    gains = [0 if first.copies(candidate) else gain(candidate.cover, {}) for candidate in found.candidates]
    assert [found.candidates.index(rule) for rule in result.rules] == [gains.index(max(gains))]


def test_after_an_acceptance_what_it_covers_counts_no_more() -> None:
    found = mined(rules=10)
    result, shown = reviewed(["y"] * 10, found)
    assert result.chosen == found.chosen
    assert "no rule is left that would add anything." in shown


def test_all_rejected_leaves_none() -> None:
    result, shown = reviewed(["n"] * 100)
    assert result.rules == ()
    assert f"0 accepted, {len(mined().candidates)} rejected" in shown


def test_a_rejected_rule_takes_its_near_copies_with_it() -> None:
    texts = ["film and plot", "day and end", "story and good", "film and film", "fine and plot"]
    found = mined([f"good {text} it" for text in texts], Swaps({"and": "bad bad"}))
    names = [candidate.rule.text for candidate in found.candidates]
    assert len(names) > 1  # the word alone, and with the words before or behind it
    first = found.chosen[0]
    result, shown = reviewed(["n"], found)
    copies = [
        name
        for index, name in enumerate(names)
        if index != first and found.candidates[first].copies(found.candidates[index])
    ]
    assert copies
    assert all(f"'{copy}'" in unbroken(shown) for copy in copies[:3])
    assert f"0 accepted, {1 + len(copies)} rejected" in shown
    assert shown.count("mean the same") == 1 + (len(copies) + 1 < len(names))
    assert result.rules == ()


def test_no_more_are_asked_for_than_there_shall_be() -> None:
    result, shown = reviewed(["y"] * 5, mined(rules=1))
    assert len(result.rules) == 1
    assert shown.count("mean the same") == 1


@pytest.mark.parametrize("answer", ["", "maybe", "Y ES"])
def test_an_answer_that_is_none_is_asked_for_again(answer: str) -> None:
    result, shown = reviewed([answer, " Y ", "q"])
    assert len(result.rules) == 1
    assert f"{answer.lower()!r} is not an answer: y accepts the rule" in shown


def test_an_interrupt_keeps_what_was_accepted() -> None:
    def answers() -> Callable[[str], str]:
        given = iter(["y"])

        def ask(asked: str) -> str:
            for answer in given:
                return answer
            raise KeyboardInterrupt

        return ask

    result = review(mined(), Console(file=io.StringIO()), answers(), measure)
    assert len(result.rules) == 1


def test_an_edited_rule_is_measured_and_asked_about_next() -> None:
    result, shown = reviewed(["e", "good → dull", "y", "q"])
    assert [rule.rule.text for rule in result.rules] == ["good → dull"]
    edited, mined_rule = result.rules[0], mined().rules[0]
    assert (len(edited.flips), edited.support) == (0, mined_rule.support)  # it flips, and Swaps says: another meaning
    assert edited.share == (0, mined_rule.support)
    assert "0 flips of 7 texts" in shown
    assert "1 accepted, 1 rejected" in shown


def test_an_edit_that_is_no_rule_is_told_and_asked_about_again() -> None:
    result, shown = reviewed(["e", "no arrow", "e", "good → bad", "y", "q"])
    assert "'no arrow' is not a rule." in shown
    assert "'good → bad' is the same rule." in shown
    assert [rule.rule.text for rule in result.rules] == ["good → bad"]


def test_the_last_answer_is_taken_back() -> None:
    result, shown = reviewed(["b", "n", "b", "y", "q"])
    assert "there is no answer to take back." in shown
    assert [rule.rule.text for rule in result.rules] == ["good → bad"]
    assert "1 accepted, 0 rejected" in shown
