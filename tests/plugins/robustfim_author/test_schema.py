"""The schema accepts what robustfim accepts and refuses what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from robustfim.errors import UsageError
from robustfim.plugin.sources import PluginOptions, load_plugins
from robustfim.session.open import open_session
from robustfim_author.schema import suite_schema
from tests.robustfim.command_line import SUITE, TOY, CommandLine


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    return suite_schema(load_plugins(PluginOptions(load=(str(TOY),))))


def valid(schema: dict[str, Any], text: str) -> bool:
    return bool(Draft202012Validator(schema).is_valid(yaml.safe_load(text)))


@pytest.mark.slow
def test_it_is_a_schema_of_its_draft(schema: dict[str, Any]) -> None:
    Draft202012Validator.check_schema(schema)


def test_every_reference_leads_somewhere(schema: dict[str, Any]) -> None:
    def references(part: Any) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
            return own + [reference for value in part.values() for reference in references(value)]
        return [reference for item in part for reference in references(item)] if isinstance(part, list) else []

    for reference in references(schema):
        name = reference.removeprefix("#/$defs/")
        assert name in schema["$defs"], reference


def test_the_shipped_suites_and_the_toy_fit(schema: dict[str, Any]) -> None:
    assert valid(schema, SUITE)
    for path in sorted((Path(__file__).parents[3] / "suites").glob("*.yaml")):
        assert valid(schema, path.read_text(encoding="utf-8")), path


HEAD = "suite: toy\nplugins: [toy.py]\nmodel: wordsum\ndata: films\n"


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "checks: {a: {perturb: rename}}",
        HEAD + "checks: {a: {perturb: {use: rename, words: 0.5, candidates: 3, table: {a: b}}}}",
        HEAD + "checks: {a: {perturb: rename, expect: {use: directional, tolerance: 0.2}}}",
        HEAD + "checks: {a: {perturb: rename, limit: 0.3, marks: [a], skip: later}}",
        HEAD + "checks: {a: {perturb: rename}}\nscores: [long]\nselect: {by: long, control: 5}",
        HEAD + "checks: {a: {perturb: rename}}\nreports: [json, {use: json, path: x.json}]",
    ],
)
def test_a_right_suite_fits_and_opens(robustfim: CommandLine, schema: dict[str, Any], text: str) -> None:
    assert valid(schema, text)
    assert open_session(robustfim.write("right.yaml", text)).collection.checks


@pytest.mark.parametrize(
    "text",
    [
        HEAD,
        HEAD + "checks: {}",
        HEAD + "checks: {a: {perturb: rename}}\nmodell: x",
        HEAD + "checks: {a: {perturb: renam}}",
        HEAD + "checks: {a: {perturb: {use: rename, tabel: {}}}}",
        HEAD + "checks: {a: {perturb: {use: rename, table: 3}}}",
        HEAD + "checks: {a: {perturb: {use: broken}}}",
        HEAD + "checks: {a: {perturb: {use: broken, how: nicely}}}",
        HEAD + "checks: {a: {perturb: {use: rename, candidates: 0}}}",
        HEAD + "checks: {a: {perturb: {use: rename, order: best}}}",
        HEAD + "checks: {a: {perturb: rename, expect: invariable}}",
        HEAD + "checks: {a: {perturb: rename, limit: 7}}",
        HEAD + "checks: {a: {perturb: rename}}\nscores: long",
        HEAD + "checks: {a: {perturb: rename}}\nselect: {bye: long}",
        HEAD + "checks: {a: {perturb: rename}}\nseed: x",
        HEAD.replace("wordsum", "wordsun") + "checks: {a: {perturb: rename}}",
    ],
)
def test_a_wrong_suite_neither_fits_nor_opens(robustfim: CommandLine, schema: dict[str, Any], text: str) -> None:
    assert not valid(schema, text)
    path = robustfim.write("wrong.yaml", text)
    with pytest.raises(UsageError):
        open_session(path)


def test_a_name_is_described_by_its_class(schema: dict[str, Any]) -> None:
    choices = schema["properties"]["model"]["anyOf"]
    assert "wordsum" in choices[0]["enum"]
    described = {choice["properties"]["use"]["const"]: choice["description"] for choice in choices[1:]}
    assert described["wordsum"] == "Adds up the weights of words."


def test_several_perturbations_are_composed_by_a_list(schema: dict[str, Any]) -> None:
    for perturb in ("[typos, {use: case, kinds: [lower]}]", "{use: [typos, case], words: 2, order: guided}"):
        assert valid(schema, SUITE.replace("perturb: rename", f"perturb: {perturb}")), perturb
    for perturb in ("[typos]", "[typos, tpyos]", "{use: [typos, case], kinds: [swap]}"):
        assert not valid(schema, SUITE.replace("perturb: rename", f"perturb: {perturb}")), perturb
