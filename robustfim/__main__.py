"""``python -m robustfim`` is ``robustfim``."""

from robustfim.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
