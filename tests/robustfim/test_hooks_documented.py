"""Every hook is documented, and every example in docs/hooks.md is run as it is printed."""

from __future__ import annotations

import doctest
import inspect
import re
import shlex
from pathlib import Path

import pytest

from robustfim import hookspecs
from robustfim.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "hooks.md").read_text(encoding="utf-8")
HOOKS = {name: hook for name, hook in vars(hookspecs).items() if name.startswith("robustfim_")}
FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```$", re.DOTALL | re.MULTILINE)
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def sections() -> dict[str, str]:
    """Second-level heading to what stands below it, code blocks whole."""
    found: dict[str, list[str]] = {}
    here, fenced = found.setdefault("", []), False
    for line in PAGE.splitlines():
        fenced ^= line.startswith("```")
        if not fenced and line.startswith("## "):
            here = found.setdefault(line.removeprefix("## "), [])
        elif fenced or not line.startswith("# "):
            here.append(line)
    return {title: "\n".join(lines) + "\n" for title, lines in found.items()}


SECTIONS = sections()
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
    assert [title for title in SECTIONS if title not in ("", SHARED)] == list(HOOKS)


@pytest.mark.parametrize("name", HOOKS)
def test_a_section_says_what_the_hook_itself_says(name: str) -> None:
    docstring, section = inspect.getdoc(HOOKS[name]) or "", SECTIONS[name]
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
    if "None" == signature.return_annotation:
        assert parts["Returns"].startswith("nothing.")
    else:
        assert parts["Returns"].startswith(part(docstring, "Returns").split(":")[0].split(";")[0].rstrip("."))


@pytest.mark.parametrize("name", [SHARED, *HOOKS])
def test_an_example_does_what_the_page_shows(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    section = SECTIONS[name]
    assert CONSOLE.search(section), "the section shows no command"
    if name != SHARED:
        code = "".join(text for file, text in FILE.findall(section) if file.endswith(".py"))
        assert f"@hookimpl\ndef {name}(" in code, "the section's plugin does not implement the hook"
    for file, text in (*FILE.findall(SECTIONS[SHARED]), *FILE.findall(section)):
        (tmp_path / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    for block in CONSOLE.findall(section):
        for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            matches(expected, perform(command, capsys), command)


def perform(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command of the page in this process; return what a terminal would show."""
    program, *arguments = shlex.split(command)
    if program == "cat":
        return Path(arguments[0]).read_text(encoding="utf-8")
    assert program == "robustfim", f"the page uses {program!r}, which this test cannot run"
    capsys.readouterr()
    with pytest.raises(SystemExit):
        main(arguments)
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    return shown.out + shown.err


def matches(expected: str, shown: str, command: str) -> None:
    """Compare as doctest does, ``...`` standing for anything; blanks at the end of lines do not count."""
    wanted, got = ("".join(f"{line.rstrip()}\n" for line in text.splitlines()) for text in (expected, shown))
    if not doctest.OutputChecker().check_output(wanted, got, doctest.ELLIPSIS):
        pytest.fail(f"$ {command}\n{shown}\n--- but the page shows\n{expected}", pytrace=False)
