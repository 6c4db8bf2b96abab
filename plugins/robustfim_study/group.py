"""The group of experiments: those of this plugin, and those that others offer."""

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
    """A plugin's experiment: what its command returns is printed and written."""

    def load(self) -> click.Command:
        """Import the command, and give it ``--reports``, ``--color`` and the options of files.

        Raises:
            PluginError: It cannot be imported, or is no click command.
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
    """``robustfim study``: a group of experiments."""

    kind = "studies"
    made = OfferedStudy
