"""Open a session from a suite and the options of a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from robustfim.collect.collect import collect, select_checks
from robustfim.collect.collection import Collection
from robustfim.errors import PluginError, UsageError
from robustfim.parts import ReportPart, closing_all
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.run_options import RunOptions
from robustfim.session.last_failed import LastFailed
from robustfim.session.session import Session
from robustfim.suite.config import RunConfig
from robustfim.suite.error_list import Gathering
from robustfim.suite.file import SuiteFile, read_suite_file
from robustfim.suite.format import Suite, read_suite, read_what_is_right
from robustfim.suite.variants import one_suite_each, several_models

__all__ = ["Session", "look_at_suite", "open_session", "open_sessions"]


def open_session(
    suite: Path | SuiteFile, *, plugins: PluginOptions | None = None, options: RunOptions | None = None
) -> Session:
    """Open a suite with one model, as :func:`open_sessions` does.

    Returns:
        A session that has loaded no data and no weights yet.

    Raises:
        UsageError: The suite, an option or a name is wrong, or the suite has several models.
        PluginError: A plugin is broken.
        NothingCollected: No check is left.
    """
    session, *others = open_sessions(suite, plugins=plugins, options=options)
    if others:
        models = [each.config.suite.model.use for each in (session, *others)]
        raise several_models(session.config.shown_path, models)
    return session


def look_at_suite(
    suite: Path | SuiteFile, *, plugins: PluginOptions | None = None, options: RunOptions | None = None
) -> Collection:
    """Read the checks of a suite without running them; a suite with several models is read for its first model.

    Returns:
        The checks; the objects of their plugins are already closed.
    """
    sessions = open_sessions(suite, plugins=plugins, options=options)
    closing_all(part for session in sessions for part in session.collection.made).close()
    return sessions[0].collection


def open_sessions(
    suite: Path | SuiteFile,
    *,
    plugins: PluginOptions | None = None,
    options: RunOptions | None = None,
    reports: Mapping[str, tuple[str, Path]] = MappingProxyType({}),
    ci: bool = False,
) -> list[Session]:
    """Open one session for each model of a suite: validate the suite, load plugins and collect checks.

    Args:
        suite: A suite file, or a suite with all overrides applied.
        plugins: The plugins that ``-p`` loads and blocks.
        options: The options of the run.
        reports: Maps an option, such as ``--html``, to the name of a report and the file to write.
        ci: Whether to add the reports that a plugin names for the CI system that runs robustfim (``--ci``).

    Returns:
        One session for a suite with ``model``; for a suite with ``models``, one per model in the suite's order.

    Raises:
        UsageError: The suite, an option or a name is wrong.
        PluginError: A plugin is broken.
        NothingCollected: No check is left.
    """
    options = _absolute(options or RunOptions())
    if options.offline:
        os.environ["HF_HUB_OFFLINE"] = os.environ["HF_DATASETS_OFFLINE"] = "1"
    file = read_suite_file(suite) if isinstance(suite, Path) else suite
    return [
        _session(suite_file, replace(options, variant=name), plugins or PluginOptions(), reports, ci)
        for name, suite_file in one_suite_each(file)
    ]


def _absolute(options: RunOptions) -> RunOptions:
    """Make paths absolute, at the start: a model may go to another folder."""
    places = {name: getattr(options, name) for name in ("reports", "store", "lock")}
    baselines = {name: path.absolute() for name, path in options.baselines.items()}
    absolute = {name: path.absolute() for name, path in places.items() if path is not None}
    return replace(options, baselines=baselines, **absolute)


def _session(
    file: SuiteFile, options: RunOptions, plugins: PluginOptions, reports: Mapping[str, tuple[str, Path]], ci: bool
) -> Session:
    try:
        suite = read_suite(file)
    except UsageError as error:
        raise _all_mistakes(error, file, options, plugins) from None
    manager = load_plugins(plugins, suite.plugins, file.folder)
    suite = _with_reports(suite, file, manager, reports)
    if ci:
        suite = _with_ci_reports(suite, file, manager)
    config = RunConfig(suite, file, options, tuple(manager.names))
    collection = collect(config, manager)
    checks = select_checks(collection.checks, config, LastFailed(config).ids)
    return Session(replace(collection, checks=tuple(checks)), manager, plugins)


def _all_mistakes(error: UsageError, file: SuiteFile, options: RunOptions, plugins: PluginOptions) -> UsageError:
    """Add to what is wrong with a suite's form what is wrong with the names and options of the rest of it."""
    mistakes = Gathering()
    mistakes.add(error)
    rest = read_what_is_right(file)
    if rest is not None:
        suite, right = rest
        with mistakes.step(), suppress(PluginError):
            manager = load_plugins(plugins, suite.plugins, file.folder)
            collect(RunConfig(suite, right, options, tuple(manager.names)), manager)
    return mistakes.error()


def _with_reports(
    suite: Suite, file: SuiteFile, manager: PluginManager, files: Mapping[str, tuple[str, Path]]
) -> Suite:
    """Add the reports that every suite has which lists none, and those that an option gives a file."""
    if "reports" not in file.data:
        offers = manager.offers("reports")
        file.data["reports"] = [name for name, offer in offers.items() if ReportPart(offer.cls).contract.default]
    for option, (name, target) in files.items():
        listed = [report for report in file.data["reports"] if report != name]
        file.override(("reports",), [*listed, {"use": name, "path": str(target)}], option)
    return read_suite(file)


def _with_ci_reports(suite: Suite, file: SuiteFile, manager: PluginManager) -> Suite:
    """Add the reports that suit the CI system, but for those that the suite or an option already asks for."""
    names = manager.hook.robustfim_ci_reports(environment=dict(os.environ))
    if names is None:
        raise UsageError("--ci: no plugin knows which reports suit a CI system.")
    asked = {use.use for use in suite.reports}
    listed = file.data["reports"]
    file.override(("reports",), [*listed, *(name for name in names if name not in asked)], "--ci")
    return read_suite(file)
