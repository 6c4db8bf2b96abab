from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from robustfim.errors import DataError, ModelError, PluginError, UsageError
from robustfim.example import Example
from robustfim.roles import Paraphrase
from robustfim_sears.mining.mined import HELD, Mined
from robustfim_sears.mining.mining import mine
from tests.plugins.robustfim_sears.small import Swaps, context, examples
from tests.robustfim.toys import CountingModel, prediction

TEXTS = [
    *("good film", "a good plot", "good end", "it is good", "good day"),  # flip under good → bad
    *("good good film", "a good and good plot"),  # do not: only the first of two is replaced
    *("fine day", "a fine end", "fine film"),  # flip under fine → dull
    *("bad film", "a dull film", "it is bad", "film"),
]
SWAPS = {"good": "bad", "fine": "dull", "film": "movie", "missing": "gone"}


def mined(texts: Sequence[str] = TEXTS, swaps: Swaps | None = None, **options: object) -> Mined:
    return mine(examples(*texts), context(), swaps or Swaps(SWAPS), **options)  # type: ignore[arg-type]  # of a test


def test_the_rules_are_those_that_flip_and_they_say_what_they_do() -> None:
    found = mined()
    assert [rule.rule.text for rule in found.rules] == ["good → bad", "fine → dull"]
    good, fine = found.rules
    assert (len(good.flips), good.support, good.chosen_by.rate) == (5, 7, 5 / 7)
    assert (good.share.equivalent, good.share.scored) == (7, 7)
    assert (len(fine.flips), fine.support) == (3, 3)
    assert (len({flip.source for rule in found.rules for flip in rule.flips}), found.texts) == (8, len(TEXTS))
    assert {sea.text for sea in found.seas} >= {"bad film", "dull day"}
    assert (found.score_name, found.tau, found.delta, found.seed) == ("swaps", 0.5, 0.1, 0)


def test_with_gold_labels_only_texts_that_the_model_is_right_about_take_part() -> None:
    labels = [prediction(text).label for text in TEXTS]
    labels[0], labels[7] = ("good" if label != "good" else "bad" for label in (labels[0], labels[7]))
    told = [replace(example, label=label) for example, label in zip(examples(*TEXTS), labels, strict=True)]
    found = mine(told, context(), Swaps(SWAPS))
    bare = mined([text for place, text in enumerate(TEXTS) if place not in (0, 7)])
    assert found.counts["wrong before"] == 2
    assert [(rule.rule, rule.support, len(rule.flips)) for rule in found.rules] == [
        (rule.rule, rule.support, len(rule.flips)) for rule in bare.rules
    ]
    assert {TEXTS[flip.source] for rule in found.rules for flip in rule.flips}.isdisjoint({TEXTS[0], TEXTS[7]})
    half = [
        replace(example, label=prediction(text).label if place % 2 else None)
        for place, (example, text) in enumerate(zip(examples(*TEXTS), TEXTS, strict=True))
    ]
    assert mine(half, context(), Swaps(SWAPS)).counts["wrong before"] == len(TEXTS[::2]), "no gold label, no risk"


def test_what_a_flip_says_is_true() -> None:
    for candidate in mined().candidates:
        for flip in candidate.flips:
            before, after = flip.texts
            assert flip.candidate.edits == (flip.edit,)
            assert flip.edit.origin == candidate.rule.text
            assert (flip.before, flip.after) == (prediction(before), prediction(after))
            assert flip.before.label != flip.after.label
            assert flip.source == TEXTS.index(before)


def test_every_prediction_goes_through_the_queue_and_none_is_asked_for_twice() -> None:
    model = CountingModel()
    run = context(model)
    mine(examples(*TEXTS), run, Swaps(SWAPS))
    sent = [text for batch in model.batches for text in batch]
    assert len(sent) == len(set(sent)) == run.queue.sent
    assert set(TEXTS) < set(sent)


def test_a_rule_that_often_means_something_else_is_left_out() -> None:
    class Doubtful(Swaps):
        def score(self, texts: Sequence[str], candidates: Sequence[str]) -> list[float]:
            return [0.1 if "end" in text or "day" in text else 0.9 for text in texts]

    found = mined(swaps=Doubtful(SWAPS))
    assert [candidate.rule.text for candidate in found.candidates if "dull" in candidate.rule.text] == []
    assert found.counts["flipping rules"] > found.counts["equivalent rules"]
    lenient = mined(swaps=Doubtful(SWAPS), delta=0.3)
    (good,) = (candidate for candidate in lenient.candidates if candidate.rule.text == "good → bad")
    assert (good.share.equivalent, good.share.scored, good.support) == (5, 7, 7)
    assert [flip.texts[0] for flip in good.flips] == ["good film", "a good plot", "it is good"]


