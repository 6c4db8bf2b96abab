"""Prompts: how they become tokens, where a text is cut, which blank belongs to what, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError, UsageError
from robustfim.window import Window, windows
from robustfim_huggingface.causal.classifier import CausalClassifier
from tests.plugins.robustfim_huggingface.causal.test_classifier import LONG, PROMPT, TEXTS, WORDS, literal, texts
from tests.plugins.robustfim_huggingface.conftest import save_causal

transformers = pytest.importorskip("transformers")

Folders = Callable[[str], Path]


def test_each_token_stands_in_its_field_and_those_of_the_prompt_in_none(causal: Folders) -> None:
    model = CausalClassifier(causal("gpt2"), "x {b}{a}: {b}", {"one": " good", "two": "\nx g"})
    example = Example({"a": "good", "b": "é z"})
    embedded = model.embed([example])
    found = [span and (span[0], example.fields[span[0]][span[1] : span[2]]) for span in embedded.spans[0]]
    assert found == [
        None, None,  # "x", " "
        ("b", "é"), ("b", "é"), ("b", " "), ("b", "z"), ("a", "g"), ("a", "ood"),
        None, None, ("b", "é"), ("b", "é"), ("b", " "), ("b", "z"),
        None, None, None, None,  # the label words
    ]  # fmt: skip
    assert embedded.special[0].tolist() == [span is None for span in found]
    glued = CausalClassifier(causal("gpt2"), "x {a}", WORDS).embed([example])
    assert glued.spans[0][1] == ("a", 0, 4), "the token ' good' stands in the field, its blank in the prompt"


def test_the_blanks_that_end_a_prompt_are_read_with_the_word(causal: Folders) -> None:
    plain = CausalClassifier(causal("gpt2"), PROMPT, WORDS).predict(texts(*TEXTS))
    blank = CausalClassifier(causal("gpt2"), f"{PROMPT} ", {"positive": "good", "negative": " g"}).predict(
        texts(*TEXTS)
    )
    np.testing.assert_array_equal(blank, plain)


def test_a_prompt_may_end_with_its_field_and_hold_braces(causal: Folders) -> None:
    found = CausalClassifier(causal("gpt2"), "{{x}} {text}", LONG).predict(texts("good film"))[0]
    np.testing.assert_allclose(found, literal(causal("gpt2"), "{x} good film", LONG), atol=1e-5)


def test_a_long_text_loses_its_end_and_the_prompt_nothing(causal: Folders) -> None:
    folder = causal("gpt2")  # 48 positions, one token a byte
    model = CausalClassifier(folder, "Film: {text}\nIt was", LONG)
    room = 48 - len("Film: \nIt was") - len(" dull") + 1
    (short, long) = texts("x" * room, "x" * (room + 30))
    assert windows(model, [short, long]) == [None, Window((("text", 0, room),))]
    rows = model.predict([short, long])
    np.testing.assert_allclose(rows[0], rows[1], atol=1e-5)
    spans = [span for span in model.embed([long]).spans[0] if span]
    assert spans[-1] == ("text", room - 1, room)


def test_the_longest_of_several_fields_is_cut_first(causal: Folders) -> None:
    model = CausalClassifier(causal("gpt2"), "{a}|{b}|", {"one": "x", "two": "y"}, max_length=22)

    def lengths(a: str, b: str) -> list[int]:
        (spans,) = model.embed([Example({"a": a, "b": b})]).spans
        return [sum(span is not None and span[0] == name for span in spans) for name in "ab"]

    assert lengths("abc", "x" * 60) == [3, 17]
    assert lengths("a" * 40, "b" * 30) == [10, 10]
    assert lengths("abc", "x" * 16 + " " + "y" * 40) == [3, 16], "the blank at the cut is left out, too"


def test_a_prompt_without_room_for_a_text_is_refused(causal: Folders) -> None:
    model = CausalClassifier(causal("gpt2"), PROMPT, WORDS, max_length=8)
    with pytest.raises(UsageError, match=r"reads 8 tokens, and the prompt without its fields.*has 5 more"):
        model.predict(texts("good"))


def test_special_tokens_begin_a_prompt_and_none_ends_it(causal: Folders) -> None:
    model = CausalClassifier(causal("roberta"), "{text}", {"one": " good", "two": " x"})
    embedded = model.embed(texts("good", ""))
    assert embedded.special[0, :2].tolist() == [True, False]
    assert embedded.inputs["attention_mask"][:, 0].sum(1).tolist() == [1 + 2, 1], "<s>, and no </s>"
    assert np.isfinite(model.predict(texts("good", ""))).all()


def test_a_prompt_without_a_token_has_no_prediction(causal: Folders) -> None:
    model = CausalClassifier(causal("gpt2"), "{text}", WORDS)
    rows = model.predict(texts("", "good"))
    assert np.isnan(rows[0]).all()
    assert np.isfinite(rows[1]).all()
    with pytest.raises(ModelError, match="makes no token of ''"):
        model.embed(texts("good", ""))


@pytest.mark.parametrize(
    ("prompt", "labels", "message"),
    [
        ("It was", WORDS, "names no field"),
        ("{text!r} was", WORDS, "name of a field in braces"),
        ("{} was", WORDS, "name of a field in braces"),
        ("{text was", WORDS, "write a literal brace as"),
        (PROMPT, {"positive": " good"}, "at least two labels, not of 1"),
        (PROMPT, {"positive": " good", "negative": []}, "label 'negative' has no word"),
        (PROMPT, {"positive": " good", "negative": ["x", " "]}, "label 'negative' has no word"),
        (PROMPT, {"positive": " good", "negative": [" bad", " good"]}, "have the same word ' good'"),
        (PROMPT, {"positive": "good", "negative": " bad"}, r"glued.*'…\nIt wasgood'|glued.*: write ' good'"),
    ],
)
def test_an_option_without_a_usable_value_is_refused(
    causal: Folders, prompt: str, labels: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        CausalClassifier(causal("gpt2"), prompt, labels)


def test_a_misspelled_field_is_refused(causal: Folders) -> None:
    with pytest.raises(UsageError, match=r"prompt names the field 'txet'.*Did you mean 'text'\?"):
        CausalClassifier(causal("gpt2"), "{txet} was", WORDS).predict(texts("good"))


def test_words_that_the_tokenizer_cannot_read_or_tell_apart_are_refused(causal: Folders) -> None:
    folder = causal("words")
    assert CausalClassifier(folder, PROMPT, {"a": " good", "b": " bad"}).predict(texts("film")).shape == (1, 2)
    for word, message in ((" Good", "as the same tokens"), (" zebra", "does not know"), ("\u200b", "makes no token")):
        with pytest.raises(UsageError, match=message):
            CausalClassifier(folder, PROMPT, {"a": " good", "b": word}).predict(texts("film"))


def test_a_word_that_merges_with_the_prompt_is_refused(causal: Folders) -> None:
    labels: dict[str, Any] = {"a": "\u0301x", "b": " x"}  # an accent that joins the letter before it
    with pytest.raises(UsageError, match=r"as one token\. Begin the answer with a blank"):
        CausalClassifier(causal("words"), "{text} goode", labels).predict(texts("x"))


def test_a_slow_tokenizer_is_refused(tmp_path: Path) -> None:
    save_causal("gpt2", tmp_path, vocab_size=400)
    for path in tmp_path.glob("tokenizer*"):
        path.unlink()
    transformers.ByT5Tokenizer().save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="only a slow tokenizer"):
        CausalClassifier(tmp_path, PROMPT, WORDS).predict(texts("x"))
