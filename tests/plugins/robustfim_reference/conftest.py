"""A tiny corpus and one tiny trained model of each kind."""

from __future__ import annotations

import csv
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

from robustfim_reference.train import command

GOOD = ("good", "fine", "great", "lovely", "moving")
BAD = ("bad", "poor", "awful", "dull", "tired")
THINGS = ("film", "plot", "cast", "score", "ending", "script")


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``train.csv`` and ``dev.csv``: sentences that a word decides."""
    folder = tmp_path_factory.mktemp("corpus")
    rows = [
        (f"the {thing} is {'really ' * times}{word} , we thought .", label)
        for label, words in (("positive", GOOD), ("negative", BAD))
        for thing, word, times in product(THINGS, words, (0, 1))
    ]
    for name, part in (("train.csv", rows), ("dev.csv", rows[::3])):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("text", "label"), *part])
    return folder


def train_on(architecture: str, corpus: Path, out: Path, *more: str) -> str:
    """Train on the CSV files of a folder through the command line and return what it printed."""
    data = ("--data", str(corpus / "train.csv"), "--dev", str(corpus / "dev.csv"))
    options = (*data, "--out", str(out), "--epochs", "2", *more)
    result = CliRunner().invoke(command, [architecture, *options], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.fixture(name="train")
def train_fixture() -> Callable[..., str]:
    """The function that trains: architecture, folder of the data, folder to write, more options."""
    return train_on


@pytest.fixture(scope="session")
def trained(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One trained folder of each architecture."""
    root = tmp_path_factory.mktemp("trained")
    for architecture in ("fasttext", "cnn", "lstm", "bert"):
        train_on(architecture, corpus, root / architecture)
    return {path.name: path for path in root.iterdir()}
