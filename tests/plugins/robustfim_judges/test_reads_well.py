"""``reads_well`` with a masked and a causal language model that the test saves."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from robustfim.candidate import Candidate
from robustfim.errors import ModelError
from robustfim.example import Example
from robustfim.parts import ConstraintPart
from robustfim_huggingface.fluency.perplexity import Perplexity
from robustfim_judges.judge_file import ALL, Judged, JudgeFile, Kept
from robustfim_judges.reads_well import ReadsWell
from tests.plugins.robustfim_huggingface.fluency.test_encoders import SIZES, WORDS, save

pytest.importorskip("torch")
pytest.importorskip("transformers")

SOURCE = "the good film was long"
AROUND = SimpleNamespace(offline=True)


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    causal: dict[str, Any] = {"n_embd": 8, "n_layer": 1, "n_head": 2, "n_positions": 16}
    return (
        save(tmp_path / "masked", "BertForMaskedLM", mask="[MASK]", model_type="bert", **SIZES),
        save(tmp_path / "causal", "GPT2LMHeadModel", model_type="gpt2", **causal),
    )


def parts(folders: tuple[Path, Path]) -> list[ConstraintPart]:
    made = [ConstraintPart(Perplexity(model=folder), "perplexity") for folder in folders]
    for part in made:
        part.made.prepare(AROUND)
    return made


def candidates() -> list[Candidate]:
    return [Candidate.replacing(Example({"text": SOURCE}), {"text": f"the {word} film was long"}) for word in WORDS[2:]]


def written(folders: tuple[Path, Path], at: float) -> Path:
    judges = [
        Judged(use="perplexity", resources=part.resources(), slope=slope)
        for part, slope in zip(parts(folders), (2.0, 0.5), strict=True)
    ]
    path = folders[0].parent / "judge.json"
    JudgeFile(
        judges=judges, intercept=1.0, risk=0.05, error=0.05, learnt_from=100, auroc=0.8, auroc_interval=(0.7, 0.9),
        perturbations={ALL: Kept(at=at, promised=True, through=93, bad=1, tested=200)},
    ).save(path)  # fmt: skip
    return path


def test_language_models_are_added_up_as_was_learnt_and_the_threshold_decides(folders: tuple[Path, Path]) -> None:
    masked, causal = parts(folders)
    both = zip(masked.numbers(candidates()), causal.numbers(candidates()), strict=True)
    sums = [1.0 + 2.0 * one + 0.5 * other for one, other in both]
    at = sorted(sums)[2]
    made = ReadsWell(judge=written(folders, at), by=parts(folders))
    made.prepare(AROUND)
    made.foresee(candidates())
    assert made.numbers(candidates()) == pytest.approx(sums)
    assert [made.reject(each) is None for each in candidates()] == [number >= at for number in sums]
    assert made.resources()["threshold"] == f"{at:.6g}"


def test_a_model_that_has_changed_since_is_refused(folders: tuple[Path, Path]) -> None:
    path = written(folders, 0.0)
    shutil.copy(folders[0] / "config.json", folders[0] / "another.json")
    with pytest.raises(ModelError, match="learn anew"):
        ReadsWell(judge=path, by=parts(folders)).prepare(AROUND)
