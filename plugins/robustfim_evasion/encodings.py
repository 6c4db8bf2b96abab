"""The perturbation ``encodings``: the text as base64, in hexadecimal digits, rotated or backwards."""

from __future__ import annotations

import base64
import binascii
import codecs
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote

from robustfim_evasion.disguise import Disguise, Disguises
from robustfim_evasion.tables import table
from robustfim_evasion.wrapping import unwrapped, wrapped

__all__ = ["Encodings"]


def _of_bytes(write: Callable[[bytes], bytes], read: Callable[[bytes], bytes]) -> Disguise:
    """A disguise of the bytes of UTF-8."""
    return Disguise(
        lambda text, _: write(text.encode("utf-8", "surrogatepass")).decode(),
        lambda text: read(text.encode()).decode("utf-8", "surrogatepass"),
    )


_CODES = {
    "base64": _of_bytes(base64.b64encode, base64.b64decode),
    "base32": _of_bytes(base64.b32encode, base64.b32decode),
    "hex": _of_bytes(binascii.hexlify, binascii.unhexlify),
    "binary": _of_bytes(
        lambda data: b" ".join(f"{byte:08b}".encode() for byte in data),
        lambda data: bytes(int(byte, 2) for byte in data.split()),
    ),
    "percent": Disguise(
        lambda text, _: quote(text, safe="", errors="surrogatepass"), lambda text: unquote(text, errors="surrogatepass")
    ),
    "rot13": Disguise(lambda text, _: codecs.encode(text, "rot13"), lambda text: codecs.decode(text, "rot13")),
    "backwards": Disguise(lambda text, _: text[::-1], lambda text: text[::-1]),
}


class Encodings(Disguises):
    """Encodes the text, with and without a request to decode it.

    The texts imitate prompts that get a request past a guard: a language model behind the guard decodes the text,
    sometimes without being asked.

    Args:
        kinds: Which of ``base64``, ``base32``, ``hex``, ``binary``, ``percent``, ``rot13``, ``backwards``; all by
            default.
        instruction: Whether a request to decode precedes the encoded text. By default there is one candidate with and
            one without the request.
    """

    name = "encodings"

    def __init__(self, *, kinds: list[str] | None = None, instruction: bool | None = None) -> None:
        super().__init__(kinds=kinds)
        asked = {kind: f"{kind}, asked to decode" for kind in self._kinds}
        self._disguises = {
            **self._disguises,
            **{name: _asked(table("decoding")[kind], self._disguises[kind]) for kind, name in asked.items()},
        }
        plain = self._kinds if instruction is not True else ()
        self._kinds = (*plain, *(asked.values() if instruction is not False else ()))

    def disguises(self) -> Mapping[str, Disguise]:
        """Return the disguises by the names of their kinds."""
        return _CODES


def _asked(template: str, code: Disguise) -> Disguise:
    return Disguise(
        lambda text, random: wrapped(template, code.write(text, random)),
        lambda text: code.read(unwrapped(template, text)),
    )
