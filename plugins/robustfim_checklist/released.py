"""CheckList's released suites as a format of ``robustfim import``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from robustfim.contract import FormatContract
from robustfim.errors import DataError
from robustfim.roles import SourcedCheck
from robustfim_checklist.naming import SENTIMENT
from robustfim_checklist.source import CheckListTests

__all__ = ["CheckListSuite"]

_EXPORT = "docs/checklist.md shows ten lines that export a suite's tests as JSON lines where CheckList is installed."


class CheckListSuite:
    """CheckList's suites (Ribeiro et al., ACL 2020), as JSON lines of {type, capability, name, labels, data}.

    CheckList's own release is a pickle, which runs code when it is read, so it is not read. Its text form
    (``tests_n500``) has the texts, but not the tests that they belong to.

    Args:
        labels: Names for the labels 0, 1, … (a list), or new names for some (a mapping).
        neutral: Whether a two-class model may answer neutral.
        fields: The text fields of an example.

    Attributes:
        skipped: The number of cases and texts that cannot be tested, by reason, after a call of ``read``.
    """

    def __init__(
        self,
        labels: list[str] | dict[str, str] | None = None,
        neutral: bool = True,
        fields: list[str] | None = None,
    ) -> None:
        self._given, self._neutral, self._fields = labels, neutral, fields
        self.skipped: dict[str, int] = {}
        self.contract = FormatContract(
            title="CheckList (Ribeiro et al., ACL 2020)",
            licence="MIT",
            labels=tuple(labels) if isinstance(labels, list) else SENTIMENT,
            source="checklist",
        )

    def read(self, path: Path) -> Iterable[SourcedCheck]:
        """Read the checks of a file."""
        tests = CheckListTests(path, self._given, self._neutral, self._fields)
        try:
            checks = tests.checks()
        except DataError as error:
            if "malformed JSON" in str(error) or "pickle" in str(error):
                raise DataError(f"{error} {_EXPORT}") from None
            raise
        untold = {f"{name!r} is an error until 'expect' in the suite says what it expects": 1 for name in tests.untold}
        self.skipped = {**tests.skipped, **untold}
        return checks
