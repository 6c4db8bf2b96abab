"""The hooks of robustfim: what a plugin can offer, and the moments at which it is called.

A plugin offers names for suites in one hook, ``robustfim_offers``. A name stands for a class, given as the class itself
or as text, ``"package.module:Class"``. The text form keeps a plugin's entry module light, since the class is imported
only when a suite uses it.

The harness calls a class with the suite's remaining keys as keyword arguments and checks them against the annotations
of its signature. An offered class must therefore import quickly: import heavy libraries inside its methods.

Each hook has a runnable example in ``docs/hooks.md``, which the tests run as printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from rich.console import Console

    from robustfim.collect.check import Check
    from robustfim.collect.collection import Collection
    from robustfim.example import Example
    from robustfim.exhibit import Section
    from robustfim.record import Card, CheckRecord, ModelRecord, Record, ScoreRecord, SelectionRecord
    from robustfim.roles import Context
    from robustfim.suite.config import RunConfig

__all__ = ["PROJECT", "Commands", "Described", "Offers", "hookimpl", "hookspec"]

PROJECT = "robustfim"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

Offers = Mapping[str, Mapping[str, str | type[Any]]]
"""Classes by kind and name, or their places."""
Commands = Mapping[str, tuple[str, str] | tuple[str, str, str]]
"""Commands by name, each with its place, a line of help and perhaps a section of the help."""
Described = Mapping[str, tuple[str, str]]
"""Names, each with a place, a report or a state, and a sentence."""


# ---- offers -------------------------------------------------------------------------------------------


@hookspec
def robustfim_offers() -> Offers:
    """Offer a plugin's classes to suites by name: models, data sources, perturbations and all other roles.

    Called: when names are looked up, before anything is loaded.
    Default: a plugin without this hook offers none.

    Returns:
        For each kind, names with a class that plays the role, or the place of such a class:
        ``{"perturbations": {"shout": "package.module:Shout"}}``. The kinds are the keys of
        :data:`robustfim.members.ROLES`. The kind ``services`` holds ``geometry``, ``attribution`` and ``tagger``; if
        several plugins offer a service, the plugin loaded last wins. If two plugins offer the same name of another
        kind, a suite must write the plugin's name before it.
    """


@hookspec
def robustfim_commands() -> Commands:
    """Offer subcommands of ``robustfim``.

    Called: when the command line is read.
    Default: a plugin without this hook adds none.

    Returns:
        Command name to ``("package.module:command", "one line of help")``. The target is a click command, imported
        only when a user runs it or asks for its help. If the command returns an integer, it is the exit code. A third
        text names the group in ``robustfim --help``: ``test``, ``look``, ``mend``, ``study`` or ``set up``. A name may
        also be another command with a flag, ``run --shard``: the target then runs if a user gives the flag.
    """


@hookspec
def robustfim_studies() -> Described:
    """Offer experiments: subcommands of ``robustfim study``.

    Called: when the command line of ``robustfim study`` is read.
    Default: a plugin without this hook adds none.

    Returns:
        Name to ``("package.module:command", "one line of help")``. The target is a click command that returns a
        :class:`robustfim.record.study.Study`, imported only when a user runs it or asks for its help. The harness adds
        the options ``--reports`` and ``--color``, prints the study, and writes it as a record and a page.
    """


@hookspec(firstresult=True)
def robustfim_translate(kind: str, value: object) -> Mapping[str, Any] | None:
    """Convert an object of a script, or a path, to an entry of a suite: a function, a data frame, ``test.csv``.

    Called: before anything is loaded, if a script gives an object that plays no role yet, or a command is given a path.
    Default: ``robustfim_blackbox``, ``robustfim_files``, ``robustfim_huggingface`` and ``robustfim_reference`` answer
    for their own formats. First result wins.

    Args:
        kind: The needed kind: ``"models"`` or ``"data"``.
        value: The object; a path is a ``pathlib.Path``, which need not exist.

    Returns:
        The entry of a suite, with the object as an option: ``{"use": "python", "call": value}``; or None.
    """


@hookspec
def robustfim_resources() -> Described:
    """Report the plugin's resources: lexicons, weights, data of a library.

    Called: by ``robustfim doctor``.
    Default: a plugin without this hook needs none.

    Returns:
        Name to ``("ok", "what is there")``. If the resource is missing, ``("problem", "how to get it")``, or
        ``"note"`` in place of ``"problem"`` if few users need it. Do not load or download anything to find out.
    """


@hookspec
def robustfim_cards() -> Mapping[str, Card]:
    """Offer people's ratings of perturbed texts: whether the label is kept, and how natural the text is.

    Called: when the checks of a suite are made, and by ``robustfim plugins NAME``.
    Default: a plugin without this hook has no cards, and reports print rates alone.

    Returns:
        The name of a perturbation to its :class:`robustfim.record.Card`; :func:`robustfim.record.read_cards` reads
        cards from a file. The cards of a suite's own file (``cards: FILE``) take precedence.
    """


@hookspec(firstresult=True)
def robustfim_ci_reports(environment: Mapping[str, str]) -> Sequence[str] | None:
    """Name the reports for the CI system in use.

    Called: once per run with ``--ci``, after the plugins were loaded and before the reports are looked up.
    Default: ``robustfim_ci`` answers for GitHub Actions, GitLab and readers of JUnit. First result wins.

    Args:
        environment: The environment variables.

    Returns:
        Names of reports to write beside the suite's reports; or None.
    """


@hookspec
def robustfim_options(command: str) -> Described:
    """Add options to ``robustfim run``, ``report`` and ``compare``; each option takes the file of a report.

    Called: when the command line of one of these commands is read, for the installed plugins and those of ``-p``.
    Default: ``robustfim_html`` adds ``--html``, ``robustfim_ci`` adds ``--junit-xml`` and ``--markdown``.

    Args:
        command: ``"run"``, ``"report"`` or ``"compare"``; reports of ``compare`` show two runs.

    Returns:
        Option to ``("report", "one line of help")``: ``{"--html": ("html", "Write the page to this file.")}``. Two
        options with equal values are spellings of one option.
    """


@hookspec
def robustfim_first_suite(examples: Sequence[Example]) -> Mapping[str, Any]:
    """Suggest parts of the suite that robustfim writes for a new model, for ``robustfim scan --write``.

    Called: once, by ``robustfim scan``. Parts that the model cannot run, or that other plugins offer, are left out. The
    scan measures each limit.
    Default: a plugin without this hook adds nothing.

    Args:
        examples: The data, or a sample of it; empty if a suite is written from a record.

    Returns:
        A mapping with any of these keys. ``scores`` is a list of names. ``checks`` maps names to checks with
        ``perturb`` and, optionally, ``constrain`` and ``marks``, written as in a suite. ``reports`` is a list of names.
        ``without_gradients`` is a sentence for the suite of a model without gradients.
    """


@hookspec(firstresult=True)
def robustfim_terminal(console: Console, hook: Any, verbosity: int) -> object | None:
    """Make the object that prints runs and comparisons on a terminal.

    Called: once per run that prints a report, and by ``robustfim compare``.
    Default: ``robustfim_terminal`` prints in the style of pytest. First result wins.

    Args:
        console: The console of rich.
        hook: The hooks, to ask other plugins for lines.
        verbosity: −1 (quiet), 0 (default), 1 or 2 (most lines).

    Returns:
        An object with hooks as methods, such as ``robustfim_check_finish``, and with ``compare(comparison, record)``,
        which prints a comparison; ``record`` is the later run. Or None.
    """


# ---- moments ------------------------------------------------------------------------------------------


@hookspec
def robustfim_configure(config: RunConfig) -> None:
    """Prepare the plugin for a run.

    Called: once, after the suite was read and validated, before any data or weights are loaded.
    Default: nothing happens.

    Args:
        config: The suite and the options of this run.
    """


@hookspec
def robustfim_report_header(config: RunConfig) -> str | Sequence[str] | None:
    """Add lines to the header of the terminal report.

    Called: once, after ``robustfim_configure``.
    Default: no line is added.

    Args:
        config: The suite and the options of this run.

    Returns:
        A line, several, or None.
    """


@hookspec
def robustfim_collection_modifyitems(config: RunConfig, checks: list[Check]) -> None:
    """Reorder, drop or mark the checks, in place.

    Called: once, after the checks were collected and selected by ``-k`` and ``-m``.
    Default: the checks run in the suite's order.

    Args:
        config: The suite and the options of this run.
        checks: The checks to run; change the list in place.
    """


@hookspec
def robustfim_run_start(collection: Collection) -> None:
    """React to the start of a run.

    Called: once, after data and checks were collected, before the first prediction.
    Default: nothing happens.

    Args:
        collection: The examples and checks of the run.
    """


@hookspec
def robustfim_progress(stage: str, done: int, total: int) -> None:
    """React to the progress of a run.

    Called: often, after every batch, in order.
    Default: the terminal draws a progress bar with rate and time left; without one, it prints a line every ten seconds.

    Args:
        stage: ``"read"``, ``"cluster"``, ``"measure"`` (finds texts too long for the model), ``"predict"``,
            ``"score"``, ``"select"``, ``"slice"``, a check's name, ``"shrink"`` or ``"write"``. If a check has a
            budget, its evidence follows the name: ``"places: 61 % of the evidence for passed"``.
        done: The number of examples done.
        total: The number of all examples; 0 while unknown.
    """


@hookspec
def robustfim_selection_finish(model: ModelRecord, scores: Sequence[ScoreRecord], selection: SelectionRecord) -> None:
    """React to the accuracy on unperturbed data and to the selection of examples.

    Called: once, after all examples were predicted, scored and selected, before the first check.
    Default: the terminal prints the accuracy and the arms (groups of examples).

    Args:
        model: The stored facts about the model, with its accuracy.
        scores: The scores, each with a message if it could not be computed.
        selection: The arms: the groups of difficult and of control examples.
    """


@hookspec
def robustfim_check_start(check: Check) -> None:
    """React to the start of a check.

    Called: once per check, before its first candidate.
    Default: nothing happens.

    Args:
        check: The check.
    """


@hookspec
def robustfim_check_finish(check: Check, result: CheckRecord) -> None:
    """React to the result of a check.

    Called: once per check, as soon as its candidates are judged. A clear outcome is final. An inconclusive outcome may
    still become clear at the end of the run, when Holm's correction over all checks is known.
    Default: the terminal prints its line.

    Args:
        check: The check.
        result: The result, as it is stored in the record so far.
    """


@hookspec
def robustfim_sections(collection: Collection, context: Context) -> Sequence[Section]:
    """Add sections to the run record and the HTML report: sentences, tables and figures.

    Called: once, after the last check of a complete run, but not when a single failure is shown again.
    Default: no section is added.

    Args:
        collection: The checks and scores of the run, with their plugins.
        context: The run's model, examples and queue, with all known predictions.

    Returns:
        Sections; an empty list adds none.
    """


@hookspec
def robustfim_run_finish(record: Record) -> None:
    """Use the results of a finished run, for example to publish them.

    Called: once, after the last check and before the reports are written; also after an interrupted run.
    Default: nothing happens.

    Args:
        record: The run record.
    """


@hookspec
def robustfim_session_finish(record: Record, written: Sequence[Path]) -> None:
    """React to the end of a run.

    Called: once, last, after the reports were written.
    Default: the terminal prints failures, the summary and its last line.

    Args:
        record: The run record.
        written: The written files. The database beside ``results.json`` is not among them.
    """


@hookspec
def robustfim_terminal_summary(record: Record) -> str | Sequence[str] | None:
    """Add lines below the terminal report, above its last line.

    Called: once, after the reports were written.
    Default: no line is added.

    Args:
        record: The run record.

    Returns:
        A line, several, or None.
    """
