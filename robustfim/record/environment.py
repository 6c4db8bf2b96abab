"""The software and hardware of a run."""

from __future__ import annotations

import functools
import platform
from collections.abc import Sequence
from importlib import metadata

from robustfim.record.part import Part
from robustfim.version import __version__

__all__ = ["Environment", "PluginRecord", "describe_environment"]

_PACKAGES = (
    "captum",
    "datasets",
    "httpx",
    "lemminflect",
    "numpy",
    "scikit-learn",
    "scipy",
    "spacy",
    "textattack",
    "torch",
    "transformers",
)


class PluginRecord(Part):
    """A plugin that the run loaded."""

    name: str
    version: str | None = None
    """None for a local file."""
    sha256: str | None = None
    """The hash of a local file."""


class Environment(Part):
    """The software and hardware of the run."""

    robustfim: str
    python: str
    packages: dict[str, str] = {}
    """Versions of the libraries that affect numbers."""
    plugins: list[PluginRecord] = []
    device: str | None = None


def describe_environment(plugins: Sequence[PluginRecord], device: object) -> Environment:
    """Return the versions of libraries, the plugins and the device of a run, without paths, users and host names."""
    return Environment(
        robustfim=__version__,
        python=platform.python_version(),
        packages=dict(_versions()),
        plugins=list(plugins),
        device=None if device is None else str(device),
    )


@functools.cache
def _versions() -> dict[str, str]:
    """Look the installed packages up, once a process: a record is written at the end of every check."""
    versions = {}
    for name in _PACKAGES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions
