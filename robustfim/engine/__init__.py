"""Where predictions and gradients are computed: in this process, or by workers that an engine starts.

Open to plugins that are engines: ``Worker`` and ``serve`` of ``robustfim.engine.worker``.
"""
