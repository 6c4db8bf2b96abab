"""The commands ``plugins`` and ``schema``, which show plugins and the format of suites."""

from __future__ import annotations

import json

import click

from robustfim.commands import Chosen, shared_options

__all__ = ["list_plugins", "schema"]


@click.command("plugins", epilog="Example: robustfim plugins perturbations")
@click.argument("name", required=False, metavar="[NAME|KIND|PLUGIN|WORD]")
@shared_options("plugins", "color")
def list_plugins(name: str | None, chosen: Chosen) -> None:
    """List what every plugin offers; with a NAME, its options.

    A KIND (perturbations, scorers, models …), the name of a PLUGIN or any other WORD lists what belongs to it.
    """
    from robustfim_author.catalogue import show_catalogue, show_found

    manager = chosen.manager()
    if name is None:
        show_catalogue(manager, chosen.console())
    else:
        show_found(manager, name, chosen.console())


@click.command(epilog="Example: robustfim schema > suite.schema.json")
@shared_options("plugins")
def schema(chosen: Chosen) -> None:
    """Print the JSON Schema of suites, for editors."""
    from robustfim_author.schema import suite_schema

    click.echo(json.dumps(suite_schema(chosen.manager()), indent=2, ensure_ascii=False))
