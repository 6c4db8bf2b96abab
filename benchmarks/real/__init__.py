"""The trial: ten classifiers that people install, scanned, gated and compared as their owners would do it."""
