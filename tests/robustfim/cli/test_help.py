"""The help: what one wants, whole sentences, an example that can be typed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import click
import pytest

from robustfim.cli.command_line import cli
from robustfim.cli.group import PluginCommand
from robustfim.cli.help import SECTIONS, first_sentence, with_common_options
from robustfim.plugin.sources import load_plugins
from tests.present import present
from tests.robustfim.command_line import CommandLine, refused


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that call it, those of plugins and within groups, too."""
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        found = present(group.get_command(ctx, name))
        if isinstance(found, PluginCommand):
            found = with_common_options(found.load())
        if isinstance(found, click.Group):
            yield from commands(found, (*words, name))
        else:
            yield (*words, name), found


COMMANDS = dict(commands(cli))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_ends_its_help_with_an_example_that_it_can_read(words: tuple[str, ...]) -> None:
    command = COMMANDS[words]
    said, _, example = (command.epilog or "").partition(": ")
    assert said == "Example"
    typed = shlex.split(example.partition(" >")[0])
    *named, last = words
    base, *flags = last.split()  # 'run --shard' is another command than 'run'
    assert typed[: len(words) + 1] == ["robustfim", *named, base]
    rest = typed[len(words) + 1 :]
    assert set(flags) <= set(rest)
    taken = {spelling for param in command.params for spelling in param.opts}
    rest = [each for each in rest if each in taken or each not in flags]
    command.make_context(" ".join(words), rest, resilient_parsing=False)


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_takes_plugins_and_colours(words: tuple[str, ...]) -> None:
    spellings = [spelling for param in COMMANDS[words].params for spelling in param.opts]
    assert spellings.count("-p") == spellings.count("--color") == 1


@pytest.mark.parametrize("command", ["--help", "study --help", "run --help", "score --help"])
def test_help_fits_80_columns_and_cuts_no_sentence(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = robustfim(command)
    assert shown.code == 0
    assert max(map(len, shown.out.splitlines())) <= 80
    assert "..." not in shown.out.replace("[ARGS]...", "").replace("SUITE[::CHECK]...", "")


def test_commands_stand_under_what_one_wants_and_a_strangers_at_the_end(robustfim: CommandLine) -> None:
    robustfim.write(
        "mine.py",
        "import robustfim\n\n@robustfim.hookimpl\ndef robustfim_commands():\n"
        "    return {'mend-it': ('mine:c', 'Mend it.', 'mend'), 'odd': ('mine:c', 'Is odd.')}\n",
    )
    out = robustfim("-p mine --help").out
    places = [out.index(f"{title}:\n") for title in SECTIONS.values()]
    assert places == sorted(places)
    mend, study, strangers = (out.index(f"{SECTIONS[each]}:\n") for each in ("mend", "study", ""))
    assert mend < out.index("  mend-it") < study < strangers < out.index("  odd")


def test_the_first_sentence_is_whole_whatever_its_dots() -> None:
    assert first_sentence("Read a.csv, e.g. all\nof it. Then stop.\n\nMore.") == "Read a.csv, e.g. all of it."


def test_an_option_that_all_commands_have_colours_what_has_no_such_option(robustfim: CommandLine) -> None:
    assert "\x1b[" in robustfim("list toy.yaml --color yes").out
    assert "\x1b[" not in robustfim("list toy.yaml").out


def test_a_plugin_that_a_command_does_not_need_is_loaded_all_the_same(robustfim: CommandLine) -> None:
    robustfim.write("broken.py", "1 / 0\n")
    shown = robustfim("accept nothing.json -p broken.py")
    assert shown.code == 4
    assert "broken.py cannot be run: ZeroDivisionError" in shown.err


def test_a_plugin_s_command_with_a_flag_is_run_where_the_flag_is_given(robustfim: CommandLine) -> None:
    robustfim.write(
        "flagged.py",
        "import click\nimport robustfim\n\n\n@click.command()\n@click.argument('words', nargs=-1)\n"
        "def command(words):\n    click.echo(f'flagged {words}')\n\n\n@robustfim.hookimpl\ndef robustfim_commands():\n"
        "    return {'scan --loudly': ('flagged:command', 'Scan loudly.', 'test')}\n",
    )
    assert robustfim("-p flagged scan a --loudly b").out == "flagged ('a', 'b')\n"
    assert "scan --loudly" not in robustfim("-p flagged --help").out
    refused(robustfim("-p flagged scan a --softly"), "No such option")
    refused(robustfim("scan a --loudly"), "No such option")


@pytest.mark.parametrize(("arguments", "loads"), [("lock --help", 0), ("lock --no-store", 0), ("run --help", 1)])
def test_no_plugin_is_loaded_to_look_for_a_command_with_a_flag_that_the_command_has(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch, arguments: str, loads: int
) -> None:
    loaded = []

    def counted(*given: Any, **named: Any) -> Any:
        loaded.append(given)
        return load_plugins(*given, **named)

    monkeypatch.setattr("robustfim.plugin.sources.load_plugins", counted)
    robustfim(arguments)
    assert len(loaded) == loads
