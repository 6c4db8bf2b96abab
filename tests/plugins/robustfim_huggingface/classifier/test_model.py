"""Predictions, against transformers' own forward pass on one text at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError, UsageError
from robustfim.predict import PredictionQueue, Store
from robustfim.window import Window, windows
from robustfim_huggingface.classifier.model import SequenceClassifier

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

Folders = Callable[[str], Path]
Loaded = Callable[[str], SequenceClassifier]
TEXTS = ("good film", "The Good, bad & ugly", "café 😀 naïve", "x")
ARCHITECTURES = ["bert", "distilbert", "roberta", "gpt2", "llama", "xlnet", "longformer", "bart", "t5"]


def texts(*values: str) -> list[Example]:
    return [Example({"text": value}) for value in values]


def pairs(*values: tuple[str, str]) -> list[Example]:
    return [Example({"premise": first, "hypothesis": second}) for first, second in values]


def reference(folder: Path, examples: Sequence[Example], **options: Any) -> Any:
    """Predict with transformers alone, without padding; ``options`` go to the tokenizer."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    rows = []
    for example in examples:
        encoding = tokenizer(*example.fields.values(), return_tensors="pt", **options)
        with torch.no_grad():
            rows.append(model(**encoding).logits[0].double().softmax(-1).numpy())
    return np.stack(rows)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_padded_batch_predicts_what_transformers_predicts_of_each_text_alone(
    folders: Folders, architecture: str
) -> None:
    folder = folders(architecture)
    predicted = SequenceClassifier(folder).predict(texts(*TEXTS))
    assert predicted.dtype == np.float64
    np.testing.assert_allclose(predicted, reference(folder, texts(*TEXTS)), atol=1e-6)
    np.testing.assert_allclose(predicted.sum(1), 1, atol=1e-12)
    assert np.ptp(predicted, axis=0).max() > 0.01, "the texts must differ, or nothing is compared"


