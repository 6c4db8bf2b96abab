"""Fine-tuning: the command, the trainers, and the loop behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

pytest.importorskip("transformers")

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from robustfim.cli import main
from robustfim.errors import DataError, ModelError, RobustfimError
from robustfim.example import Example
from robustfim.terminal import progress
from robustfim_checkpoints.folder import open_folder
from robustfim_checkpoints.loading import load_base
from robustfim_huggingface.choice.model import MultipleChoice
from robustfim_huggingface.classifier.model import SequenceClassifier
from robustfim_huggingface.finetune.fitting import evaluate, fit
from robustfim_huggingface.finetune.recipe import Recipe
from robustfim_huggingface.finetune.trainers import ChoiceTrainer, ClassifierTrainer
from robustfim_steps import read_steps, stepped
from robustfim_steps.fitting import Epoch
from tests.plugins.robustfim_huggingface.conftest import save_model

ROWS = [
    *(("a good film", "yes"), ("good good", "yes"), ("the good film", "yes"), ("film good", "yes")),
    *(("a bad film", "no"), ("bad bad", "no"), ("the bad film", "no"), ("film bad", "no")),
]
TEXTS = [Example({"text": text}, label) for text, label in ROWS]
CHOICES = [
    Example({"premise": f"{c} film", "question": "cause", "choice1": first, "choice2": second}, gold)
    for c in "abcd"
    for first, second, gold in (("good", "bad", "1"), ("bad", "good", "2"))
]
FAST: dict[str, Any] = {"epochs": 20, "patience": 20, "learning_rate": 5e-3, "batch_size": 4, "device": "cpu"}


def quiet(line: str) -> None:
    """Say nothing."""


def save_body(folder: Path) -> Path:
    """Save a BERT without any head."""
    save_model("bert", folder, "", seed=1, scale=0.2)
    return folder


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Any:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def body(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_body(tmp_path_factory.mktemp("base"))


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = ["text,label", *(f"{text},{label}" for text, label in ROWS)]
    (tmp_path / "data.csv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def finetune(*words: str | Path) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["finetune", *map(str, words)])
    return int(stop.value.code or 0)


DATA = ("--data", "use=csv", "--data", "path=data.csv", "--dev", "path=data.csv", "--device", "cpu")


def test_the_command_writes_a_model_that_suites_can_use(
    body: Path, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_SECONDS", 0.0)  # of the lines that are told every ten seconds
    monkeypatch.setattr(progress.ProgressBar, "_watch", lambda self: None)
    settings = ["--epochs=20", "--patience=20", "--learning-rate=5e-3", "--batch-size=4", "--max-length=9"]
    assert finetune(body, *DATA, "--out", "tuned", *settings) == 0
    shown = capsys.readouterr()
    warning, first, second, held, *_ = shown.err.splitlines()
    assert warning == "8 examples of --dev are in --data, too: its accuracy says less."
    assert [first.partition(" examples")[0], second.partition(" examples")[0]] == ["epoch 1/20: 4/8", "epoch 1/20: 8/8"]
    assert held.startswith("epoch 1/20, dev: 8/8 examples")
    lines = shown.out.splitlines()
    assert [line.split()[1] for line in lines[:2]] == ["1/20", "2/20"]
    assert lines[-2] == "wrote tuned: dev accuracy 1.000 (8 of 8)"
    spec = yaml.safe_load(lines[-1])["model"]
    assert spec == {"use": "huggingface", "path": "tuned"}
    model = SequenceClassifier(Path("tuned"), device="cpu")
    assert model.labels == ("no", "yes")
    assert [model.labels[row.argmax()] for row in model.predict(TEXTS)] == [text.label for text in TEXTS]
    assert [each is None for each in model.window([Example({"text": "good " * n}) for n in (7, 8)])] == [True, False]
    card = Path("tuned/MODEL_CARD.md").read_text(encoding="utf-8")
    assert "1.000 on the development data (8 of 8 examples;\n95 % Wilson interval 0.676–1.000)" in card
    assert f"robustfim finetune {body.name} --data use=csv --data path=data.csv" in card
    assert "as random numbers: `classifier.bias`, `classifier.weight`" in card
    assert str(body.parent) not in card


def test_a_model_of_choices_learns_and_reads_as_it_was_trained(body: Path, tmp_path: Path) -> None:
    words = {"cause": "the"}
    told: list[str] = []
    spec = ChoiceTrainer(body, words=words, **FAST).train(CHOICES, CHOICES, tmp_path, seed=0, report=told.append)
    assert spec == {"use": "huggingface/choice", "path": str(tmp_path), "words": words}
    model = MultipleChoice(tmp_path, words=words, device="cpu")
    assert [str(row.argmax() + 1) for row in model.predict(CHOICES)] == [choice.label for choice in CHOICES]
    assert told[0].startswith("epoch 1/20: train loss 0.")
    assert "dev accuracy 1.000" in told[-1]


def test_the_same_seed_gives_the_same_weights_and_another_one_others(body: Path, tmp_path: Path) -> None:
    weights: list[bytes] = []
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        torch.manual_seed(len(weights))  # whatever was drawn before does not matter
        before = torch.random.get_rng_state()
        ClassifierTrainer(body, **{**FAST, "epochs": 2}).train(TEXTS, TEXTS, tmp_path / name, seed=seed, report=quiet)
        assert torch.equal(torch.random.get_rng_state(), before)
        weights.append((tmp_path / name / "model.safetensors").read_bytes())
    assert weights[0] == weights[1] != weights[2]


def test_the_order_of_the_labels_stays_that_of_a_model_which_has_them(folders: Any, tmp_path: Path) -> None:
    data = [
        Example({"text": text}, label) for text, label in zip("abc", ("positive", "neutral", "negative"), strict=True)
    ]
    quick = {**FAST, "epochs": 1}
    ClassifierTrainer(folders("bert"), **quick).train(data, data, tmp_path / "own", seed=0, report=quiet)
    assert SequenceClassifier(tmp_path / "own").labels == ("negative", "positive", "neutral")
    ClassifierTrainer(folders("bert"), **quick).train(data[:2], data[:2], tmp_path / "new", seed=0, report=quiet)
    assert SequenceClassifier(tmp_path / "new").labels == ("neutral", "positive")
    assert load_file(tmp_path / "new" / "model.safetensors")["classifier.weight"].shape[0] == 2


class Line(nn.Module):
    """A linear model of the length of a text and of 1, without a bias."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor([[0.3, -0.1], [0.1, 0.2]]))

    def logits(self, examples: Sequence[Example]) -> Tensor:
        return torch.tensor([[float(len(example.text)), 1.0] for example in examples]) @ self.weight.T


