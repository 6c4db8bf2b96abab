"""Tokens from environment variables, and the check that a suite contains no secret."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from robustfim.errors import UsageError, did_you_mean

__all__ = ["Token", "refuse_secrets"]

_HEADERS = {"authorization", "proxyauthorization", "cookie"}
_NAMES = {"apikey", "xapikey", "xgoogapikey", "ocpapimsubscriptionkey", "key", "token", "accesstoken", "authtoken"}
_NAMES |= {"xauthtoken", "secret", "clientsecret", "password", "sig", "signature"}


class Token:
    """A token in an environment variable, read when a request needs it and never printed.

    Args:
        variable: The variable's name; None for no token.
    """

    def __init__(self, variable: str | None) -> None:
        self.variable = variable

    def read(self) -> str:
        """Return the token from the environment.

        Returns:
            The token; ``""`` without a variable.

        Raises:
            UsageError: The variable is not set, or its value is not allowed in an HTTP header.
        """
        if self.variable is None:
            return ""
        token = os.environ.get(self.variable, "").strip()
        if not token:
            raise UsageError(
                f"the environment variable {self.variable!r}, which 'token_env' names, is not set."
                f"{did_you_mean(self.variable, os.environ)}"
            )
        if not all("!" <= each <= "~" for each in token):
            raise UsageError(
                f"the environment variable {self.variable!r} holds blanks, line breaks or characters beyond ASCII: "
                "no token has them."
            )
        return token

    def hide(self, text: str) -> str:
        """Replace the token in a text, in any escaped form."""
        token = os.environ.get(self.variable or "", "").strip()
        for form in {token, json.dumps(token)[1:-1], quote(token, safe=""), quote(token)} - {""}:
            text = text.replace(form, "[token]")
        return text

    def hide_in(self, document: Any) -> Any:
        """Replace the token in all texts of parsed JSON."""
        if isinstance(document, str):
            return self.hide(document)
        if isinstance(document, list):
            return [self.hide_in(each) for each in document]
        if isinstance(document, dict):
            return {self.hide(key): self.hide_in(value) for key, value in document.items()}
        return document


def refuse_secrets(values: Mapping[str, Any], place: str) -> None:
    """Refuse a secret among values that the record would repeat.

    Raises:
        UsageError: A name suggests a secret, such as ``Authorization``, and the value is not ``{token}``.
    """
    for name, value in values.items():
        plain = name.lower().replace("-", "").replace("_", "")
        secret = plain in _NAMES or (place == "header" and plain in _HEADERS)
        if secret and isinstance(value, str) and "{token}" not in value:
            raise UsageError(
                f"the {place} {name!r} looks like a secret, and a suite is not a place for one: set an environment "
                f"variable and name it with 'token_env'. It is sent as 'Authorization: Bearer …', or in the header "
                f"where '{{token}}' stands: headers: {{{name if place == 'header' else 'X-Api-Key'}: '{{token}}'}}."
            )
