"""``robustfim review --learn`` on a run's answered failures, and ``reads_well`` with what it wrote."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim.errors import DataError, ModelError
from robustfim.record import Record
from robustfim.record.review import ReviewFile, pair_hash
from robustfim_judges.judge_file import ALL, JudgeFile
from robustfim_judges.learn import Answered, learnt
from tests.robustfim.command_line import CommandLine

PLUGIN = '''
"""Marks behind a word: few or many; what counts them, and what counts nothing."""

from robustfim import hookimpl
from robustfim.candidate import Edit


class Marks:
    """Puts marks behind a text."""

    def edits(self, example, random):
        text = example.fields["text"]
        yield Edit("text", len(text), len(text), "", "!" * (1 + len(text) % 7), "marks")


class Few:
    """Counts the marks.

    Args:
        version: Its version.
    """

    def __init__(self, *, version: int = 1):
        self._version = version

    def resources(self):
        return {"rule": str(self._version)}

    def numbers(self, candidates):
        return [-float(each.example.text.count("!")) for each in candidates]

    def reject(self, candidate):
        return None


class Lots(Few):
    """Draws a number by the text alone."""

    def numbers(self, candidates):
        return [float(hash_of(each.source.text)) for each in candidates]


class Dumb:
    """Gives no number."""

    def reject(self, candidate):
        return None


def hash_of(text):
    import hashlib

    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) % 1000


@hookimpl
def robustfim_offers():
    return {"perturbations": {"marks": Marks}, "constraints": {"few": Few, "lots": Lots, "dumb": Dumb}}
'''
SUITE = """
suite: marks
plugins: [marks.py]
model: {use: python, call: "answers:answer", labels: [calm, loud]}
data: {use: jsonl, path: data.jsonl}
checks:
  marks:
    perturb: marks
