"""TextAttack for the tests, imported once by the plugin in a home of its own, cut off from the network."""

from __future__ import annotations

import importlib.util
import os
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from robustfim_textattack.library import textattack as imported

MISSING = importlib.util.find_spec("textattack") is None


@dataclass(frozen=True)
class Library:
    """TextAttack, the home in which it was imported, and the hosts that its import asked for."""

    package: Any
    home: Path
    asked: list[Any]


IMPORTED: list[Library] = []
"""At most one."""


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """TextAttack; the same to the tests of the plugin and of its page, which both have this fixture."""
    if MISSING:
        pytest.skip("textattack is missing: pip install 'robustfim[textattack]'")
    if not IMPORTED:
        IMPORTED.append(import_it(tmp_path_factory.mktemp("home")))
    return IMPORTED[0]


def import_it(home: Path) -> Library:
    """Import TextAttack where NLTK finds nothing, and let NLTK keep what the plugin wrote for it."""
    import nltk

    asked, path = list[Any](), nltk.data.path[:]

    def refuse(*host: Any, **_: Any) -> Any:
        asked.append(host)
        raise OSError("no network in this test")

    nltk.data.path[:] = [str(home / "nltk_data")]
    cut_off = patch.multiple(socket.socket, connect=refuse), patch.object(socket, "getaddrinfo", refuse)
    with patch.dict(os.environ, {"HOME": str(home)}), cut_off[0], cut_off[1]:
        package = imported()
    nltk.data.path[:] = [*path, str(home / "nltk_data")]
    return Library(package, home, asked)
