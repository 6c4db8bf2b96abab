"""Saved models of transformers: folders, the hub, adapters, and safe loading.

Only safetensors are loaded, and no code that comes with a model.
"""