def test_of_rules_that_do_the_same_the_shortest_is_kept() -> None:
    found = mined(["good film", "good film ends", "good plot"])
    # "good film → bad film" does less than "good → bad"; every text begins with it, and nothing else stands before it
    assert [rule.rule.text for rule in found.rules] == ["good → bad"]
    effects = [tuple(flip.texts for flip in candidate.flips) for candidate in found.candidates]
    assert len(effects) == len(set(effects))


def test_a_rule_must_flip_enough_texts_and_no_more_are_selected_than_asked_for() -> None:
    assert [rule.rule.text for rule in mined(min_flips=4).rules] == ["good → bad"]
    assert mined(min_flips=6).rules == ()
    assert [rule.rule.text for rule in mined(rules=1).rules] == ["good → bad"]


def test_the_order_of_the_examples_changes_nothing_of_the_rules() -> None:
    def facts(found: Mined) -> set[tuple[str, int, int]]:
        return {(rule.rule.text, len(rule.flips), rule.support) for rule in found.rules}

    assert facts(mined()) == facts(mined([*reversed(TEXTS)]))
    assert mined() == mined()


def test_tau_decides_what_means_the_same() -> None:
    assert mined(tau=0.9).rules == mined().rules
    strict = mined(tau=0.95)
    assert (strict.rules, strict.seas, strict.counts["below tau"]) == ((), (), strict.counts["paraphrases"])
    with pytest.raises(UsageError, match=r"tau 1.5 does not lie in \[0, 1\]"):
        mined(tau=1.5)
    with pytest.raises(UsageError, match=r"delta 1.5 does not lie in \[0, 1\]"):
        mined(delta=1.5)


def test_only_the_fields_that_are_named_are_rewritten() -> None:
    pairs = [Example({"premise": f"good {word}", "hypothesis": f"fine {word}"}) for word in ("film", "plot", "end")]
    found = mine(pairs, context(), Swaps({"good": "awful", "fine": "bad"}), fields=["hypothesis"])
    assert found.texts == 3
    assert {flip.edit.field for candidate in found.candidates for flip in candidate.flips} <= {"hypothesis"}
    both = mine(pairs, context(), Swaps({"good": "bad", "fine": "bad"}))
    assert both.texts == 6
    with pytest.raises(DataError, match="no field 'question'"):
        mine(pairs, context(), Swaps(SWAPS), fields=["question"])


def test_the_paraphraser_is_prepared_and_progress_is_told() -> None:
    class Prepared(Swaps):
        prepared = 0

        def prepare(self, context: object) -> None:
            self.prepared += 1

    told: list[tuple[str, int, int]] = []
    paraphraser = Prepared(SWAPS)
    mine(examples(*TEXTS), context(), paraphraser, progress=lambda *each: told.append(each))
    assert paraphraser.prepared == 1
    assert {stage for stage, _, _ in told} >= {"tag", "predict", "paraphrase", "apply rules", "score"}
    assert all(0 <= done <= total for _, done, total in told)


def test_the_count_moves_while_texts_are_paraphrased_and_changes_nothing() -> None:
    asked: list[int] = []

    class Counted(Swaps):
        def paraphrase(self, texts: Sequence[str], *, seed: int) -> list[list[Paraphrase]]:
            asked.append(len(texts))
            return super().paraphrase(texts, seed=seed)

    told: list[tuple[str, int, int]] = []
    texts = [f"{TEXTS[number % len(TEXTS)]} {number}" for number in range(150)]
    found = mine(examples(*texts), context(), Counted(SWAPS), tell=False, progress=lambda *each: told.append(each))
    moved = [done for stage, done, _ in told if stage == "paraphrase"]
    assert (len(moved) > 1, moved[0], moved) == (True, 0, [sum(asked[:row]) for row in range(len(asked))])
    assert found.seas == mine(examples(*texts), context(), Swaps(SWAPS), tell=False).seas != ()


