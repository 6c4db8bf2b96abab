"""What an automatic judge is shown of a failing pair."""

from __future__ import annotations

from typing import Any

from robustfim.collect.lookup import Named
from robustfim.plugin.manager import PluginManager
from robustfim.record import EditRecord, ExampleRecord, StepRecord
from robustfim.record.review import pair_hash
from robustfim.session.pair_judge import judge_pairs
from robustfim.suite.file import SuiteFile
from robustfim.suite.format import Use
from tests.robustfim.judge.test_validity import failure
from tests.robustfim.record.test_format import record


class Keeps:
    """Accepts all, and keeps what it saw."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def reject(self, candidate: Any) -> None:
        self.seen.append(candidate)


def test_a_judge_sees_each_pair_once_with_its_edits_or_whole_fields_where_they_do_not_lead_there() -> None:
    examples = [ExampleRecord(id=str(n), fields={"text": f"Text {n} 0"}, label="yes") for n in range(3)]
    wrong = [EditRecord(field="text", start=0, end=1, before="X", after="t")]
    failures = [
        failure(0), failure(0, check="s.yaml::b"), failure(1).model_copy(update={"edits": wrong}),
        failure(2, step=StepRecord(direction="top", norm=1.0)),
    ]  # fmt: skip
    judge = Keeps()
    part = Named("constraints", Use.read({"use": judge}), SuiteFile.of({}), PluginManager())
    found = judge_pairs(record(examples=examples, failures=failures), part)
    assert [dict(each.example.fields) for each in judge.seen] == [{"text": "text 0 0"}, {"text": "text 1 0"}]
    assert [[(edit.before, edit.after) for edit in each.edits] for each in judge.seen] == [
        [("T", "t")],
        [("Text 1 0", "text 1 0")],
    ]
    assert found.verdicts == {pair_hash({"text": f"Text {n} 0"}, {"text": f"text {n} 0"}): True for n in (0, 1)}
