"""robustfim finds where a text classifier breaks, proves it, and gates releases on it.

What a plugin author needs is here; everything else is imported from its own module.
"""

from robustfim.candidate import Candidate, Edit, Step
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

__all__ = [
    "Candidate",
    "DataError",
    "Edit",
    "Example",
    "ExitCode",
    "Judgement",
    "ModelError",
    "Outcome",
    "PluginError",
    "Prediction",
    "RobustfimError",
    "SkipCheck",
    "Step",
    "SuiteError",
    "UsageError",
    "Verdict",
    "__version__",
    "hookimpl",
]

__version__ = "0.1.0"
