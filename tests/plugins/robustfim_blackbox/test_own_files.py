"""A module's own files are found whatever else parses meanwhile."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from pathlib import Path

import pytest

from robustfim_blackbox.own_files import beside
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
