"""The arguments of ``robustfim run``: which suites they name, and the sessions they open."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from robustfim.cli.report_options import Files
from robustfim.commands import Chosen
from robustfim.errors import UsageError
from robustfim.outcome import Undecided

if TYPE_CHECKING:
    from robustfim.record import Record
    from robustfim.session.session import Session

__all__ = ["RunFlags", "named_suites", "open_suite"]


@dataclass(frozen=True)
class RunFlags:
    """What ``robustfim run`` has besides the options that commands share; see :class:`RunOptions` for the meaning."""

    keyword: str = ""
    marks: str = ""
    last_failed: bool = False
    exit_first: bool = False
    max_failures: int | None = None
    collect_only: bool = False
    examples: tuple[str, ...] = ()
    strict: bool = False
    undecided: Undecided | None = None
    baselines: tuple[str, ...] = ()
    margin: float | None = None
    lock: Path | None = None
    fail_on: Literal["regression", "new", "any"] = "regression"
    files: Files = field(default_factory=dict)
    ci: bool = False
    durations: int = 0
    verbose: int = 0
    quiet: bool = False
    verify: int | None = None
    tests_from_failures: Path | None = None
    engine: str | None = None
    workers: int | None = None

    @classmethod
    def take(cls, given: dict[str, Any]) -> RunFlags:
        """Take them out of all that click has parsed.

        Args:
            given: The parameters by name.
        """
        return cls(**{each.name: given.pop(each.name) for each in fields(cls)})

    def refuse_one_file(self, number: str, reports: Path) -> None:
        """Refuse an option that names one file for the reports of several runs.

        Args:
            number: What there are several of: ``"2 suites"``.
            reports: The folder for reports.

        Raises:
            UsageError: Such an option, as ``--html``, is given.
        """
        for option in self.files:
            raise UsageError(
                f"{option} names one file, and each of {number} would replace what the one before wrote. Leave it "
                f"out and list the report in the suite: each has a folder of its own in {reports}."
            )

    def write_failures(self, sessions: Sequence[Session], records: Sequence[Record], chosen: Chosen) -> None:
        """Write the failing texts of the runs of a suite as a suite, where that is wanted.

        Args:
            sessions: One a model.
            records: What they found; of those that ran.
            chosen: The options that commands share.

        Raises:
            UsageError: A file cannot be written.
        """
        if self.tests_from_failures is not None and not self.collect_only:
            from robustfim.cli.failures import write_failures

            files = [each.config.file for each in sessions[: len(records)]]
            write_failures(
                self.tests_from_failures, records, files, sessions[0].manager, chosen,
                "robustfim run --tests-from-failures",
            )  # fmt: skip


def named_suites(names: Sequence[str]) -> list[tuple[Path, tuple[str, ...]]]:
    """Group ``suite.yaml::check`` by suite; a folder stands for the suites in it.

    Args:
        names: Arguments of the command line.

    Returns:
        Suite files in the order they were named, each with the names of its checks; none for all.

    Raises:
        UsageError: A folder holds no suite.
    """
    wanted: dict[Path, list[str]] = {}
    whole: set[Path] = set()
    for name in names:
        place, _, check = name.partition("::")
        path = Path(place)
        found = sorted(path.glob("*.y*ml")) if os.path.isdir(path) else [path]  # noqa: PTH112  # Path.is_dir raises where a name is too long
        if not found:
            raise UsageError(f"the folder {path} holds no suite (*.yaml).")
        for each in found:
            wanted.setdefault(each, [])
            if check:
                wanted[each].append(check)
            else:
                whole.add(each)
    return [(path, () if path in whole else tuple(checks)) for path, checks in wanted.items()]


def open_suite(path: Path, only: tuple[str, ...], chosen: Chosen, flags: RunFlags) -> list[Session]:
    """Open a suite with the options of ``robustfim run``.

    Args:
        path: The suite file.
        only: Names of its checks; empty for all.
        chosen: The options that commands share.
        flags: The others.

    Returns:
        A session for each of its models.

    Raises:
        UsageError: The suite, an option or a name is wrong.
        PluginError: A plugin is broken.
        NothingCollected: No check is left.
    """
    from robustfim.cli.undecided import undecided_of
    from robustfim.judge.baseline import named_baselines
    from robustfim.session.open import open_sessions

    options = replace(
        chosen.options,
        keyword=flags.keyword,
        marks=flags.marks,
        only=only,
        examples=flags.examples,
        last_failed=flags.last_failed,
        max_failures=1 if flags.exit_first else flags.max_failures,
        collect_only=flags.collect_only,
        undecided=undecided_of(flags.strict, flags.undecided),
        reports=chosen.reports,
        verbosity=-1 if flags.quiet else flags.verbose,
        durations=flags.durations,
        overrides=chosen.words,
        baselines=named_baselines(flags.baselines),
        margin=flags.margin,
        lock=flags.lock,
        fail_on=flags.fail_on,
        remember=True,
        verify=flags.verify or 0,
    )
    suite = chosen.suite(path)
    if flags.engine is not None:
        suite.override(("engine",), {"use": flags.engine}, f"--engine {flags.engine}")
    if flags.workers is not None:
        if flags.engine is None and _plain_engine(suite.data.get("engine")):
            suite.override(("engine",), {"use": "processes"}, f"-n {flags.workers}")
        suite.override(("engine", "workers"), flags.workers, f"-n {flags.workers}")
    return open_sessions(suite, plugins=chosen.plugin_options, options=options, reports=flags.files, ci=flags.ci)


def _plain_engine(written: Any) -> bool:
    """Whether a suite names no engine that could have workers."""
    return written is None or "inline" in (written, isinstance(written, dict) and written.get("use"))
