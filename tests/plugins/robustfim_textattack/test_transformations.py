"""TextAttack's transformations as perturbations."""

from __future__ import annotations

import importlib
from collections import OrderedDict
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from robustfim.candidate import Candidate
from robustfim.example import Example
from robustfim_textattack.library import class_of, seeded
from robustfim_textattack.table import TRANSFORMATIONS
from tests.plugins.robustfim_textattack.library import Library
from tests.robustfim.command_line import CommandLine
from tests.robustfim.toys import Bench

FREE = [name for name, transformation in TRANSFORMATIONS.items() if not transformation.needs]
SENTENCE = "It isn't a bad film: 3 stars, and I did not lose a minute — really good fun."
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "good", "bad", "film", "story", "one", "three"]
PAIR = Example({"premise": "Two men don't sleep.\n42 cats do.", "hypothesis": "I saw a SPLIT second, I swear."})


@cache
def made(name: str, **options: Any) -> Any:
    cls = getattr(importlib.import_module("robustfim_textattack.transformation"), name)
    perturbation = cls(**options)
    perturbation.prepare(Bench([]).context)
    return perturbation


@pytest.mark.parametrize("name", FREE)
def test_the_edits_are_the_texts_that_textattack_makes(library: Library, name: str) -> None:
    # Of each letter of a word WordSwapDeletions makes 94 texts.
    short = {"WordSwapDeletions": [Example({"text": "a film"}), Example({"premise": "It is", "hypothesis": "so"})]}
    for example in short.get(name, [Example({"text": SENTENCE}), PAIR]):
        edits = made(name).edits(example, Random(3))
        with seeded(Random(3)):
            theirs = class_of(name)()(library.package.shared.AttackedText(OrderedDict(example.fields)))
        fields = [tuple(text._text_input.values()) for text in theirs]
        own = tuple(example.fields.values())
        wanted = {field for field in fields if sum(new != old for new, old in zip(field, own, strict=True)) == 1}
        assert {tuple(Candidate(example, (edit,)).example.fields.values()) for edit in edits} == wanted
        assert edits == sorted(edits) == made(name).edits(example, Random(3))
        assert {edit.origin for edit in edits} <= {f"textattack: {name}"}


def test_another_seed_draws_others(library: Library) -> None:
    example = Example({"text": SENTENCE})
    drawn = [made("WordSwapQWERTY").edits(example, Random(seed)) for seed in range(3)]
    assert drawn[0] != drawn[1] != drawn[2]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.sampled_from("ab I'-_*@.!?\n\t é\u200b😀<>SPLIT"), max_size=20))
def test_any_text_survives_textattack(library: Library, text: str) -> None:
    example = Example({"review": text, "title": "It is"})
    for name in ("WordDeletion", "WordSwapNeighboringCharacterSwap", "WordSwapExtend"):
        for edit in made(name).edits(example, Random(0)):
            assert Candidate(example, (edit,)).example.fields["title" if edit.field == "review" else "review"] in (
                text,
                "It is",
            )


def test_a_text_with_textattacks_mark_of_a_new_field_is_left_alone(library: Library) -> None:
    assert made("WordDeletion").edits(Example({"text": "a <SPLIT> b"}), Random(0)) == []


def test_a_field_of_any_name_and_an_empty_one_are_kept(library: Library) -> None:
    example = Example({"title": "", "review": "a good film"})
    assert {edit.field for edit in made("WordDeletion").edits(example, Random(0))} == {"review"}


@pytest.fixture(scope="session")
def masked_model(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    """A small masked language model with random weights."""
    transformers: Any = importlib.import_module("transformers")
    folder = tmp_path_factory.mktemp("masked")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    transformers.set_seed(0)
    sizes = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 8}
    transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=len(VOCABULARY), **sizes)).save_pretrained(folder)
    transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("name", ["WordSwapMaskedLM", "WordInsertionMaskedLM"])
def test_a_masked_language_model_may_be_a_folder(masked_model: Path, name: str) -> None:
    perturbation = made(name, masked_language_model=masked_model, max_length=16, max_candidates=3, min_confidence=0.0)
    edits = perturbation.edits(Example({"text": "a good film"}), Random(0))
    assert edits
    assert {word for edit in edits for word in edit.after.split()} <= set(VOCABULARY)


def test_wordnet_gives_synonyms_where_it_is_installed(library: Library) -> None:
    component = TRANSFORMATIONS["WordSwapWordNet"]
    if not all(resource.present for resource in component.resources({})):
        pytest.skip("NLTK's WordNet is not installed: python -m nltk.downloader wordnet")
    edits = made("WordSwapWordNet").edits(Example({"text": "a good film"}), Random(0))
    assert ("film", "movie") in {(edit.before, edit.after) for edit in edits}


def test_a_suite_combines_their_edits_and_constrains_them(robustfim: CommandLine, library: Library) -> None:
    suite = robustfim.suite(
        "{q: {perturb: {use: textattack/WordSwapRandomCharacterDeletion, words: 2, candidates: 5},"
        " constrain: [{use: textattack/MinWordLength, min_length: 4},"
        " {use: textattack/MaxWordsPerturbed, max_num_words: 1}]}}"
    )
    shown = robustfim(f"run {suite}")
    assert shown.code in (0, 1, 6), shown
    check = robustfim.record("other").checks[0]
    assert check.tested > 0
    assert check.candidates.edits_rejected["textattack/MinWordLength: not met"] > 0
    assert check.candidates.rejected["textattack/MaxWordsPerturbed: not met"] > 0
    again = robustfim(f"run {suite} --reports again")
    assert again.code == shown.code
    assert robustfim.record("other", "again").checks[0].candidates == check.candidates
