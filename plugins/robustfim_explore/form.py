"""A perturbation as a form: describe its options, and convert a filled form to the form of a suite."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import yaml

from robustfim.errors import UsageError
from robustfim.plugin.described import meanings
from robustfim.suite import PerturbSpec
from robustfim_explore.request import Json

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from robustfim.plugin import PluginManager

__all__ = ["entered", "form"]

_OWN_FIELDS = ("use", "candidates")
"""Keys of a perturbation that the page asks for in fields of their own."""


def form(manager: PluginManager, name: str) -> Json:
    """Describe a perturbation's options as an input form for the page.

    Returns:
        A summary of the perturbation and, for each option, the name, default, meaning and choices, and whether the
        option may be a list, is required, or is common to all perturbations.

    Raises:
        UsageError: No plugin offers the perturbation.
    """
    offer = manager.get("perturbations", name)
    known = meanings(offer.cls)
    return {
        "summary": offer.summary,
        "options": [
            {
                "name": key,
                "default": "" if field.is_required() or field.default is None else _shown(field.default),
                "several": _several(field.annotation),
                "meaning": known.get(key) or field.description or "",
                "needed": field.is_required(),
                "choices": _choices(field.annotation),
                "shared": key in PerturbSpec.model_fields,
            }
            for key, field in _fields(manager, name).items()
        ],
    }


def entered(manager: PluginManager, given: Any) -> Json:
    """Convert the input of a form to a perturbation as a suite file describes it.

    Args:
        manager: The plugins.
        given: The name under ``use``, and the text of each option; an empty text is the default. Items of a list are
            separated by commas, and quoted if they contain a comma.

    Returns:
        A mapping with ``use`` and the options, as under ``perturb`` in a suite file.

    Raises:
        UsageError: ``given`` has another structure, no plugin offers the perturbation, or a text is not YAML.
    """
    if (
        not isinstance(given, Mapping)
        or not all(isinstance(each, str) for each in given.values())
        or "use" not in given
    ):
        raise UsageError("perturb: choose a perturbation.")
    fields = _fields(manager, given["use"])
    spec = {"use": given["use"]}
    for key, text in given.items():
        if key != "use" and text.strip():
            spec[key] = _value(key, text.strip(), fields.get(key))
    return spec


def _fields(manager: PluginManager, name: str) -> dict[str, FieldInfo]:
    """The options of a perturbation, its own first."""
    offer = manager.get("perturbations", name)
    shared = {key: field for key, field in PerturbSpec.model_fields.items() if key not in _OWN_FIELDS}
    return {**offer.options, **shared}


def _choices(annotation: Any) -> list[str]:
    if annotation is bool:
        return ["true", "false"]
    return [str(each) for each in get_args(annotation)] if get_origin(annotation) is Literal else []


def _several(annotation: Any) -> bool:
    """Whether an option may be a list."""
    return any(get_origin(each) in (list, tuple, Sequence) for each in (annotation, *get_args(annotation)))


def _shown(value: Any) -> str:
    """Write a default as it could be entered; of a part of a suite its name."""
    value = getattr(value, "use", value)
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _value(key: str, text: str, field: FieldInfo | None) -> Any:
    """Read what was entered for an option."""
    annotation = None if field is None else field.annotation
    kinds = {annotation, *get_args(annotation)}
    try:
        if _several(annotation) and not text.startswith("["):
            items = next(csv.reader([text], skipinitialspace=True, strict=True))
            return text if len(items) == 1 and str in kinds else items
        if kinds & {str, Path} and not kinds & {int, float}:
            return text
        return yaml.safe_load(text)
    except (csv.Error, yaml.YAMLError) as error:
        raise UsageError(f"{key}: {text!r} cannot be read: {error}.") from None
