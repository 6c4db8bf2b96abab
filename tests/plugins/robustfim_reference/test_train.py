"""``robustfim train``: reproducible, documented, clear about what it refuses."""

from __future__ import annotations

import csv
import hashlib
import json
import re
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from robustfim.errors import DataError, ModelError, UsageError
from robustfim.example import Example
from robustfim.terminal import progress
from robustfim_reference.corpus import read_rows
from robustfim_reference.model import Bert, Cnn
from robustfim_reference.train import command
from robustfim_steps import STEP

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

FILES = {
    "fasttext": {"config.json", "vocabulary.txt"},
    "cnn": {"config.json", "vocabulary.txt"},
    "lstm": {"config.json", "vocabulary.txt"},
    "bert": {"config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"},
}

Train = Callable[..., str]


def write(path: Path, rows: Sequence[tuple[str, ...]], header: tuple[str, ...] = ("text", "label")) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.mark.parametrize("architecture", FILES)
def test_the_same_command_gives_the_same_bytes(
    architecture: str, corpus: Path, trained: dict[str, Path], tmp_path: Path, train: Train
) -> None:
    torch.manual_seed(123)  # what the caller's generator does is no matter
    train(architecture, corpus, tmp_path / architecture)
    names = {path.name for path in trained[architecture].iterdir()}
    expected = FILES[architecture] | {"model.safetensors", "MODEL_CARD.md"}
    assert names <= expected
    assert expected - names <= {"special_tokens_map.json"}  # of which transformers 5 makes no file
    for name in names:
        assert (tmp_path / architecture / name).read_bytes() == (trained[architecture] / name).read_bytes()


def test_another_seed_gives_other_weights(corpus: Path, trained: dict[str, Path], tmp_path: Path, train: Train) -> None:
    train("cnn", corpus, tmp_path, "--seed", "1")
    assert (tmp_path / "model.safetensors").read_bytes() != (trained["cnn"] / "model.safetensors").read_bytes()


def test_training_leaves_torch_as_it_was(corpus: Path, tmp_path: Path, train: Train) -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    threads = torch.get_num_threads()
    train("fasttext", corpus, tmp_path)
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads
    assert not torch.are_deterministic_algorithms_enabled()


@pytest.mark.parametrize(
    "architecture", ["fasttext", *(pytest.param(each, marks=pytest.mark.slow) for each in ("cnn", "lstm"))]
)
def test_a_model_learns_what_one_word_decides(architecture: str, corpus: Path, tmp_path: Path, train: Train) -> None:
    said = train(architecture, corpus, tmp_path, "--epochs", "60", "--patience", "60")
    found = re.search(r"dev accuracy ([01]\.\d+) \((\d+) of 40\)$", said.strip())
    assert found is not None
    assert float(found.group(1)) == int(found.group(2)) / 40 >= 0.95


def test_a_line_an_epoch_tells_loss_accuracy_and_the_best_so_far(corpus: Path, tmp_path: Path, train: Train) -> None:
    lines = train("fasttext", corpus, tmp_path).splitlines()
    assert re.fullmatch(r"epoch  1/2  train loss \d\.\d{4}  dev accuracy 0\.\d{3}  best so far", lines[0])
    assert re.match(r"epoch  2/2  train loss \d\.\d{4}  dev accuracy 0\.\d{3}  best", lines[1])
    assert len(lines) == 3


