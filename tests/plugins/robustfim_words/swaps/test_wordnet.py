"""WordNet as the source of synonyms, where NLTK and its data are installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from robustfim.errors import UsageError
from robustfim_words.swaps.synonyms import Synonyms
from tests.plugins.robustfim_words.samples import texts


@pytest.fixture
def wordnet() -> Synonyms:
    pytest.importorskip("nltk")
    try:
        return Synonyms(from_="wordnet")
    except UsageError as error:
        pytest.skip(str(error))


def test_synonyms_of_the_commonest_sense_take_the_form_of_their_word(wordnet: Synonyms) -> None:
    assert "The movies ended." in texts(wordnet, "The films ended.")
    assert "The films stopped." in texts(wordnet, "The films ended.")


def test_antonyms_are_left_out(wordnet: Synonyms) -> None:
    assert not any("bad" in text for text in texts(wordnet, "It was a good film."))


def test_missing_data_is_named_with_the_command_that_fetches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    nltk = pytest.importorskip("nltk")
    from nltk.corpus.util import LazyCorpusLoader

    monkeypatch.setattr(nltk.data, "path", [])
    empty = LazyCorpusLoader("wordnet", nltk.corpus.reader.WordNetCorpusReader, None)
    monkeypatch.setattr("nltk.corpus.wordnet", empty)
    with pytest.raises(UsageError, match=r"'python -m nltk.downloader wordnet' fetches it"):
        Synonyms(from_="wordnet")


def test_without_nltk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"pip install 'robustfim\[wordnet\]'"):
        Synonyms(from_="wordnet")


def test_a_table_and_wordnet_exclude_each_other(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="exclude each other"):
        Synonyms(source=tmp_path / "mine.tsv", from_="wordnet")
    with pytest.raises(UsageError, match=r"from: unknown 'wordnot'. Did you mean 'wordnet'"):
        Synonyms(from_="wordnot")
