"""Failing pairs that reports show first carry the fewest of their edits that fail; checks count what they tested."""

from __future__ import annotations

import io
import random
import re
from itertools import combinations

import pytest

from robustfim.builtin import Invariant
from robustfim.candidate import Candidate, Edit
from robustfim.example import Example
from robustfim.judge import failures_by_check, ordered_failures
from robustfim.judge.causes import cause_texts
from robustfim.prediction import Prediction
from robustfim.record import Failure, Record, ReviewFile, pair_hash
from robustfim.select.draw import TestedExample
from robustfim.session import flow
from robustfim.session.shrunk_failures import broken_targets
from robustfim.spans import Span, written_spans
from robustfim_explore.answers import Answers
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toy_plugin import WordSum
from tests.robustfim.toys import Swap, check

TABLE = "{great: dull, good: bad, fine: awful, dull: good, film: movie, cast: actors, plot: story}"
WORDS = ["great", "good", "fine", "dull", "bad", "film", "cast", "plot"]
MODEL = WordSum()


def label(text: str) -> str:
    ((negative, positive),) = MODEL.predict([Example({"text": text})])
    return "negative" if negative >= positive else "positive"


@pytest.fixture
def suite(robustfim: CommandLine) -> str:
    """A suite of 60 texts of six words, of which a candidate changes up to five."""
    draw = random.Random(3)
    texts = [" ".join(draw.choices(WORDS, k=6)) for _ in range(60)]
    rows = ", ".join(f'["{text}", {label(text)}]' for text in dict.fromkeys(texts))
    checks = (
        f"{{several: {{perturb: {{use: rename, table: {TABLE}, words: 5, candidates: 2}}, limit: 0.2}}, "
        f"one: {{perturb: {{use: rename, table: {TABLE}}}, limit: 0.9}}}}"
    )
    return robustfim.suite(checks, data=f"{{use: films, rows: [{rows}]}}")


def fewest(record: Record, failure: Failure) -> int:
    """The size of the smallest choice of the tested edits that the model is wrong about, by trying every one."""
    source = next(example for example in record.examples if example.id == failure.example)
    tested = next(record_failure for record_failure in record.failures if record_failure.id == failure.id)
    edits = [Edit(**edit.model_dump()) for edit in tested.edits]
    return next(
        size
        for size in range(1, len(edits) + 1)
        for chosen in combinations(edits, size)
        if label(Candidate(Example(source.fields), chosen).example.text) != source.label
    )


def test_no_pair_shown_first_fails_with_fewer_of_its_edits(robustfim: CommandLine, suite: str) -> None:
    robustfim(f"run {suite}")
    record = robustfim.record("other")
    shown = failures_by_check(record)["other.yaml::several"][:10] + ordered_failures(record)[:20]
    assert len({failure.example for failure in shown}) > 15
    assert all(len(failure.edits) == fewest(record, failure) for failure in shown)
    for failure in shown:
        source = next(one for one in record.examples if one.id == failure.example)
        made = Candidate(Example(source.fields), tuple(Edit(**one.model_dump()) for one in failure.edits)).example
        assert failure.fields == dict(made.fields)
        assert failure.after.label == label(made.text) != failure.before.label == source.label
    tested = {failure.id: len(failure.edits) for failure in record.failures}
    assert sum(tested[failure.id] > len(failure.edits) for failure in shown) > 15, "most broke with more than they need"


def test_the_texts_of_a_cause_are_shown_with_the_edits_that_are_needed(robustfim: CommandLine, suite: str) -> None:
    robustfim(f"run {suite}")
    record = robustfim.record("other")
    shown = {failure.id: failure for failure in ordered_failures(record)}
    texts = [text for cause in record.causes for text in cause_texts(record, cause)[0]]
    assert texts
    assert all(text.edits == shown[text.id].edits for text in texts if text.id in shown)
    assert any(text.needed for text in texts)


