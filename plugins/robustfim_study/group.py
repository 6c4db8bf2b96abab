"""The command group ``robustfim study``, with the experiments of this plugin and of other plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from robustfim.cli.group import CommandGroup, PluginCommand
from robustfim.commands import Chosen, shared_options
from robustfim.errors import PluginError
from robustfim_study.suite_options import experiment

if TYPE_CHECKING:
    from robustfim.record import Study

__all__ = ["OfferedStudy", "StudyGroup"]


class OfferedStudy(PluginCommand):
    """A study command from another plugin; robustfim prints and writes the Study that the command returns."""

    def load(self) -> click.Command:
        """Import the command, and add ``--reports``, ``--color`` and the options for files.

        Raises:
            PluginError: The command cannot be imported, or is not a click command.
        """
        own = super().load()

        @shared_options("reports", "color", reports={"help": "Folder of record and page."})
        @experiment
        def finish(chosen: Chosen, **given: Any) -> Study:  # the parameters of the experiment, handed on as they are
            from robustfim.record import Study

            found = click.get_current_context().invoke(own, **given)
            if not isinstance(found, Study):
                raise PluginError(f"the study {self.name!r} must return a robustfim.record.study.Study, not {found!r}.")
            return found

        added: list[click.Parameter] = getattr(finish, "__click_params__")  # noqa: B009  # where click keeps them
        return click.Command(
            self.name, callback=finish, params=[*own.params, *reversed(added)], help=own.help, epilog=own.epilog
        )


class StudyGroup(CommandGroup):
    """The command group ``robustfim study``."""

    kind = "studies"
    made = OfferedStudy
