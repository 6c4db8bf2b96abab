"""The factory, which makes the object that a suite names, and before it the objects in its options."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from robustfim.builtin.conditional_expectation import Where, original_labels
from robustfim.decision import DecisionRule, NumberRule, OrderRule
from robustfim.errors import PluginLoadError, UsageError
from robustfim.members import check_members
from robustfim.parts import PARTS, WRAPPED, ScorerPart
from robustfim.plugin.libraries import missing_libraries
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS, Offer
from robustfim.plugin.options import build, held
from robustfim.predict.decided import decided
from robustfim.predict.labels import is_answering
from robustfim.predict.rating import Ordering, Rating, answering
from robustfim.suite.file import Location, SuiteFile
from robustfim.suite.format import PerturbSpec, Use

__all__ = ["Look", "default_score", "make_offered"]

Look: TypeAlias = Callable[[Any, Use, Location], None]
"""Called with an object that was made, its name and options, and its place in the suite."""

_SCRIPT = "the script"
"""The owner, in messages, of an object that a script gives."""

_ROLES = {"models": "fingerprint", "data": "load"}
"""The kinds for which a script may give an object without a role, such as a function, and a member of the role."""


_SHARED_OPTIONS = {"expectations": ("where",), "models": ("decide",)}
"""Options that any object of a kind takes, and that are not passed to its class."""


def _has_every_attribute(value: Any) -> bool:
    """Tell whether an object, such as a mock or a remote proxy, answers to a name that nothing has."""
    try:
        return hasattr(value, f"robustfim_{secrets.token_hex(8)}")
    except Exception:  # it is no more than an object that raises
        return False


def make_offered(
    manager: PluginManager, file: SuiteFile, kind: str, use: Use, location: Location,
    options: Mapping[str, Any] | None = None, *, look: Look | None = None,
) -> tuple[Any, Offer]:  # fmt: skip
    """Construct the object that a suite names, and check that it can play its role.

    If an option is annotated with a role, such as ``list[PerturbationPart]``, the suite gives names of other objects
    there. These objects are made first, and passed to the class in the same lists and mappings. Every expectation also
    takes ``where``, the original predictions to which it applies, and every model ``decide``, its decision rule.

    An object that a script gives is used as it is. If the object is not a model or data source itself, such as a
    pipeline of a library, a plugin names the class that wraps it.

    Args:
        manager: The loaded plugins.
        file: The suite.
        kind: The kind of object, such as ``perturbations``.
        use: The name and options.
        location: The place of the name in the suite file.
        options: Further options.
        look: Called with each object that was made, the object's name and options, and its place in the suite.

    Raises:
        UsageError: A name or an option is wrong, or a library that the class needs is not installed.
        PluginError: The class cannot be imported or constructed, or cannot play its role.
    """
    if isinstance(use.given, type):
        raise file.error(f"{use.use} is a class; give an instance, {use.given.__name__}(…).", location)
    if use.given is not None:
        if _has_every_attribute(use.given):
            message = (
                f"{type(use.given).__name__} has every attribute that it is asked for, so nothing tells what it is; "
                "a model is given as a function: lambda texts: it(texts)."
            )
            raise file.error(message if kind == "models" else f"{message.partition(';')[0]}.", location)
        # The class is asked, since a property of the object may load a model.
        if kind not in _ROLES or _ROLES[kind] in (*dir(type(use.given)), *getattr(use.given, "__dict__", ())):
            if others := [name for name in use.options if kind != "models" or name not in _SHARED_OPTIONS[kind]]:
                message = f"{use.use} is made already, so it takes no options: {', '.join(others)}."
                raise file.error(message, location)
            check_members(kind, use.given, _SCRIPT)
            rule = _rule(use.options, file, location) if kind == "models" else None
            made = _with_rule(manager, use.given, rule, file, location)
            return _wrapped(kind, made, use, _SCRIPT), Offer(kind, use.use, _SCRIPT, type(use.given))
        spec = manager.hook.robustfim_translate(kind=kind, value=use.given)
        if spec is None:
            message = f"{type(use.given).__name__} is no {KINDS[kind]}, and no plugin takes it as one."
            raise file.error(message, location)
        use = Use.model_validate({**spec, **(use.options if options is None else options)})
        options = None
    try:
        offer = manager.get(kind, use.use)
    except UsageError as error:
        raise file.error(str(error), (*location, "use")) from None
    if missing := missing_libraries(kind, offer.cls, use.use):
        raise file.error(missing, location)
    chosen = dict(use.options if options is None else options)

    def parts_of(value: Any, inner: str, place: Location) -> Any:
        """Make the objects that an option names, in its lists and mappings."""
        if isinstance(value, list):
            return [parts_of(each, inner, (*place, index)) for index, each in enumerate(value)]
        if isinstance(value, dict) and value.get("use") is None:
            return {key: parts_of(each, inner, (*place, key)) for key, each in value.items()}
        named = Use.read(value) if value is not None and not isinstance(value, int | float) else None
        if named is None:
            raise file.error(f"{value!r} names no {KINDS[inner]}: write its name, or {{use: NAME, …}}.", place)
        part = make_offered(manager, file, inner, named, place, look=look)[0]
        if look is not None:
            look(part, named, place)
        return part

    for option, inner in held(offer.cls, offer.owner).items():
        if chosen.get(option) is not None:
            chosen[option] = parts_of(chosen[option], inner, (*location, option))
    shared = {name: chosen.pop(name, None) for name in _SHARED_OPTIONS.get(kind, ())}
    shared = {name: value for name, value in shared.items() if value is not None}
    if kind == "models":  # a wrong rule is told before a model is loaded
        rule = _rule(shared, file, location)
    beside = [
        *_SHARED_OPTIONS.get(kind, ()),
        *([*PerturbSpec.model_fields][1:] if location[-1:] == ("perturb",) else []),
    ]
    made = build(offer.cls, chosen, offer.owner, file, location, name=use.use, others=beside)
    check_members(kind, made, offer.owner)
    if kind == "models":
        return _with_rule(manager, made, rule, file, location), offer
    if "where" in shared:
        try:
            made = Where(made, original_labels(shared["where"]))
        except ValueError as error:
            raise file.error(f"{error}.", (*location, "where")) from None
    return _wrapped(kind, made, use, offer.owner), offer


def _rule(options: Mapping[str, Any], file: SuiteFile, location: Location) -> DecisionRule | None:
    """Read how a model decides."""
    decide = options.get("decide")
    try:
        return None if decide is None else DecisionRule.read(decide)
    except ValueError as error:
        raise file.error(f"{error}.", (*location, "decide")) from None


_OF_NUMBERS = "{within: 0.25} or {order: [FIELD, FIELD]}"


def _with_rule(
    manager: PluginManager, made: Any, rule: DecisionRule | None, file: SuiteFile, location: Location
) -> Any:
    """Put a decision rule over a model."""
    made = answering(made)
    rating, at = isinstance(made, Rating), (*location, "decide")
    if rating and rule is None:
        raise file.error(
            "the model gives numbers, so 'decide' must say how to compare them. Write the largest difference "
            "that counts as the same, as in 'decide: {within: 0.25}', or two fields, 'decide: {order: "
            "[FIELD, FIELD]}', of which the first should get the larger number.",
            location,
        )
    if rule is not None and isinstance(rule, NumberRule) is not rating:
        has = "gives numbers, and no label to decide for" if rating else "gives no number"
        raise file.error(f"the model {has}: 'decide' can be {_OF_NUMBERS if rating else 'a rule of labels'}.", at)
    if isinstance(rule, OrderRule):
        made, rule = Ordering(made, rule), None
    if rule is None:
        return made
    location = (*location, "decide")
    if is_answering(made) and not rating:
        raise file.error("a model that answers in its own words, or with spans, has no label to decide for.", location)
    if rule.target is None:
        return decided(made, rule)
    on, location = rule.target.on, (*location, "at", "on")
    kind = Path(on).suffix.removeprefix(".") if isinstance(on, str) else ""
    try:
        use = Use.read({"use": kind, "path": on} if manager.find("data", kind) else on)
    except UsageError as error:
        raise file.error(str(error), location) from None
    return decided(made, rule, make_offered(manager, file, "data", use, location)[0])


def _wrapped(kind: str, made: Any, use: Use, owner: str) -> Any:
    """The part that an object becomes, of the kinds that have one."""
    return PARTS[kind](made, use.use, owner) if kind in WRAPPED else made


def default_score(manager: PluginManager) -> str | None:
    """Return the name of the difficulty score that selects examples if the suite names no score.

    Returns:
        The name of the score; None if no plugin has a default score.

    Raises:
        PluginError: A score cannot be imported, or two claim to be the default.
    """
    found = [offer for offer in manager.offers("scorers").values() if ScorerPart(offer.cls).contract.default]
    if len(found) > 1:
        names = " and ".join(f"{offer.name!r} of plugin {offer.owner!r}" for offer in found)
        raise PluginLoadError(f"several scores say that they are the default ({names}); name one with 'by: NAME'.")
    return found[0].name if found else None
