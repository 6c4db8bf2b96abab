"""The door of plugins: the hooks, what each plugin offers, and how it is loaded and made.

Open to plugins: what this package exports, ``factory``, ``options`` and ``described``, by which
commands make and show what plugins offer.
"""

from __future__ import annotations

from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS
from robustfim.plugin.sources import PluginOptions, load_plugins

__all__ = ["KINDS", "PluginManager", "PluginOptions", "load_plugins"]
