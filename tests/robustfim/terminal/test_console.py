from __future__ import annotations

import io
import sys

import pytest
from rich.color import Color
from rich.console import Console
from rich.text import Text

from robustfim.terminal.console import READABLE, make_console, print_command, print_line, print_rule


class Screen(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def screen(width: int) -> Console:
    return Console(file=Screen(), width=width, color_system=None, highlight=False, markup=False, emoji=False)


def shown(console: Console) -> list[str]:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


LINE = "FAILED suite.yaml::check - 10 of 20 examples fail: above the limit"


def test_a_terminal_breaks_a_line_between_words_and_indents_what_follows() -> None:
    console = screen(30)
    print_line(console, LINE)
    assert shown(console) == ["FAILED suite.yaml::check - 10", "    of 20 examples fail: above", "    the limit"]


def test_an_indented_line_is_indented_from_its_beginning() -> None:
    console = screen(30)
    print_line(console, "one two three four five six seven eight", indent=True)
    assert shown(console) == ["    one two three four five", "    six seven eight"]


@pytest.mark.parametrize("width", [24, 31, 80, 200])
def test_no_line_is_wider_than_the_terminal_and_no_word_is_lost(width: int) -> None:
    console = screen(width)
    for indent in (False, True):
        print_line(console, LINE, indent=indent)
    assert all(len(line) <= width for line in shown(console))
    assert " ".join(shown(console)).split() == (LINE + " " + LINE).split()


def test_a_word_wider_than_the_terminal_is_cut_and_kept() -> None:
    console = screen(30)
    print_line(console, "x" * 100)
    assert "".join(line.strip() for line in shown(console)) == "x" * 100


def test_an_empty_line_is_printed() -> None:
    console = screen(30)
    print_line(console, "")
    assert shown(console) == [""]


def test_styles_survive_the_break() -> None:
    console = Console(file=Screen(), width=20, force_terminal=True, color_system="standard", _environ={})
    print_line(console, Text("plain words and then ").append("red words at the very end", style="red"))
    lines = shown(console)
    assert len(lines) == 3
    assert all("\x1b[31m" in line for line in lines[1:])


def test_in_a_pipe_a_line_is_broken_as_on_a_terminal() -> None:
    console, terminal = Console(file=io.StringIO(), width=30), screen(30)
    for each in (console, terminal):
        print_line(each, LINE)
        print_line(each, LINE, indent=True)
    assert shown(console) == shown(terminal)
    assert max(map(len, shown(console))) <= 30


def test_a_command_is_never_broken_by_us_so_that_it_can_be_copied() -> None:
    console = screen(30)
    command = "robustfim run suites/sentiment.yaml::synonyms --example 0123456789ab"
    print_command(console, command)
    assert shown(console) == [f"    {command}"]


def test_a_rule_has_its_title_in_the_middle_and_the_width_of_the_terminal() -> None:
    console = screen(40)
    print_rule(console, "a\x1btitle")
    (line,) = shown(console)
    assert line == r" a\u001btitle ".center(40, "=")


def test_no_colour_is_written_when_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    assert make_console("yes").is_terminal
    assert make_console("no").no_color
    assert make_console("auto", stderr=True).stderr


# ---- streams that fail --------------------------------------------------------------------------------


class Gone(io.StringIO):
    """A stream whose reader is gone."""

    def write(self, text: str) -> int:
        raise BrokenPipeError

    def flush(self) -> None:
        raise BrokenPipeError


def test_printing_goes_on_when_the_reader_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", Gone())
    print_line(make_console(), "a line")


def test_printing_goes_on_when_a_model_has_closed_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stream)
    console = make_console()
    print_line(console, "before")
    stream.close()
    print_line(console, "after")


def test_what_the_streams_encoding_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    console = make_console()
    print_line(console, "a → b")
    console.file.flush()
    assert raw.getvalue() == rb"a \u2192 b" + b"\n"


def contrast(colour: str, ground: float) -> float:
    """The contrast of a colour on a grey, as WCAG 2 defines it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    high, low = max(light, ground), min(light, ground)
    return (high + 0.05) / (low + 0.05)


def test_what_is_open_can_be_read_on_a_light_ground_and_on_a_dark_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert min(contrast(READABLE, 0.0), contrast(READABLE, 1.0)) > 4
    assert contrast("#ffff00", 1.0) < 1.1
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    console = make_console("yes")
    assert {console.get_style(name).color for name in ("yellow", "bold yellow")} == {Color.parse(READABLE)}
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("COLORTERM")
    assert make_console("yes").get_style("yellow").color == Color.parse("yellow"), "sixteen colours have no other"
