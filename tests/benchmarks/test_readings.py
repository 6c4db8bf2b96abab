"""Readings show whole pairs, and their command line takes the folders that a benchmark reads, and no others."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from benchmarks.readings import main, marked
from benchmarks.validity import Rated


def made(monkeypatch: pytest.MonkeyPatch, *arguments: str, folders: tuple[str, ...] = ("data",)) -> argparse.Namespace:
    monkeypatch.setattr(sys, "argv", ["blind", "make", "pairs.txt", *arguments])
    given: list[argparse.Namespace] = []
    main(None, given.append, given.append, given.append, folders)
    return given[0]


def test_a_folder_is_given_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert made(monkeypatch, "--data", "texts").data == Path("texts")
    both = made(monkeypatch, "--data", "a", "--sayings", "b", folders=("data", "sayings"))
    assert (both.data, both.sayings) == (Path("a"), Path("b"))


def test_a_folder_that_nothing_reads_is_refused_and_so_is_one_that_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        made(monkeypatch, "--data", "a", "--sayings", "b")
    assert "unrecognized arguments: --sayings b" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        made(monkeypatch, "--data", "a", folders=("data", "sayings"))
    assert "required: --sayings" in capsys.readouterr().err


def test_a_pair_is_shown_whole_with_its_edits_marked() -> None:
    edits = '[[15, 19, "fine", "good"], [2, 6, "fine", "good"]]'
    pair = Rated("", "synonyms", "film", "A fine\nfilm, a fine end.", "", "", "-", edits)
    assert marked(pair) == "A [fine→good] film, a [fine→good] end."
