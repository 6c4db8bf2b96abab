"""The door of plugins: the hooks, what each plugin offers, and how it is loaded and made.

Open to plugins: ``factory``, ``loading``, ``manager`` and ``options``, by which commands make what plugins offer.
"""
