"""The sections on cues: which runs have them, and that their numbers are those of the run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from robustfim import DataError, Example
from robustfim.cli import main
from robustfim_cues.commands.sections import cue_sections
from robustfim_cues.copa.data import Copa
from robustfim_cues.measures.measures import measure

pytest.importorskip("sklearn")
MODULE = "tests.plugins.robustfim_cues.choosing"


def sections(folder: Path, suite: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    monkeypatch.chdir(folder)
    (folder / "s.yaml").write_text(yaml.safe_dump({"suite": "s", "reports": ["json", "html"], **suite}))
    with pytest.raises(SystemExit):
        main(["run", "s.yaml", "-p", MODULE])
    record = json.loads((folder / "reports" / "s" / "results.json").read_text())
    assert not record["message"]
    return {section["name"]: section for section in record["sections"]}


RIGHT = {"right": {"perturb": "itself", "expect": "correct", "limit": 1}}


def test_a_run_without_cues_has_no_section(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "d.csv").write_text("text,label\n" + "".join(f"film {n},{n % 2 + 1}\n" for n in range(20)))
    (tmp_path / "toy_answers.py").write_text("def always(texts):\n    return [[0.6, 0.4] for _ in texts]\n")
    monkeypatch.syspath_prepend(tmp_path)
    suite: dict[str, Any] = {
        "model": {"use": "python", "call": "toy_answers:always", "labels": ["1", "2"]},
        "data": {"use": "csv", "path": "d.csv"}, "checks": RIGHT, "one_label": True,
    }  # fmt: skip
    assert sections(tmp_path, suite, monkeypatch) == {}
    found = sections(tmp_path, {**suite, "scores": [{"use": "cue", "repeats": 1}]}, monkeypatch)
    assert "cues" in found, "the score asks for cues"
    assert "easy-hard" in found


def test_of_data_that_are_no_choices_the_first_block_is_read_alone() -> None:
    class Endless(list[Example]):
        def __iter__(self) -> Iterator[Example]:
            yield Example({"text": "no choice"}, "positive")
            raise AssertionError("all the data were read")

    run: Any = SimpleNamespace(scorers=(), checks=(), examples=Endless())
    assert cue_sections(run, run) == []


def test_choices_have_their_cues_and_pairs_without_asking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = sections(tmp_path, {"model": "choosing", "data": "copa", "checks": RIGHT}, monkeypatch)
    assert list(found) == ["cues", "pairs"], "gradients are not computed unless a check or score is about cues"
    cues = measure(list(Copa(part="original").load()))
    (figure,) = found["cues"]["figures"]
    drawn = {
        label: tuple(point)
        for series in figure["series"]
        for label, point in zip(series["labels"], series["points"], strict=True)
    }
    assert drawn == {cue.text: pytest.approx((cue.coverage, cue.productivity, *cue.interval)) for cue in cues.found}
    table, instances = found["cues"]["tables"]
    assert [row[0] for row in table["rows"]] == [cue.text for cue in cues.found[:12]]
    shown = {tuple(row[2:5]) for row in instances["rows"]}
    assert shown <= {
        tuple(example.fields[key] for key in ("premise", "choice1", "choice2")) for example in Copa().load()
    }


def test_a_run_about_cues_shows_the_split_and_the_sensitivity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = {
        "model": {"use": "choosing", "weights": {"in": 3.0}},
        "data": {"use": "copa", "part": "original"},
        "checks": {"gap": {"perturb": "itself", "expect": "correct", "fails": {"use": "hard_as_easy", "repeats": 1}}},
    }
    found = sections(tmp_path, suite, monkeypatch)
    assert list(found) == ["cues", "easy-hard", "sensitivity"]
    record = json.loads((tmp_path / "reports" / "s" / "results.json").read_text())
    groups = record["checks"][0]["gap"]["groups"]
    (bars,) = found["easy-hard"]["figures"][0]["series"]
    for place, side in enumerate(("easy", "hard")):
        right = 1 - groups[side]["rate"]
        low, high = groups[side]["interval"]
        assert bars["points"][place] == pytest.approx([place, right, 1 - high, 1 - low])
    rows = {row[0]: row for row in found["sensitivity"]["tables"][1]["rows"]}
    assert float(rows["in"][4]) == pytest.approx(15)
    assert [figure["title"] for figure in found["sensitivity"]["figures"]] == [
        "Sensitivity to cues by their productivity"
    ]
    page = (tmp_path / "reports" / "s" / "report.html").read_text()
    assert 'id="section-easy-hard"' in page
    assert "Sensitivity to single cues" in page


def test_a_column_of_the_data_is_a_split_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = list(Copa(part="original").load())
    lines = [json.dumps({"id": example.id, "split": "easy" if n % 3 else "hard"}) for n, example in enumerate(examples)]
    (tmp_path / "split.jsonl").write_text("\n".join(lines))
    suite = {
        "model": "cues/bag-of-words",
        "data": {"use": "copa", "part": "original", "split": "split.jsonl"},
        "checks": RIGHT,
    }
    found = sections(tmp_path, suite, monkeypatch)
    (figure,) = found["easy-hard"]["figures"]
    assert figure["names"] == ["easy", "hard"]
    assert figure["series"][0]["counts"] == [54, 27]


def test_what_cannot_be_shown_does_not_cost_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise DataError("the gradients are gone.")

    monkeypatch.setattr("robustfim_cues.sensitivity.measure.sensitivities", broken)
    suite = {
        "model": "choosing",
        "data": {"use": "copa", "limit": 20},
        "checks": {"hang": {"perturb": {"use": "cue_removal", "cues": ["the"]}}},
    }
    found = sections(tmp_path, suite, monkeypatch)
    assert found["cues"]["findings"][-1] == "Something could not be shown: the gradients are gone."
