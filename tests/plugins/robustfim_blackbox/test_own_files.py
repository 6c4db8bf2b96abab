"""A module's own files are found whatever else parses meanwhile."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from robustfim_blackbox.import_path import ImportPath
from robustfim_blackbox.own_files import beside, versions
from tests.house.tree import CORE, parsed


def deep(calls: int) -> None:
    """Parse at another depth of the stack."""
    if calls:
        deep(calls - 1)
    else:
        ast.parse("x = 1")


@pytest.fixture
def _garbage_that_parses() -> Iterator[None]:
    """Whenever garbage is collected, which is often, something is parsed, as by a finalizer that imports."""
    threshold = gc.get_threshold()

    def finalizer(_phase: str, _info: object) -> None:
        deep(20)

    gc.callbacks.append(finalizer)
    gc.set_threshold(10)
    yield
    gc.set_threshold(*threshold)
    gc.callbacks.remove(finalizer)


@pytest.mark.usefixtures("_garbage_that_parses")
def test_source_is_read_while_a_finalizer_parses(tmp_path: Path) -> None:
    main = tmp_path / "main.py"
    main.write_text("import beside\n" + (CORE / "api.py").read_text())
    (tmp_path / "beside.py").touch()
    for _ in range(5):
        assert beside([main], tmp_path) == [tmp_path / "beside.py"]
        assert parsed.__wrapped__(main).body
    assert gc.isenabled()


def test_the_releases_of_imported_packages_are_listed(tmp_path: Path) -> None:
    main = tmp_path / "main.py"
    main.write_text("import os\nimport nowhere_to_be_found\nfrom yaml import safe_load\nimport numpy.linalg\n")
    assert versions([main]) == [f"numpy {metadata.version('numpy')}", f"yaml {metadata.version('PyYAML')}"]


def test_another_release_of_a_package_is_another_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "judge_by_shop.py").write_text("import shop_of_words\n\ndef predict(texts):\n    return texts\n")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "shop_of_words.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path / "shop")
    digests = set()
    for version in ("1.0", "1.1"):
        path = ImportPath("judge_by_shop:predict")
        found = path.load()
        info = tmp_path / "shop" / "shop_of_words-1.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: shop_of_words\nVersion: {version}\n")
        digests.add(path.digest(found))
    assert len(digests) == 2
