"""The installation: Python, robustfim, the libraries, and whether their versions fit together."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import metadata

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet

from robustfim_doctor.diagnosis import Diagnosis

__all__ = ["diagnose_libraries", "diagnose_versions", "extras"]

_NOT_FOR_USERS = {"all", "dev"}
"""Extras that repeat others, or serve the development of robustfim."""


def extras() -> dict[str, list[Requirement]]:
    """Return the requirements of each pip extra of robustfim (such as ``http``); ``""`` for every installation."""
    requires = _requires("robustfim")
    always = [requirement for requirement in requires if _is_asked(requirement)]
    found = {"": always}
    for extra in metadata.metadata("robustfim").get_all("Provides-Extra") or ():
        found[extra] = [each for each in requires if _is_asked(each, extra) and each not in always]
    return found


def diagnose_libraries() -> Iterator[Diagnosis]:
    """Diagnose the optional libraries: their versions, or the command that installs a missing one."""
    listed: set[str] = set()
    # The smallest extra that brings a library goes first, so that nobody is sent to a larger one.
    for extra, requirements in sorted(extras().items(), key=lambda pair: (len(pair[1]), pair[0])):
        if not extra or extra in _NOT_FOR_USERS:
            continue
        for requirement in requirements:
            if requirement.name == "robustfim" or requirement.name in listed:
                continue
            listed.add(requirement.name)
            brings = f"pip install 'robustfim[{extra}]'"
            version = _version(requirement.name)
            if version is None:
                yield Diagnosis(
                    "libraries", requirement.name, "note", f"not installed; the extra {extra!r} brings it.", (brings,)
                )
            elif not _fits(requirement, version):
                message = f"{version}, but robustfim needs {requirement.specifier}."
                yield Diagnosis("libraries", requirement.name, "problem", message, (f"{brings} --upgrade",))
            else:
                yield Diagnosis("libraries", requirement.name, "ok", version)


def diagnose_versions() -> Iterator[Diagnosis]:
    """Diagnose the versions of Python, robustfim and its requirements, and conflicts between libraries."""
    python, wanted = platform.python_version(), metadata.metadata("robustfim")["Requires-Python"]
    fits = SpecifierSet(wanted).contains(python, prereleases=True)
    message = python if fits else f"{python}, but robustfim needs {wanted}."
    yield Diagnosis("versions", "python", "ok" if fits else "problem", message)
    yield Diagnosis("versions", "robustfim", "ok", metadata.version("robustfim"))
    for requirement in extras()[""]:
        version, needed = _version(requirement.name), f"{requirement.name}{requirement.specifier}"
        if version is not None and _fits(requirement, version):
            yield Diagnosis("versions", requirement.name, "ok", version)
        else:
            message = f"{version or 'not installed'}, but robustfim needs {needed}."
            remedy = f"pip install --upgrade '{needed}'"
            yield Diagnosis("versions", requirement.name, "problem", message, (remedy,))
    conflicts = list(_conflicts())
    yield from conflicts
    if not conflicts:
        yield Diagnosis("versions", "together", "ok", "no installed library asks for another version of another.")


def _conflicts() -> Iterator[Diagnosis]:
    """Find the installed libraries of robustfim whose own requirements are not met."""
    waiting = {
        requirement.name for group in extras().values() for requirement in group if requirement.name != "robustfim"
    }
    version_of = cache(_version)  # many ask for the same library
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        version = version_of(name)
        if name.lower() in seen or version is None:
            continue
        seen.add(name.lower())
        for requirement in filter(_is_asked, _requires(name)):
            found, needed = version_of(requirement.name), f"{requirement.name}{requirement.specifier}"
            if found is None or not _fits(requirement, found):
                message = f"{name} {version} needs {needed}; {found or 'none'} is installed."
                remedy = f"pip install '{needed}'"
                yield Diagnosis("versions", f"{name} with {requirement.name}", "problem", message, (remedy,))
            waiting.add(requirement.name)


def _requires(name: str) -> list[Requirement]:
    """Read what a distribution asks for, with the marks of its extras."""
    requires = []
    for line in metadata.requires(name) or ():
        with suppress(InvalidRequirement):  # an old distribution may write what no tool can read any more
            requires.append(Requirement(line))
    return requires


def _is_asked(requirement: Requirement, extra: str = "") -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": extra})


def _fits(requirement: Requirement, version: str) -> bool:
    return requirement.specifier.contains(version, prereleases=True)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
