"""robustfim finds where a text classifier breaks, proves it, and gates releases on it.

What a script and a plugin author need is here; everything else is imported from its own module.
"""

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
