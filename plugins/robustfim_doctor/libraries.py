"""The installation: Python, robustfim, the libraries, and whether their versions fit together."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
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
    requirements: dict[str, list[Requirement]] = {"": []}
    provided = metadata.metadata("robustfim").get_all("Provides-Extra") or ()
    for requirement in _library("robustfim").requires:
        if requirement.marker is None:
            requirements[""].append(requirement)
            continue
        for extra in provided:
            if requirement.marker.evaluate({"extra": extra}) and not requirement.marker.evaluate({"extra": ""}):
                requirements.setdefault(extra, []).append(requirement)
    return requirements


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
            brings = f"pip install {_quoted(f'robustfim[{extra}]')}"
            version = _version(requirement.name)
            if version is None:
                yield Diagnosis(
                    "libraries", requirement.name, "note", f"not installed; the extra {extra!r} brings it.", (brings,)
                )
            elif not requirement.specifier.contains(version, prereleases=True):
                message = f"{version}, but robustfim needs {requirement.specifier}."
                yield Diagnosis("libraries", requirement.name, "problem", message, (f"{brings} --upgrade",))
            else:
                yield Diagnosis("libraries", requirement.name, "ok", version)


def diagnose_versions() -> Iterator[Diagnosis]:
    """Diagnose the versions of Python, robustfim and its requirements, and conflicts between libraries."""
    python, wanted = platform.python_version(), _field("Requires-Python")
    fits = SpecifierSet(wanted).contains(python, prereleases=True)
    message = python if fits else f"{python}, but robustfim needs {wanted}."
    yield Diagnosis("versions", "python", "ok" if fits else "problem", message)
    yield Diagnosis("versions", "robustfim", "ok", metadata.version("robustfim"))
    for requirement in extras()[""]:
        version = _version(requirement.name)
        if version is not None and requirement.specifier.contains(version, prereleases=True):
            yield Diagnosis("versions", requirement.name, "ok", version)
        else:
            found = "not installed" if version is None else version
            message = f"{found}, but robustfim needs {requirement.name}{requirement.specifier}."
            remedy = f"pip install --upgrade {_quoted(f'{requirement.name}{requirement.specifier}')}"
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
        for requirement in _library(name).always:
            found = version_of(requirement.name)
            if found is None or not requirement.specifier.contains(found, prereleases=True):
                message = (
                    f"{name} {version} needs {requirement.name}{requirement.specifier}; {found or 'none'} is installed."
                )
                remedy = f"pip install {_quoted(f'{requirement.name}{requirement.specifier}')}"
                yield Diagnosis("versions", f"{name} with {requirement.name}", "problem", message, (remedy,))
            waiting.add(requirement.name)


@dataclass(frozen=True)
class _Library:
    version: str
    requires: tuple[Requirement, ...]
    always: tuple[Requirement, ...]
    """What is asked for here, without an extra."""


def _library(name: str) -> _Library:
    return _read(name, str(metadata.distribution(name).locate_file("")))


@cache
def _read(name: str, folder: str) -> _Library:
    """Read a distribution once: its file holds a whole description, and many ask for the same library."""
    found = next(iter(metadata.distributions(name=name, path=[folder])))
    fields, requires = found.metadata, []
    for line in fields.get_all("Requires-Dist") or found.requires or ():
        # An old distribution may write what no tool can read any more.
        with suppress(InvalidRequirement):
            requires.append(Requirement(line))
    always = tuple(
        requirement
        for requirement in requires
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""})
    )
    return _Library(fields["Version"], tuple(requires), always)


def _version(name: str) -> str | None:
    try:
        return _library(name).version
    except metadata.PackageNotFoundError:
        return None


def _field(name: str) -> str:
    """A field of robustfim's metadata; empty where it is not there."""
    return next(iter(metadata.metadata("robustfim").get_all(name) or ()), "")


def _quoted(text: str) -> str:
    return f"'{text}'"
