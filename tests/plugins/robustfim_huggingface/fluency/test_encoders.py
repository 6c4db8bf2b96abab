"""Similarity and perplexity, on tiny models that the test saves, against literal computations."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from robustfim.candidate import Candidate
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim_checkpoints.folder import Checkpoint
from robustfim_checkpoints.pretrained import Pretrained
from robustfim_huggingface.fluency.language_model import LanguageModel
from robustfim_huggingface.fluency.perplexity import Perplexity
from robustfim_huggingface.fluency.similarity import Similarity

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

WORDS = ["[PAD]", "[UNK]", "the", "good", "bad", "film", "was", "long"]
SIZES: dict[str, Any] = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
OLD, NEW = "the good film was long", "the bad film was long"


def save(folder: Path, architecture: str, *, mask: str | None = None, **config: Any) -> Path:
    """Save a model with random weights and a tokenizer of whole words."""
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))  # noqa: S106  # a word, no password
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]")  # noqa: S106  # words, no passwords
    if mask is not None:
        fast.add_special_tokens({"mask_token": mask})
    fast.save_pretrained(folder)
    with torch.random.fork_rng():
        torch.manual_seed(3)
        model = getattr(transformers, architecture)(transformers.AutoConfig.for_model(**config, vocab_size=len(fast)))
        for weight in model.parameters():
            weight.data += 0.3 * torch.randn_like(weight)
    model.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(tmp_path_factory.mktemp("bert"), "BertModel", model_type="bert", **SIZES)


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sizes: dict[str, Any] = {"n_embd": 8, "n_layer": 1, "n_head": 2, "n_positions": 16}
    return save(tmp_path_factory.mktemp("gpt2"), "GPT2LMHeadModel", model_type="gpt2", **sizes)


def changed(old: str, new: str) -> Candidate:
    return Candidate.replacing(Example({"text": old}), {"text": new})


def prepared(constraint: Any) -> Any:
    constraint.prepare(SimpleNamespace(offline=True))
    return constraint


def mean_state(folder: Path, text: str, *, first: bool = False) -> Any:
    """The mean of the last hidden states, without any of the constraint's code."""
    model = transformers.BertModel.from_pretrained(folder).eval()
    rows = torch.tensor([[WORDS.index(word) for word in text.split()]])
    with torch.no_grad():
        states = model(input_ids=rows, attention_mask=torch.ones_like(rows)).last_hidden_state[0]
    return states[0] if first else states.mean(0)


def test_the_similarity_is_the_cosine_of_mean_states(encoder: Path) -> None:
    made = prepared(Similarity(model=encoder))
    wanted = torch.cosine_similarity(mean_state(encoder, OLD), mean_state(encoder, NEW), dim=0)
    assert made.cosine(OLD, NEW) == pytest.approx(float(wanted), abs=1e-5)
    assert made.cosine(OLD, OLD) == pytest.approx(1.0, abs=1e-5)


def test_a_candidate_below_the_limit_is_rejected_with_its_reason(encoder: Path) -> None:
    cosine = prepared(Similarity(model=encoder)).cosine(OLD, NEW)
    assert prepared(Similarity(model=encoder, limit=cosine - 0.001)).reject(changed(OLD, NEW)) is None
    rejected = prepared(Similarity(model=encoder, limit=min(1.0, cosine + 0.001))).reject(changed(OLD, NEW))
    assert rejected == "sentence similarity too low"


def test_a_folder_of_sentence_transformers_may_pool_by_its_first_token(encoder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "sentences"
    folder.mkdir()
    for path in encoder.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    (folder / "1_Pooling").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}), encoding="utf-8")
    old, new = "good film", "bad film"
    wanted = torch.cosine_similarity(*(mean_state(encoder, text, first=True) for text in (old, new)), dim=0)
    assert prepared(Similarity(model=folder)).cosine(old, new) == pytest.approx(float(wanted), abs=1e-5)


def surprise(folder: Path, text: str) -> float:
    """The mean negative log-likelihood, token by token."""
    model = transformers.GPT2LMHeadModel.from_pretrained(folder).eval()
    rows = [WORDS.index(word) for word in text.split()]
    total = 0.0
    for place in range(1, len(rows)):
        with torch.no_grad():
            total -= float(model(torch.tensor([rows[:place]])).logits[0, -1].log_softmax(0)[rows[place]])
    return total / (len(rows) - 1)


def test_the_perplexity_is_compared_with_the_source(language_model: Path) -> None:
    assert LanguageModel("a test", language_model).surprise([OLD])[0] == pytest.approx(
        surprise(language_model, OLD), abs=1e-5
    )
    rise = surprise(language_model, NEW) - surprise(language_model, OLD)
    numbers = prepared(Perplexity(model=language_model)).numbers([changed(OLD, NEW), changed("film", "bad")])
    assert numbers == pytest.approx([-rise, 0.0], abs=1e-5)
    ratio = math.exp(rise)
    assert prepared(Perplexity(model=language_model, ratio=ratio * 1.01)).reject(changed(OLD, NEW)) is None
    assert (
        prepared(Perplexity(model=language_model, ratio=ratio * 0.99)).reject(changed(OLD, NEW))
        == "perplexity too high"
    )


