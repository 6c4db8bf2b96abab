"""docs/model-files.md: the models that it names are offered; test_models.py runs its examples."""

from __future__ import annotations

import re

from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.docs.page import Page

PAGE = Page.read("model-files.md")


def test_the_models_of_the_page_are_offered() -> None:
    typed = " ".join(command.typed for title in PAGE.sections for command in PAGE.commands(title))
    named = set(re.findall(r"--model use=([\w/-]+)", typed))
    assert {"onnx", "spacy"} <= named <= set(load_plugins(PluginOptions()).offers("models"))
