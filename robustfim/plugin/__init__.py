"""The door of plugins: the hooks, what each plugin offers, and how it is loaded and made.

Open to plugins: ``factory``, ``manager``, ``options`` and ``sources``, by which commands make what plugins offer.
"""
