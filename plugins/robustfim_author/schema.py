"""Make the JSON Schema of suites, with the names and options of the installed plugins."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from robustfim.plugin import PluginManager
from robustfim.plugin.options import options_model
from robustfim.suite import PerturbSpec, Suite

__all__ = ["suite_schema"]

_SHARED = set(PerturbSpec.model_fields) - {"use"}


def suite_schema(manager: PluginManager) -> dict[str, Any]:
    """Make the JSON Schema (draft 2020-12) of suite format v1.

    Args:
        manager: The loaded plugins: their names become enumerations, and their options become properties.

    Returns:
        A schema that editors can use for completion and that rejects unknown keys.
    """
    schema = Suite.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "robustfim suite"
    definitions = schema["$defs"]
    shared = {name: definitions["PerturbSpec"]["properties"][name] for name in _SHARED}
    shared["order"] = _offered(manager, "orders", definitions, extra=["random"])
    shared["search"] = _offered(manager, "searches", definitions)
    for name in ("Use", "PerturbSpec"):
        definitions.pop(name, None)
    properties = schema["properties"]
    properties["model"] = _offered(manager, "models", definitions, shared={"decide": _DECIDE})
    properties["models"] = {**_list(properties["model"]), "minItems": 2}
    schema["required"].remove("model")
    schema["oneOf"] = [{"required": ["model"]}, {"required": ["models"]}]
    properties["data"] = _offered(manager, "data", definitions)
    properties["scores"] = _list(_offered(manager, "scorers", definitions))
    del properties["checks of a source"]  # which no suite writes
    schema["required"] = [*schema["required"], "checks"]
    listed, brought = properties["checks"], _offered(manager, "checks", definitions)["anyOf"][1:]
    properties["checks"] = {"anyOf": [{**listed, "minProperties": 1}, *brought]}
    properties["engine"] = _offered(manager, "engines", definitions)
    properties["reports"] = _list(_offered(manager, "reports", definitions))
    check = definitions["CheckSpec"]["properties"]
    perturb = _offered(manager, "perturbations", definitions, shared=shared)
    several = {**_list(_offered(manager, "perturbations", definitions)), "minItems": 2}
    definitions["perturbations"] = several
    reference = {"$ref": "#/$defs/perturbations"}
    together = {
        "type": "object",
        "description": "Several perturbations, whose changes each candidate has together.",
        "properties": {"use": reference, **shared},
        "required": ["use"],
        "additionalProperties": False,
    }
    check["perturb"] = {"anyOf": [*perturb["anyOf"], reference, together]}
    check["expect"] = _offered(manager, "expectations", definitions, shared={"where": _WHERE})
    check["constrain"] = _list(_offered_short(manager, "constraints", definitions))
    check["fails"] = _offered_short(manager, "reducers", definitions)
    return schema


def _offered_short(manager: PluginManager, kind: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """What is offered, and ``{NAME: NUMBER}`` for what takes one number."""
    short = {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "propertyNames": {"enum": list(manager.offers(kind))},
    }
    return {"anyOf": [*_offered(manager, kind, definitions)["anyOf"], short]}


_LABEL = {"type": "string"}
_THRESHOLD = {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}
_TARGET = {
    "type": "object",
    "properties": {"fpr": _THRESHOLD, "on": {"anyOf": [{"type": "string"}, {"type": "object", "required": ["use"]}]}},
    "required": ["fpr", "on"],
    "additionalProperties": False,
}
_DECIDE = {
    "description": "How the model's probabilities become decisions; by default the label with the highest decides.",
    "anyOf": [
        {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
        for properties in (
            {"label": _LABEL, "at": {"anyOf": [_THRESHOLD, _TARGET]}},
            {"each": {"type": "object", "additionalProperties": _THRESHOLD, "minProperties": 1, "maxProperties": 8}},
            {"abstain": _THRESHOLD},
            {"within": {"type": "number", "exclusiveMinimum": 0}},
            {"order": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}},
        )
    ],
}
_WHERE = {
    "type": "object",
    "description": "Where the expectation applies: the labels that the model must have predicted before the change.",
    "properties": {"original": {"anyOf": [_LABEL, {"type": "array", "items": _LABEL, "minItems": 1}]}},
    "required": ["original"],
    "additionalProperties": False,
}


class _Lenient(GenerateJsonSchema):
    """Allows any value for an option whose type JSON Schema cannot express, such as a callable."""

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> dict[str, Any]:
        return {}


def _list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _offered(
    manager: PluginManager,
    kind: str,
    definitions: dict[str, Any],
    *,
    shared: dict[str, Any] | None = None,
    extra: list[str] | None = None,
) -> dict[str, Any]:
    """A name, or a mapping with ``use`` and that name's own options."""
    offers = manager.offers(kind)
    choices: list[dict[str, Any]] = [{"enum": [*(extra or []), *offers]}]
    for name, offer in offers.items():
        model = options_model(offer.cls, offer.owner)
        _, made = models_json_schema(
            [(model, "validation")], ref_template=f"#/$defs/{kind}.{name}.{{model}}", schema_generator=_Lenient
        )
        parts = made.get("$defs", {})
        definition = parts.pop(model.__name__, {})
        definitions.update({f"{kind}.{name}.{part}": value for part, value in parts.items()})
        choices.append(
            {
                "type": "object",
                "description": offer.summary,
                "properties": {"use": {"const": name}, **(shared or {}), **definition.get("properties", {})},
                "required": ["use", *definition.get("required", [])],
                "additionalProperties": bool(model.model_config.get("extra") == "allow"),
            }
        )
    return {"anyOf": choices}