%s
"""
ANSWERS = "def answer(texts):\n    return [[0.1, 0.9] if '!' in text else [0.9, 0.1] for text in texts]\n"


@pytest.fixture
def robustfim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    monkeypatch.delitem(sys.modules, "answers", raising=False)
    return answered(CommandLine(tmp_path, capsys))


def answered(line: CommandLine) -> CommandLine:
    """Run a suite of which 400 pairs fail, with 1 to 7 marks each, and let people call those with up to 5 valid."""
    line.write("marks.py", PLUGIN)
    line.write("answers.py", ANSWERS)
    rows = [{"text": f"a film, number {number} of many{'x' * (number % 7)}", "label": "calm"} for number in range(400)]
    line.write("data.jsonl", "\n".join(map(json.dumps, rows)))
    line.write("suite.yaml", SUITE % "")
    line("run suite.yaml --no-store")
    record = line.record("marks")
    assert len(record.failures) == 400
    review(record, lambda marks: marks <= 5)
    return line


def review(record: Record, valid: Callable[[int], bool]) -> None:
    sources = {each.id: each for each in record.examples}
    file = ReviewFile()
    for failure in record.failures:
        marks = failure.fields["text"].count("!")
        file.add(pair_hash(sources[failure.example].fields, failure.fields), "valid" if valid(marks) else "invalid")
    file.save(Path("reviews/marks.json"))


def test_a_judge_that_tells_is_learnt_and_lets_through_in_a_suite_what_reads_well(robustfim: CommandLine) -> None:
    said = robustfim("review --learn judge.json reports/marks/results.json --judge few -p marks.py")
    assert said.code == 0
    assert "AUROC of 1.00" in said.unbroken
    assert "0 of them not valid; with 95% confidence at least 95% of what it lets through is valid" in said.unbroken
    file = JudgeFile.load(Path("judge.json"))
    assert set(file.perturbations) == {ALL, "marks"}
    assert all(kept.promised and kept.bad * 20 <= kept.through for kept in file.perturbations.values())

    robustfim.write("suite.yaml", SUITE % "    constrain: [{use: reads_well, judge: judge.json, by: [few], of: marks}]")
    robustfim("run suite.yaml --no-store")
    record = robustfim.record("marks")
    assert {failure.fields["text"].count("!") for failure in record.failures} == {1, 2, 3, 4, 5}
    (check,) = record.checks
    assert set(check.candidates.rejected) == {"reads_well: does not read well"}
    assert check.resources["reads_well: few, rule"] == "1"
    assert "reads_well: threshold" in check.resources
    assert check.resources["reads_well: judge"].startswith("judge.json ")


def test_a_judge_that_tells_nothing_is_refused_and_writes_nothing(robustfim: CommandLine) -> None:
    said = robustfim("review --learn=judge.json reports/marks/results.json --judge lots -p marks.py")
    assert said.code == 1
    assert "the judge gained nothing" in said.err
    assert not Path("judge.json").exists()


def test_what_gives_no_number_and_what_was_not_answered_are_refused(robustfim: CommandLine) -> None:
    said = robustfim("review --learn judge.json reports/marks/results.json --judge dumb -p marks.py")
    assert said.code == 4
    assert "dumb gives no number" in said.err
    Path("reviews/marks.json").unlink()
    said = robustfim("review --learn judge.json reports/marks/results.json --judge few -p marks.py")
    assert said.code == 4
    assert "answers no failing pair" in said.err


@pytest.mark.slow
def test_another_judge_than_the_one_learnt_from_is_refused(robustfim: CommandLine) -> None:
    robustfim("review --learn judge.json reports/marks/results.json --judge few -p marks.py")
    for by, told in (
        ("[lots]", "was learnt from few, not from lots"),
        ("[{use: few, version: 2}]", "was learnt from few with rule 1, and now it works with rule 2"),
        ("[few], of: typos", "no threshold of its own for 'typos'"),
    ):
        robustfim.write("suite.yaml", SUITE % f"    constrain: [{{use: reads_well, judge: judge.json, by: {by}}}]")
        said = robustfim("run suite.yaml --no-store")
        assert said.code != 0
        assert told in " ".join((said.unbroken + said.err).split())


def test_the_review_of_old_is_still_the_review(robustfim: CommandLine) -> None:
    said = robustfim("review reports/marks/results.json --status --judge few -p marks.py")
    assert "few takes 400 of 400 failing pairs for valid" in said.unbroken
    assert "--learn" not in robustfim("review --help").out
    assert "--learn FILE" in robustfim("review --learn x --help").out.replace("PATH", "FILE")


def drawn(auroc: float, number: int, bad: float, names: tuple[str, ...] = ("a",), seed: int = 0) -> tuple[Any, Any]:
    """Pairs of a simulated judge with a known AUROC."""
    from scipy.stats import norm

    random = np.random.default_rng(seed)
    good = random.random(number) >= bad
    numbers = random.normal(size=number) + np.sqrt(2) * norm.ppf(auroc) * good
    pairs = [
        Answered(str(place), f"example {place}", names[place % len(names)], bool(is_good))
        for place, is_good in enumerate(good)
    ]
    return pairs, [[float(each)] for each in numbers]


def test_perturbations_with_150_answered_pairs_have_a_threshold_of_their_own_and_others_share_one() -> None:
    pairs, rows = drawn(0.95, 800, 0.15, ("a", "a", "a", "a", "b"))
    pairs += [Answered(f"c{place}", f"other {place}", "c", place % 2 == 0) for place in range(100)]
    rows += [[3.0 * (place % 2 == 0)] for place in range(100)]
    file, gained = learnt(pairs, rows, [("few", {})])
    assert set(file.perturbations) == {ALL, "a", "b"}
    assert gained.auroc > 0.9
    assert file.learnt_from + file.perturbations[ALL].tested == 900
    assert not file.perturbations["b"].promised  # too few of them were kept out to prove anything at 15 % bad


def test_what_cannot_be_promised_is_said(tmp_path: Path) -> None:
    from robustfim.errors import UsageError
    from robustfim_judges.learn import _lines

    pairs, rows = drawn(0.75, 300, 0.4)
    file, gained = learnt(pairs, rows, [("few", {})])
    assert not file.perturbations[ALL].promised
    assert "all perturbations: nothing can be promised" in _lines(file, gained, Path("judge.json"))[1]
    file.save(tmp_path / "judge.json")
    with pytest.raises(UsageError, match="nothing can be promised by this judge"):
        JudgeFile.load(tmp_path / "judge.json").threshold(None)


@pytest.mark.parametrize("seed", range(5))
def test_a_judge_at_chance_is_refused(seed: int) -> None:
    pairs, rows = drawn(0.5, 400, 0.2, seed=seed + 10)
    with pytest.raises(ModelError, match="gained nothing"):
        learnt(pairs, rows, [("few", {})])


def test_of_a_text_with_several_pairs_the_first_counts_among_those_kept_out() -> None:
    pairs, rows = drawn(0.95, 500, 0.2)
    twice = [pair for one in pairs for pair in (one, Answered(one.hash + "'", one.example, "a", one.good))]
    many = [row for one in rows for row in (one, one)]
    file, _ = learnt(twice, many, [("few", {})])
    assert file.perturbations[ALL].tested == sum(not pair.fits for pair in pairs)


def test_answers_that_are_all_alike_teach_nothing() -> None:
    pairs, rows = drawn(0.9, 100, 0.0)
    with pytest.raises(DataError, match="nothing to tell apart"):
        learnt(pairs, rows, [("few", {})])
