"""TextAttack's recipes as checks that search."""

from __future__ import annotations

import importlib
from random import Random
from typing import Any

import pytest

from robustfim.errors import UsageError
from robustfim.example import Example
from robustfim.outcome import Outcome
from robustfim_textattack.attacked import attacked
from robustfim_textattack.library import class_of, seeded
from robustfim_textattack.table import RECIPES
from robustfim_textattack.victim import Victim
from tests.plugins.robustfim_textattack.library import Library
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import Bench, check, probabilities

pytestmark = pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated:DeprecationWarning")  # TextAttack's
FREE = [name for name, component in RECIPES.items() if not component.resources({})]
TEXTS = ("a good film with a fine cast", "a dull and bad story", "good but dull", "xy")
EXAMPLES = [Example({"text": text}) for text in TEXTS]


def made(name: str, bench: Bench, **options: Any) -> Any:
    recipe = getattr(importlib.import_module("robustfim_textattack.recipe"), name)(**options)
    recipe.prepare(bench.context)
    return recipe


class Plain:
    """The toy model as TextAttack's users would wrap it, text by text."""

    model = None

    def __call__(self, texts: list[str]) -> Any:
        import numpy as np

        return np.array([probabilities(text) for text in texts])


@pytest.mark.parametrize("name", FREE)
def test_the_candidate_is_what_textattack_ends_with(library: Library, name: str) -> None:
    bench = Bench(EXAMPLES)
    small = {"popsize": 4, "maxiter": 3} if name == "BadCharacters2021" else {}
    ours = made(name, bench, queries=None, **small)
    theirs = class_of(name).build(Plain(), **RECIPES[name].given, **{**RECIPES[name].options, **small})
    for example in EXAMPLES:
        label = bench.context.predict([example])[0]
        assert label is not None
        goal = label.labels.index(label.label)
        if name == "BadCharacters2021":
            theirs.goal_function.target_class = 1 - goal
        with seeded(Random(1)):
            result = theirs.attack(attacked(example.fields), goal)
        found = list(ours.propose(example, Random(1)))
        assert [each.example.text for each in found] in ([result.perturbed_text()], [])
        if not found:
            assert result.perturbed_text() == example.text
        if type(result).__name__ == "SuccessfulAttackResult":
            after = bench.context.predict([found[0].example])[0]
            assert after is not None
            assert after.label != label.label


def test_a_misspelling_attack_flips_and_tells_its_edits(library: Library) -> None:
    bench = Bench(EXAMPLES)
    record, failures = bench.run(check(made("DeepWordBugGao2018", bench)))
    assert record.failing > 0
    assert {failure.example for failure in failures} <= {example.id for example in EXAMPLES}
    flipped = next(failure for failure in failures if failure.fields["text"] != TEXTS[0])
    assert [edit.before for edit in flipped.edits][:1] in (["good"], ["dull"], ["bad"])
    assert all(edit.origin == "textattack: DeepWordBugGao2018" for edit in flipped.edits)


def test_an_example_that_stands_counts_as_tested_and_one_with_nothing_to_try_does_not(library: Library) -> None:
    examples = [Example({"text": "film plot cast"}), Example({"text": "a - b"})]
    bench = Bench(examples)
    record, failures = bench.run(check(made("Pruthi2019", bench)))
    assert (record.tested, record.failing, failures) == (1, 0, [])


def test_every_question_goes_through_the_queue(library: Library) -> None:
    bench = Bench(EXAMPLES)
    recipe = made("Pruthi2019", bench)
    for example in EXAMPLES:
        list(recipe.propose(example, Random(0)))
    asked = [text for batch in bench.model.batches for text in batch]
    assert bench.queue.sent == len(asked) == len(set(asked)) > 100
    assert max(map(len, bench.model.batches)) > 30
    for example in EXAMPLES:
        list(recipe.propose(example, Random(0)))
    assert bench.queue.sent == len(asked)