def test_the_queue_lets_each_batch_be_tokenized_once_aside_while_another_is_computed(
    folders: Folders, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = SequenceClassifier(folders("bert"), batch_size=2)
    examples, read = texts(*TEXTS, "a film that is bad"), list[Any]()
    expected = model.predict(examples)
    call = type(model.network.reading.tokenizer).__call__

    def noting(tokenizer: Any, batch: list[str], *arguments: Any, **options: Any) -> Any:
        read.append((current_thread() is main_thread(), batch))
        return call(tokenizer, batch, *arguments, **options)

    monkeypatch.setattr(type(model.network.reading.tokenizer), "__call__", noting)
    predicted = PredictionQueue(model, Store(None)).predict(examples)
    np.testing.assert_allclose(
        [prediction.probabilities for prediction in predicted if prediction], expected, atol=1e-6
    )
    ordered = sorted((example.text for example in examples), key=len, reverse=True)
    assert sorted(read) == sorted([(True, ordered[:2]), (False, ordered[2:4]), (False, ordered[4:])])


def test_a_batch_that_was_foreseen_and_is_asked_for_in_halves_is_read_anew(folders: Folders, loaded: Loaded) -> None:
    model = SequenceClassifier(folders("bert"))
    for batch in (TEXTS, TEXTS[2:], TEXTS[:2]):
        model.foresee(texts(*batch))
    halves = [model.predict(texts(*half)) for half in (TEXTS[:2], TEXTS[2:])]
    np.testing.assert_allclose(np.concatenate(halves), loaded("bert").predict(texts(*TEXTS)), atol=1e-6)


@pytest.mark.parametrize("architecture", ["bert", "roberta", "gpt2", "bart"])
def test_a_pair_is_read_as_transformers_reads_a_pair(folders: Folders, loaded: Loaded, architecture: str) -> None:
    examples = pairs(("good film", "bad"), ("the film", "a good bad film"))
    predicted = loaded(architecture).predict(examples)
    np.testing.assert_allclose(predicted, reference(folders(architecture), examples), atol=1e-6)


def test_the_order_of_a_pair_is_the_order_of_the_options(folders: Folders, loaded: Loaded) -> None:
    turned = SequenceClassifier(folders("bert"), text="hypothesis", pair="premise")
    straight = loaded("bert")
    np.testing.assert_allclose(
        turned.predict(pairs(("good film", "bad"))), straight.predict(pairs(("bad", "good film"))), atol=1e-7
    )


def test_one_field_of_several_can_be_read_alone(folders: Folders, loaded: Loaded) -> None:
    alone = SequenceClassifier(folders("bert"), text="hypothesis")
    plain = loaded("bert")
    example = Example({"title": "the", "premise": "good film", "hypothesis": "bad"})
    np.testing.assert_allclose(alone.predict([example]), plain.predict(texts("bad")), atol=1e-7)


def test_naming_the_pair_makes_the_other_field_the_text(folders: Folders, loaded: Loaded) -> None:
    named = SequenceClassifier(folders("bert"), pair="premise").predict(pairs(("good film", "bad")))
    np.testing.assert_allclose(named, loaded("bert").predict(pairs(("bad", "good film"))))


def test_the_batch_size_changes_no_prediction(folders: Folders, loaded: Loaded) -> None:
    whole = loaded("roberta").predict(texts(*TEXTS))
    split = SequenceClassifier(folders("roberta"), batch_size=3).predict(texts(*TEXTS))
    np.testing.assert_allclose(split, whole, atol=1e-6)


@pytest.mark.parametrize(("architecture", "limit"), [("bert", 24), ("roberta", 32), ("gpt2", 48)])
def test_a_long_text_is_cut_at_the_models_own_limit(
    folders: Folders, loaded: Loaded, architecture: str, limit: int
) -> None:
    long = texts("good bad film " * 20)
    predicted = loaded(architecture).predict(long)
    expected = reference(folders(architecture), long, truncation=True, max_length=limit)
    np.testing.assert_allclose(predicted, expected, atol=1e-6)


def test_a_long_text_is_cut_at_max_length(folders: Folders) -> None:
    long = texts("good bad film " * 20)
    predicted = SequenceClassifier(folders("bert"), max_length=6).predict(long)
    np.testing.assert_allclose(predicted, reference(folders("bert"), texts("good bad film good")), atol=1e-6)


def test_the_window_tells_what_is_read_of_texts_that_are_cut(folders: Folders) -> None:
    model = SequenceClassifier(folders("bert"), max_length=6)
    told = windows(model, texts("good bad film the", "good bad film the the"))
    assert told == [None, Window((("text", 0, len("good bad film the")),))]
    fields = list(pairs(("a", "b"))[0].fields)
    told = windows(model, pairs(("good", "bad film"), ("good", "bad film the")))
    assert told == [None, Window(((fields[0], 0, 5), (fields[1], 0, len("bad film"))))]


def test_nothing_is_overlong_for_a_model_without_a_limit(loaded: Loaded) -> None:
    assert loaded("t5").window(texts("good " * 500)) == [None]


def test_a_max_length_beyond_the_models_positions_is_refused(folders: Folders) -> None:
    with pytest.raises(UsageError, match=r"max_length=33 is more than model .* can read: 32 tokens"):
        SequenceClassifier(folders("roberta"), max_length=33).predict(texts("good"))


def test_a_max_length_without_room_for_a_word_is_refused(folders: Folders) -> None:
    with pytest.raises(UsageError, match=r"max_length=3 leaves no room beside the 3 special tokens"):
        SequenceClassifier(folders("bert"), max_length=3).predict(texts("good"))


@pytest.mark.parametrize("examples", [texts("", "good"), texts("")])
def test_a_text_without_a_token_has_no_prediction(loaded: Loaded, examples: list[Example]) -> None:
    rows = loaded("gpt2").predict(examples)
    assert np.isnan(rows[0]).all()
    assert np.isfinite(rows[1:]).all()


def test_half_a_character_does_not_stop_a_batch(loaded: Loaded) -> None:
    rows = loaded("bert").predict(texts("good \ud83d film", "good ? film"))
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-7)


