"""robustfim finds where a text classifier breaks, proves it, and gates releases on it.

This module offers the names for scripts and plugin authors. Import everything else from its own module.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robustfim.api import context, perturb, run, score
    from robustfim.candidate import Candidate, Edit, Step
    from robustfim.contract import Contract
    from robustfim.errors import (
        DataError,
        ModelError,
        PluginError,
        RobustfimError,
        SkipCheck,
        SuiteError,
        UsageError,
    )
    from robustfim.example import Example
    from robustfim.hookspecs import hookimpl
    from robustfim.judgement import Judgement, Verdict
    from robustfim.outcome import ExitCode, Outcome
    from robustfim.prediction import Prediction
    from robustfim.result import Perturbed, Run, Scored
    from robustfim.version import __version__

__all__ = [
    "Candidate",
    "Contract",
    "DataError",
    "Edit",
    "Example",
    "ExitCode",
    "Judgement",
    "ModelError",
    "Outcome",
    "Perturbed",
    "PluginError",
    "Prediction",
    "RobustfimError",
    "Run",
    "Scored",
    "SkipCheck",
    "Step",
    "SuiteError",
    "UsageError",
    "Verdict",
    "__version__",
    "context",
    "hookimpl",
    "perturb",
    "run",
    "score",
]

_HOMES = (
    "version", "errors", "outcome", "hookspecs", "judgement", "prediction", "example", "candidate", "contract",
    "result", "api",
)  # fmt: skip
"""The modules that define the public names; a module with few imports stands first."""


def __getattr__(name: str) -> object:
    """Bring a public name when it is first asked for, so that the command line answers Ctrl-C from its beginning."""
    if name in __all__:
        for home in _HOMES:
            module = import_module(f"robustfim.{home}")
            if name in module.__all__:
                return getattr(module, name)
    raise AttributeError(f"module 'robustfim' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Name what is public."""
    return __all__
