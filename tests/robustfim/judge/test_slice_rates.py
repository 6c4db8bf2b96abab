from __future__ import annotations

from robustfim.judge.design import Design
from robustfim.judge.slice_rates import slice_records, worst_slices
from robustfim.judge.trials import Trials
from robustfim.record import Record, SliceRecord
from robustfim.statistics import Rate, wilson
from robustfim.statistics.clusters import clustered_rate
from robustfim.suite.slices import SliceSpec
from tests.robustfim.command_line import CommandLine

SLICES = (
    "slices: {films: {contains: film}, positive: {label: positive}, none: {words: [99, null]}, all: {words: [1, 99]}}"
)


def run(robustfim: CommandLine) -> Record:
    checks = "{rename: {perturb: rename, limit: 0.5}, both: {perturb: {use: rename, words: 2}, limit: 0.5}}"
    robustfim(f"run {robustfim.suite(checks, rest=SLICES)} --no-store")
    return robustfim.record("other")


def test_each_slice_is_counted_from_the_record_itself(robustfim: CommandLine) -> None:
    record = run(robustfim)
    members = {
        "films": {example.id for example in record.examples if "film" in example.fields["text"]},
        "positive": {example.id for example in record.examples if example.label == "positive"},
        "none": set(),
        "all": {example.id for example in record.examples},
    }
    assert [record_slice.name for record_slice in record.slices] == list(members)
    for record_slice in record.slices:
        held = members[record_slice.name]
        tested = {example for check in record.checks for example in check.examples} & held
        failing = {failure.example for failure in record.failures} & held
        right = [example for example in record.examples if example.id in held and example.label == example.prediction]
        assert record_slice.examples == len(held)
        assert (record_slice.failures.count, record_slice.failures.tested) == (len(failing), len(tested))
        assert (record_slice.accuracy.count, record_slice.accuracy.tested) == (len(right), len(held))
        assert record_slice.failures.interval == wilson(len(failing), len(tested))
        assert record_slice.accuracy.rate == (len(right) / len(held) if held else None)
        for check in record.checks:
            own = {failure.example for failure in record.failures if failure.check == check.id} & held
            assert (record_slice.checks[check.id].count, record_slice.checks[check.id].tested) == (
                len(own),
                len(held & set(check.examples)),
            )
    assert record.slices[0].definition == {"contains": ["film"]}
    assert any(record_slice.failures.count for record_slice in record.slices)


def rated(name: str, count: int, tested: int) -> SliceRecord:
    rate = Rate(count, tested)
    return SliceRecord(name=name, accuracy=rate, failures=rate)


def test_the_worst_slice_is_the_one_that_is_surely_bad(robustfim: CommandLine) -> None:
    slices = [rated("few", 3, 3), rated("many", 60, 100), rated("good", 1, 100), rated("nothing", 0, 0)]
    record = run(robustfim).model_copy(update={"slices": slices})
    assert [worst_slice.name for worst_slice in worst_slices(record)] == ["many", "few", "good"]


def test_a_pair_that_fails_counts_for_both_examples_of_the_data() -> None:
    examples = [("first", True, None, ["first"]), ("second", False, None, ["second"])]
    slices = {name: SliceSpec.model_validate({"contains": [name]}) for name in ("first", "second")}
    trials = Trials.made(["first"], check=["s::pairs"], value=[1.0]).mirrored({"first": "second"}, {}, {})
    found = slice_records(slices, examples, {"s::pairs": Design()}, trials, Design())
    assert [(slice_record.failures.count, slice_record.failures.tested) for slice_record in found] == [(1, 1), (1, 1)]


def test_the_rates_of_a_slice_count_its_tested_examples_and_clusters_as_what_they_are_worth() -> None:
    clusters = {f"e{row}": f"c{row // 4}" for row in range(24)}  # the last eight stand alone
    ids = [f"e{row}" for row in range(32)]
    right = {id: None if row == 2 else row % 8 < 5 for row, id in enumerate(ids)}
    tested = {"s::one": ids[:20], "s::two": ids[10:31]}
    broken = {"s::one": ids[4:8], "s::two": [*ids[16:20], ids[30]]}
    examples = [(id, right[id], clusters.get(id), ["even"] * (row % 2 == 0)) for row, id in enumerate(ids)]
    slices = {"even": SliceSpec.model_validate({"contains": ["x"]})}
    designs = {id: Design() for id in tested}
    trials = Trials.together(
        Trials.made(
            held, check=[id] * len(held), value=[each in broken[id] for each in held], cluster=map(clusters.get, held)
        )
        for id, held in tested.items()
    )
    (found,) = slice_records(slices, examples, designs, trials, Design())

    def rate(counted: set[str], held: set[str]) -> Rate:
        own = held & set(ids[::2])
        return clustered_rate(counted & own, own, {id: clusters[id] for id in own if id in clusters})[0]

    known = {id for id in ids if right[id] is not None}
    assert found.accuracy == rate({id for id in known if right[id]}, known)
    assert found.failures == rate({*broken["s::one"], *broken["s::two"]}, set(ids[:31]))
    assert found.checks == {id: rate(set(broken[id]), set(tested[id])) for id in tested}
    assert found.failures.interval != wilson(found.failures.count, found.failures.tested)
    assert (found.examples, set(found.members)) == (16, set(ids[:31:2]))
