"""The arguments of ``robustfim run``: which suites they name, and the sessions they open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from robustfim.errors import UsageError

if TYPE_CHECKING:
    from robustfim.session.session import Session
    from robustfim.suite.config import RunOptions

__all__ = ["named_suites", "open_given", "refuse_one_file"]


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
        found = sorted(path.glob("*.y*ml")) if path.is_dir() else [path]
        if not found:
            raise UsageError(f"the folder {path} holds no suite (*.yaml).")
        for each in found:
            wanted.setdefault(each, [])
            if check:
                wanted[each].append(check)
            else:
                whole.add(each)
    return [(path, () if path in whole else tuple(checks)) for path, checks in wanted.items()]


def open_given(path: Path, only: tuple[str, ...], given: Mapping[str, Any]) -> list[Session]:
    """Open a suite with the options of ``robustfim run``.

    Args:
        path: The suite file.
        only: Names of its checks; empty for all.
        given: The command's parameters, as click has parsed them.

    Returns:
        A session for each of its models.

    Raises:
        UsageError: The suite, an option or a name is wrong.
        PluginError: A plugin is broken.
        NothingCollected: No check is left.
    """
    from robustfim.plugin.loading import PluginOptions
    from robustfim.session.opened import open_sessions

    options = _run_options(only, given)
    return open_sessions(
        path,
        plugins=PluginOptions.parse(given["plugins"]),
        model=given["model"],
        data=given["data"],
        override=given["override"],
        reports={name: given[name] for name in ("html", "json", "junit") if given[name] is not None},
        ci=given["ci"],
        options=options,
    )


def refuse_one_file(given: Mapping[str, Any], number: str) -> None:
    """Refuse an option that names one file for the reports of several runs.

    Args:
        given: The command's parameters.
        number: What there are several of: ``"2 suites"``.

    Raises:
        UsageError: ``--html``, ``--json`` or ``--junit-xml`` is given.
    """
    for name, option in (("html", "--html"), ("json", "--json"), ("junit", "--junit-xml")):
        if given[name] is not None:
            raise UsageError(
                f"{option} names one file, and each of {number} would replace what the one before wrote. Leave it out "
                f"and list the report in the suite: each has a folder of its own in {given['reports']}."
            )


def _run_options(only: tuple[str, ...], given: Mapping[str, Any]) -> RunOptions:
    from robustfim.judge.baseline import named_baselines
    from robustfim.suite.config import RunOptions

    overrides: list[str] = []
    for option, key in (("--model", "model"), ("--data", "data"), ("-o", "override"), ("-p", "plugins")):
        for value in given[key]:
            overrides += [option, value]
    if given["seed"] is not None:
        overrides += ["--seed", str(given["seed"])]
    return RunOptions(
        keyword=given["keyword"],
        marks=given["marks"],
        only=only,
        examples=tuple(given["examples"]),
        last_failed=given["last_failed"],
        max_failures=1 if given["exit_first"] else given["maxfail"],
        collect_only=given["collect_only"],
        seed=given["seed"],
        strict=given["strict"],
        offline=given["offline"],
        max_calls=given["max_calls"],
        reports=given["reports"],
        store=None if given["no_store"] else given["store"],
        verbosity=-1 if given["quiet"] else given["verbose"],
        durations=given["durations"],
        color=given["color"],
        overrides=tuple(overrides),
        baselines=named_baselines(given["baselines"]),
        margin=given["margin"],
        lock=given["lock"],
        fail_on=given["fail_on"],
        verify=given["verify"] or 0,
    )
