"""The hooks of robustfim: what a plugin can offer, and the moments at which it is called.

A plugin offers names for suites in one hook, ``robustfim_offers``, as ``"package.module:Class"`` or as the class
itself.
The text form keeps a plugin's entry module light: the implementation is imported when a suite uses it. Every class is
called with the suite's remaining keys as keyword arguments, checked against its signature's annotations, so an offered
class must import quickly: heavy libraries belong inside its methods.

Each hook has a runnable example in ``docs/hooks.md``, which the tests run as printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from robustfim.collect.check import Check
    from robustfim.collect.collection import Collection
    from robustfim.exhibit import Section
    from robustfim.record import Card, CheckRecord, ModelRecord, Record, ScoreRecord, SelectionRecord
    from robustfim.roles import Context
    from robustfim.suite.config import RunConfig

__all__ = ["PROJECT", "hookimpl", "hookspec"]

PROJECT = "robustfim"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)

Offers = Mapping[str, Mapping[str, str | type[Any]]]


# ---- offers -------------------------------------------------------------------------------------------


@hookspec
def robustfim_offers() -> Offers:
    """Offer names for suites: models, data, perturbations and all other roles.

    Called: when names are looked up, before anything is loaded.
    Default: a plugin without this hook offers none.

    Returns:
        Kind to name to a class that plays the role, or the place of one:
        ``{"perturbations": {"shout": "package.module:Shout"}}``. The kinds are the keys of
        :data:`robustfim.members.ROLES`; ``services`` holds ``geometry``, ``attribution`` and ``tagger``, of which the
        plugin that was loaded last answers. Two plugins that offer any other name twice are an error.
    """


@hookspec
def robustfim_commands() -> Mapping[str, tuple[str, str] | tuple[str, str, str]]:
    """Offer subcommands of ``robustfim``.

    Called: when the command line is read.
    Default: a plugin without this hook adds none.

    Returns:
        Command name to ``("package.module:command", "one line of help")``; the target is a click command,
        imported only when it is run or asked for its help. An integer that it returns is the exit code. A third
        text puts it among others in ``robustfim --help``: ``test``, ``look``, ``mend``, ``study`` or ``set up``.
        A name may be that of another command and a flag, ``run --shard``: it is run where that flag is given.
    """


@hookspec
def robustfim_studies() -> Mapping[str, tuple[str, str]]:
    """Offer experiments: subcommands of ``robustfim study``.

    Called: when the command line of ``robustfim study`` is read.
    Default: a plugin without this hook adds none.

    Returns:
        Name to ``("package.module:command", "one line of help")``; the target is a click command that returns a
        :class:`robustfim.record.study.Study`, imported only when it is run or asked for its help. It is given
        the options ``--reports`` and ``--color``; what it returns is printed, and written as a record and a page.
    """


@hookspec(firstresult=True)
def robustfim_translate(kind: str, value: object) -> Mapping[str, Any] | None:
    """Name the offer that takes an object of a script, or a path: a function, a data frame, ``test.csv``.

    Called: when a script gives an object that plays no role yet, or a command a path, before anything is loaded.
    Default: ``robustfim_blackbox``, ``robustfim_files``, ``robustfim_huggingface`` and ``robustfim_reference`` answer
    for their own formats. First result wins.

    Args:
        kind: The needed kind: ``"models"`` or ``"data"``.
        value: The object; a path as ``pathlib.Path``, whether or not it is there.

    Returns:
        What a suite would say, with the object as an option: ``{"use": "python", "call": value}``; or None.
    """


@hookspec
def robustfim_resources() -> Mapping[str, tuple[str, str]]:
    """Report the plugin's resources: lexicons, weights, data of a library.

    Called: by ``robustfim doctor``.
    Default: a plugin without this hook needs none.

    Returns:
        Name to ``("ok", "what is there")``, or to ``"problem"`` or, where few need it, ``"note"`` with the way to
        get it. Nothing is loaded or fetched to find out.
    """


@hookspec
def robustfim_cards() -> Mapping[str, Card]:
    """Offer readers' ratings of perturbed texts: kept labels, and naturalness.

    Called: when the checks of a suite are made, and by ``robustfim plugins NAME``.
    Default: a plugin without this hook has no cards, and reports print rates alone.

    Returns:
        The name of a perturbation to its :class:`robustfim.record.Card`; :func:`robustfim.record.read_cards` reads them
        from a file. A suite's own file (``cards: FILE``) goes before them.
    """


@hookspec(firstresult=True)
def robustfim_ci_reports(environment: Mapping[str, str]) -> Sequence[str] | None:
    """Name the reports for the CI system at hand.

    Called: once a run with ``--ci``, after the plugins were loaded and before the reports are looked up.
    Default: ``robustfim_ci`` answers for GitHub Actions, GitLab and readers of JUnit. First result wins.

    Args:
        environment: The environment variables.

    Returns:
        Names of reports, which are added to those of the suite; or None.
    """


@hookspec
def robustfim_options(command: str) -> Mapping[str, tuple[str, str]]:
    """Add options to ``robustfim run``, ``report`` and ``compare``, each for the file of a report.

    Called: when the command line of such a command is read, for the installed plugins and those of ``-p``.
    Default: ``robustfim_html`` adds ``--html``, ``robustfim_ci`` adds ``--junit-xml`` and ``--markdown``.

    Args:
        command: ``"run"``, ``"report"`` or ``"compare"``, whose reports show two runs.

    Returns:
        Option to ``("report", "one line of help")``: ``{"--html": ("html", "Write the page to this file.")}``. Options
        with one value are spellings of one option.
    """


@hookspec
def robustfim_first_suite() -> Mapping[str, Any]:
    """Suggest parts of a model's first suite, for ``robustfim scan --write``.

    Called: once, by ``robustfim scan``. Parts beyond the model, or offered by other plugins, are left out; each limit
    is measured.
    Default: a plugin without this hook adds nothing.

    Returns:
        A mapping of ``scores``, a list of names; ``checks``, names to checks, each with ``perturb`` and where it is
        wanted ``constrain`` and ``marks``, as a suite has them; ``reports``, a list of names; and
        ``without_gradients``, a sentence for the suite of a model that has none. Each may be left out.
    """


# ---- moments ------------------------------------------------------------------------------------------


@hookspec
def robustfim_configure(config: RunConfig) -> None:
    """Prepare for a run.

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
    """Follow the start of a run.

    Called: once, after data and checks were collected, before the first prediction.
    Default: nothing happens.

    Args:
        collection: The examples and checks of the run.
    """


