"""``select: {by: best}``: a pilot says which score selects, and what it learned from is judged no more."""

from __future__ import annotations

import pytest

from robustfim.example import Example
from robustfim.session.pilot import drawn_for_pilot
from tests.present import present
from tests.robustfim.command_line import CommandLine, refused

PLUGIN = """\
from robustfim import hookimpl
from robustfim.contract import ScoreContract


class Films:
    def load(self):
        from robustfim import Example
        weak = [Example({"text": f"a good film number {n}"}, "positive") for n in range(40)]
        strong = [Example({"text": f"a great great film number {n} of many"}, "positive") for n in range(80)]
        return [*weak, *strong, *(Example({"text": f"an awful plot {n}"}, "negative") for n in range(40))]


class Sour:
    def edits(self, example, random):
        from robustfim import Edit
        for place in [example.text.find("film")]:
            if place >= 0:
                yield Edit("text", place, place + 4, "film", "bad film", "sour")


class Weak:
    contract = ScoreContract(hardest="lowest")

    def score(self, examples, context):
        return [float(each.text.count("great")) + 9 * ("awful" in each.text) for each in examples]


class Long:
    contract = ScoreContract(hardest="highest")

    def score(self, examples, context):
        return [float(len(each.text)) for each in examples]


@hookimpl
def robustfim_offers():
    return {
        "data": {"many": Films},
        "scorers": {"letters": Long, "weak": Weak},
        "perturbations": {"sour": Sour},
    }
"""
SUITE = """\
suite: pilot
plugins: [toy.py, many.py]
model: wordsum
data: many
scores: [letters, weak]
select: {by: best, pilot: 60, difficult: 10, control: 60}
checks: {sour: {perturb: sour, limit: 0.5}}
"""


@pytest.fixture
def piloted(robustfim: CommandLine) -> CommandLine:
    robustfim.write("many.py", PLUGIN)
    robustfim.write("pilot.yaml", SUITE)
    return robustfim


def test_the_score_that_ranks_the_pilots_failures_best_selects(piloted: CommandLine) -> None:
    shown = piloted("run pilot.yaml")
    record = piloted.record("pilot")
    pilot = present(record.selection.pilot)
    assert record.selection.by == "weak"
    assert list(pilot.scores) == ["weak", "letters"]
    assert pilot.scores["weak"].auroc == 1
    assert "pilot: 60 random examples, judged no more" in shown.out
    assert "weak ranks them best, AUROC 1.00 [" in shown.unbroken
    assert "on the pilot that chose it" in shown.out
    assert not set(pilot.examples) & {example.id for example in record.examples}  # in no arm
    hard = [example for example in record.examples if example.arm == "difficult"]
    assert len(hard) == 10
    assert all("good film" in example.fields["text"] for example in hard)
    assert len(pilot.examples) == 60
    # In truth: which of the pilot's examples fail, by hand.
    weak = {Example({"text": f"a good film number {n}"}, "positive").id for n in range(40)}
    assert pilot.failing == len(weak & set(pilot.examples)) > 0
    assert not set(pilot.examples) & set(record.checks[0].examples)


def test_the_area_of_every_score_is_measured_on_the_control_arm_alone(piloted: CommandLine) -> None:
    piloted("run pilot.yaml")
    record = piloted.record("pilot")
    failing = {failure.example for failure in record.failures}
    control = [
        example
        for example in record.examples
        if example.arm == "control" and example.id in set(record.checks[0].examples)
    ]
    for score in record.scores:
        fails = [example.scores[score.name] or 0.0 for example in control if example.id in failing]
        holds = [example.scores[score.name] or 0.0 for example in control if example.id not in failing]
        if score.hardest == "lowest":
            fails, holds = [-each for each in fails], [-hold for hold in holds]
        pairs = [(a > b) + (a == b) / 2 for a in fails for b in holds]
        assert score.area is not None
        assert score.area.auroc == pytest.approx(sum(pairs) / len(pairs))
        assert (score.area.examples, score.area.failing) == (len(control), len(fails))


def test_a_lock_keeps_what_the_pilot_chose(piloted: CommandLine) -> None:
    assert piloted("lock pilot.yaml --to pilot.lock").code == 0
    piloted("run pilot.yaml --lock pilot.lock")
    record = piloted.record("pilot")
    assert (record.selection.by, record.selection.pilot) == ("weak", None)


def test_the_estimate_stands_for_the_examples_that_were_not_the_pilots(piloted: CommandLine) -> None:
    piloted("run pilot.yaml")
    record = piloted.record("pilot")
    sizes, arms = record.selection.sizes(100), record.checks[0].arms
    weights = {name: sizes[name] * arm.tested / arm.drawn for name, arm in arms.items()}
    rate = sum(weights[name] * present(arm.rate) for name, arm in arms.items()) / sum(weights.values())
    assert record.checks[0].rate == pytest.approx(rate)


def test_without_a_failure_in_the_pilot_the_first_score_selects_and_a_warning_says_so(piloted: CommandLine) -> None:
    piloted.write("pilot.yaml", SUITE.replace("perturb: sour", "perturb: {use: rename, table: {film: movie}}"))
    shown = piloted("run pilot.yaml")
    record = piloted.record("pilot")
    assert record.selection.by == "letters"
    assert any("so no score can be told from another; 'letters' selects" in warning for warning in record.warnings)
    assert "the first score, selects" in shown.out


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("[letters, weak]", "[weak]", "chooses among the suite's scores, so name two or more"),
        ("by: best, pilot", "by: weak, pilot", "'pilot' works with 'by: best' only"),
        ("pilot: 60", "pilot: 5", "pilot"),
    ],
)
def test_a_pilot_that_cannot_teach_is_refused(piloted: CommandLine, before: str, after: str, said: str) -> None:
    piloted.write("pilot.yaml", SUITE.replace(before, after))
    refused(piloted("run pilot.yaml"), said)


def test_a_pilot_takes_whole_clusters_and_at_most_half_of_the_examples() -> None:
    examples = [Example({"text": f"film {number}"}) for number in range(40)]
    clusters = {example.id: str(number // 4) for number, example in enumerate(examples)}
    drawn = drawn_for_pilot(examples, clusters, 12, 0)
    assert len(drawn) == 12
    left = [example for example in examples if example not in drawn]
    assert not {clusters[example.id] for example in drawn} & {clusters[example.id] for example in left}
    assert len(drawn_for_pilot(examples, {}, 100, 0)) == 20
    assert drawn_for_pilot(examples, {}, 10, 0) != drawn_for_pilot(examples, {}, 10, 1)
