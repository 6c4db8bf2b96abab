"""Fixtures of the tests of the terminal report."""

from tests.robustfim.conftest import robustfim

__all__ = ["robustfim"]
