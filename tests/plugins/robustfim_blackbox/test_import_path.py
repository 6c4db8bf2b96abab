"""Import paths: from ``package.module:name`` to an object, or to a message that helps."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from robustfim import ModelError, UsageError
from robustfim_blackbox.import_path import ImportPath

SCORING = "def predict(texts):\n    return [0] * len(texts)\n\nclass Model:\n    limit = 3\n"


def test_an_object_of_the_current_folder_is_found(project: Any) -> None:
    project.write("scoring.py", SCORING)
    assert ImportPath("scoring:predict").load()(["a", "b"]) == [0, 0]
    assert ImportPath("scoring:Model.limit").load() == 3


def test_the_current_folder_is_searched_last(project: Any) -> None:
    project.write("json.py", "predict = None\n")
    with pytest.raises(UsageError, match=r"json \(__init__.py\) has no 'predict'"):
        ImportPath("json:predict").load()
    assert sys.path[-1] == str(project.folder)


def test_a_misspelled_module_is_told_with_the_nearest(project: Any) -> None:
    project.write("scoring.py", SCORING)
    with pytest.raises(UsageError, match=r"no module 'scorign' .*current folder\. Did you mean 'scoring'\?"):
        ImportPath("scorign:predict").load()


def test_a_misspelled_module_of_a_package_is_told_with_the_nearest(project: Any) -> None:
    (project.folder / "house").mkdir()
    project.write("house/__init__.py", "")
    project.write("house/scoring.py", SCORING)
    with pytest.raises(UsageError, match=r"no module 'house.scorign' .* Did you mean 'house.scoring'\?"):
        ImportPath("house.scorign:predict").load()


def test_a_misspelled_name_is_told_with_the_nearest(project: Any) -> None:
    project.write("scoring.py", SCORING)
    with pytest.raises(UsageError, match=r"scoring \(scoring.py\) has no 'predikt'\. Did you mean 'predict'\?"):
        ImportPath("scoring:predikt").load()
    with pytest.raises(UsageError, match=r"scoring.Model has no 'limits'\. Did you mean 'limit'\?"):
        ImportPath("scoring:Model.limits").load()


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("scoring.predict", "'scoring:predict'"),
        ("scoring.py:predict", "'scoring:predict'"),
        ("./house/scoring.py:predict", "'house.scoring:predict'"),
    ],
)
def test_a_path_written_otherwise_is_told_how_to_write_it(path: str, instead: str) -> None:
    with pytest.raises(UsageError, match=f"write package.module:name. Is it {instead}"):
        ImportPath(path)


@pytest.mark.parametrize("path", ["", "scoring", "scoring:", ":predict", "a:b:c", "a b:c", "a:f()"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(UsageError, match="is not an import path"):
        ImportPath(path)


def test_a_module_that_raises_is_told_with_its_error(project: Any) -> None:
    project.write("broken.py", "weights = open('weights.bin')\n")
    with pytest.raises(ModelError, match=r"importing broken raised FileNotFoundError: .*weights.bin"):
        ImportPath("broken:predict").load()


def test_a_module_that_leaves_is_told_too(project: Any) -> None:
    project.write("leaving.py", "raise SystemExit(0)\n")
    with pytest.raises(ModelError, match="call='leaving:predict': importing leaving raised SystemExit: 0"):
        ImportPath("leaving:predict").load()


def test_a_module_that_needs_a_missing_one_is_no_misspelling(project: Any) -> None:
    project.write("needy.py", "import no_such_library\n")
    with pytest.raises(ModelError, match="call='needy:predict' needs the missing module 'no_such_library'"):
        ImportPath("needy:predict").load()


def digest(path: str) -> str:
    place = ImportPath(path)
    return place.digest(place.load())


def test_the_digest_follows_the_source(project: Any) -> None:
    project.write("scoring.py", SCORING)
    first = digest("scoring:predict")
    project.forget()
    assert digest("scoring:predict") == first
    project.write("scoring.py", f"{SCORING}\nlimit = 1\n")
    project.forget()
    assert digest("scoring:predict") != first


def test_the_digest_of_an_object_of_a_package_is_of_the_package(project: Any) -> None:
    (project.folder / "house").mkdir()
    project.write("house/__init__.py", "")
    project.write("house/scoring.py", SCORING)
    project.write("house/words.py", "good = 1\n")
    first = digest("house.scoring:predict")
    project.write("house/words.py", "good = 2\n")
    project.forget()
    assert digest("house.scoring:predict") != first


def test_the_digest_of_an_object_that_is_imported_elsewhere_follows_where_it_is_made(project: Any) -> None:
    project.write("scoring.py", SCORING)
    project.write("front.py", "from scoring import predict\n")
    first = digest("front:predict")
    project.write("scoring.py", f"{SCORING}\nlimit = 1\n")
    project.forget()
    assert digest("front:predict") != first
