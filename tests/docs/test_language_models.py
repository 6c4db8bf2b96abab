"""docs/language-models.md: the models of its suites take their options; test_models.py runs its examples."""

from __future__ import annotations

import pytest
import yaml

from robustfim.plugin.options import options_model
from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.docs.page import Page

PAGE = Page.read("language-models.md")
SUITES = {name: text for title in PAGE.sections for name, text in PAGE.files(title) if name.endswith(".yaml")}


@pytest.mark.parametrize("name", SUITES)
def test_the_model_of_a_suite_takes_its_options(name: str) -> None:
    options = dict(yaml.safe_load(SUITES[name])["model"])
    offer = load_plugins(PluginOptions()).offers("models")[options.pop("use")]
    given = options_model(offer.cls, "models").model_validate(options).model_dump(exclude_unset=True)
    assert given.keys() == options.keys()
