"""Find secret values, and remove them from all output on the terminal and in files."""

from __future__ import annotations

import functools
import json
import math
import os
import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Any
from urllib.parse import unquote

import yaml

__all__ = ["HIDDEN", "hide_secrets", "is_secret_name", "public_text", "public_value", "secrets_of_environment"]

HIDDEN = "…"

_VARIABLE = re.compile(r"KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|AUTH|COOKIE|SIGNATURE|DSN", re.I)
_SHORTEST = 8
"""The fewest characters of a removed value; a shorter value could occur in a text by chance."""

_WORDS = {"token", "secret", "password", "passwd", "passphrase", "pwd", "auth", "authorization", "authentication"}
_WORDS |= {"bearer", "credential", "credentials", "cookie", "signature", "sig", "jwt", "apikey", "accesskey", "sas"}
_KEYS = {"api", "access", "private", "secret", "subscription", "account", "master", "signing", "shared", "function"}
"""Words that make a name secret if they stand before ``key``."""

_ABOUT = {"env", "variable", "var", "file", "path", "name", "type", "url", "id", "header", "prefix", "method", "scheme"}
"""Last words of names that only describe a secret: ``token_env``."""

_PARAMETERS = {"code", "key", "sv", "se", "sp", "st", "sr", "pat"}
"""Further names of secret parameters in a web address."""

_PLAIN_HEADERS = {"accept", "content-type", "user-agent", "accept-language", "accept-encoding", "cache-control", "host"}
_PLACE = re.compile(r"\{\w+\}")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.\-]{1,20}://[^\s'\"<>]+", re.I)
_FORMATS = re.compile(
    r"\b(?:sk-[\w-]{16,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|hf_\w{16,}|xox[abprs]-[\w-]{10,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)"
    r"|(?<=Bearer )[\w.~+/=-]{8,}|(?<=Basic )[\w+/=]{8,}"
)
"""The formats of tokens of known services."""


def is_secret_name(name: str) -> bool:
    """Return whether a value with this name is a secret.

    Args:
        name: The name of an option, a header or a key: ``api_key``, ``X-Custom-Auth``, ``accessToken``.
    """
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]
    if not words or words[-1] in _ABOUT:
        return False
    pairs = pairwise(words)
    return not _WORDS.isdisjoint(words) or any(first in _KEYS and second == "key" for first, second in pairs)


def hide_secrets(text: str) -> str:
    """Remove values of secret environment variables, tokens of known formats, and secrets in addresses from a text.

    Returns:
        The text with ``$NAME`` in place of the value of the variable NAME. ``…`` replaces a token, the user in an
        address, and the parameters of an address that have a secret name.
    """
    return _hide(text, secrets_of_environment())


def _hide(text: str, secrets: Mapping[str, str]) -> str:
    text = _ADDRESS.sub(lambda found: _public_address(found[0]), text)
    for name, secret in secrets.items():
        text = text.replace(secret, f"${name}")
    return _FORMATS.sub(HIDDEN, text)


def public_text(text: str) -> str:
    """Remove the secrets from a word of a command line, an option or a message.

    Returns:
        The word as :func:`hide_secrets` returns it; in ``KEY=VALUE`` with a secret KEY, the value is ``…``.
    """
    return _public_text(text, secrets_of_environment())


def _public_text(text: str, secrets: Mapping[str, str]) -> str:
    key, equals, value = text.partition("=")
    if equals and not any(map(str.isspace, key)) and "://" not in key:
        if is_secret_name(key.rpartition(".")[2]) or _is_header(key, value):
            return f"{key}={HIDDEN}"
        if value.lstrip()[:1] in ("{", "["):
            return f"{key}={_public_yaml(value)}"
    return _hide(text, secrets)


def public_value(value: Any) -> Any:
    """Remove the secrets from the options of a suite, at any depth.

    Args:
        value: Plain JSON values.

    Returns:
        The value with :func:`public_text` applied to each text. ``…`` replaces every value with a secret name, and
        every unusual header that contains no placeholder for a token.
    """
    return _public_value(value, secrets_of_environment())


def _public_value(value: Any, secrets: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {_hide(str(key), secrets): _public_item(str(key), item, secrets) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_public_value(item, secrets) for item in value]
    return _public_text(value, secrets) if isinstance(value, str) else value


def _public_item(key: str, item: Any, secrets: Mapping[str, str]) -> Any:
    if item is None or isinstance(item, bool):
        return item
    if is_secret_name(key):
        return HIDDEN if not (isinstance(item, str) and _is_template(item)) else item
    if key.lower() == "headers" and isinstance(item, Mapping):
        return {
            name: _public_value(text, secrets) if name.lower() in _PLAIN_HEADERS or _is_template(str(text)) else HIDDEN
            for name, text in item.items()
        }
    return _public_value(item, secrets)


def _is_template(text: str) -> bool:
    """Whether a text only says where a token goes: ``Bearer {token}``."""
    return "{token}" in text and len(_PLACE.sub("", text)) < _SHORTEST


def _is_header(key: str, value: str) -> bool:
    """Whether ``model.headers.X-Custom=…`` is one that may hold a secret."""
    before, _, name = key.rpartition(".")
    return before.rpartition(".")[2] == "headers" and name.lower() not in _PLAIN_HEADERS and not _is_template(value)


def _public_yaml(text: str) -> str:
    """Take the secrets out of a value that the command line gives in YAML's short form."""
    try:
        value = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        return hide_secrets(text)
    public = public_value(value)
    return text if public == value else json.dumps(public, ensure_ascii=False, default=str)


def _public_address(address: str) -> str:
    scheme, _, rest = address.partition("://")
    place, question, query = rest.partition("?")
    host, slash, path = place.partition("/")
    if "@" in host:
        host = f"{HIDDEN}@{host.rpartition('@')[2]}"
    parameters = [_public_parameter(each) for each in query.split("&")] if question else []
    return f"{scheme}://{host}{slash}{path}{question}{'&'.join(parameters)}"


def _public_parameter(parameter: str) -> str:
    name, equals, value = parameter.partition("=")
    plain = unquote(name)
    hidden = plain.lower() in _PARAMETERS or is_secret_name(plain) or _looks_secret(unquote(value))
    return f"{name}={HIDDEN}" if equals and hidden and not _PLACE.fullmatch(value) else parameter


def secrets_of_environment() -> dict[str, str]:
    """Return the secret values of environment variables, the longest first, found by the variables' names or values."""
    return _secrets_of(tuple(os.environ.items()))


@functools.lru_cache(maxsize=1)
def _secrets_of(variables: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Look through variables once: every text of a report asks for their secrets."""
    secrets = {
        name: value
        for name, value in variables
        if len(value) >= _SHORTEST and ((_VARIABLE.search(name) and not value.startswith("/")) or _looks_secret(value))
    }
    return dict(sorted(secrets.items(), key=lambda pair: -len(pair[1])))


def _looks_secret(value: str) -> bool:
    """Whether a value is a token by its form: long, of one piece, with letters and digits in no order."""
    if _FORMATS.fullmatch(value):
        return True
    if not re.fullmatch(r"(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_+=-]{20,}", value):
        return False
    counts = Counter(value)
    bits = -sum(number / len(value) * math.log2(number / len(value)) for number in counts.values())
    return bits >= 3.5 and "_" not in value.strip("_") and not re.fullmatch(r"[a-z]+(?:-[a-z0-9]+)*", value)
