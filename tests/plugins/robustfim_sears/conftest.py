"""Small networks, each saved once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins.robustfim_sears.networks import ENGLISH, save_bert, save_seq2seq, save_trained


@pytest.fixture(scope="session")
def one_thread() -> Iterator[None]:
    """Sharing such small matrices costs more than multiplying them."""
    torch = pytest.importorskip("torch")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def translator(tmp_path_factory: pytest.TempPathFactory, one_thread: None) -> Path:
    """A network that translates English of a few words, and back."""
    return save_trained(tmp_path_factory.mktemp("translator"))


@pytest.fixture(scope="session")
def random_translators(tmp_path_factory: pytest.TempPathFactory, one_thread: None) -> list[Path]:
    """Three networks of few words with random weights: the first two share a vocabulary, the third has another."""
    words = ["film", "movie", "good"]
    return [
        save_seq2seq(tmp_path_factory.mktemp("random"), words, seed=1),
        save_seq2seq(tmp_path_factory.mktemp("random"), words, seed=2),
        save_seq2seq(tmp_path_factory.mktemp("random"), [*words, "bad"], seed=3),
    ]


@pytest.fixture(scope="session")
def encoder(tmp_path_factory: pytest.TempPathFactory, one_thread: None) -> Path:
    """A sentence encoder that reads 16 tokens."""
    return save_bert(tmp_path_factory.mktemp("encoder"), ENGLISH, masked=False)


@pytest.fixture(scope="session")
def masked_model(tmp_path_factory: pytest.TempPathFactory, one_thread: None) -> Path:
    """A masked language model that reads 16 tokens."""
    return save_bert(tmp_path_factory.mktemp("masked"), ENGLISH, masked=True)
