"""The bag of n-grams in NumPy is the one that PyTorch computes, with its gradients; and it needs no PyTorch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import robustfim
from robustfim.candidate import Candidate, Edit
from robustfim.errors import ModelError, UsageError
from robustfim.example import Example
from robustfim.roles import Embedded
from robustfim_fisher.geometry import FisherGeometry
from robustfim_reference import model as models
from robustfim_reference.bundled import Reviews
from robustfim_reference.mean_network import MeanNetwork
from robustfim_reference.model import FastText
from robustfim_testing import check_model

torch = pytest.importorskip("torch")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> FastText:
    """The shipped model as it is where PyTorch is not installed."""
    with monkeypatch.context() as patch:
        patch.setattr(models, "find_spec", lambda name: None)
        return FastText()


def test_predictions_and_geometry_are_those_of_pytorch(plain: FastText) -> None:
    examples = [*list(Reviews().load())[:40], Example({"text": ""}), Example({"text": "fine"})]
    tensors = FastText()
    np.testing.assert_allclose(plain.predict(examples), tensors.predict(examples), atol=1e-6)
    ours, theirs = (FisherGeometry(text).at(examples) for text in (plain, tensors))
    for one, other in zip(ours, theirs, strict=True):
        assert isinstance(one.eigenvector, np.ndarray)
        assert one.lambda_max == pytest.approx(other.lambda_max, abs=1e-6)
        assert one.distance == pytest.approx(other.distance, rel=1e-5, abs=1e-6)
        assert one.margin == pytest.approx(other.margin, abs=1e-6)
        np.testing.assert_allclose(one.eigenvector, other.eigenvector.numpy(), atol=1e-6)
        np.testing.assert_allclose(one.margin_gradient, other.margin_gradient.numpy(), atol=1e-6)


def test_orders_steps_and_shifts_are_those_of_pytorch(plain: FastText) -> None:
    source = Example({"text": "The plot is dull but the cast is great."})
    words = [("plot", 4, "story"), ("dull", 12, "so very boring"), ("great", 33, "fine"), ("but", 17, "")]
    changed = [Candidate(source, (Edit("text", start, start + len(word), word, new),)) for word, start, new in words]
    guided = {"use": "typos", "order": {"use": "guided", "gradients": 3}}
    found = []
    for text in (plain, FastText()):
        run = robustfim.run(
            model=text, data=[source.fields["text"]], scores=["fisher"],
            checks={"typos": {"perturb": guided}, "steps": {"perturb": {"use": "eigenvector", "relative": True}},
                    "words": {"perturb": {"use": "decode", "from": "vocabulary"}}},
        )  # fmt: skip
        told = [(failure.check, failure.after.label, failure.step or failure.fields) for failure in run.record.failures]
        found.append((FisherGeometry(text).shifts(changed), told))
    for one, other in zip(found[0][0], found[1][0], strict=True):
        assert one.norm == pytest.approx(other.norm, rel=1e-5)
        assert one.cosine == pytest.approx(other.cosine, abs=1e-5)
    assert str(found[0][1]) == str(found[1][1])


def test_a_model_of_arrays_holds_what_a_model_promises_and_its_derivative_is_checked(plain: FastText) -> None:
    check_model(plain)
    plain.jacobian = lambda embeddings, embedded: -plain.network.jacobian(embedded.mask)  # type: ignore[method-assign]  # a wrong one
    with pytest.raises(AssertionError, match="along a small step the logits change"):
        check_model(plain)
    plain.jacobian = None  # type: ignore[assignment,method-assign]  # none
    with pytest.raises(ModelError, match="embeds into NumPy arrays, which nothing differentiates"):
        FisherGeometry(plain).at([Example({"text": "fine"})])


def test_many_classes_need_no_iterations() -> None:
    random = np.random.default_rng(0)
    shapes = {"embedding.weight": (9, 4), "output.weight": (70, 4), "output.bias": (70,)}
    weights = {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}
    network = MeanNetwork.of(weights, rows=9, classes=70, dims=4)

    class Wide(FastText):
        labels, max_tokens = tuple(map(str, range(70))), 9

        def embed(self, examples: Sequence[Example]) -> Embedded:
            rows = np.arange(5)[None].repeat(len(examples), 0)
            return Embedded(network.table[rows], np.ones_like(rows, bool), np.zeros_like(rows, bool), [[None] * 5])

    model = Wide.__new__(Wide)
    model.__dict__.update(network=network, _plain=True)
    (point,) = FisherGeometry(model).at([Example({"text": "a"})])
    embedded = model.embed([Example({"text": "a"})])
    logits = network.logits(embedded.embeddings, embedded.mask)[0].astype(float)
    p = np.exp(logits) / np.exp(logits).sum()
    jacobian = network.jacobian(embedded.mask)[0].reshape(70, -1).astype(float)
    wanted = np.linalg.eigvalsh(jacobian.T @ (np.diag(p) - np.outer(p, p)) @ jacobian)[-1]
    assert point.lambda_max == pytest.approx(wanted, rel=1e-5)


def test_weights_of_another_shape_and_devices_without_torch_are_refused(
    plain: FastText, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match=r"output.bias has the shape \(2,\), not \(3,\)"):
        MeanNetwork.of(
            {"embedding.weight": np.ones((2, 1)), "output.weight": np.ones((3, 1)), "output.bias": np.ones(2)},
            rows=2, classes=3, dims=1,
        )  # fmt: skip
    plain.folder.config["sizes"] = {"dims": 5}
    with pytest.raises(UsageError, match=r"the weights cannot be read: embedding.weight has the shape"):
        plain.predict([Example({"text": "fine"})])
    monkeypatch.setattr(models, "find_spec", lambda name: None)
    with pytest.raises(ModelError, match=r"device='cuda' needs torch: pip install 'robustfim\[torch\]'"):
        FastText(device="cuda")


LIGHT = """\
import sys
from importlib.machinery import PathFinder
hidden = ("torch", "transformers", "spacy", "pandas", "captum", "sklearn", "nltk", "httpx", "pyarrow")
find = PathFinder.find_spec
PathFinder.find_spec = classmethod(lambda cls, name, *more: None if name.split(".")[0] in hidden else find(name, *more))
from robustfim.cli import main
sys.exit(main(sys.argv[1:]))
"""
SUITE = """\
suite: light
model: reference/fasttext
data: reviews
scores: [fisher, boundary, entropy]
select: {by: fisher, difficult: 10, control: 10}
checks:
  synonyms: {perturb: {use: synonyms, words: 2, order: guided}, limit: 1.0}
  eigenvector: {perturb: {use: eigenvector, norms: [0.2]}, limit: 1.0}
reports: [html, json]
"""


@pytest.mark.slow  # a process without libraries
def test_without_any_extra_a_suite_runs_and_one_that_needs_more_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "light.yaml").write_text(SUITE, encoding="utf-8")
    (tmp_path / "cnn.yaml").write_text(SUITE.replace("fasttext", "cnn"), encoding="utf-8")

    def run(suite: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", LIGHT, "run", suite, "--no-store"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    done = run("light.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "reports" / "light" / "report.html").is_file()
    refused = run("cnn.yaml")
    assert refused.returncode == 4
    assert (refused.stdout + refused.stderr).strip() == (
        "ERROR: cnn.yaml:2: 'reference/cnn' needs torch, which is not installed: pip install 'robustfim[torch]'."
    )
