"""``python -m robustfim`` is ``robustfim``."""

from robustfim.cli import main

__all__: list[str] = []

main()
