"""robustfim's models, perturbations and examples in attacks that TextAttack runs."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from robustfim.candidate import Candidate, Edit
from robustfim.errors import DataError, ModelError, UsageError
from robustfim.example import Example
from tests.plugins.robustfim_textattack.library import Library
from tests.robustfim.toys import CountingModel, Push, Rewrite, Swap

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore:The 'warn' method is deprecated:DeprecationWarning")  # TextAttack's

REVIEWS = [
    Example({"text": "The film is dull, and its story is weak."}, "negative"),
    Example({"text": "A clever and moving story with a brilliant cast."}, "positive"),
    Example({"text": "An awful plot and a boring end."}, "negative"),
    Example({"text": "I liked the songs, but the film is too long."}, "negative"),
]


@pytest.fixture(scope="session")
def adapters(library: Library) -> Any:
    return importlib.import_module("robustfim_textattack.adapters")


@pytest.fixture(scope="session")
def fasttext(adapters: Any) -> Any:
    return adapters.ModelWrapper("reference/fasttext")


@pytest.mark.parametrize("ranking", ["delete", "gradient"])
def test_an_attack_of_textattack_searches_with_synonyms_against_a_reference_model(
    library: Library, adapters: Any, fasttext: Any, ranking: str
) -> None:
    of = library.package
    before = fasttext.queue.sent
    attack = of.Attack(
        of.goal_functions.UntargetedClassification(fasttext),
        [
            of.constraints.pre_transformation.RepeatModification(),
            of.constraints.pre_transformation.StopwordModification(),
        ],
        adapters.Transformation("synonyms"),
        of.search_methods.GreedyWordSwapWIR(wir_method=ranking),
    )
    results = [attack.attack(*row) for row in adapters.dataset(REVIEWS, fasttext)]
    assert fasttext.queue.sent > before or ranking == "gradient"
    changed = 0
    for example, result in zip(REVIEWS, results, strict=True):
        if type(result).__name__ == "SkippedAttackResult":
            continue
        ours = fasttext.queue.predict([example, Example({"text": result.perturbed_text()})])
        assert float(result.perturbed_result.score) >= float(result.original_result.score)
        assert (ours[0].label != ours[1].label) == (type(result).__name__ == "SuccessfulAttackResult")
        changed += result.perturbed_text() != example.text
    assert changed > 0


def test_the_wrapper_gives_the_models_probabilities_by_the_order_of_its_labels(adapters: Any, fasttext: Any) -> None:
    texts = [review.text for review in REVIEWS]
    direct = np.asarray(fasttext.model.predict(REVIEWS))
    rows = fasttext([*texts, texts[0]])
    assert rows.shape == (5, 2)
    np.testing.assert_allclose(rows[:4].numpy(), direct, atol=1e-6)
    np.testing.assert_allclose(rows.sum(dim=1).numpy(), 1, atol=1e-12)
    rows = adapters.dataset(REVIEWS, fasttext)
    assert [label for _, label in rows] == [fasttext.labels.index(review.label) for review in REVIEWS]
    assert rows.label_names == list(fasttext.labels)


def test_the_gradient_is_that_of_the_loss(adapters: Any) -> None:
    text, wrapper = "dull but clever", adapters.ModelWrapper("reference/cnn")
    given = wrapper.get_grad(text)["gradient"]
    tokens = wrapper.tokenize([text])[0]
    assert len(tokens) == len(given)
    assert tokens[:3] == ["dull", "but", "clever"]
    embedded = wrapper.model.embed([Example({"text": text})])

    def loss(shift: float) -> float:
        point = embedded.embeddings.detach().double().clone()
        point[0, 0, 0] += shift
        logits = wrapper.model.logits(point.float(), embedded)
        return float(torch.nn.functional.cross_entropy(logits.double(), label))

    label = wrapper.model.logits(embedded.embeddings, embedded).argmax(dim=1)
    assert given[0, 0] == pytest.approx((loss(0.05) - loss(-0.05)) / 0.1, rel=1e-2, abs=1e-6)


def test_a_model_without_gradients_is_told(adapters: Any) -> None:
    with pytest.raises(ModelError, match="CountingModel has none"):
        adapters.ModelWrapper(CountingModel()).get_grad("a text")


def transformed(transformation: Any, library: Library, text: str, indices: set[int] | None = None) -> list[str]:
    current = library.package.shared.AttackedText(text)
    return [each.text for each in transformation(current, indices_to_modify=indices)]


def test_an_edit_belongs_to_its_first_word(library: Library, adapters: Any) -> None:
    class Fixed:
        def edits(self, example: Example, random: Random) -> Iterator[Edit]:
            yield Edit("text", 0, 3, "one", "1")
            yield Edit("text", 4, 13, "two three", "23")
            yield Edit("text", 13, 13, "", " and a half")
            yield Edit("text", 13, 14, ".", "!")

    all_four = ["1 two three.", "one 23.", "one two three and a half.", "one two three!"]
    transformation = adapters.Transformation(Fixed())
    assert transformed(transformation, library, "one two three.") == all_four
    assert [transformed(transformation, library, "one two three.", {index}) for index in range(3)] == [
        all_four[:1],
        all_four[1:2],
        all_four[2:],
    ]


def test_whole_candidates_are_transformations_too(library: Library, adapters: Any) -> None:
    shout = adapters.Transformation(Rewrite(str.upper, str.title, str.lower), candidates=2)
    assert transformed(shout, library, "one two") == ["ONE TWO", "One Two"]
    assert transformed(shout, library, "one two", {1}) == []


def test_a_perturbation_that_draws_gives_a_text_the_same_each_time(library: Library, adapters: Any) -> None:
    first, again, other = (adapters.Transformation("typos", seed=seed) for seed in (1, 1, 2))
    text = "a brilliant and moving story"
    assert transformed(first, library, text) == transformed(first, library, text) == transformed(again, library, text)
    assert transformed(first, library, text) != transformed(other, library, text)
    assert first.deterministic


def test_rules_that_were_mined_are_a_transformation(library: Library, adapters: Any, tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text("- film -> movie\n- is ADJ -> is so ADJ\n", encoding="utf-8")
    rules = adapters.Transformation("rules", path=tmp_path / "rules.yaml")
    assert transformed(rules, library, "the film is dull") == ["the movie is dull", "the film is so dull"]


def test_what_cannot_be_used_is_told(adapters: Any) -> None:
    with pytest.raises(UsageError, match=r"unknown perturbation 'synonims'\. Did you mean 'synonyms'\?"):
        adapters.Transformation("synonims")
    with pytest.raises(UsageError, match="unknown option 'wods'"):
        adapters.Transformation("synonyms", wods=2)
    with pytest.raises(UsageError, match="steps in embedding space"):
        adapters.Transformation(Push([1.0]))
    with pytest.raises(UsageError, match="options words need the name of a plugin's offer, not a Swap"):
        adapters.Transformation(Swap({}), words=2)
    with pytest.raises(UsageError, match="pass 'model' to Transformation"):
        adapters.Transformation("neighbours")
    with pytest.raises(DataError, match="the model knows"):
        adapters.dataset([Example({"text": "x"}, "other")], CountingModel())
    with pytest.raises(DataError, match="there are no examples"):
        adapters.dataset([], CountingModel())
    with pytest.raises(DataError, match="the first"):
        adapters.dataset([REVIEWS[0], Example({"a": "x", "b": "y"}, "negative")], CountingModel())


def test_pairs_are_read_by_the_names_of_their_fields(library: Library, adapters: Any) -> None:
    class Pairs(CountingModel):
        def predict(self, examples: Sequence[Example]) -> list[list[float]]:
            assert all(list(example.fields) == ["premise", "hypothesis"] for example in examples)
            return super().predict(examples)

    model = adapters.ModelWrapper(Pairs(), fields=("premise", "hypothesis"))
    pair = Example({"premise": "a dull film", "hypothesis": "it was dull"}, "negative")
    of = library.package
    attack = of.Attack(
        of.goal_functions.UntargetedClassification(model),
        [],
        adapters.Transformation(Swap({"dull": ["good"]})),
        of.search_methods.GreedyWordSwapWIR(),
    )
    ((fields, label),) = adapters.dataset([pair], model)
    result = attack.attack(fields, label)
    assert type(result).__name__ == "SuccessfulAttackResult"
    assert "good" in result.perturbed_text()
    assert Candidate(pair).unchanged