LENGTHS = [(Example({"text": "x" * n}), int(n > 2)) for n in (1, 2, 3, 4)]


def test_the_first_update_is_that_of_adamw() -> None:
    # m / √v = sign(g) in the first step, so that w ← w (1 − lr · decay) − lr · sign(g).
    module = Line()
    before = module.weight.detach().clone()
    loss = nn.functional.cross_entropy(module.logits([x for x, _ in LENGTHS]), torch.tensor([0, 0, 1, 1]))
    (gradient,) = torch.autograd.grad(loss, module.weight)
    recipe = Recipe(epochs=1, batch_size=4, learning_rate=0.01)
    found, _ = fit(module, module.logits, LENGTHS, LENGTHS, recipe, lambda epoch: None)
    expected = before * (1 - 0.01 * recipe.weight_decay) - 0.01 * gradient.sign()
    assert torch.allclose(module.weight, expected, atol=1e-6)
    assert found.loss == pytest.approx(loss.item())
    assert not module.weight.requires_grad


def test_training_stops_when_the_development_data_is_answered_no_better() -> None:
    module = Line()
    against = [(example, 1 - number) for example, number in LENGTHS]  # what is learnt makes it worse
    seen: list[Epoch] = []
    recipe = Recipe(epochs=30, patience=4, learning_rate=0.05)
    best, _ = fit(module, module.logits, LENGTHS, against, recipe, seen.append)
    assert [epoch.best for epoch in seen] == [True] + 4 * [False]
    assert [epoch.score[1] for epoch in seen] == sorted((epoch.score[1] for epoch in seen), reverse=True)
    assert best == seen[0]
    assert evaluate(module, module.logits, against) == pytest.approx((best.correct, -best.score[1]))


def test_training_that_is_interrupted_keeps_the_best_epoch_that_was_whole(
    body: Path, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(stage: str) -> None:
        def stop(bar: progress.ProgressBar, now: str, done: int, total: int) -> None:
            if now == stage:
                raise KeyboardInterrupt

        monkeypatch.setattr(progress.ProgressBar, "robustfim_progress", stop)

    interrupt("epoch 3/20")
    settings = ["--epochs=20", "--patience=20", "--learning-rate=5e-3", "--batch-size=4"]
    assert finetune(body, *DATA, "--out", "tuned", *settings) == 2
    said = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in said] == ["epoch", "epoch", "wrote", "interrupted", "model:"]
    assert said[3].startswith("interrupted after epoch 2: the weights are those of epoch ")
    assert SequenceClassifier(Path("tuned"), device="cpu").labels == ("no", "yes")
    interrupt("epoch 1/20")
    assert finetune(body, *DATA, "--out", "none", *settings) == 2
    assert not Path("none").exists()


def test_a_loss_that_is_no_number_ends_the_training() -> None:
    module = Line()
    module.weight.data[0, 0] = math.inf
    with pytest.raises(ModelError, match=r"epoch 1 is nan; try a lower learning rate than 5e-05"):
        fit(module, module.logits, LENGTHS, LENGTHS, Recipe(), lambda epoch: None)


