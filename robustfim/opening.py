"""Opening: from a suite's file and the command line to a session."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from robustfim.collect import collect, select_checks
from robustfim.config import RunConfig, RunOptions
from robustfim.last_failed import LastFailed
from robustfim.loading import PluginOptions, load_plugins
from robustfim.session import Session
from robustfim.suite import read_suite
from robustfim.suite_file import parse_override, read_suite_file

__all__ = ["open_session"]


def open_session(
    path: Path,
    *,
    plugins: PluginOptions | None = None,
    model: Sequence[str] = (),
    data: Sequence[str] = (),
    override: Sequence[str] = (),
    reports: Mapping[str, Path] = MappingProxyType({}),
    options: RunOptions | None = None,
) -> Session:
    """Read a suite, lay the command line over it, load its plugins and collect its checks.

    Args:
        path: The suite file.
        plugins: ``-p``.
        model: ``--model KEY=VALUE``; another ``use`` drops the suite's own model options.
        data: ``--data KEY=VALUE``, likewise.
        override: ``-o KEY=VALUE``, a dotted key.
        reports: Files for reports by name (``--html``); such a report is written there instead.
        options: The other options.

    Returns:
        A session that has done nothing heavy yet.

    Raises:
        UsageError: The suite, an option or a name is wrong.
        PluginError: A plugin is broken.
        NothingCollected: No check is left.
    """
    options = options or RunOptions()
    if options.offline:
        os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    file = read_suite_file(path)
    for part, values, option in (("model", model, "--model"), ("data", data, "--data")):
        pairs = [(value, *parse_override(value, option)) for value in values]
        if any(location == ("use",) for _, location, _ in pairs):
            file.override((part,), {}, option)
        for text, location, value in pairs:
            file.override((part, *location), value, f"{option} {text}")
    for text in override:
        location, value = parse_override(text, "-o")
        file.override(location, value, f"-o {text}")
    for name, target in reports.items():
        listed = [each for each in file.data.get("reports", ["json"]) if each != name]
        file.override(("reports",), [*listed, {"use": name, "path": str(target)}], f"--{name}")
    suite = read_suite(file)
    manager = load_plugins(plugins or PluginOptions(), suite.plugins, file.folder)
    config = RunConfig(suite, file, options, tuple(manager.names))
    collection = collect(config, manager)
    checks = select_checks(collection.checks, config, LastFailed(config).ids)
    return Session(replace(collection, checks=tuple(checks)), manager)
