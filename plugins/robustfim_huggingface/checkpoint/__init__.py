"""Saved models: finding, checking and loading their folders."""
