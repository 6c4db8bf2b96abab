"""The options of a run, each declared once: default, meaning, accepted values, and spellings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from robustfim.errors import UsageError
from robustfim.outcome import FailOn, Inconclusive

__all__ = ["Flag", "RunOptions", "SharedOptions", "declared", "option"]

_Value = TypeVar("_Value")


class Flag(NamedTuple):
    """A separate spelling for one value of an option: ``--no-store``."""

    spellings: tuple[str, ...]
    value: Any
    help: str

    @property
    def name(self) -> str:
        """The name of the flag in click."""
        return self.spellings[-1].removeprefix("--").replace("-", "_")


def option(default: _Value, *spellings: str, takes: Any = None, flag: Flag | None = None, **said: Any) -> _Value:
    """Declare a field of a class as an option of the command line, or as a keyword in Python.

    Args:
        default: The value if the user gives none.
        spellings: Spellings for click; none for a keyword of Python only.
        takes: A pair of the smallest and the largest number, None for an open end; a ``Literal`` of words; or ``Path``.
            None to use the annotation.
        flag: A separate spelling for one value, such as ``--no-store``.
        said: Further arguments for click; ``help`` is also the description of the keyword in Python.
    """
    metadata = {"spellings": spellings, "takes": takes, "flag": flag, "said": said}
    if default == {}:
        return field(default_factory=dict, metadata=metadata)  # type: ignore[return-value]  # the same, and not shared
    return field(default=default, metadata=metadata)


def declared(cls: type[Any], names: Sequence[str] = ()) -> Iterator[Field[Any]]:
    """List the fields of a class that are options.

    Args:
        cls: The class.
        names: Names of the fields, in this order; all by default.
    """
    known = {each.name: each for each in fields(cls) if each.metadata}
    return (known[name] for name in names or known)


@dataclass(frozen=True, kw_only=True)
class SharedOptions:
    """The options of a run that the command line and Python share."""

    seed: int | None = option(None, "--seed", takes=(-(2**63), 2**63 - 1), help="Another seed than the suite's.")
    offline: bool = option(False, "--offline", is_flag=True, help="Fetch nothing from any hub.")
    max_calls: int | None = option(
        None, "--max-calls", takes=(1, None), metavar="N", help="Send at most N texts to the model."
    )
    keyword: str = option(
        "", "-k", metavar="EXPRESSION", help="Only checks whose name matches: -k 'synonyms or typos'."
    )
    marks: str = option("", "-m", metavar="EXPRESSION", help="Only checks with these marks: -m 'lexical and not slow'.")
    max_failures: int | None = option(
        None, "--maxfail", takes=(1, None), metavar="N", help="Stop after N checks that fail.",
        flag=Flag(("-x", "--exitfirst"), 1, "Stop at the first check that fails."),
    )  # fmt: skip
    examples: Sequence[str] = option(
        (), "--example", multiple=True, metavar="ID",
        help="Test only this example (the beginning of its id is enough); writes no report.",
    )  # fmt: skip
    inconclusive: Inconclusive | None = option(
        None, "--inconclusive", takes=Inconclusive,
        help="Whether what is neither proved nor refuted fails (exit code 1) or passes (0); its exit code is 6 "
        "otherwise.",
        flag=Flag(("--strict",), "fail", "The same as '--inconclusive fail'."),
    )  # fmt: skip
    margin: float | None = option(
        None, "--margin", takes=(0.0, 1.0), metavar="SHARE",
        help="The loss against a baseline that is tolerated: 0.02 for 2 points; that of the suite by default.",
    )  # fmt: skip
    fail_on: FailOn = option(
        "regression", "--fail-on", takes=FailOn, show_default=True,
        help="Against a baseline, fail when a check or all of them together got worse; also when any example is newly "
        "broken; or also when a check fails its own limit.",
    )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class RunOptions(SharedOptions):
    """The options of ``robustfim run`` that do not change the suite; the field's ``help`` explains each option.

    Attributes:
        only: Names of checks given as ``suite.yaml::name``; empty for all.
        overrides: The options that change the suite, as typed, for "reproduce" lines.
        variant: The name of the model, in a suite with several models; "" in other suites.
        reports: The folder with one folder per suite; None to write no report.
        remember: Whether ``--lf`` may use this run; False if the run differs from the suite.
    """

    store: Path | None = option(
        Path(".robustfim/store.sqlite"), "--store", takes=Path, show_default=True, help="File of the prediction store.",
        flag=Flag(("--no-store",), None, "Keep nothing on disk between runs."),
    )  # fmt: skip
    last_failed: bool = option(
        False, "--lf", "--last-failed", is_flag=True,
        help="Only checks that did not pass the last time; all of them if none failed.",
    )  # fmt: skip
    collect_only: bool = option(False, "--co", "--collect-only", is_flag=True, help="List the checks and stop.")
    baselines: Mapping[str, Path] = option(
        {}, "--baseline", multiple=True, metavar="[NAME=]PATH",
        callback=lambda context, parameter, values: _by_name(values),
        help="Compare with this run record, or with <suite>.json in this folder ('robustfim accept' writes it); "
        "may be repeated: --baseline last=baselines --baseline best=best.",
    )  # fmt: skip
    lock: Path | None = option(
        None, "--lock", takes=Path,
        help="Test the examples and texts of this file ('robustfim lock' writes it), whatever the model or a lexicon "
        "says.",
    )  # fmt: skip
    durations: int = option(0, "--durations", takes=(0, None), metavar="N", help="List the N slowest checks.")
    verbosity: int = option(
        0, "-v", "--verbose", count=True, help="More failures and messages; -vv shows all.",
        flag=Flag(("-q", "--quiet"), -1, "Less."),
    )  # fmt: skip
    without_texts: bool = option(
        False, "--no-texts", is_flag=True, help="Leave the texts out of reports and terminal; hashes stand for them."
    )
    only: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    variant: str = ""
    reports: Path | None = Path("reports")
    remember: bool = True


def _by_name(values: Sequence[str]) -> dict[str, Path]:
    """Read baselines: a path, called after its file or folder, "" where it is the only one; or ``NAME=PATH``."""
    baselines: dict[str, Path] = {}
    for value in values:
        name, equals, rest = value.partition("=")
        path = Path(rest) if equals and not Path(value).exists() else Path(value)
        if path == Path(value):
            name = path.stem if len(values) > 1 else ""
        if name in baselines:
            raise UsageError(
                f"--baseline: two baselines have the name {name!r}. Give each a name: --baseline last=… "
                "--baseline best=…."
            )
        baselines[name] = path
    return baselines
