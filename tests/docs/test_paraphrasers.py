"""Every example of docs/paraphrasers.md is run as it is printed."""

from __future__ import annotations

import importlib.util
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

import robustfim_sears
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.options import options_model
from tests.docs.page import DOCS, Page

PAGE = Page.read("paraphrasers.md")
TEXT = (DOCS / "paraphrasers.md").read_text(encoding="utf-8")
HAS_TORCH = importlib.util.find_spec("torch") is not None
test_the_commands_show_what_the_page_says = pytest.mark.skipif(not HAS_TORCH, reason="torch is not installed")(
    PAGE.test_of_commands()
)


@pytest.fixture
def here(here: Path) -> Path:
    """The folder of the page, with the files of the page of rules."""
    Page.read("sears.md").write_files()
    PAGE.write_files()
    return here


def test_every_paraphraser_is_told() -> None:
    for name in robustfim_sears.robustfim_offers()["paraphrasers"]:
        assert f"| `{name}`" in TEXT


def test_the_paraphrasers_that_the_page_only_prints_take_the_options_that_it_names() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    commands = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    manager = PluginManager()
    manager.load_entry_points()
    for command in commands:
        words = shlex.split(command)
        name, *options = [after for before, after in pairwise(words) if before == "--paraphraser"]
        given = {key: yaml.safe_load(value) for key, _, value in (option.partition("=") for option in options)}
        options_model(manager.get("paraphrasers", name).cls, "sears").model_validate(given)
    assert len(commands) == 2
