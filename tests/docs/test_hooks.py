"""Every hook is documented, and every example in docs/hooks.md is run as it is printed."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from robustfim import hookspecs
from robustfim.members import ROLES
from tests.docs.page import Page, perform

PAGE = Page.read("hooks.md")
HOOKS = {name: hook for name, hook in vars(hookspecs).items() if name.startswith("robustfim_")}
SHARED = "What the examples share"


def words(text: str) -> str:
    """Text without markup and line breaks, to compare a docstring with the page."""
    text = re.sub(r":class:`([^`]*)`", r"\1", text)
    return " ".join(text.replace("`", "").replace("**", "").split())


def part(docstring: str, name: str) -> str:
    """One part of a hook's docstring: ``Called`` and ``Default`` are paragraphs' sentences, the others sections."""
    found = re.search(rf"^{name}:\s*(.*?)(?=^\w[\w ]*:|^$|\Z)", docstring, re.DOTALL | re.MULTILINE)
    return words(found[1]) if found else ""


def bullets(section: str) -> dict[str, str]:
    """The fixed parts of a section, by their bold words."""
    found = re.findall(r"^- \*\*(\w+):\*\*(.*?)(?=^- \*\*|^\S|\Z)", section, re.DOTALL | re.MULTILINE)
    return {name: words(text) for name, text in found}


def test_the_page_has_the_hooks_in_the_order_of_hookspecs() -> None:
    assert [title for title in PAGE.sections if title not in ("", SHARED, *ROLES)] == list(HOOKS)


def test_the_page_has_the_kinds_of_offers_in_the_order_of_the_roles() -> None:
    offers, *others = [title for title in PAGE.sections if title not in ("", SHARED)]
    assert (offers, others[: len(ROLES)]) == ("robustfim_offers", list(ROLES))


@pytest.mark.parametrize("name", HOOKS)
def test_a_section_says_what_the_hook_itself_says(name: str) -> None:
    docstring, section = inspect.getdoc(HOOKS[name]) or "", PAGE.sections[name]
    parts = bullets(section)
    purpose = words(section.split("\n- **", 1)[0])
    assert purpose == words(docstring.partition("\n")[0])
    assert list(parts) == ["Called", "Default", "Parameters", "Returns"]
    assert parts["Called"] == part(docstring, "Called")
    assert parts["Default"] == part(docstring, "Default")
    signature = inspect.signature(HOOKS[name])
    given = dict(re.findall(r"(\w+): (.*?\.)(?= - |$)", parts["Parameters"]))
    said = dict(re.findall(r"(\w+): (.*?\.)(?= \w+: |$)", part(docstring, "Args")))
    assert list(given) == list(signature.parameters) == list(said)
    assert given == said
    if signature.return_annotation == "None":
        assert parts["Returns"].startswith("nothing.")
    else:
        assert parts["Returns"].startswith(part(docstring, "Returns").split(":")[0].split(";")[0].rstrip("."))


@pytest.mark.parametrize("name", [SHARED, *HOOKS, *ROLES])
def test_an_example_does_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = list(PAGE.commands(name))
    assert commands, "the section shows no command"
    if name != SHARED:
        code = "".join(text for file, text in PAGE.files(name) if file.endswith(".py"))
        hook = f"@hookimpl\ndef {'robustfim_offers' if name in ROLES else name}("
        assert hook in code, "the section's plugin does not implement the hook"
        assert name not in ROLES or f'"{name}": ' in code, "the section's plugin offers none of the kind"
    for file, text in (*PAGE.files(SHARED), *PAGE.files(name)):
        (tmp_path / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for command in commands:
        command.check(perform(command.typed, capsys))