def test_without_a_terminal_a_line_now_and_then_tells_how_far_an_epoch_is(
    corpus: Path, tmp_path: Path, train: Train, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_SECONDS", 0.0)
    monkeypatch.setattr(progress.ProgressBar, "_watch", lambda self: None)
    lines = train("fasttext", corpus, tmp_path).splitlines()
    assert [line for line in lines if line.startswith("epoch 2/2: ") and " examples" in line]


def test_training_stops_when_the_accuracy_no_longer_grows(tmp_path: Path, train: Train) -> None:
    same = [("one and the same", label) for label in ("a", "b")] * 4
    write(tmp_path / "train.csv", same)
    write(tmp_path / "dev.csv", same)
    said = train("fasttext", tmp_path, tmp_path / "out", "--epochs", "50", "--patience", "3")
    assert [line.split()[1] for line in said.splitlines()[:-1]] == ["1/50", "2/50", "3/50", "4/50"]


def test_the_card_tells_data_command_seed_and_interval_and_no_place(corpus: Path, trained: dict[str, Path]) -> None:
    card = (trained["cnn"] / "MODEL_CARD.md").read_text(encoding="utf-8")
    for name, rows in (("train.csv", 120), ("dev.csv", 40)):
        digest = hashlib.sha256((corpus / name).read_bytes()).hexdigest()
        assert re.search(rf"`{name}` \| {rows} \| `{digest}`", card)
    assert "robustfim train cnn --data train.csv --dev dev.csv --out cnn --epochs 2\n" in card
    assert re.search(r"\d\.\d{3} on the development data \(\d+ of 40 rows; 95 % Wilson interval\s\d\.\d{3}–", card)
    assert "with seed 0" in card
    assert str(corpus) not in card


def test_the_command_on_the_card_trains_the_model_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [(f"{word} film. And more of it here.", word) for word in ("good", "bad", "odd")] * 4
    write(Path("a b.csv"), rows, ("body", "gold"))
    options = "--text body --label gold --cut 4 --seed 7 --epochs 1 --max-vocabulary 300 --out out"
    given = ["fasttext", "--data", "a b.csv", "--unlabelled", "a b.csv", "--dev", "a b.csv", *options.split()]
    CliRunner().invoke(command, given, catch_exceptions=False)
    first = {path.name: path.read_bytes() for path in Path("out").iterdir()}
    lines = first["MODEL_CARD.md"].decode().splitlines()
    line = next(each for each in lines if each.startswith("robustfim train "))
    CliRunner().invoke(command, shlex.split(line)[2:], catch_exceptions=False)
    assert {path.name: path.read_bytes() for path in Path("out").iterdir()} == first


@pytest.mark.parametrize("kind", [Cnn, Bert])
def test_there_may_be_any_number_of_classes(kind: type[Cnn] | type[Bert], tmp_path: Path, train: Train) -> None:
    rows = [(f"the {word} one", word) for word in ("red", "blue", "green", "grey")] * 3
    write(tmp_path / "train.csv", rows)
    write(tmp_path / "dev.csv", rows)
    train(kind.architecture, tmp_path, tmp_path / "out")
    model = kind(path=tmp_path / "out")
    assert model.labels == ("blue", "green", "grey", "red")
    assert model.predict([Example({"text": "the red one"})]).shape == (1, 4)


def test_bert_is_in_the_format_of_transformers(trained: dict[str, Path]) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    network = AutoModelForSequenceClassification.from_pretrained(trained["bert"], dtype=torch.float32)
    untyped: Any = AutoTokenizer
    tokenizer = untyped.from_pretrained(trained["bert"])
    assert type(network).__name__ == "BertForSequenceClassification"
    text = "The film is great, we thought."
    with torch.no_grad():
        logits = network(**tokenizer(text, return_tensors="pt")).logits
    wanted = Bert(path=trained["bert"]).predict([Example({"text": text})])
    assert logits.softmax(1).numpy() == pytest.approx(wanted, abs=1e-5)


def test_an_unknown_architecture_is_refused(corpus: Path, tmp_path: Path, train: Train) -> None:
    with pytest.raises(UsageError, match=r"unknown architecture 'fastext'. Did you mean 'fasttext'"):
        train("fastext", corpus, tmp_path)


@pytest.mark.parametrize("architecture", ["fasttext", "cnn", "lstm"])
def test_word_vectors_are_the_first_embeddings(architecture: str, tmp_path: Path) -> None:
    from robustfim_reference.learners import WordLearner
    from robustfim_reference.recipe import RECIPES

    path = tmp_path / "vectors.txt"
    path.write_text("4 3\nfilm 1 2 -0.5\nGOOD 0 0.25 1\n, 0.5 0 0\nseldom 1 1 1\n", encoding="utf-8")
    texts = ["a good film , a strange one"] * 3
    recipe = replace(RECIPES[architecture], vectors=path)
    made = WordLearner.start(architecture, texts, ("a", "b"), recipe, seed=0, device="cpu")
    table = {key: made.module.embedding.weight[row].tolist() for key, row in made.vocabulary.rows.items()}
    assert [table["film"], table["good"], table[","]] == [[1, 2, -0.5], [0, 0.25, 1], [0.5, 0, 0]]
    assert "seldom" not in table
    assert 0 < max(map(abs, table["strange"])) < 0.1
    assert table["<pad>"] == [0, 0, 0]


def test_a_model_with_word_vectors_is_written_and_read(corpus: Path, tmp_path: Path, train: Train) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("film 1 2 -0.5 0\n", encoding="utf-8")
    train("cnn", corpus, tmp_path / "out", "--vectors", str(path))
    embedded = Cnn(path=tmp_path / "out").embed([Example({"text": "the film"})])
    assert embedded.embeddings.shape == (1, 2, 4)
    assert "| vectors | `vectors.txt` |" in (tmp_path / "out" / "MODEL_CARD.md").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="bert cannot use the word vectors of --vectors"):
        train("bert", corpus, tmp_path / "out", "--vectors", str(path))
    path.write_text("film 1 2\nplot 1\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"vectors.txt:2: the word has 1 numbers instead of 2. Correct or delete"):
        train("cnn", corpus, tmp_path / "out", "--vectors", str(path))


def test_fasttext_learns_by_sgd_as_in_the_paper(corpus: Path, tmp_path: Path, train: Train) -> None:
    said = train("fasttext", corpus, tmp_path, "--optimiser", "sgd", "--epochs", "60", "--patience", "60")
    assert float(said.rsplit("dev accuracy ", 1)[1].split()[0]) >= 0.95
    assert json.loads((tmp_path / "config.json").read_text(encoding="utf-8"))["sizes"] == {"dims": 32, "dropout": 0.0}


def test_a_step_norm_learns_what_a_file_with_a_step_of_each_text_says(
    corpus: Path, tmp_path: Path, train: Train
) -> None:
    steps = tmp_path / "steps.jsonl"
    rows = [
        {"text": row.text, "label": row.label, STEP: 0.5} for row in read_rows(corpus / "train.csv", "text", "label")
    ]
    steps.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    train("fasttext", corpus, tmp_path / "file", "--steps", str(steps))
    train("fasttext", corpus, tmp_path / "norm", "--step-norm", "0.5")
    train("fasttext", corpus, tmp_path / "other", "--step-norm", "1")
    file, norm, other = ((tmp_path / name / "model.safetensors").read_bytes() for name in ("file", "norm", "other"))
    assert file == norm != other


def test_one_class_only_is_refused(corpus: Path, tmp_path: Path, train: Train) -> None:
    write(tmp_path / "train.csv", [("good", "x"), ("bad", "x")])
    write(tmp_path / "dev.csv", [("good", "x")])
    with pytest.raises(DataError, match="one label only, 'x'"):
        train("cnn", tmp_path, tmp_path / "out")


def test_a_label_that_only_the_development_data_has_is_refused(tmp_path: Path, train: Train) -> None:
    write(tmp_path / "train.csv", [("good", "positive"), ("bad", "negative")])
    write(tmp_path / "dev.csv", [("good", "positiv")])
    with pytest.raises(DataError, match=r"dev\.csv: label 'positiv' is not in the training data. Did you mean"):
        train("cnn", tmp_path, tmp_path / "out")


def test_missing_files_columns_and_rows_are_refused(corpus: Path, tmp_path: Path, train: Train) -> None:
    with pytest.raises(DataError, match=r"no file .*train\.csv"):
        train("cnn", tmp_path / "nowhere", tmp_path / "out")
    with pytest.raises(DataError, match="no column 'body'"):
        train("cnn", corpus, tmp_path / "out", "--text", "body")
    write(tmp_path / "train.csv", [])
    with pytest.raises(DataError, match="no row with a text"):
        train("cnn", tmp_path, tmp_path / "out")


def test_a_file_where_the_folder_should_be_is_refused(corpus: Path, tmp_path: Path, train: Train) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(UsageError, match=r"--out .* cannot be made a folder"):
        train("cnn", corpus, tmp_path / "out")


def test_a_device_that_is_not_there_is_refused(corpus: Path, tmp_path: Path, train: Train) -> None:
    with pytest.raises(UsageError, match="device 'abacus' cannot be used"):
        train("cnn", corpus, tmp_path / "out", "--device", "abacus")


def test_missing_torch_is_named_with_the_command_that_installs_it(
    corpus: Path, tmp_path: Path, train: Train, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "robustfim_reference.learners", None)
    monkeypatch.setitem(sys.modules, "robustfim_reference.fitting", None)
    with pytest.raises(ModelError, match=r"pip install 'robustfim\[huggingface\]'"):
        train("cnn", corpus, tmp_path / "out")
