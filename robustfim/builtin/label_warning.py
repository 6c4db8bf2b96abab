"""The label warning: a run says when its labels may be mapped wrongly. Itself a plugin."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from robustfim.hookspecs import hookimpl

if TYPE_CHECKING:
    from robustfim.record import Record
    from robustfim.suite.config import RunConfig

__all__ = ["LabelWarning"]


class LabelWarning:
    """Warns at the end of a run when the model is surely right less often than always giving the commonest label.

    That is rarely a weak model: mostly the data's labels, or the model's, stand for one another. Every check runs
    all the same, and finds something else than it was meant to find.
    """

    def __init__(self) -> None:
        self._command = ""

    @hookimpl
    def robustfim_configure(self, config: RunConfig) -> None:
        """Note the command that looks closer; a run of a few named examples has no accuracy to speak of."""
        options = config.options.overrides
        pairs = zip(options[::2], options[1::2], strict=False)
        words = [word for option, value in pairs if option != "--seed" for word in (option, value)]
        command = shlex.join(["robustfim", "doctor", config.shown_path, *words])
        self._command = "" if config.options.examples else command

    @hookimpl
    def robustfim_terminal_summary(self, record: Record) -> Sequence[str] | None:
        """Say that accuracy lies below the majority class, and what to do."""
        from robustfim.statistics import percent  # every command loads this plugin, and only a run needs that

        model = record.model
        if not self._command or model.accuracy is None or model.majority is None or model.accuracy_interval is None:
            return None
        if model.accuracy_interval[1] >= model.majority:  # chance alone may have put it below
            return None
        return [
            f"accuracy {percent(model.accuracy)} is below always giving the commonest label "
            f"({percent(model.majority)}): labels may be mapped wrongly. Look closer:",
            f"    {self._command}",
        ]
