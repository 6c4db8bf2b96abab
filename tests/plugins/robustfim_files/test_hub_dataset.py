"""Datasets, from folders that the datasets library itself has written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from robustfim import DataError, Example, UsageError
from robustfim_files.hub_dataset import HubDataset

datasets = pytest.importorskip("datasets")


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")


def table(**columns: list[Any]) -> Any:
    features = {
        "label": datasets.ClassLabel(names=["negative", "positive"]),
        **{name: datasets.Value("string") for name in ("text", "premise", "hypothesis", "source")},
    }
    kept = datasets.Features({name: features[name] for name in columns})
    return datasets.Dataset.from_dict(columns, features=kept)


@pytest.fixture
def reviews() -> Any:
    return table(
        text=["good “film”\n😀", "bad", "", None, "unlabelled"],
        label=[1, 0, 1, 1, -1],
        source=["a", "b", "c", "d", "e"],
    )


EXPECTED = [
    Example({"text": "good “film”\n😀"}, "positive", {"source": "a"}),
    Example({"text": "bad"}, "negative", {"source": "b"}),
    Example({"text": "unlabelled"}, None, {"source": "e"}),
]


def test_a_saved_dictionary_of_splits_gives_the_split(reviews: Any, tmp_path: Path) -> None:
    splits = datasets.DatasetDict(train=reviews.select([1]), test=reviews)
    splits.save_to_disk(tmp_path / "saved")
    source = HubDataset(tmp_path / "saved")
    assert list(source.load()) == EXPECTED
    assert source.skipped == {"empty text": 1, "missing text": 1, "gold label -1 (read as unlabelled)": 1}
    assert list(HubDataset(tmp_path / "saved", split="train").load()) == [EXPECTED[1]]


def test_a_dataset_that_was_saved_alone_is_the_split(reviews: Any, tmp_path: Path) -> None:
    reviews.save_to_disk(tmp_path / "saved")
    assert list(HubDataset(str(tmp_path / "saved")).load()) == EXPECTED


def test_a_folder_of_parquet_files_keeps_the_names_of_its_labels(reviews: Any, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    reviews.to_parquet(tmp_path / "folder" / "test-00000-of-00001.parquet")
    assert list(HubDataset(tmp_path / "folder").load()) == EXPECTED


def test_a_folder_of_csv_files_has_numbers_for_labels_until_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "test.csv").write_text("text,label\ngood,1\nbad,0\n?,\n", encoding="utf-8")
    labels = [example.label for example in HubDataset(tmp_path / "folder").load()]
    assert labels == ["1", "0", None]
    named = HubDataset(tmp_path / "folder", labels=["negative", "positive"]).load()
    assert [example.label for example in named] == ["positive", "negative", None]


def test_other_names_for_the_labels_win(reviews: Any, tmp_path: Path) -> None:
    reviews.save_to_disk(tmp_path / "saved")
    loaded = HubDataset(tmp_path / "saved", labels=["thumbs down", "thumbs up"]).load()
    assert [example.label for example in loaded] == ["thumbs up", "thumbs down", None]


@pytest.mark.parametrize("kind", ["saved", "folder"])
def test_an_unknown_split_lists_the_splits(reviews: Any, tmp_path: Path, kind: str) -> None:
    if kind == "saved":
        datasets.DatasetDict(train=reviews, test=reviews).save_to_disk(tmp_path / kind)
    else:
        (tmp_path / kind).mkdir()
        for split in ("train", "test"):
            reviews.to_csv(tmp_path / kind / f"{split}.csv")
    with pytest.raises(DataError, match=r"no split 'tset'\. Did you mean 'test'\? Splits: train, test\."):
        list(HubDataset(tmp_path / kind, split="tset").load())


def test_a_label_without_a_name_is_refused(reviews: Any, tmp_path: Path) -> None:
    reviews.save_to_disk(tmp_path / "saved")
    with pytest.raises(UsageError, match=r"'labels' has 1 names, .*saved \(test\) has 2 classes: negative, positive"):
        list(HubDataset(tmp_path / "saved", labels=["only"]).load())


def test_a_folder_without_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(DataError, match=r"no dataset .*folder could be read: EmptyDatasetError.*save_to_disk"):
        list(HubDataset(tmp_path / "folder").load())


def test_a_missing_folder_and_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no folder"):
        list(HubDataset(tmp_path / "nowhere").load())
    (tmp_path / "data.csv").write_text("text,label\n", encoding="utf-8")
    with pytest.raises(DataError, match="is a file; read it with 'csv'"):
        list(HubDataset(tmp_path / "data.csv").load())


def test_the_code_of_a_dataset_is_never_run(tmp_path: Path) -> None:
    folder = tmp_path / "script"
    folder.mkdir()
    (folder / "script.py").write_text("raise SystemExit('the code of a dataset was run')", encoding="utf-8")
    with pytest.raises(DataError, match="could be read"):
        list(HubDataset(folder).load())


@pytest.mark.slow
def test_a_hub_dataset_offline_tells_what_is_missing(tmp_path: Path) -> None:
    code = (
        "from robustfim import DataError\n"
        "from robustfim_files.hub_dataset import HubDataset\n"
        "try:\n    list(HubDataset('owner/reviews').load())\n"
        "except DataError as error:\n    print(error)"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(sys.path),
        "HF_HOME": str(tmp_path),
        "HF_HUB_OFFLINE": "1",
    }
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert "no dataset owner/reviews could be read: " in done.stdout
    assert "needs a connection the first time" in done.stdout


def test_several_answers_of_a_question_are_all_right(tmp_path: Path) -> None:
    answers = [{"text": ["1871", "in 1871"], "answer_start": [3, 0]}, {"text": [], "answer_start": []}]
    rows = datasets.Dataset.from_dict({"question": ["When?", "Who?"], "context": ["in 1871"] * 2, "answers": answers})
    rows.save_to_disk(str(tmp_path / "saved"))
    source = HubDataset(tmp_path / "saved", text=["question", "context"], label="answers", split="validation")
    assert [example.gold for example in source.load()] == [("1871", "in 1871"), ("(no answer)",)]
