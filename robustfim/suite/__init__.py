"""The suite: reading YAML with the line of every key, the format, and overrides.

Open to plugins: what this package exports, the suite that hooks and commands are given.
"""

from __future__ import annotations

from robustfim.run_options import RunOptions
from robustfim.suite.config import RunConfig
from robustfim.suite.file import SCRIPT, Location, SuiteFile, as_plain, parse_override, read_suite_file
from robustfim.suite.format import (
    LEAST_EXAMPLES,
    CheckSpec,
    Fraction,
    PerturbSpec,
    SelectSpec,
    Suite,
    Use,
    check_name,
    read_suite,
)
from robustfim.suite.variants import one_suite_each

__all__ = [
    "LEAST_EXAMPLES",
    "SCRIPT",
    "CheckSpec",
    "Fraction",
    "Location",
    "PerturbSpec",
    "RunConfig",
    "RunOptions",
    "SelectSpec",
    "Suite",
    "SuiteFile",
    "Use",
    "as_plain",
    "check_name",
    "one_suite_each",
    "parse_override",
    "read_suite",
    "read_suite_file",
]
