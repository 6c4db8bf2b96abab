"""Instances with two alternatives: how they are read and written."""
