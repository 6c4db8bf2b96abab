"""A draft: a suite that 'robustfim scan --write' writes, with reasons as comments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from robustfim.collect import Named
from robustfim.collect.written import check_lines, comments, flow, placed_options, relative_path
from robustfim.commands import printable

__all__ = ["Draft", "DraftCheck"]


@dataclass(frozen=True)
class DraftCheck:
    """One check of a draft suite, which will be written to a file.

    Attributes:
        name: The name of the check.
        perturb: The perturbation, with ``use`` and options.
        constrain: Constraints, by name or with their options.
        marks: The marks of the check.
        expect: The expectation, by name or with its options; empty for the perturbation's own.
        fails: When an example fails, by name or with options; empty if any failing candidate is enough.
        limit: One limit of the failure rate, or one for each group of examples or kind of error; None for a check
            without a limit.
        errors: The kinds of error to which the limits apply, ``missed`` and ``false_alarm``; empty for all failing
            examples.
        comments: Comment lines above the check.
    """

    name: str
    perturb: Mapping[str, Any]
    constrain: Sequence[Any] = ()
    marks: Sequence[str] = ()
    expect: Any = ""
    fails: Any = ""
    limit: float | Mapping[str, float] | None = None
    errors: Sequence[str] = ()
    comments: Sequence[str] = ()


@dataclass(frozen=True)
class Draft:
    """A suite that will be written to a file for a user.

    Attributes:
        data_limit: The number of examples to read from the data; None for all.
        one_label: Whether the model may give one label to all examples.
        margin: The tolerated loss against a baseline; None for none.
        churn: The assumed fraction of examples that an equally good model answers differently.
        notes: Comments above a key of the suite: ``data``, ``select``, ``baseline``, ``checks``.
        left_out: Sentences on what is not tested, and why.
    """

    name: str
    seed: int
    plugins: Sequence[str]
    model: Named
    data_source: Named
    data_limit: int | None = None
    scores: Sequence[str] = ()
    select: Mapping[str, Any] | None = None
    checks: Sequence[DraftCheck] = ()
    reports: Sequence[str] = ()
    head: Sequence[str] = ()
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    one_label: bool = False
    margin: float | None = None
    churn: float | None = None

    def data(self, folder: Path) -> dict[str, Any]:
        """Return the content of the suite as plain values, in the order in which they are written.

        Args:
            folder: The folder of the suite's file, to which its paths are relative.
        """
        return {key: value for key, value in self._keys(folder).items() if value is not None}

    def _keys(self, folder: Path) -> dict[str, Any]:
        """Every key that a draft may have; None for those that it leaves out."""
        placed = [relative_path(Path(plugin), folder) if plugin.endswith(".py") else plugin for plugin in self.plugins]
        limit = {} if self.data_limit is None else {"limit": self.data_limit}
        return {
            "suite": self.name,
            "seed": self.seed,
            "plugins": placed or None,
            "model": placed_options(self.model, folder),
            "data": {**placed_options(self.data_source, folder), **limit},
            "scores": list(self.scores) or None,
            "select": None if self.select is None else dict(self.select),
            "one_label": True if self.one_label else None,
            "baseline": None if self.margin is None else {"margin": self.margin, "churn": self.churn},
            "checks": {check.name: _check(check) for check in self.checks},
            "reports": list(self.reports),
        }

    def text(self, folder: Path) -> str:
        """Return the suite as YAML with comments.

        Args:
            folder: The folder of the suite's file, to which its paths are relative.
        """
        data, reasons = self._keys(folder), {check.name: check.comments for check in self.checks}
        lines = comments(self.head)
        for key, value in data.items():
            if value is None:  # why there is none is told all the same
                lines += self._noted(key)
                continue
            lines += ["", *self._noted(key)] if key == "checks" else self._noted(key)
            if key == "reports" and self.left_out:
                lines += ["# Left out:", *(f"#   {printable(each)}" for each in self.left_out), ""]
            if key != "checks":
                lines += [f"{key}: {flow(value)}", *([""] if key in ("seed", "data") else [])]
                continue
            lines.append("checks:")
            lines += check_lines(value, reasons)
        return "\n".join(lines) + "\n"

    def _noted(self, key: str) -> list[str]:
        return comments(self.notes.get(key, ()))


def _check(check: DraftCheck) -> dict[str, Any]:
    limit = dict(check.limit) if isinstance(check.limit, Mapping) else check.limit
    perturb = check.perturb["use"] if list(check.perturb) == ["use"] and check.expect else dict(check.perturb)
    parts: dict[str, Any] = {"perturb": perturb}
    if check.expect:
        parts["expect"] = check.expect
    if check.fails:
        parts["fails"] = check.fails
    if limit is not None:
        parts["limit"] = limit
    if check.constrain:
        parts["constrain"] = list(check.constrain)
    if check.marks:
        parts["marks"] = list(check.marks)
    return parts
