"""Construct the objects that a suite names: the model, the data, the scores and the checks with their plugins.

Open to plugins: what this package exports, for hooks and commands; and ``written``, with which commands write suites.
"""

from __future__ import annotations

from robustfim.collect.check import Check
from robustfim.collect.collection import Collection
from robustfim.collect.lookup import ROWS, ModelAndData, Named, model_and_data, named_part, predict, read_rows, sample
from robustfim.collect.written import flow, written_use

__all__ = [
    "ROWS",
    "Check",
    "Collection",
    "ModelAndData",
    "Named",
    "flow",
    "model_and_data",
    "named_part",
    "predict",
    "read_rows",
    "sample",
    "written_use",
]
