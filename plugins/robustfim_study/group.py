"""The group of experiments: those of this plugin, and those that others offer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from robustfim.cli.group import CommandGroup, PluginCommand
from robustfim.errors import PluginError

__all__ = ["COLOUR", "REPORTS", "OfferedStudy", "StudyGroup"]

REPORTS = click.option(
    "--reports",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("reports"),
    show_default=True,
    help="Folder of record and page.",
)
"""The option ``--reports``."""

COLOUR = click.option("--color", type=click.Choice(["auto", "yes", "no"]), default="auto", show_default=True)
"""The option ``--color``."""


class OfferedStudy(PluginCommand):
    """A plugin's experiment: what its command returns is printed and written."""

    def load(self) -> click.Command:
        """Import the command, and give it ``--reports`` and ``--color``.

        Raises:
            PluginError: It cannot be imported, or is no click command.
        """
        own = super().load()

        @REPORTS
        @COLOUR
        def finish(reports: Path, color: str, **given: Any) -> None:
            from robustfim.record import Study
            from robustfim.terminal.console import make_console
            from robustfim_study.shown import finish_study

            found = click.get_current_context().invoke(own, **given)
            if not isinstance(found, Study):
                raise PluginError(f"the study {self.name!r} must return a robustfim.record.study.Study, not {found!r}.")
            finish_study(make_console(color), found, reports / found.suite if found.suite else reports)

        added: list[click.Parameter] = getattr(finish, "__click_params__")  # noqa: B009  # where click keeps them
        return click.Command(self.name, callback=finish, params=[*own.params, *reversed(added)], help=own.help)


class StudyGroup(CommandGroup):
    """``robustfim study``: a group of experiments."""

    kind = "studies"
    made = OfferedStudy
