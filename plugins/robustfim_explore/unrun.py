"""A suite that has not run yet: its examples with the model's predictions and scores, and no check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from robustfim.commands import Chosen, print_line, progress_bar
from robustfim.errors import UsageError
from robustfim.outcome import ExitCode
from robustfim.record import Record
from robustfim.session import open_session

__all__ = ["scored_record"]


def scored_record(suite: Path, chosen: Chosen) -> Record:
    """Compute a suite's predictions, scores and selection, and run none of its checks.

    Nothing is written: a record in the folder for reports is one of checks that ran.

    Raises:
        UsageError: The suite is wrong, has several models, or no examples but those of its checks.
        RobustfimError: The model or the data cannot be loaded.
    """
    console = chosen.console()
    print_line(
        console,
        f"the suite has no record: its scores are computed now, and no check is run. 'robustfim run {suite}' tests it.",
    )
    file = chosen.suite(suite)
    for key, value in (("reports", []), ("budget", None), ("lock", None)):
        if key in file.data or key == "reports":
            file.override((key,), value, "robustfim explore")
    session = open_session(file, plugins=chosen.plugin_options, options=chosen.options)
    session.collection = replace(session.collection, checks=())
    with progress_bar(console) as progress:
        session.manager.register(progress, "robustfim.progress_bar")
        record, _ = session.run()
    if record.message or not record.examples:
        why = record.message or "it has no examples but those that its checks bring"
        raise UsageError(f"the suite has no record yet, and its scores cannot be computed: {why.rstrip('.')}.")
    return record.model_copy(update={"exit_code": ExitCode.NOTHING_COLLECTED})
