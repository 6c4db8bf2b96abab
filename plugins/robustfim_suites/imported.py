"""Imported suites: a YAML file for a released suite, with a limit for each of its checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from robustfim.printable import counted
from robustfim.roles import SourcedCheck, SuiteFormat
from robustfim_suites.cases import plain_name

__all__ = ["ImportedSuite", "slices_of"]

_MOST_SLICES = 60
"""Values of a column that become slices; a column with more tells examples apart, not kinds of them."""


@dataclass(frozen=True)
class ImportedSuite:
    """A suite file that ``robustfim import`` writes.

    Attributes:
        name: The name of the suite.
        form: The format of the released suite.
        checks: The checks of the released suite, for their names and numbers of texts.
        source: The ``checks`` key of the suite file, without the limits.
        limits: The limit of each check, by the check's name in the source.
        model: The ``model`` key of the suite file; None to write a placeholder.
        plugins: Plugin files and modules that the suite needs.
    """

    name: str
    form: SuiteFormat
    checks: Sequence[SourcedCheck]
    source: Mapping[str, Any]
    limits: Mapping[str, float]
    model: Mapping[str, Any] | None = None
    plugins: Sequence[str] = ()

    @property
    def texts(self) -> int:
        """The number of different texts that the model is asked about."""
        return len(
            {
                example.id
                for check in self.checks
                for case in check.cases
                for candidate in case
                for example in (candidate.source, candidate.example)
            }
        )

    @property
    def size(self) -> str:
        """The number of checks and texts as text: ``4 checks, 6 texts``."""
        checks, texts = len(self.checks), self.texts
        return f"{counted(checks, 'check')}, {counted(texts, 'text')}"

    def text(self, path: str) -> str:
        """Return the suite as YAML."""
        head = [
            f"# {self.form.contract.title}: {self.size}.",
            f"# Licence: {self.form.contract.licence}. The texts stay in their file; 'sha256' says which file it was.",
            f"# Run it:  robustfim run {path}",
        ]
        parts: list[tuple[str, Any]] = [("suite", self.name), ("seed", 0)]
        parts += [("plugins", list(self.plugins))] if self.plugins else []
        parts += [("model", dict(self.model or {"use": "huggingface", "path": "./my-model"}))]
        parts += [("checks", {**self.source, "limits": dict(self.limits)})]
        slices = slices_of(self.form.contract.slice_by, self.checks)
        parts += [("slices", slices)] if slices else []
        parts += [("reports", ["html", "json"])]
        written = []
        for key, value in parts:
            note = (
                "# Your model; 'robustfim plugins' lists what there is.\n" if key == "model" and not self.model else ""
            )
            written.append(f"{note}{key}:{_block(value, flow=None if key != 'checks' else False)}")
        return "\n".join([*head, "".join(written[:2]), *written[2:]])


def _block(value: Any, *, flow: bool | None) -> str:
    """Write a value behind its key: on the same line, or below it where it has parts with parts of their own."""
    deep = isinstance(value, Mapping) and any(isinstance(each, Mapping | list) for each in value.values())
    if flow is None and not deep:
        text = yaml.safe_dump([value], sort_keys=False, allow_unicode=True, width=10**9, default_flow_style=True)
        return f" {text.strip()[1:-1]}\n"
    text = yaml.safe_dump(value, sort_keys=False, allow_unicode=True, width=10**9, default_flow_style=flow)
    return "\n" + "".join(f"  {line}\n" for line in text.splitlines())


def slices_of(columns: Sequence[str], checks: Sequence[SourcedCheck]) -> dict[str, Any]:
    """Create a slice (a named subset of the examples) for each value of some columns.

    Args:
        columns: Names of columns in the examples' ``meta``.
        checks: The checks with the examples.

    Returns:
        The definition of each slice by its name, in the order of the values. A column with only one value, or with too
        many, gives no slices.
    """
    slices: dict[str, Any] = {}
    for column in columns:
        values = sorted({value for value in _values(column, checks) if value not in (None, "")}, key=str)
        if 2 <= len(values) <= _MOST_SLICES:
            for value in values:
                name = plain_name(str(value))
                slices[name if name not in slices else f"{column}_{name}"] = {"field": {column: value}}
    return slices


def _values(column: str, checks: Sequence[SourcedCheck]) -> Iterator[Any]:
    for check in checks:
        for case in check.cases:
            for candidate in case:
                yield candidate.source.meta.get(column)
