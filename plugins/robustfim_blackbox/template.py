"""Templates: JSON with places such as ``{text}`` that are filled for each request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from robustfim.errors import UsageError, did_you_mean

__all__ = ["fill", "fill_address", "places"]

_PLACE = re.compile(r"\{\{|\}\}|\{(\w+)\}")


def places(template: Any) -> set[str]:
    """Return the names of the places in a template."""
    return {place[1] for text in _texts(template) for place in _PLACE.finditer(text) if place[1]}


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """Fill the places of a template. A filled-in text is not searched for places.

    Args:
        template: The template. ``{{`` and ``}}`` stand for braces.
        values: The values, by the names of the places. A list replaces a place that is a whole text, such as
            ``"{texts}"``.

    Raises:
        UsageError: A place has no value.
    """
    if isinstance(template, Mapping):
        return {key: fill(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(each, values) for each in template]
    if not isinstance(template, str):
        return template
    whole = _PLACE.fullmatch(template)
    if whole and whole[1] and not isinstance(values.get(whole[1], ""), str):
        return values[whole[1]]
    return _PLACE.sub(lambda place: _value(place, values), template)


def fill_address(template: str, values: Mapping[str, str]) -> str:
    """Fill the places of an address with percent-encoded values.

    Raises:
        UsageError: A place has no value.
    """
    encoded = {name: quote(value.encode("utf-8", "replace"), safe="") for name, value in values.items()}
    return str(fill(template, encoded))


def _value(place: re.Match[str], values: Mapping[str, Any]) -> str:
    name = place[1]
    if name is None:
        return place[0][0]
    if name not in values:
        raise UsageError(
            f"the template has a place '{{{name}}}' that nothing fills.{did_you_mean(name, values)} "
            f"Known: {', '.join(f'{{{value}}}' for value in values)}; braces themselves are written '{{{{' and '}}}}'."
        )
    return str(values[name])


def _texts(template: Any) -> Iterator[str]:
    if isinstance(template, str):
        yield template
    elif isinstance(template, Mapping | list):
        for each in template.values() if isinstance(template, Mapping) else template:
            yield from _texts(each)