def test_logits_that_are_not_numbers_stay_visible(folders: Folders, tmp_path: Path) -> None:
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folders("bert"))
    model.bert.embeddings.word_embeddings.weight.data[4] = float("nan")  # "good"
    model.save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(folders("bert")).save_pretrained(tmp_path)
    rows = SequenceClassifier(tmp_path).predict(texts("good film", "bad film"))
    assert np.isnan(rows[0]).all()
    assert np.isfinite(rows[1]).all()


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_a_lower_precision_predicts_about_the_same(folders: Folders, loaded: Loaded, dtype: Any) -> None:
    exact = loaded("bert").predict(texts(*TEXTS))
    try:
        rows = SequenceClassifier(folders("bert"), dtype=dtype, device="cpu").predict(texts(*TEXTS))
    except RuntimeError as error:
        if "not implemented for 'Half'" not in str(error):
            raise
        pytest.skip(f"this processor has no {dtype}: {error}")
    np.testing.assert_allclose(rows, exact, atol=0.05)
    np.testing.assert_allclose(rows.sum(1), 1, atol=1e-12)
    assert abs(rows - exact).max() > 1e-6, "the precision must have been lowered"


def test_an_unusable_device_is_refused(folders: Folders) -> None:
    with pytest.raises(ModelError, match=r"device 'abacus' cannot be used.*'device: auto'"):
        SequenceClassifier(folders("bert"), device="abacus").predict(texts("good"))


def test_the_device_is_told(loaded: Loaded) -> None:
    best = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    assert loaded("bert").device == best


def test_three_fields_ask_which_is_the_text(loaded: Loaded) -> None:
    example = Example({"title": "a", "premise": "b", "hypothesis": "c"})
    with pytest.raises(UsageError, match=r"3 fields \(title, premise, hypothesis\).*'text'.*'pair'"):
        loaded("bert").predict([example])


def test_a_misspelled_field_is_refused(folders: Folders) -> None:
    with pytest.raises(UsageError, match=r"pair='hypotheses' names no field. Did you mean 'hypothesis'\?"):
        SequenceClassifier(folders("bert"), pair="hypotheses").predict(pairs(("good", "bad")))


def test_pairs_and_single_texts_do_not_mix(loaded: Loaded) -> None:
    with pytest.raises(UsageError, match="some examples are pairs and some are not"):
        loaded("bert").predict(texts("good") + pairs(("good", "bad")))


def test_one_field_is_not_both_texts_of_a_pair(folders: Folders) -> None:
    with pytest.raises(UsageError):
        SequenceClassifier(folders("bert"), text="a", pair="a")


def test_the_tokenizers_padding_token_finds_the_last_word(folders: Folders, tmp_path: Path) -> None:
    """A causal model whose configuration names another padding token than its tokenizer pads with."""
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folders("gpt2"))
    model.config.pad_token_id = 7
    model.save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(folders("gpt2")).save_pretrained(tmp_path)
    np.testing.assert_allclose(
        SequenceClassifier(tmp_path).predict(texts(*TEXTS)), reference(folders("gpt2"), texts(*TEXTS)), atol=1e-6
    )


def test_a_folder_of_several_labels_at_once_tells_each_by_itself_as_transformers_does(
    folders: Folders, tmp_path: Path
) -> None:
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        folders("bert"), problem_type="multi_label_classification"
    )
    model.save_pretrained(tmp_path)
    transformers.AutoTokenizer.from_pretrained(folders("bert")).save_pretrained(tmp_path)
    ours, examples = SequenceClassifier(tmp_path), texts(*TEXTS)
    assert ours.contract.several
    pipeline = transformers.pipeline("text-classification", str(tmp_path), top_k=None)
    for row, answer in zip(ours.predict(examples), pipeline(list(TEXTS)), strict=True):
        assert dict(zip(ours.labels, row, strict=True)) == pytest.approx(
            {each["label"]: each["score"] for each in answer}, abs=1e-5
        )
    assert not SequenceClassifier(folders("bert")).contract.several
    from robustfim_huggingface.classifier.given_pipeline import GivenPipeline

    assert GivenPipeline(pipeline).contract.several
