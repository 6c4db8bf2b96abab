"""Resources: what the texts of a check depend on beside its options, such as taggers, lexicons and word vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from robustfim.blame import blame
from robustfim.collect.check import Check
from robustfim.errors import PluginError, UsageError, shown
from robustfim.members import member
from robustfim.plugin.options import options_model, resolve
from robustfim.suite.file import Location, SuiteFile

__all__ = ["fallbacks", "left_alone", "named_files", "refuse_fallbacks", "resources", "resources_of"]


def named_files(cls: type[Any], options: Mapping[str, Any], file: SuiteFile, location: Location) -> dict[str, Path]:
    """Find the files that the options of a plugin's class name.

    Args:
        cls: The class.
        options: The suite's keys for it.
        file: The suite file, from which relative paths start.
        location: Where the options stand in it.

    Returns:
        The files that exist, by option.
    """
    found = {}
    for name, field in options_model(cls, cls.__name__).model_fields.items():
        value = options.get(name)
        if isinstance(value, str | Path):
            path = resolve(value, field.annotation, file.base((*location, name)))
            if isinstance(path, Path) and path.is_file():
                found[name] = path
    return found


def resources(check: Check) -> dict[str, str]:
    """Name what the texts of a check depend on: what its perturbation and constraints say, and the files they read.

    Args:
        check: The check, after its parts were prepared.

    Returns:
        A version or a hash by name; that of a constraint's begins with the constraint's.

    Raises:
        PluginError: A part raised, or says something else than texts by name.
    """
    found: dict[str, str] = {}
    for begin, kind, part, who in _parts(check):
        found |= {f"{begin}{name}": version for name, version in resources_of(kind, part, who).items()}
    return found | {name: f"{path.name} {_hash(path)}" for name, path in check.files.items()}


def resources_of(kind: str, part: Any, who: str) -> dict[str, str]:
    """Name what a perturbation or a constraint works with beside its options.

    Args:
        kind: Its kind: a key of ``KINDS``.
        part: The part, after it was prepared.
        who: Who it is, for messages.

    Returns:
        A version or a hash by name.

    Raises:
        PluginError: It raised, or says something else than texts by name.
    """
    tell = member(kind, part, "resources")
    if tell is None:
        return {}
    with blame(who):
        told = tell()
    if not isinstance(told, Mapping) or not all(isinstance(each, str) for pair in told.items() for each in pair):
        raise PluginError(f"{who}: resources() must give a version by name, not {shown(told)}.")
    return dict(told)


def fallbacks(checks: Iterable[Check]) -> dict[str, list[str]]:
    """Find what stands in for something that is missing.

    Args:
        checks: The checks that will run.

    Returns:
        The names of the checks, by what stands in and why.
    """
    found: dict[str, list[str]] = {}
    for check in checks:
        if check.spec.skip is None:
            for reason in dict.fromkeys(member(kind, part, "fallback") for _, kind, part, _ in _parts(check)):
                if reason:
                    found.setdefault(str(reason), []).append(check.name)
    return found


def left_alone(checks: Iterable[Check]) -> list[str]:
    """Tell how many texts the perturbations of checks left alone, after a run.

    Args:
        checks: The checks of the run.

    Returns:
        A sentence for each reason and count, with the names of the checks.
    """
    told: dict[str, list[str]] = {}
    for check in checks:
        for reason, number in member("perturbations", check.perturbation, "skipped").items():
            told.setdefault(f"{reason}: {number:,} texts were left alone.", []).append(check.name)
    return [f"{', '.join(names)}: {why}" for why, names in told.items()]


def refuse_fallbacks(found: Mapping[str, Sequence[str]]) -> None:
    """Refuse a run in which something would stand in for what is missing.

    Args:
        found: As :func:`fallbacks` gives it.

    Raises:
        UsageError: There is any.
    """
    for reason, names in found.items():
        raise UsageError(f"{', '.join(names)}: {reason}. 'fallbacks: false' in the suite forbids that.")


def _parts(check: Check) -> Iterator[tuple[str, str, Any, str]]:
    """The parts that decide a check's texts: what their resources are named after, their role, and who they are."""
    yield "", "perturbations", check.perturbation, check.who["perturbation"]
    for each in check.constraints:
        yield f"{each.name}: ", "constraints", each.constraint, each.who


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()[:12]
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
