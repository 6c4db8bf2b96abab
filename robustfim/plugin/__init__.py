"""The plugin system: the hooks, the offers of each plugin, and how plugins are loaded and their objects made.

Open to plugins: what this package exports, ``factory``, ``options`` and ``described``. Commands use them to make and
show the offers of plugins.
"""

from __future__ import annotations

from robustfim.plugin.manager import PluginManager
from robustfim.plugin.offer import KINDS, Offer
from robustfim.plugin.sources import PluginOptions, load_plugins

__all__ = ["KINDS", "Offer", "PluginManager", "PluginOptions", "load_plugins"]
