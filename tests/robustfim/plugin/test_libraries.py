from __future__ import annotations

from typing import ClassVar

from robustfim.plugin.libraries import missing_libraries
from tests.robustfim.command_line import CommandLine, refused

NEEDY = """\
import robustfim

class Needy:
    libraries = {"no_such_library": "robustfim[torch]"}
    labels = ("a", "b")
    fingerprint = "needy"

    def __init__(self):
        raise RuntimeError("it was made")

    def predict(self, examples):
        raise RuntimeError("it was asked")

@robustfim.hookimpl
def robustfim_offers():
    return {"models": {"needy": Needy}}
"""


class _Part:
    libraries: ClassVar = {"json": "a", "no_such_library": "robustfim[torch]", "neither_this": "robustfim[torch]"}


def test_missing_libraries_are_named_with_the_command_that_brings_them() -> None:
    assert missing_libraries("models", _Part, "part") == (
        "'part' needs no_such_library and neither_this, which are not installed: pip install 'robustfim[torch]'."
    )
    assert missing_libraries("models", object, "part") == ""


def test_a_missing_library_ends_a_run_with_one_line_before_anything_is_opened(robustfim: CommandLine) -> None:
    robustfim.write("needy.py", NEEDY)
    shown = robustfim("run toy.yaml -p needy.py --model use=needy")
    refused(shown, "'needy' needs no_such_library, which is not installed: pip install 'robustfim[torch]'.")
    assert shown.out == ""
    assert not (robustfim.folder / "reports").exists()
    assert not (robustfim.folder / ".robustfim").exists()
