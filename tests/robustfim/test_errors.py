from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from robustfim import errors
from robustfim.errors import (
    DataError,
    ModelError,
    NothingCollected,
    PluginError,
    RobustfimError,
    SkipCheck,
    SuiteError,
    UsageError,
    did_you_mean,
    shown_names,
    shown_path,
    shown_place,
)


@pytest.mark.parametrize(
    ("path", "line", "shown"),
    [
        ("suites/a.yaml", 14, "suites/a.yaml:14: wrong"),
        ("suites/a.yaml", None, "suites/a.yaml: wrong"),
        (None, None, "wrong"),
        (None, 14, "wrong"),
    ],
)
def test_a_suite_error_begins_with_its_place(path: str | None, line: int | None, shown: str) -> None:
    error = SuiteError("wrong", path=path, line=line)
    assert str(error) == shown
    assert (error.message, error.path, error.line) == ("wrong", path, line)


def test_what_the_user_wrote_wrong_is_a_usage_error_and_what_a_plugin_broke_is_not() -> None:
    assert issubclass(SuiteError, UsageError)
    assert issubclass(DataError, UsageError)
    for other in (NothingCollected, SkipCheck, PluginError, ModelError):
        assert issubclass(other, RobustfimError)
        assert not issubclass(other, UsageError)


def test_the_tree_in_the_docstring_names_every_error() -> None:
    drawn = errors.__doc__ or ""
    for name in errors.__all__:
        assert name in drawn or not name[0].isupper()


def test_the_nearest_word_is_suggested() -> None:
    assert did_you_mean("synonym", ["people", "synonyms", "antonyms"]) == " Did you mean 'synonyms'?"
    assert did_you_mean("Qwerty", ["QWERTZ", "QWERTY"]) == " Did you mean 'QWERTY'?"


@pytest.mark.parametrize("known", [[], ["people", "places"]])
def test_nothing_is_suggested_where_nothing_is_near(known: list[str]) -> None:
    assert did_you_mean("synonym", known) == ""


def test_a_long_place_and_many_names_are_told_shortened() -> None:
    assert shown_place(["checks", "x" * 500, "marks", 0]) == f"checks.{'x' * 39}….marks.0"
    told = shown_names(["y" * 500, *range(1000)])
    assert told.startswith(f"{'y' * 39}…, 0, 1, ")
    assert told.endswith("18 and 981 more")


def test_the_examples_in_the_docstrings_hold() -> None:
    results = doctest.testmod(errors)
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (Path("/srv/me/data/a.csv"), "data/a.csv"),
        (Path("/srv/me"), "/srv/me"),
        ("/srv/me/data/a.csv:3: bad, as '/srv/me/b.csv' is", "data/a.csv:3: bad, as 'b.csv' is"),
        ("/opt/srv/me/a.csv and /srv/me-too/a.csv and ~/srv/me/a.csv", None),
        ("/srv/me/../you/a.csv", "../you/a.csv"),
        ("data/a.csv", None),
    ],
)
def test_paths_are_shown_from_the_current_folder_on_and_others_as_they_stand(
    text: str | Path, shown: str | None
) -> None:
    assert shown_path(text, Path("/srv/me")) == (str(text) if shown is None else shown)
    assert shown_path(text, Path("/")) == str(text)


def test_every_error_tells_its_paths_from_the_current_folder_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert str(DataError(f"no file {tmp_path / 'a.csv'}.")) == "no file a.csv."
    assert str(SuiteError("wrong", path=str(tmp_path / "a.yaml"), line=2)) == "a.yaml:2: wrong"