@hookspec
def robustfim_progress(stage: str, done: int, total: int) -> None:
    """Follow the work.

    Called: often, after every batch, in order.
    Default: the terminal draws a progress bar with rate and time left; without one, it prints a line every ten seconds.

    Args:
        stage: The stage: ``"read"``, ``"cluster"``, ``"measure"`` (finds texts too long for the model),
            ``"predict"``, ``"score"``, ``"select"``, ``"slice"``, a check's name, ``"shrink"`` or
            ``"write"``. Of
            a check with a budget the name is followed by its evidence, ``"places: 61 % of the evidence for passed"``.
        done: How many examples are done.
        total: How many there are; 0 while unknown.
    """


@hookspec
def robustfim_selection_finish(model: ModelRecord, scores: Sequence[ScoreRecord], selection: SelectionRecord) -> None:
    """See the accuracy on unperturbed data, and the selected examples.

    Called: once, after all examples were predicted, scored and selected, before the first check.
    Default: the terminal prints the accuracy and the arms.

    Args:
        model: The model's part of the record, with its accuracy.
        scores: The scores, each with a message if it could not be computed.
        selection: The arms.
    """


@hookspec
def robustfim_check_start(check: Check) -> None:
    """Follow the start of a check.

    Called: once a check, before its first candidate.
    Default: nothing happens.

    Args:
        check: The check.
    """


@hookspec
def robustfim_check_finish(check: Check, result: CheckRecord) -> None:
    """See the result of a check.

    Called: once a check, as soon as its candidates are judged. A clear outcome stays; an inconclusive one
    may still become clear when the run ends and Holm's correction over all checks is known.
    Default: the terminal prints its line.

    Args:
        check: The check.
        result: Its part of the record, so far.
    """


@hookspec
def robustfim_sections(collection: Collection, context: Context) -> Sequence[Section]:
    """Add sections to the run record and the HTML report: sentences, tables and figures.

    Called: once, after the last check of a complete run; not for a single failure shown again.
    Default: no section is added.

    Args:
        collection: The checks and scores of the run, with their plugins.
        context: The run's model, examples and queue, with all known predictions.

    Returns:
        Sections; an empty list adds none.
    """


@hookspec
def robustfim_run_finish(record: Record) -> None:
    """Use the finished record.

    Called: once, after the last check and before the reports are written; also after an interrupted run.
    Default: nothing happens.

    Args:
        record: The run record.
    """


@hookspec
def robustfim_session_finish(record: Record, written: Sequence[Path]) -> None:
    """Follow the end of a run.

    Called: once, last, after the reports were written.
    Default: the terminal prints failures, the summary and its last line.

    Args:
        record: The run record.
        written: The written files.
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