def test_the_check_counts_what_it_tested_and_the_calls_are_counted(
    robustfim: CommandLine, suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    robustfim(f"run {suite} --no-store")
    record = robustfim.record("other")
    asked = sum(failure.shrunk.queries for failure in record.failures if failure.shrunk)
    monkeypatch.setattr(flow, "with_shrunk", lambda checked, *_: checked)
    robustfim(f"run {suite} --no-store")
    plain = robustfim.record("other")
    times = {"duration_s"}
    assert [record_check.model_dump(exclude=times) for record_check in record.checks] == [
        plain_check.model_dump(exclude=times) for plain_check in plain.checks
    ]
    assert [failure.model_copy(update={"shrunk": None}) for failure in record.failures] == plain.failures
    assert 0 < record.model_calls - plain.model_calls <= asked, "a text that a check had asked about costs none"


def test_one_example_alone_is_shrunk_alike_and_the_terminal_says_how_many_edits_are_left(
    robustfim: CommandLine, suite: str
) -> None:
    robustfim(f"run {suite}")
    record = robustfim.record("other")
    first = next(failure for failure in failures_by_check(record)["other.yaml::several"] if failure.needed)
    (tested,) = (failure for failure in record.failures if failure.id == first.id)
    assert first.needed == f"{len(first.edits)} of {len(tested.edits)} edits"
    again = robustfim(first.reproduce.removeprefix("robustfim ")).unbroken
    assert first.needed in again
    assert all(f"[-{edit.before}-]{{+{edit.after}+}}" in again for edit in first.edits)
    assert len(re.findall(r"\{\+", again.partition("$")[0])) == len(first.edits)


def test_people_rate_the_text_that_is_shown_and_file_record_lists_and_gate_go_by_it(
    robustfim: CommandLine, suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    robustfim.replace(suite, "limit: 0.2", "limit: {valid: 0.02}")
    robustfim.write(suite, f"{robustfim.read(suite)}review: reviews/other.json\n")
    robustfim(f"run {suite}")
    before = robustfim.record("other")
    monkeypatch.setattr("sys.stdin", io.StringIO("v" * 200))
    rated = robustfim("review reports/other/results.json --check several --sample 60").out
    said = ReviewFile.load(robustfim.folder / "reviews" / "other.json").by_pair
    source = {example.id: example.fields for example in before.examples}
    shown = {failure.id: pair_hash(source[failure.example], failure.shown.fields) for failure in before.failures}
    assert said.keys() <= {*shown.values()}
    fewer = [failure.shown for failure in before.failures if failure.shown.needed and shown[failure.id] in said]
    assert len(fewer) > 5
    assert all(f"{{+{edit.after}+}}" in rated for failure in fewer for edit in failure.edits)
    page = Answers(before, robustfim.folder / "reviews" / "other.json")
    rated_ids = {id for id, pair in shown.items() if pair in said}
    assert page.told()["answers"].keys() == rated_ids
    robustfim(f"run {suite}")
    record = robustfim.record("other")
    check = next(record_check for record_check in record.checks if record_check.name == "several")
    assert check.validity is not None
    assert (check.validity.valid, check.outcome.value) == (check.failing, "failed")
    assert [failure.shrunk for failure in record.failures] == [failure.shrunk for failure in before.failures]
    assert {failure.id for failure in record.failures if failure.review} == rated_ids


def test_without_calls_left_the_pairs_stay_whole_and_the_run_says_so(robustfim: CommandLine, suite: str) -> None:
    robustfim(f"run {suite} --no-store")
    whole = robustfim.record("other")
    asked = sum(failure.shrunk.queries for failure in whole.failures if failure.shrunk)
    robustfim(f"run {suite} --no-store --max-calls {whole.model_calls - asked // 2}")
    record = robustfim.record("other")
    assert [check.failing for check in record.checks] == [check.failing for check in whole.checks]
    assert not any(failure.shrunk for failure in record.failures)
    (warning,) = (record_warning for record_warning in record.warnings if "shown first" in record_warning)
    assert re.fullmatch(
        r"--max-calls \d+ is used up: \d+ of the pairs shown first may need fewer edits to fail\.", warning
    )


@pytest.mark.parametrize(("contract", "left"), [("", None), ("contract = Contract(separable='edits')", ["great"])])
def test_edits_that_a_perturbation_makes_together_stay_together_unless_it_says_otherwise(
    robustfim: CommandLine, contract: str, left: list[str] | None
) -> None:
    robustfim.write(
        "pairs.py",
        "from robustfim import Candidate, hookimpl\n"
        "from robustfim.contract import Contract\n"
        "class Both:\n"
        f"    {contract}\n"
        "    def propose(self, example, random):\n"
        "        text = example.text.replace('great', 'awful').replace('film', 'movie')\n"
        "        yield Candidate.replacing(example, {'text': text}, by_words=True)\n"
        "@hookimpl\n"
        "def robustfim_offers(): return {'perturbations': {'both': Both}}\n",
    )
    shown = robustfim("run " + robustfim.suite("{both: {perturb: both, limit: 0}}") + " -p pairs.py")
    assert shown.code == 1, shown
    (failure,) = robustfim.record("other").failures
    assert len(failure.edits) == 2
    assert (failure.shrunk and [edit.before for edit in failure.shrunk.edits]) == left


def test_a_text_in_capitals_is_shrunk_to_the_fewest_words_that_break_it(robustfim: CommandLine, suite: str) -> None:
    robustfim.replace(
        suite, "one: {perturb: {", "capitals: {perturb: {use: case, kinds: [upper]}, limit: 0.1}, one: {perturb: {"
    )
    robustfim(f"run {suite}")
    record = robustfim.record("other")
    shown = failures_by_check(record)["other.yaml::capitals"][:10]
    assert len(shown) == 10
    assert all(len(failure.edits) == fewest(record, failure) < 6 for failure in shown)


def test_fewer_edits_of_a_text_with_spans_lose_a_span_that_all_of_them_lose() -> None:
    text = "Ann met Bob in Rome"
    source = TestedExample(
        Example({"text": text}, written_spans([Span(0, 3, "person"), Span(8, 11, "person"), Span(15, 19, "place")])),
        Prediction.of_answers([("⟦0:3 person⟧ ⟦15:19 place⟧", 1.0)]), "all",
    )  # fmt: skip
    met = Candidate(source.example, (Edit("text", 4, 7, "met", "saw and met"),))
    kept = check(Swap({}), expectation=Invariant())
    after = Prediction.of_answers([("⟦23:27 place⟧", 1.0)])
    assert broken_targets(kept, source, met, after) == {Span(0, 3, "person")}, "Bob was not found before"
    assert broken_targets(kept, source, met, Prediction.of_answers([("⟦⟧", 1.0)])) == {
        Span(0, 3, "person"), Span(15, 19, "place"),
    }  # fmt: skip
