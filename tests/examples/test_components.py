"""The example of components: differences against the closed form of a linear chooser, and components of known axes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from robustfim.errors import ModelError
from robustfim.example import Example
from tests.examples.imported import EXAMPLES, imported
from tests.plugins.robustfim_huggingface.conftest import save_model
from tests.robustfim.command_line import CommandLine

torch = pytest.importorskip("torch")
FILE = EXAMPLES / "components.py"


@pytest.fixture(scope="module")
def study() -> Any:
    return imported("components")


def chosen(first: str, second: str, label: str) -> Example:
    return Example({"choice1": first, "choice2": second}, label)


class Lengths:
    """Embeds an alternative as its length and its words, and scores it by a linear layer behind another one."""

    labels = ("1", "2")
    fingerprint = "lengths"

    def __init__(self) -> None:
        self.first, self.last = torch.nn.Linear(2, 2, bias=False), torch.nn.Linear(2, 1)
        with torch.no_grad():
            self.first.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 10.0]]))
            self.last.weight.copy_(torch.tensor([[1.0, 0.0]]))

    def predict(self, examples: Sequence[Example]) -> Any:
        texts = [[example.fields["choice1"], example.fields["choice2"]] for example in examples]
        given = [[[float(len(text)), float(len(text.split()))] for text in pair] for pair in texts]
        logits = self.last(self.first(torch.tensor(given).flatten(0, 1))).view(-1, 2)
        return logits.softmax(1).detach().numpy()


def test_a_difference_is_that_of_what_the_last_linear_layer_reads(study: Any) -> None:
    found, right = study.differences(Lengths(), [chosen("four", "a b", "1"), chosen("four", "a b", "2")])
    assert found.tolist() == [[1, -10], [-1, 10]]
    assert right.tolist() == [True, False]


def test_a_model_without_such_a_layer_is_refused(study: Any) -> None:
    class Plain:
        def predict(self, examples: Sequence[Example]) -> Any:
            return [[0.5, 0.5] for _ in examples]

    with pytest.raises(ModelError, match="no linear layer of PyTorch that reads a vector for each of two alternatives"):
        study.differences(Plain(), [chosen("a", "b", "1")])


def test_components_are_the_axes_in_the_order_of_their_variance(study: Any) -> None:
    long, short = np.array([0.6, 0.8, 0.0]), np.array([0.8, -0.6, 0.0])
    vectors = np.stack([3 * long, -3 * long, short, -short]) + 7.0
    points, shares = study.components(vectors)
    assert points == pytest.approx(np.array([[3, 0], [-3, 0], [0, 1], [0, -1]]))
    assert shares == pytest.approx(np.array([0.9, 0.1, 0.0]))


def test_the_study_reads_a_saved_chooser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers")
    monkeypatch.chdir(tmp_path)
    save_model("bert", tmp_path / "choice", "ForMultipleChoice", seed=1, scale=0.2)
    model = "--model use=huggingface/choice --model path=choice"
    shown = CommandLine(tmp_path, capsys)(f"-p {FILE} study components --data use=copa --data limit=12 {model}")
    assert shown.code == 0, shown.err
    results = json.loads(Path("reports/study-components.json").read_text(encoding="utf-8"))["results"]
    assert sum(results["shares"]) == pytest.approx(1)
    assert len(results["points"]) == len(results["right"]) == 12
