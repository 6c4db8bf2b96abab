"""The similarity score, against embeddings computed one by one."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from robustfim_sears.paraphrase.sentence_similarity import SentenceSimilarity


def reference(encoder: Path, one: str, other: str, *, first: bool = False) -> float:
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(encoder))
    model = transformers.AutoModel.from_pretrained(str(encoder)).eval()
    rows = []
    for text in (one, other):
        with torch.inference_mode():
            states = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
        rows.append(states[0] if first else states.mean(0))
    return max(0.0, float(torch.nn.functional.cosine_similarity(rows[0], rows[1], dim=0)))


PAIRS = [("the film is good", "the movie is good"), ("bad", "a good film was dull"), ("a film", "a film")]


def test_it_is_the_cosine_of_the_mean_states(encoder: Path) -> None:
    score = SentenceSimilarity(encoder, device="cpu", offline=True)
    got = score.score([one for one, _ in PAIRS], [other for _, other in PAIRS])
    assert got == pytest.approx([reference(encoder, *pair) for pair in PAIRS], abs=1e-5)
    assert score.identity.startswith(f"encoder {encoder.name} ")


def test_the_first_token_is_pooled_where_the_folder_says_so(tmp_path: Path, encoder: Path) -> None:
    copy = shutil.copytree(encoder, tmp_path / "copy")
    (copy / "1_Pooling").mkdir()
    (copy / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    (got,) = SentenceSimilarity(copy, device="cpu", offline=True).score(*([each] for each in PAIRS[1]))
    assert got == pytest.approx(reference(encoder, *PAIRS[1], first=True), abs=1e-5)
    assert got != pytest.approx(reference(encoder, *PAIRS[1]), abs=1e-3)


def test_a_text_that_is_too_long_is_counted_and_like_no_other(encoder: Path) -> None:
    score = SentenceSimilarity(encoder, device="cpu", offline=True)
    long = "film " * 40
    assert score.score([long, long, "film"], [long, "film", "film"]) == pytest.approx([0.0, 0.0, 1.0])
    assert score.skipped == {"too long for the encoder": 1}
