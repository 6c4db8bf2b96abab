"""Benchmarks: every number that robustfim claims, measured again by ``python -m benchmarks``."""