@pytest.mark.parametrize(
    ("train", "dev", "told"),
    [
        ([], TEXTS, "the training data: there is no example"),
        (TEXTS, [], "the development data: there is no example"),
        ([*TEXTS, Example({"text": "x"})], TEXTS, "the training data: 1 of 9 examples have no gold label"),
        (TEXTS[:4], TEXTS, "one label only, 'yes'"),
        (TEXTS, [Example({"text": "x"}, "nno")], r"label 'nno' is not in the training data\. Did you mean 'no'\?"),
        (CHOICES, CHOICES, r"model \S*base0 reads one text or a pair, the examples have 4 fields"),
    ],
)
def test_data_that_cannot_be_learnt_from_is_refused(
    body: Path, train: list[Example], dev: list[Example], told: str, tmp_path: Path
) -> None:
    with pytest.raises(RobustfimError, match=told):
        ClassifierTrainer(body, **FAST).train(train, dev, tmp_path / "none", seed=0, report=quiet)
    assert not (tmp_path / "none").exists()


def test_labels_of_texts_are_no_choices(body: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="label 'yes', which is not the number of an alternative"):
        ChoiceTrainer(body, **FAST).train(TEXTS, TEXTS, tmp_path, seed=0, report=quiet)


@pytest.mark.parametrize(
    ("base", "more", "told"),
    [
        ("./bass", (), "no folder bass. Did you mean 'base'?"),
        ("./data.csv", (), "data.csv is a file; name the folder"),
        ("./empty", (), "empty is not a saved model: it has no config.json"),
        ("./base", ("--task", "choice"), "which is not the number of an alternative"),
        ("./base", ("-o", "txt=text"), "unknown option 'txt'. Did you mean 'text'?"),
        ("./base", ("-o", "device=cpu"), "'device' is not an option that names the fields"),
        ("./base", ("--max-length", "99"), "max_length=99 is more than model base can read: 24 tokens"),
        ("./base", ("--out", "base"), "base is the model that you fine-tune"),
        ("./base", ("--data", "label=null"), "--data: 8 of 8 examples have no gold label"),
        ("./base", ("--data", "use=csvv"), "unknown data source 'csvv'. Did you mean 'csv'?"),
    ],
)
def test_what_the_command_cannot_do_is_told(
    body: Path, here: Path, base: str, more: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "base").symlink_to(body)
    (here / "empty").mkdir()
    assert finetune(base, *DATA, "--out", "tuned", *more) == 4
    assert told in " ".join(capsys.readouterr().err.split())
    assert not (here / "tuned").exists()


def test_weights_without_a_body_are_no_base(body: Path, tmp_path: Path) -> None:
    save_body(tmp_path)
    weights = load_file(tmp_path / "model.safetensors")
    del weights["encoder.layer.0.output.dense.weight"]
    save_file(weights, tmp_path / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"cannot be fine-tuned: its weights lack bert\.encoder\.layer\.0"):
        load_base(open_folder(tmp_path), torch.float32, "AutoModelForMultipleChoice")
    (tmp_path / "model.safetensors").rename(tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelError, match="never loads pickled weights"):
        ClassifierTrainer(tmp_path)


def test_only_a_head_begins_as_random_numbers(body: Path) -> None:
    _, begun = load_base(open_folder(body), torch.float32, "AutoModelForMultipleChoice")
    assert begun == ["classifier.bias", "classifier.weight"]


def test_steps_along_the_eigenvector_are_learnt_and_go_where_the_geometry_says(body: Path, tmp_path: Path) -> None:
    from robustfim_fisher.geometry import FisherGeometry
    from robustfim_steps.moved import steps_along_eigenvector

    base = body
    steps = tmp_path / "steps.jsonl"
    steps.write_text('{"text": "good film", "label": "yes", "eigenvector_step": 0.5}\n', encoding="utf-8")
    (step,) = read_steps(steps, ["text"])
    assert stepped([Example({"text": "good film"}, "yes")], 0.5) == [step]
    weights = []
    for name, examples in (("plain", TEXTS), ("moved", [*TEXTS, step])):
        ClassifierTrainer(base, epochs=1, device="cpu").train(examples, TEXTS, tmp_path / name, seed=0, report=quiet)
        weights.append(load_file(tmp_path / name / "model.safetensors"))
    assert any(not torch.equal(weights[0][each], weights[1][each]) for each in weights[0])
    model = SequenceClassifier(tmp_path / "moved", device="cpu")
    embedded = model.embed([step])
    x = embedded.embeddings.detach().requires_grad_()
    found = steps_along_eigenvector(model.logits(x, embedded), x, embedded.special, torch.tensor([0.5]))
    (point,) = FisherGeometry(model).at([step])
    assert torch.allclose(found[embedded.mask], 0.5 * torch.as_tensor(point.eigenvector), atol=1e-5)
