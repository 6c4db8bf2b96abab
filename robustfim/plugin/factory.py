"""Making: from a name and options in a suite to an object, and those of which it is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robustfim.errors import UsageError
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS, Offer
from robustfim.plugin.options import build
from robustfim.suite.file import Location, SuiteFile
from robustfim.suite.format import Use

__all__ = ["make_offered"]


def make_offered(
    manager: PluginManager, file: SuiteFile, kind: str, use: Use, location: Location,
    options: Mapping[str, Any] | None = None,
) -> tuple[Any, Offer]:  # fmt: skip
    """Construct what a suite names, after those of which it is made.

    A class may say in ``offered`` which of its options hold what other plugins offer, and of which kind:
    ``{"of": "perturbations"}``. It is given them made, in a list.

    Args:
        manager: The loaded plugins.
        file: Where it is written.
        kind: A key of ``KINDS``.
        use: Its name and options.
        location: Its place in the file.
        options: Other options than its own.

    Returns:
        The object, and the offer behind its name.

    Raises:
        UsageError: A name or an option is wrong.
        PluginError: It cannot be imported or constructed.
    """
    try:
        offer = manager.get(kind, use.use)
    except UsageError as error:
        raise file.error(str(error), (*location, "use")) from None
    chosen = dict(use.options if options is None else options)
    for option, inner in getattr(offer.cls, "offered", {}).items():
        if isinstance(named := chosen.get(option), str | list | dict):
            several = named if isinstance(named, list) else [named]
            chosen[option] = [
                make_offered(manager, file, inner, _named(each, inner, file, location), location)[0] for each in several
            ]
    return build(offer.cls, chosen, offer.owner, file, location), offer


def _named(value: Any, kind: str, file: SuiteFile, location: Location) -> Use:
    if isinstance(value, str):
        return Use(use=value)
    if isinstance(value, dict) and isinstance(value.get("use"), str):
        return Use.model_validate(value)
    raise file.error(f"{value!r} names no {KINDS[kind]}: write its name, or {{use: NAME, …}}.", location)
