"""Find the resources that affect the texts of a check, such as taggers, lexicons and word vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from robustfim.collect.check import Check
from robustfim.errors import UsageError
from robustfim.plugin.options import options_model, resolve
from robustfim.suite.file import Location, SuiteFile

__all__ = ["fallbacks", "left_alone", "named_files", "refuse_fallbacks", "resources"]


def named_files(cls: type[Any], options: Mapping[str, Any], file: SuiteFile, location: Location) -> dict[str, Path]:
    """Find the files that the options of a plugin's class name."""
    paths = {}
    for name, field in options_model(cls, cls.__name__).model_fields.items():
        value = options.get(name)
        if isinstance(value, str | Path):
            path = resolve(value, field.annotation, file.base((*location, name)))
            if isinstance(path, Path) and path.is_file():
                paths[name] = path
    return paths


def resources(check: Check) -> dict[str, str]:
    """Return versions of the resources, such as word lists and files, that a check uses.

    Returns:
        Name of the resource to its version or hash; the name begins with the object's role, except for the
        perturbation.

    Raises:
        PluginError: An object raised, or returned something other than texts by name.
    """
    found = check.perturbation.resources()
    for part in check.parts[1:]:
        found |= {f"{part.use}: {name}": version for name, version in part.resources().items()}
    return found | {name: f"{path.name} {_hash(path)}" for name, path in check.files.items()}


def fallbacks(checks: Iterable[Check]) -> dict[str, list[str]]:
    """Find the replacements that checks use for missing resources.

    Returns:
        A mapping from a sentence (replacement and reason) to the names of the checks that use the replacement.
    """
    by_reason: dict[str, list[str]] = {}
    for check in checks:
        if check.spec.skip is None:
            for reason in dict.fromkeys(part.fallback for part in check.parts):
                if reason:
                    by_reason.setdefault(reason, []).append(check.name)
    return by_reason


def left_alone(checks: Iterable[Check]) -> list[str]:
    """Report how many texts the perturbations of checks left unchanged in a run, and why.

    Returns:
        A sentence for each reason and count, with the names of the checks.
    """
    by_sentence: dict[str, list[str]] = {}
    for check in checks:
        for reason, number in (pair for part in check.parts for pair in part.skipped.items()):
            left = f"{reason}: {number:,} text{'s were' if number > 1 else ' was'} left alone."
            by_sentence.setdefault(left, []).append(check.name)
    return [f"{', '.join(names)}: {why}" for why, names in by_sentence.items()]


def refuse_fallbacks(by_reason: Mapping[str, Sequence[str]]) -> None:
    """Raise an error if a check would use a replacement for a missing resource.

    Raises:
        UsageError: A check uses a replacement.
    """
    for reason, names in by_reason.items():
        raise UsageError(f"{', '.join(names)}: {reason}. 'fallbacks: false' in the suite forbids that.")


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()[:12]
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}.") from error
