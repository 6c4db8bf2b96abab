"""Print the names that plugins offer, for ``robustfim plugins``."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from docstring_parser.google import parse
from rich.console import Console
from rich.table import Table
from rich.text import Text

from robustfim.errors import UsageError, did_you_mean, shown
from robustfim.parts import PerturbationPart
from robustfim.plugin import KINDS, Offer, PluginManager
from robustfim.plugin.described import meanings, plain
from robustfim.plugin.options import held, options_model
from robustfim.suite import PerturbSpec

__all__ = ["show_catalogue", "show_found", "show_offer"]

_LARGE = 10
"""The fewest names with which a family of offers becomes one line in the list of all offers."""
_WIDEST = 24
"""The most characters of a name that is printed on one line with its description."""
_SHARED = [name for name in PerturbSpec.model_fields if name != "use"]


def show_catalogue(manager: PluginManager, console: Console) -> None:
    """Print the names that all plugins offer (perturbations, models, …) by kind, with descriptions."""
    offers = [offer for kind in KINDS for offer in manager.offers(kind).values()]
    families = Counter((offer.kind, _family(offer)) for offer in offers if _family(offer))
    large = {key for key, number in families.items() if number >= _LARGE}
    _print_offers(console, [offer for offer in offers if (offer.kind, _family(offer)) not in large], large, families)
    line = "'robustfim plugins NAME' shows the options of one; KIND, PLUGIN or a WORD lists some."
    console.print(Text(line, style="dim"))


def show_found(manager: PluginManager, wanted: str, console: Console) -> None:
    """Print the plugin objects, such as perturbations, that match a word: one with its options, several as a list.

    The word may be the name of an object, a kind (such as ``perturbations``), a plugin, a part of a name, or a word of
    a description.

    Raises:
        UsageError: No object matches the word.
    """
    offers = [offer for kind in KINDS for offer in manager.offers(kind).values()]
    kinds = {**{kind: kind for kind in KINDS}, **{word: kind for kind, word in KINDS.items()}}
    if wanted not in kinds and any(offer.name == wanted for offer in offers):
        show_offer(manager, wanted, console)
        others = [offer for offer in offers if offer.name != wanted and offer.owner == wanted]
        if others:
            line = f"A plugin is named {wanted!r}, too: it offers {', '.join(offer.name for offer in others)}."
            console.print(Text(line, style="dim"))
        return
    if wanted in kinds:
        offers = [offer for offer in offers if offer.kind == kinds[wanted]]
    elif wanted in manager.names and any(offer.owner == wanted for offer in offers):
        offers = [offer for offer in offers if offer.owner == wanted]
    else:
        word = wanted.casefold()
        found = [offer for offer in offers if word in offer.name.casefold() or word in offer.summary.casefold().split()]
        if not found:
            show_offer(manager, wanted, console)  # which says what is near
        offers = found
    _print_offers(console, offers)


def _print_offers(
    console: Console, offers: Sequence[Offer], folded: Collection[tuple[str, str]] = (),
    numbers: Mapping[tuple[str, str], int] = MappingProxyType({}),
) -> None:  # fmt: skip
    """Print offers by kind, each with what it is and its plugin; words are never cut at the edge."""
    for kind in KINDS:
        of_kind = sorted(
            (offer for offer in offers if offer.kind == kind), key=lambda offer: (_family(offer), offer.name)
        )
        rest = sorted(family for each, family in folded if each == kind)
        if not of_kind and not rest:
            continue
        console.print(Text(kind, style="underline"))
        widest = min(_WIDEST, max((len(offer.name) for offer in of_kind), default=0))
        for offer in of_kind:
            sentence = f"{offer.summary}{_badge(offer)}"
            _print_entry(console, offer.name, Text(f"{sentence} ").append(f"[{offer.owner}]", style="dim"), widest)
        for family in rest:
            said = Text(f"{numbers[kind, family]} names: 'robustfim plugins {family}' lists them.", style="dim")
            _print_entry(console, f"{family}/…", said, widest)
        console.print()


def _print_entry(console: Console, name: str, told: Text, widest: int) -> None:
    """Print a name and what it is, broken between words; a long name has a line of its own."""
    margin = " " * (widest + 4)
    lines = told.wrap(console, max(30, console.width - len(margin)))
    for line in lines:
        line.rstrip()
    begin = Text(f"  {name:<{widest}}  ", style="bold")
    if len(name) > widest:
        console.print(Text(f"  {name}", style="bold"), soft_wrap=True)
        begin = Text(margin)
    console.print(begin.append_text(lines[0]) if lines else begin, soft_wrap=True)
    for line in lines[1:]:
        console.print(Text(margin).append_text(line), soft_wrap=True)


def show_offer(manager: PluginManager, name: str, console: Console) -> None:
    """Print the description and the options of an object that a plugin offers, such as a perturbation.

    Raises:
        UsageError: No plugin offers this name.
    """
    named = [offer for kind in KINDS if (offer := manager.find(kind, name)) is not None]
    if not named:
        known = [each for kind in KINDS for each in manager.offers(kind)]
        raise UsageError(
            f"no plugin offers {shown(name)}.{did_you_mean(name, known)} 'robustfim plugins' lists all names."
        )
    for index, offer in enumerate(named):
        if index:
            console.print()
        console.print(
            Text(f"{offer.name}", style="bold").append(f"  {KINDS[offer.kind]} of plugin {offer.owner}", style="dim")
        )
        if badge := _badge(offer):
            console.print(Text(badge.strip(), style="dim"))
        described = parse(inspect.getdoc(offer.cls) or "")
        for paragraph in filter(None, (described.description or "").split("\n\n")):
            console.print(Text(plain(paragraph)))
            console.print()
        if offer.kind == "perturbations" and (card := manager.cards().get(offer.name)) is not None:
            console.print(Text(f"Card: {card.sentence} Its class of naturalness is {card.naturalness}."))
            console.print()
        console.print(_options(offer))
        if offer.kind == "perturbations":
            console.print(Text(f"Every perturbation also takes {', '.join(_SHARED)}.", style="dim"))


def _badge(offer: Offer) -> str:
    """What is to be known of a yardstick, or nothing."""
    yardstick = offer.kind == "perturbations" and PerturbationPart(offer.cls).contract.noise
    return " (a yardstick, not meant to keep the meaning)" if yardstick else ""


def _family(offer: Offer) -> str:
    """What stands before the slash of a name, or nothing."""
    return offer.name.rpartition("/")[0]


def _options(offer: Offer) -> Table | Text:
    fields = options_model(offer.cls, offer.owner).model_fields
    if not fields:
        return Text("It has no options.", style="dim")
    table = Table("option", "type", "default", "meaning", box=None, pad_edge=False, header_style="underline")
    table.columns[0].no_wrap = True
    known = meanings(offer.cls)
    kinds = held(offer.cls, offer.owner)
    for name, field in fields.items():
        kind = _type_name(field.annotation)
        kind = kind.replace("Any", KINDS[kinds[name]]) if name in kinds else kind
        default = "(needed)" if field.is_required() else repr(field.default)
        table.add_row(name, Text(kind), Text(default), Text(known.get(name, "")))
    return table


def _type_name(annotation: object) -> str:
    if isinstance(annotation, type) and not hasattr(annotation, "__origin__"):
        return annotation.__name__
    return str(annotation).replace("typing.", "").replace("pathlib.", "").replace("NoneType", "None")