def test_a_text_of_one_token_has_no_perplexity(language_model: Path) -> None:
    assert prepared(Perplexity(model=language_model, ratio=0.01)).reject(changed("film", "bad")) is None


def pseudo_surprise(folder: Path, text: str) -> float:
    """The mean negative log-likelihood of each word where it alone is masked, one row at a time."""
    model = transformers.BertForMaskedLM.from_pretrained(folder).eval()
    rows = [WORDS.index(word) for word in text.split()]
    total = 0.0
    for place, wanted in enumerate(rows):
        with torch.no_grad():
            logits = model(torch.tensor([[*rows[:place], len(WORDS), *rows[place + 1 :]]])).logits[0, place]
        total -= float(logits.log_softmax(0)[wanted])
    return total / len(rows)


def test_a_masked_model_judges_the_edited_sentences_by_their_pseudo_log_likelihood(tmp_path: Path) -> None:
    folder = save(tmp_path, "BertForMaskedLM", mask="[MASK]", model_type="bert", **SIZES)
    texts = [OLD, "film", NEW, "the film was long the film was bad"]
    found = LanguageModel("a test", folder).surprise(texts)
    assert found[1] is None
    assert [found[0], *found[2:]] == pytest.approx(
        [pseudo_surprise(folder, text) for text in (OLD, *texts[2:])], abs=1e-5
    )
    ratio = math.exp(pseudo_surprise(folder, NEW) - pseudo_surprise(folder, OLD))
    long = changed(f"the film\n{OLD}\nthe film was good", f"the film\n{NEW}\nthe film was good")
    for candidate in (changed(OLD, NEW), long):  # what stands in other sentences does not count
        assert prepared(Perplexity(model=folder, ratio=ratio * 1.001)).reject(candidate) is None
        assert prepared(Perplexity(model=folder, ratio=ratio * 0.999)).reject(candidate) == "perplexity too high"


def test_a_masked_model_without_a_mask_token_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="has no mask token"):
        prepared(Perplexity(model=save(tmp_path, "BertForMaskedLM", model_type="bert", **SIZES)))


def test_weights_of_another_kind_of_model_are_refused(encoder: Path) -> None:
    with pytest.raises(ModelError, match="which would be random numbers"):
        prepared(Perplexity(model=encoder))


def test_a_model_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"similarity: no folder .*/none\."):
        prepared(Similarity(model=tmp_path / "none"))


def test_code_that_comes_with_a_model_is_refused_without_a_question(
    encoder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(encoder, tmp_path / "own")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    config.update(model_type="own", auto_map={"AutoConfig": "own.Config", "AutoModel": "own.Model"})
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "own.py").write_text("raise SystemExit('run')\n", encoding="utf-8")
    monkeypatch.setattr("builtins.input", lambda *_: "y")
    with pytest.raises(ModelError, match=r"similarity: .* brings code of its own, which robustfim never runs"):
        prepared(Similarity(model=folder))


def test_pickled_and_broken_weights_are_refused(encoder: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(encoder, tmp_path / "broken")
    (folder / "model.safetensors").write_bytes(b"nothing")
    with pytest.raises(ModelError, match=r"similarity: model .* cannot be loaded: SafetensorError"):
        prepared(Similarity(model=folder))
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"similarity: model .* robustfim never loads pickled weights"):
        prepared(Similarity(model=folder))


def test_weights_of_half_precision_compute_in_float32(encoder: Path, tmp_path: Path) -> None:
    transformers.BertModel.from_pretrained(encoder).half().save_pretrained(shutil.copytree(encoder, tmp_path / "half"))
    made = prepared(Similarity(model=tmp_path / "half"))
    assert made.embedding(OLD).dtype == torch.float32
    assert made.cosine(OLD, NEW) == pytest.approx(prepared(Similarity(model=encoder)).cosine(OLD, NEW), abs=1e-2)


def test_the_version_is_of_all_files_of_a_folder_and_of_an_adapter_with_its_base(tmp_path: Path) -> None:
    base, adapter = tmp_path / "base", tmp_path / "adapter"
    seen = set()
    for folder, name in [(base, "model.safetensors"), (base / "1_Pooling", "config.json"), (adapter, "a.safetensors")]:
        folder.mkdir(exist_ok=True)
        for contents in ("one", "other"):
            (folder / name).write_text(contents, encoding="utf-8")
            place = Checkpoint(str(tmp_path), base, adapter=adapter if adapter.is_dir() else None)
            seen.add(Pretrained(None, None, place, "cpu").version)
    assert len(seen) == 6
    assert all(each.startswith(("base ", "adapter ")) for each in seen), "no path of a machine"


def test_the_numbers_of_similarity_are_its_cosines(encoder: Path) -> None:
    made = prepared(Similarity(model=encoder))
    assert made.numbers([changed(OLD, NEW), changed(OLD, "the film")]) == [
        made.cosine(OLD, NEW),
        made.cosine(OLD, "the film"),
    ]