def test_strange_texts_are_no_obstacle() -> None:
    strange = [
        "🙂",
        "good 🙂",
        "das ist good",
        "良い good",
        "\ud83d good",
        "good " * 400,
        "",
        " ",
        "x" * 20_000,
        "good\n\nplot",
    ]
    found = mined(strange)
    assert [rule.rule.text for rule in found.rules] == ["good → bad"]
    assert found.counts["overlong"] == 1
    assert found.texts == 7


def test_without_any_paraphrase_there_is_no_rule() -> None:
    found = mined(swaps=Swaps({}))
    assert (found.rules, found.seas) == ((), ())
    assert found.counts["without paraphrases"] == len(TEXTS)


def test_a_model_without_an_answer_and_a_run_without_a_tagger_are_errors() -> None:
    class Silent(CountingModel):
        def predict(self, examples: Sequence[Example]) -> list[list[float]]:
            return [[float("nan")] * 2 for _ in examples]

    with pytest.raises(ModelError, match="no finite probabilities for any of 1 texts"):
        mine(examples("film"), context(Silent()), Swaps(SWAPS))
    run = context()
    run._services = None
    with pytest.raises(PluginError, match="no loaded plugin tags parts of speech"):
        mine(examples("film"), run, Swaps(SWAPS))


def test_reselection_keeps_the_accepted_and_leaves_the_refused_out() -> None:
    found = mined()
    texts = [candidate.rule.text for candidate in found.candidates]
    fine, good = texts.index("fine → dull"), texts.index("good → bad")
    assert found.reselected([fine]).chosen[:2] == (fine, good)
    others = found.reselected(refused=[good])
    assert good not in others.chosen
    assert all(rule.flips for rule in others.rules)


# ---- what texts say that did not choose -----------------------------------------------------------------


def chancy(number: int, seed: int = 0) -> list[str]:
    """Thirty words that flip three texts in ten, by chance alone: what decides stands where no rule looks."""
    random = Random(seed)
    return [
        f"{LETTERS[place % 30]} {place} {'fine' if random.random() < 0.3 else 'good good'}" for place in range(number)
    ]


LETTERS = [f"w{chr(97 + place % 26)}{place // 26}" for place in range(30)]
CHANCY = Swaps(dict.fromkeys(LETTERS, "bad"))


@pytest.mark.parametrize(("number", "split"), [(390, False), pytest.param(750, True, marks=pytest.mark.slow)])
def test_a_rule_is_told_of_by_texts_that_did_not_choose_it(number: int, split: bool) -> None:
    told, chosen = Counter[str](), Counter[str]()
    for seed in range(6):
        found = mined(chancy(number, seed), CHANCY, rules=5)
        assert found.split == split
        for rule in found.rules:
            told.update(flips=rule.rate.count, support=rule.rate.tested)
            chosen.update(flips=len(rule.flips), support=rule.support)
    # The rules were chosen for their luck; other texts do not share it.
    assert chosen["flips"] / chosen["support"] > 0.4
    assert told["flips"] / told["support"] == pytest.approx(0.3, abs=0.08)


@pytest.mark.parametrize(("number", "split"), [(390, False), (750, True)])
def test_each_half_has_its_task(number: int, split: bool) -> None:
    texts = chancy(number)
    found = mined(texts, CHANCY, rules=6)
    assert number / 3 < sum(found.halves) < 2 * number / 3
    for rule in found.rules:
        word = rule.rule.text.split()[0]
        own = {index for index, text in enumerate(texts) if text.split()[0] == word}
        chose = {index for index in own if found.halves[index] == rule.half}
        assert {flip.source for flip in rule.flips} <= chose
        assert rule.support == len(chose)
        assert rule.rate.tested == len(own - chose)
        assert rule.rate.count == sum("fine" in texts[index] for index in own - chose)
    if split:
        assert {found.halves[sea.source] for sea in found.seas} == {rule.half for rule in found.rules} == {1 - HELD}
    else:
        assert {rule.half for rule in found.rules} == {0, 1}


def test_of_very_few_texts_all_choose_and_nothing_is_told() -> None:
    found = mined()
    assert (found.halves, found.split) == ((), False)
    assert [rule.rate.tested for rule in found.rules] == [0, 0]
    assert mined(chancy(390), CHANCY, tell=False).halves == ()
