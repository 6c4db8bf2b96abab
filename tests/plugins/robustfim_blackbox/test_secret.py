"""Secrets stay in the environment."""

from __future__ import annotations

from typing import Any

import pytest

from robustfim import UsageError
from robustfim_blackbox.secret import Token, refuse_secrets

VARIABLE = "ROBUSTFIM_TEST_TOKEN"


def test_a_missing_variable_is_told_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "secret-1")
    assert Token(VARIABLE).read() == "secret-1"
    assert Token(None).read() == ""
    with pytest.raises(UsageError, match=f"'ROBUSTFIM_TEST_TOKN', which 'token_env' names, is not set. .*'{VARIABLE}'"):
        Token("ROBUSTFIM_TEST_TOKN").read()
    monkeypatch.setenv(VARIABLE, "  ")
    with pytest.raises(UsageError, match="is not set"):
        Token(VARIABLE).read()


def test_a_token_that_no_header_can_hold_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "secret one\nsecret two")
    with pytest.raises(UsageError, match="holds blanks, line breaks") as caught:
        Token(VARIABLE).read()
    assert "secret" not in str(caught.value)


def test_a_token_is_hidden_however_it_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, 'se/cr"et+')
    hidden = Token(VARIABLE).hide('plain se/cr"et+ json se/cr\\"et+ address se%2Fcr%22et%2B or se/cr%22et%2B')
    assert hidden == "plain [token] json [token] address [token] or [token]"
    document = {'se/cr"et+': ['a se/cr"et+', 1, None]}
    assert Token(VARIABLE).hide_in(document) == {"[token]": ["a [token]", 1, None]}
    assert Token(None).hide("nothing") == "nothing"


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("Authorization", "header"),
        ("X-API-Key", "header"),
        ("api_key", "parameter of 'url'"),
        ("password", "key of 'body'"),
    ],
)
def test_a_secret_in_the_suite_is_refused_without_being_shown(name: str, place: str) -> None:
    with pytest.raises(UsageError, match=f"the {place} '{name}' looks like a secret.*'token_env'") as caught:
        refuse_secrets({name: "s3cret"}, place)
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    "values", [{"Authorization": "Token {token}"}, {"X-Version": "3"}, {"max_tokens": 3}, {"token": 3}]
)
def test_what_is_no_secret_is_let_through(values: dict[str, Any]) -> None:
    refuse_secrets(values, "header")
