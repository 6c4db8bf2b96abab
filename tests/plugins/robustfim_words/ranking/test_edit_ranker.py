"""The edit ranker: what it reads of an edit, what it chooses, and where it is refused."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

import robustfim_words
from robustfim.errors import UsageError
from robustfim_words.ranking.edit_ranker import OFFERED, EditRanker
from robustfim_words.ranking.states import EditStates, features
from robustfim_words.swaps.synonyms import NearSynonyms
from robustfim_words.things.nouns import Nouns
from tests.plugins.robustfim_words.samples import edits, example
from tests.robustfim.transformer import save_transformer

TEXT = "An uncle liked the film."


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_transformer(tmp_path_factory.mktemp("encoder"), None)


@pytest.fixture(scope="module")
def weights(encoder: Path) -> Path:
    digest = hashlib.sha256((encoder / "model.safetensors").read_bytes()).hexdigest()
    drawn = np.random.default_rng(0).normal(size=7 * 16)
    path = encoder.parent / "weights.npz"
    np.savez(path, weights=drawn, constant=0.5, layer=1, encoder="a small BERT", digest=digest)
    return path


def test_the_features_are_mean_states_at_the_edit_near_it_and_of_all_tokens(encoder: Path) -> None:
    torch, transformers = pytest.importorskip("torch"), pytest.importorskip("transformers")
    before, after = "a good film with a long plot", "a very good film with a long plot"
    tokenizer = transformers.AutoTokenizer.from_pretrained(str(encoder))
    network = transformers.AutoModel.from_pretrained(str(encoder)).eval()
    rows = []
    for text, at, near in ((before, [0, 1], [2, 3]), (after, [0, 1, 2], [3, 4])):
        with torch.inference_mode():
            states = network(**tokenizer(text, return_tensors="pt")).last_hidden_state[0, 1:-1].numpy()
        assert len(states) == len(text.split())
        rows.append(np.stack([states[at].mean(0), states[near].mean(0), states.mean(0)]))
    moved = (rows[1] - rows[0]).ravel()
    expected = np.concatenate([moved, rows[1][0], abs(moved)])
    (found,) = features(*EditStates(encoder, 1).means([(before, [(0, 6, "a very good")])]))
    assert found == pytest.approx(expected, abs=1e-5)


def test_where_nothing_stood_or_stands_the_two_tokens_beside_it_are_the_edit(encoder: Path) -> None:
    states = EditStates(encoder, 1)
    (inserted,), (_,) = states.means([("a good film", [(2, 2, "very ")])])
    (replaced,), (_,) = states.means([("a good film", [(0, 6, "some good")])])
    assert inserted[0] == pytest.approx(replaced[0], abs=1e-5)


def test_two_edits_of_a_text_are_read_together(encoder: Path) -> None:
    states = EditStates(encoder, 1)
    (before,), (after,) = states.means([("a good film and a good plot", [(2, 6, "bad"), (18, 22, "bad")])])
    (back,), (forth,) = states.means([("a bad film and a bad plot", [(2, 5, "good"), (17, 20, "good")])])
    assert before == pytest.approx(forth, abs=1e-5)
    assert after == pytest.approx(back, abs=1e-5)


def test_one_edit_of_each_place_is_chosen_by_its_score_among_the_first_eight(encoder: Path, weights: Path) -> None:
    made, ranker = Nouns(), EditRanker(encoder, weights)
    offered = edits(made, TEXT)
    made._ranker = ranker
    chosen = edits(made, TEXT)
    places = {edit.end: [each for each in offered if each.end == edit.end][:OFFERED] for edit in offered}
    assert [edit.end for edit in chosen] == [*places]
    for edit in chosen:
        its = places[edit.end]
        scores = [ranker.scores(example(TEXT), [each])[0] for each in its]
        assert scores[its.index(edit)] == pytest.approx(max(scores), abs=1e-3)


def test_without_an_encoder_nothing_is_ranked_and_no_resource_named(encoder: Path, weights: Path) -> None:
    made = Nouns()
    assert "ranker" not in made.resources()
    assert len(edits(made, TEXT)) > len({edit.end for edit in edits(made, TEXT)})
    made._ranker = EditRanker(encoder, weights)
    assert made.resources()["ranker"].startswith("a small BERT ")
    assert list(made._ranker.best(example(TEXT), [])) == []


def test_another_encoder_is_refused(encoder: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds another encoder than all-MiniLM-L6-v2"):
        NearSynonyms(ranker=encoder)
    with pytest.raises(UsageError, match=r"it has no model\.safetensors"):
        Nouns(ranker=tmp_path)


def test_the_card_of_unranked_edits_is_silent_about_ranked_ones() -> None:
    cards = robustfim_words.robustfim_cards()
    assert cards["nouns"].speaks_of({})
    assert not cards["nouns"].speaks_of({"ranker": "encoder"})
