"""Every notebook of examples/ is executed, and shows what it says that it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def texts(cell: Any) -> list[str]:
    """What a cell shows as text, without the colours of a terminal and the progress of a long run."""
    shown = [
        output for output in cell.outputs if output.get("name") != "stderr" and output.output_type != "display_data"
    ]
    return [each["text"] if each.output_type == "stream" else each["data"]["text/plain"] for each in shown]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.slow  # a kernel is started, and three models are tested
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_holds_and_writes_nothing(path: Path, tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    told, notebook = nbformat.read(path, as_version=4), nbformat.read(path, as_version=4)
    nbclient.NotebookClient(
        notebook, kernel_name="python3", timeout=300, resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    code = [cell for cell in told.cells if cell.cell_type == "code"]
    assert any("robustfim.run(" in cell.source for cell in code)
    shown = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [texts(cell) for cell in shown] == [texts(cell) for cell in code]
    assert list(tmp_path.iterdir()) == []