@pytest.mark.parametrize("name", FREE)
@pytest.mark.parametrize("queries", [1, 2, 7, 30])
def test_a_search_keeps_to_its_budget(library: Library, name: str, queries: int) -> None:
    for example in EXAMPLES:
        bench = Bench([example])
        found = list(made(name, bench, queries=queries).propose(example, Random(0)))
        assert bench.queue.sent <= queries
        assert len(found) <= 1


def test_a_search_that_breaks_at_its_budget_leaves_the_best_it_saw(library: Library) -> None:
    bench = Bench([EXAMPLES[2]])
    record, failures = bench.run(check(made("BadCharacters2021", bench, queries=300)))
    assert record.failing == 1
    assert bench.queue.sent <= 300
    assert len(failures[0].edits) == 1


class Pairs:
    """A model of three labels that reads two fields."""

    labels = ("neutral", "contradiction", "entailment")
    fingerprint = "pairs"

    def predict(self, examples: Any) -> list[list[float]]:
        rows = []
        for example in examples:
            shared = set(example.fields["premise"].split()) & set(example.fields["hypothesis"].split())
            entailed = min(len(shared), 8) / 10
            rows.append([0.1, 0.9 - entailed, entailed])
        return rows


def test_only_the_fields_that_are_named_change(library: Library) -> None:
    pair = Example(
        {"premise": "twelve playful puppies sleep outside", "hypothesis": "twelve playful puppies sleep outside"}
    )
    bench = Bench([pair], model=Pairs())
    for column, other in (("premise", "hypothesis"), ("hypothesis", "premise")):
        found = list(made("DeepWordBugGao2018", bench, columns=[column]).propose(pair, Random(0)))
        assert [edit.field for edit in found[0].edits] == [column]
        assert found[0].example.fields[other] == pair.fields[other]
        after = bench.context.predict([found[0].example])[0]
        assert after is not None
        assert after.label == "contradiction"
    with pytest.raises(UsageError, match=r"no example has a field 'hypotesis'\. Did you mean 'hypothesis'\?"):
        made("DeepWordBugGao2018", bench, columns=["hypotesis"])


def test_an_attack_that_joins_fields_is_refused(library: Library) -> None:
    bench = Bench([Example({"premise": "one two", "hypothesis": "one three"})], model=Pairs())
    counts, _ = bench.run(check(made("BadCharacters2021", bench)))
    assert counts.ended is Outcome.ERROR
    assert "does not keep several fields apart" in counts.message


def test_rows_are_normed_exactly(library: Library) -> None:
    class Rough:
        labels, fingerprint = ("a", "b"), "rough"

        def predict(self, examples: Any) -> Any:
            return [[0.3004, 0.7001]] * len(examples)

    bench = Bench([], model=Rough())
    victim = Victim(bench.model, bench.context.predict, ["text"])
    goal = library.package.goal_functions.UntargetedClassification(victim)
    result, _ = goal.init_attack_example(attacked({"text": "x"}), 1)
    assert float(result.score) == pytest.approx(1 - 0.7001 / 1.0005, abs=1e-9)  # a softmax would give 0.40


def test_a_recipe_runs_as_a_check_and_stops_at_max_calls(robustfim: CommandLine, library: Library) -> None:
    suite = robustfim.suite("{bug: {perturb: {use: textattack/DeepWordBugGao2018, queries: 200}, limit: 0}}")
    shown = robustfim(f"run {suite}")
    assert shown.code == 1, shown
    record = robustfim.record("other")
    assert record.checks[0].failing > 0
    assert record.model_calls > len(record.examples)
    for failure in record.failures:
        assert failure.before.label != failure.after.label
        assert failure.edits
    again = robustfim(f"run {suite}")
    assert again.code == 1
    assert robustfim.record("other").model_calls == 0
    assert [failure.id for failure in robustfim.record("other").failures] == [failure.id for failure in record.failures]
    stopped = robustfim(f"run {suite} --store fresh.sqlite --max-calls 20")
    assert "--max-calls 20 is used up" in stopped.out + stopped.err
