"""The training of the tagger that ships: reproducible, documented, clear about what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.taggers.spans import command
from robustfim.errors import DataError, UsageError
from robustfim.example import Example
from robustfim_reference.folder import ModelFolder
from robustfim_reference.tagging.model import Tagger

pytest.importorskip("torch")

PEOPLE = ("Ana Sol", "Bo Ek", "Cy Dunn", "Di Fox", "Ed Gray", "Flo Hart")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``train.jsonl`` and ``dev.jsonl``, in which whoever is greeted is a person."""
    folder = tmp_path_factory.mktemp("corpus")
    rows = []
    for number, name in enumerate(PEOPLE * 12):
        start = len("Hello ")
        span = f'{{"start": {start}, "end": {start + len(name)}, "label": "PER"}}'
        rows.append(f'{{"text": "Hello {name} , the train leaves at {number} .", "spans": [{span}], "form": {number}}}')
        rows.append(f'{{"text": "The train leaves at {number} .", "spans": [], "form": {number}}}')
    for name, part in (("train.jsonl", rows), ("dev.jsonl", rows[::10])):
        (folder / name).write_text("\n".join(part), encoding="utf-8")
    return folder


def train(corpus: Path, out: Path, *more: str) -> str:
    """Train through the command line and return what it printed."""
    data = f"{{use: jsonl, path: '{corpus / 'train.jsonl'}', spans: spans}}"
    dev = f"{{use: jsonl, path: '{corpus / 'dev.jsonl'}', spans: spans}}"
    options = ["--data", data, "--dev", dev, "--label", "person=PER", "--epochs", "6", "--out", str(out), *more]
    result = CliRunner().invoke(command, options, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_it_learns_whom_a_text_greets_and_the_same_command_gives_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    assert "dev F1 1.000" in train(corpus, tmp_path / "one")
    train(corpus, tmp_path / "other")
    for name in ("config.json", "model.safetensors"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    tagger = Tagger()
    tagger.folder = ModelFolder.open(tmp_path / "one", "tagger", None)
    (spans,) = tagger.tag([Example({"text": "Hello Kim Lund , the train leaves at 3 ."})])
    assert [(span.start, span.end, span.label) for span in spans] == [(6, 14, "person")]


def test_the_rows_of_every_fifth_value_of_a_column_are_held_back(corpus: Path, tmp_path: Path) -> None:
    train(corpus, tmp_path, "--held", "form", "--epochs", "1")
    card = (tmp_path / "MODEL_CARD.md").read_text(encoding="utf-8")
    learnt, held = (
        next(int(row.split("|")[3].split()[0]) for row in card.splitlines() if row.startswith(f"| {part} | `train"))
        for part in ("data", "dev")
    )
    assert learnt + held == 144
    assert 12 <= held <= 48


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        (["--label", "person"], UsageError, "'person' is no label with gold labels"),
        (["--label", "place=LOC"], DataError, "--data has no text with a span of place"),
        (["--names", "absent.txt"], DataError, r"--names: no file absent\.txt"),
        (["--data", "reviews"], UsageError, "the tagger learns from files, and reviews is none"),
    ],
)
def test_what_it_cannot_learn_from_is_refused_by_name(
    more: list[str], error: type[Exception], message: str, corpus: Path, tmp_path: Path
) -> None:
    with pytest.raises(error, match=message):
        train(corpus, tmp_path, *more)


def test_labels_of_texts_are_no_spans(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,label\nhello,good\n", encoding="utf-8")
    data = f"{{use: csv, path: '{path}'}}"
    with pytest.raises(DataError, match="has no gold spans, but the label 'good'"):
        CliRunner().invoke(
            command, ["--data", data, "--label", "person=PER", "--out", str(tmp_path)], catch_exceptions=False
        )
