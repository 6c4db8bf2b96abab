"""The catalogue: what every plugin offers, as ``robustfim plugins`` shows it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from itertools import groupby

from docstring_parser import Docstring
from docstring_parser.google import parse
from rich.console import Console
from rich.table import Table
from rich.text import Text

from robustfim.errors import UsageError, did_you_mean
from robustfim.members import member
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS, Offer
from robustfim.plugin.options import options_model
from robustfim.suite.format import PerturbSpec

__all__ = ["show_catalogue", "show_offer"]

_MARKUP = re.compile(r":\w+:`~?([^`]*)`|``([^`]*)``|`([^`]*)`")
_SHARED = [name for name in PerturbSpec.model_fields if name != "use"]


def show_catalogue(manager: PluginManager, console: Console) -> None:
    """Print every offered name by kind, with its plugin and what it is.

    Args:
        manager: The loaded plugins.
        console: Where to print.
    """
    for kind in KINDS:
        console.print(Text(kind, style="underline"))
        # Names of one family stand in a table of their own, so that long ones leave the others their room.
        for _, family in groupby(_by_family(manager.offers(kind).values()), key=_family):
            table = Table(box=None, pad_edge=False, show_header=False, expand=False)
            table.add_column(style="bold", no_wrap=True)
            table.add_column(style="dim", no_wrap=True)
            table.add_column()
            for offer in family:
                table.add_row(f"  {offer.name}", offer.owner, Text(offer.summary).append(_badge(offer), style="dim"))
            console.print(table)
        console.print()
    console.print(Text("'robustfim plugins NAME' shows the options of one.", style="dim"))


def show_offer(manager: PluginManager, name: str, console: Console) -> None:
    """Print one offer: what it is and its options.

    Args:
        manager: The loaded plugins.
        name: An offered name; where several kinds have it, all are shown.
        console: Where to print.

    Raises:
        UsageError: Nothing is offered under that name.
    """
    found = [offers[name] for kind in KINDS if name in (offers := manager.offers(kind))]
    if not found:
        known = [each for kind in KINDS for each in manager.offers(kind)]
        raise UsageError(f"no plugin offers {name!r}.{did_you_mean(name, known)} 'robustfim plugins' lists all names.")
    for index, offer in enumerate(found):
        if index:
            console.print()
        console.print(
            Text(f"{offer.name}", style="bold").append(f"  {KINDS[offer.kind]} of plugin {offer.owner}", style="dim")
        )
        if badge := _badge(offer):
            console.print(Text(badge.strip(), style="dim"))
        described = parse(inspect.getdoc(offer.cls) or "")
        for paragraph in filter(None, (described.description or "").split("\n\n")):
            console.print(Text(_plain(paragraph)))
            console.print()
        console.print(_options(offer, described))
        if offer.kind == "perturbations":
            console.print(Text(f"Every perturbation also takes {', '.join(_SHARED)}.", style="dim"))


def _badge(offer: Offer) -> str:
    """What is to be known of a yardstick, or nothing."""
    yardstick = offer.kind == "perturbations" and member("perturbations", offer.cls, "yardstick")
    return " (a yardstick, not meant to keep the meaning)" if yardstick else ""


def _family(offer: Offer) -> str:
    """What stands before the slash of a name, or nothing."""
    return offer.name.rpartition("/")[0]


def _by_family(offers: Iterable[Offer]) -> list[Offer]:
    """Sort names by their families, those without one first."""
    return sorted(offers, key=lambda offer: (_family(offer), offer.name))


def _options(offer: Offer, described: Docstring) -> Table | Text:
    fields = options_model(offer.cls, offer.owner).model_fields
    if not fields:
        return Text("It has no options.", style="dim")
    table = Table("option", "type", "default", "meaning", box=None, pad_edge=False, header_style="underline")
    table.columns[0].no_wrap = True
    meanings = {each.arg_name: _plain(each.description or "") for each in described.params if each.args[0] == "param"}
    for name, field in fields.items():
        default = "(needed)" if field.is_required() else repr(field.default)
        meaning = meanings.get(name) or meanings.get(f"{name}_", "")
        table.add_row(name, Text(_type_name(field.annotation)), Text(default), Text(meaning))
    return table


def _plain(text: str) -> str:
    """Join lines, and take reStructuredText's marks away."""
    return _MARKUP.sub(lambda mark: next(each for each in mark.groups() if each is not None), " ".join(text.split()))


def _type_name(annotation: object) -> str:
    if isinstance(annotation, type) and not hasattr(annotation, "__origin__"):
        return annotation.__name__
    return str(annotation).replace("typing.", "").replace("pathlib.", "").replace("NoneType", "None")
