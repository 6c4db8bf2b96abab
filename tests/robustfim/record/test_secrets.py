"""What no report, no message and no line of the terminal may tell."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robustfim.record.secrets import HIDDEN, hide_secrets, is_secret_name, public_text, public_value
from tests.robustfim.command_line import CommandLine

SECRET = "hunter2hunter2"  # noqa: S105  # it opens nothing


NAMES = """
token api_key apiKey X-Api-Key X-Custom-Auth bearer accessToken DB_PASSWORD cookie client_secret sig AUTHORIZATION
Ocp-Apim-Subscription-Key private.key
"""


@pytest.mark.parametrize("name", NAMES.split())
def test_names_of_secrets_are_known(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["tokens", "max_tokens", "token_env", "author", "key", "monkey", "keyword", "auth_type", "token_file", "", "…"],
)
def test_other_names_are_none(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("options", "public"),
    [
        ({"url": f"https://api.test/v1?code={SECRET}&n=1"}, {"url": f"https://api.test/v1?code={HIDDEN}&n=1"}),
        ({"url": f"https://me:{SECRET}@api.test/x"}, {"url": f"https://{HIDDEN}@api.test/x"}),
        (
            {"headers": {"X-Custom": SECRET, "Accept": "text/html"}},
            {"headers": {"X-Custom": "…", "Accept": "text/html"}},
        ),
        ({"headers": {"Authorization": "Bearer {token}"}}, {"headers": {"Authorization": "Bearer {token}"}}),
        ({"body": {"auth": {"bearer": SECRET}, "n": 1}}, {"body": {"auth": HIDDEN, "n": 1}}),
        ({"body": [[{"deep": {"api_key": SECRET}}]]}, {"body": [[{"deep": {"api_key": HIDDEN}}]]}),
        ({"token_env": "MY_TOKEN", "tokens": "all"}, {"token_env": "MY_TOKEN", "tokens": "all"}),
        ({"prompt": "use sk-abcdefghijklmnopqrst now"}, {"prompt": "use … now"}),
        ({"url": "https://api.test/?q={text}&key={token}"}, {"url": "https://api.test/?q={text}&key={token}"}),
    ],
)
def test_secrets_are_taken_out_of_options(options: Any, public: Any) -> None:
    assert public_value(options) == public
    assert SECRET not in json.dumps(public_value({"outer": [options]}))


@pytest.mark.parametrize(
    ("word", "public"),
    [
        (f"model.headers.X-Custom={SECRET}", "model.headers.X-Custom=…"),
        ("model.headers.Accept=text/html", "model.headers.Accept=text/html"),
        (f"body={{auth: {{bearer: {SECRET}}}}}", 'body={"auth": "…"}'),
        ("rows=[[a good film, positive]]", "rows=[[a good film, positive]]"),
        (f"password={SECRET}", "password=…"),
        (f"url=https://x.test/?sig={SECRET}", "url=https://x.test/?sig=…"),
    ],
)
def test_secrets_are_taken_out_of_a_word_of_a_command_line(word: str, public: str) -> None:
    assert public_text(word) == public


def test_a_secret_of_the_environment_is_known_by_its_name_or_by_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_PASSWORD", SECRET)
    monkeypatch.setenv("SERVICE", "f81Kq93LmZ0x7VbT2cWd")
    monkeypatch.setenv("EDITOR", "an-editor-of-mine")
    monkeypatch.setenv("SSH_AUTH_SOCK", "/run/user/ssh-agent")
    text = f"{SECRET} f81Kq93LmZ0x7VbT2cWd an-editor-of-mine /run/user/ssh-agent"
    assert hide_secrets(text) == "$MY_PASSWORD $SERVICE an-editor-of-mine /run/user/ssh-agent"


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@given(plain, st.sampled_from(["token", "Api-Key", "clientSecret"]))
def test_however_deep_a_secret_stands_it_is_not_told(value: Any, name: str) -> None:
    public = public_value([{"a": {"b": [value, {name: SECRET}]}}])
    assert SECRET not in json.dumps(public)
    assert public_value(public) == public


def test_no_place_that_a_run_writes_to_tells_a_secret(robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THE_PASSWORD", SECRET)
    checks = "{x: {perturb: rename, limit: 0}, y: {perturb: {use: broken, how: raises}}}"
    suite = robustfim.suite(checks, model=f"{{use: wordsum, raise_on: {SECRET}}}", rest="reports: [json, html, junit]")
    shown = robustfim(f"run {suite} -vv --model nan_on=sk-abcdefghijklmnopqrst")
    assert shown.code == 1
    written = [shown.out, shown.err]
    written += [path.read_text("utf-8", "replace") for path in (robustfim.folder / "reports" / "other").iterdir()]
    assert len(written) == 6
    for text in written:
        assert SECRET not in text
        assert "sk-abcdefg" not in text
    assert "$THE_PASSWORD" in shown.out


def test_the_user_of_an_address_is_hidden_in_whatever_is_shown() -> None:
    shown = hide_secrets("skip: see https://ada:pw@host/x?api_key=abc&page=2")
    assert shown == "skip: see https://…@host/x?api_key=…&page=2"
