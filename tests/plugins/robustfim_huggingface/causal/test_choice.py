"""Alternatives by their likelihood: against one forward pass a token, and the literal algorithm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim import Example, ModelError, UsageError
from robustfim.roles import DifferentiableModel
from robustfim.window import windows
from robustfim_fisher.geometry import FisherGeometry
from robustfim_huggingface.causal.choice import CausalChoice
from tests.plugins.robustfim_fisher.reference import fisher_matrix, largest_eigenvalue
from tests.plugins.robustfim_huggingface.conftest import likelihood, ran

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

Folders = Callable[[str], Path]
ARCHITECTURES = ["gpt2", "llama"]


def choice(premise: str, *alternatives: str, question: str = "cause") -> Example:
    fields = {f"choice{number}": text for number, text in enumerate(alternatives, start=1)}
    return Example({"premise": premise, "question": question, **fields}, "1")


EXAMPLES = [
    choice("The film.", "Good.", "I am bad"),
    choice("x", "the bad", "y", question="effect"),
    choice("good", "x", "z"),
]
SENTENCES = [
    ("The film because", " good.", " I am bad"),
    ("x so", " the bad", " y"),
    ("good because", " x", " z"),
]


def literal(folder: Path, prompt: str, *alternatives: str, normalise: str = "none") -> Any:
    """The distribution over alternatives, token by token."""
    scores = []
    for alternative in alternatives:
        score, count = likelihood(folder, prompt, alternative)
        if normalise == "tokens":
            score /= count
        elif normalise == "pmi":
            score -= likelihood(folder, prompt.split()[-1], alternative)[0]
        scores.append(score)
    return np.exp(scores - np.logaddexp.reduce(scores))


@pytest.mark.parametrize("normalise", ["none", "tokens", "pmi"])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_probabilities_are_the_likelihoods_of_the_sentences(
    causal: Folders, architecture: str, normalise: Any
) -> None:
    model = CausalChoice(causal(architecture), normalise=normalise, batch_size=2)
    assert isinstance(model, DifferentiableModel)
    assert model.labels == ("1", "2")
    for row, sentence in zip(model.predict(EXAMPLES), SENTENCES, strict=True):
        expected = literal(causal(architecture), *sentence, normalise=normalise)
        np.testing.assert_allclose(np.log(row), np.log(expected), atol=2e-5)
    for example, point in zip(EXAMPLES[:2], FisherGeometry(model).at(EXAMPLES[:2]), strict=True):
        expected = largest_eigenvalue(fisher_matrix(model, example))
        assert expected > 0
        assert point.lambda_max == pytest.approx(expected, rel=1e-3)


def test_the_logits_of_the_embeddings_give_the_prediction(causal: Folders) -> None:
    model = CausalChoice(causal("llama"), normalise="pmi")
    embedded = model.embed(EXAMPLES)
    probabilities = model.logits(embedded.embeddings, embedded).double().softmax(-1).cpu().numpy()
    np.testing.assert_allclose(probabilities, model.predict(EXAMPLES), atol=1e-5)


def test_three_alternatives_are_three_classes(causal: Folders) -> None:
    model = CausalChoice(causal("gpt2"), choices=["choice1", "choice2", "choice3"], sentence=False)
    found = model.predict([choice("The film.", "Good.", "x", "y z")])[0]
    np.testing.assert_allclose(found, literal(causal("gpt2"), "The film. because", " Good.", " x", " y z"), atol=1e-6)


def test_each_token_stands_in_its_field_once(causal: Folders) -> None:
    model = CausalChoice(causal("gpt2"), prompt="{premise}-{question}", words={"cause": "w"}, normalise="pmi")
    example = choice("xy.", "Ab", "good z.")
    embedded = model.embed([example])
    found = [span and (span[0], example.fields[span[0]][span[1] : span[2]]) for span in embedded.spans[0]]
    assert found == [
        ("premise", "x"), ("premise", "y"), None, None,
        None, ("choice1", "A"), ("choice1", "b"),  # the blank before it is a token of its own
        ("choice2", "good"), ("choice2", " "), ("choice2", "z"), ("choice2", "."),
        None,  # the neutral prompt, "w"
    ]  # fmt: skip


def test_the_gradient_of_a_last_token_is_zero_and_that_of_others_is_not(causal: Folders) -> None:
    model = CausalChoice(causal("gpt2"))
    embedded = model.embed([choice("x", "yz", "zy")])
    x = embedded.embeddings.clone().requires_grad_()
    logits = model.logits(x, embedded)[0]
    (gradient,) = torch.autograd.grad(logits[0] - logits[1], x)
    moved = gradient[0].abs().amax(1) > 0
    names = [span and span[0] for span in embedded.spans[0]]
    assert [bool(moves) for moves, name in zip(moved, names, strict=True) if name == "choice1"] == [True, False]
    assert moved[names.index("premise")]


@pytest.mark.parametrize(
    ("written", "read"),
    [("The man.", "the man."), ("A man", "a man"), ("I'm ill", "I'm ill"), ("I was", "I was"), ("TV is", "TV is"),
     ("In it", "in it"), ("", ""), ("İs", "İs")],
)  # fmt: skip
def test_an_alternative_goes_on_with_the_sentence(causal: Folders, written: str, read: str) -> None:
    (_, (_, text)) = CausalChoice(causal("gpt2"))._completion(choice("x", written, "y")).answers[0].pieces
    assert text == read
    (_, (_, text)) = (
        CausalChoice(causal("gpt2"), sentence=False)._completion(choice("x", written, "y")).answers[0].pieces
    )
    assert text == written


def test_a_long_premise_is_cut_and_no_alternative(causal: Folders) -> None:
    model = CausalChoice(causal("gpt2"))  # 48 positions
    whole = choice("x" * 30, "y" * 9, "z")
    assert [window is None for window in windows(model, [whole, choice("x" * 40, "y" * 9, "z")]) or ()] == [True, False]
    spans = [span[0] for span in model.embed([choice("x" * 40, "y" * 9, "z")]).spans[0] if span]
    assert (spans.count("premise"), spans.count("choice1")) == (48 - len(" because") - len(" yyyyyyyyy") + 1, 9)
    with pytest.raises(UsageError, match="the prompt without its fields, with the answer, has 2 more"):
        model.predict([choice("x", "y" * 42, "z")])


def test_what_does_not_fit_is_refused(causal: Folders) -> None:
    model = CausalChoice(causal("gpt2"))
    with pytest.raises(UsageError, match=r"name all alternatives with 'choices'"):
        model.predict([choice("x", "a", "b", "c")])
    with pytest.raises(UsageError, match=r"reads the field 'choice2', which an example lacks\. Did you mean 'choice1'"):
        model.predict([choice("x", "a")])
    with pytest.raises(UsageError, match="must name at least two fields, and 'prompt' only other"):
        CausalChoice(causal("gpt2"), choices=["choice1"])
    with pytest.raises(UsageError, match="must name at least two fields"):
        CausalChoice(causal("gpt2"), prompt="{premise} {choice1}")
    with pytest.raises(ModelError, match="sees the words behind"):
        CausalChoice(causal("bidirectional")).predict(EXAMPLES)


def test_the_fingerprint_knows_every_option_that_alters_a_prediction(causal: Folders) -> None:
    options: list[dict[str, Any]] = [
        {}, {"choices": ["choice2", "choice1"]}, {"prompt": "{premise}"}, {"words": {"cause": "since"}},
        {"sentence": False}, {"normalise": "tokens"}, {"normalise": "pmi"}, {"normalise": "pmi", "neutral": "so"},
        {"max_length": 9}, {"dtype": "bfloat16"},
    ]  # fmt: skip
    found = [CausalChoice(causal("gpt2"), **option).fingerprint for option in options]
    assert len(set(found)) == len(options)
    assert CausalChoice(causal("gpt2"), batch_size=1).fingerprint == found[0]


def test_a_suite_of_choices_selects_by_the_fisher_information(
    causal: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    suite = {
        "model": {"use": "huggingface/causal-choice", "path": str(causal("llama"))},
        "data": {"use": "copa", "limit": 8},
        "select": {"by": "fisher", "difficult": 3, "control": 2},
        "checks": {
            "typos": {
                "perturb": {"use": "typos", "words": 1, "candidates": 2, "order": "guided"},
                "expect": {"use": "invariant", "counts": "changes"},
            }
        },
    }
    record = ran(suite, capsys)
    assert min(example["scores"]["fisher"] for example in record["examples"]) > 0
    assert record["checks"][0]["candidates"]["tested"] == 10
