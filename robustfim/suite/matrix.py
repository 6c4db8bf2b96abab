"""A check for each value of an option: one row, one limit and one verdict for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from robustfim.suite.file import Location, SuiteFile, copied

__all__ = ["one_check_each"]

_KEY = "each"


def one_check_each(file: SuiteFile) -> SuiteFile:
    """Split checks with ``each: {option: [one, other]}`` into one check for each value of the perturbation's option.

    The check ``names`` with ``each: {to: [indian, chinese]}`` becomes ``names.indian`` and ``names.chinese``, which
    differ in nothing else; ``each: {to: {indian: 0.05, chinese: 0.1}}`` gives each its own limit.

    Returns:
        The suite, with the checks in their places; ``file`` itself where no check has ``each``.

    Raises:
        SuiteError: ``each`` names no option with several values, or the perturbation has the option already.
    """
    checks = file.data.get("checks")
    if not isinstance(checks, Mapping) or not any(isinstance(c, Mapping) and _KEY in c for c in checks.values()):
        return file
    expanded: dict[str, Any] = {}
    lines, overridden = dict(file.lines), dict(file.overridden)
    for name, check in checks.items():
        if not isinstance(check, Mapping) or _KEY not in check:
            expanded[name] = check
            continue
        option, values = _values(file, name, check)
        for value, limit in values:
            one = f"{name}.{re.sub(r'[^A-Za-z0-9_.-]+', '-', str(value)).strip('.-')}"
            if one in expanded or one in checks:
                raise file.error(f"there are two checks {one!r}.", ("checks", name, _KEY))
            rest = {key: copied(part) for key, part in check.items() if key not in (_KEY, "perturb")}
            perturb = check["perturb"]
            perturb = dict(copied(perturb)) if isinstance(perturb, Mapping) else {"use": perturb}
            expanded[one] = {
                "perturb": {**perturb, option: value},
                **rest,
                **({} if limit is None else {"limit": limit}),
            }
            for places in (lines, overridden):
                _copy(places, ("checks", name), ("checks", one))
    return replace(file, data={**file.data, "checks": expanded}, lines=lines, overridden=overridden)


def _values(file: SuiteFile, name: str, check: Mapping[str, Any]) -> tuple[str, list[tuple[Any, Any]]]:
    """Read the option and its values, each with its limit or None."""
    each, perturb, at = check[_KEY], check.get("perturb"), ("checks", name, _KEY)
    if not isinstance(each, Mapping) or len(each) != 1:
        raise file.error("each names one option of the perturbation: each: {to: [indian, chinese]}.", at)
    ((option, given),) = each.items()
    if not isinstance(given, list | Mapping) or not given:
        raise file.error(f"each: {option!r} needs a list of values, or values with a limit each.", at)
    if not isinstance(perturb, str) and not (isinstance(perturb, Mapping) and isinstance(perturb.get("use"), str)):
        raise file.error("each goes with one perturbation.", at)
    if isinstance(perturb, Mapping) and option in perturb:
        raise file.error(f"each: {option!r} stands in 'perturb' already.", at)
    return str(option), list(given.items()) if isinstance(given, Mapping) else [(value, None) for value in given]


def _copy(places: dict[Location, Any], old: Location, new: Location) -> None:
    """Give what is known of one part of a suite to another."""
    for place, known in list(places.items()):
        if place[: len(old)] == old:
            places[(*new, *place[len(old) :])] = known
