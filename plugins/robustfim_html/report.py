"""The report ``html``: writes the page of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from robustfim.contract import ReportContract
from robustfim.errors import UsageError

if TYPE_CHECKING:
    from robustfim.record import Record

__all__ = ["HtmlReport"]


class HtmlReport:
    """Writes a run record as one HTML file that needs no network and no other file.

    Args:
        path: The file to write; ``report.html`` in the suite's report folder when None. Missing folders are made.

    Attributes:
        default: True: this report is written for every suite that lists no reports.
    """

    contract = ReportContract(suffix=".html", default=True, compares=True)

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def write(self, record: Record, folder: Path, before: Record | None = None) -> Path:
        """Write the report of a run as an HTML file, whole or not at all.

        With a baseline ``before``, the page shows regressions, failures in both runs, and fixes.
        """
        from robustfim_drawing import write_page
        from robustfim_html.page import render

        path = self.path or folder / "report.html"
        if path.is_dir():
            raise UsageError(f"the HTML report is one file, and {path} is a folder. Try {path / 'report.html'}.")
        return write_page(path, render(record, before))

    def serve(self, record: Record, styles: Sequence[str], scripts: Sequence[str]) -> str:
        """Return the HTML report of a run for a server that adds its own styles and scripts.

        Args:
            record: The finished record.
            styles: Paths of the server's style sheets.
            scripts: Paths of the server's scripts. They can listen to two events: ``card`` bubbles from the article
                ``failure-ID`` when it is shown, and ``chosen`` has the ids of the selected examples as its detail.

        Returns:
            The page. Its content security policy allows only files from the same server.
        """
        from robustfim_html.page import render

        return render(record, styles=styles, scripts=scripts)
