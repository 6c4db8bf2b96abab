"""TextAttack is imported without a network, and finds stop words."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from random import Random

import numpy as np
import pytest

from robustfim.errors import UsageError
from robustfim_textattack import stop_words
from robustfim_textattack.library import seeded, textattack
from robustfim_textattack.stop_words import provide_stop_words
from tests.plugins.robustfim_textattack.library import Library


def test_importing_asks_for_no_host_and_leaves_no_mark(library: Library) -> None:
    assert library.asked == []
    assert not (library.home / ".cache" / "textattack" / "post_install_check_3").exists()


def test_the_stop_words_that_were_missing_are_there(library: Library) -> None:
    spacy_words = pytest.importorskip("spacy.lang.en.stop_words").STOP_WORDS
    written = library.home / "nltk_data" / "corpora" / "stopwords" / "english"
    assert set(written.read_text(encoding="utf-8").split()) == spacy_words
    kept = library.package.constraints.pre_transformation.StopwordModification()
    assert {"the", "whereupon"} <= kept.stopwords


def use(monkeypatch: pytest.MonkeyPatch, *folders: Path) -> None:
    monkeypatch.setattr(stop_words, "nltk_folders", lambda: list(folders))


def test_stop_words_that_are_there_are_never_touched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("corpora/stopwords/english", "corpora/stopwords.zip"):
        folder = tmp_path / name.rpartition(".")[2].rpartition("/")[2]
        there = folder / name
        there.parent.mkdir(parents=True)
        there.write_text("mine\n", encoding="utf-8")
        use(monkeypatch, tmp_path / "empty", folder)
        assert provide_stop_words() is None
        assert there.read_text(encoding="utf-8") == "mine\n"
    assert not (tmp_path / "empty").exists()


def test_the_first_folder_that_can_be_written_gets_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    use(monkeypatch, tmp_path / "file", tmp_path / "good")
    written = provide_stop_words()
    assert written == tmp_path / "good" / "corpora" / "stopwords" / "english"
    assert [path.name for path in written.parent.iterdir()] == ["english"]
    assert provide_stop_words() is None


def test_no_folder_that_can_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    use(monkeypatch, tmp_path / "file")
    with pytest.raises(UsageError, match="set NLTK_DATA to one that can"):
        provide_stop_words()


def test_a_missing_textattack_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match=r"'textattack' is missing: pip install 'robustfim\[textattack\]'"):
        textattack.__wrapped__()


def test_the_global_generators_are_put_back(library: Library) -> None:
    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]  # a tuple, by default
    drawn = []
    for _ in range(2):
        with seeded(Random(5)):
            drawn.append((random.random(), float(np.random.rand())))
    assert drawn[0] == drawn[1]
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[index]  # as above
