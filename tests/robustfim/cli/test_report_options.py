"""The options that plugins add to ``run``, ``report`` and ``compare``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.robustfim.command_line import CommandLine, refused

PLUGIN = """
from robustfim import hookimpl

@hookimpl
def robustfim_options({arguments}):
    return {options}
"""


def plugin(robustfim: CommandLine, options: str, arguments: str = "") -> None:
    robustfim.write("adds.py", PLUGIN.format(options=options, arguments=arguments))


@pytest.mark.parametrize("place", ["-p adds.py run", "run -p adds.py", "run -qp adds.py"])
def test_an_option_of_a_plugin_names_the_file_of_a_report(robustfim: CommandLine, place: str) -> None:
    plugin(robustfim, "{'--record': ('json', 'Write the record.'), '--rec': ('json', 'Write the record.')}")
    assert robustfim(f"{place} toy.yaml::calm --rec one.json").code == 0
    assert Path("one.json").is_file()
    assert "--record, --rec FILE" in robustfim("run -p adds.py --help").out


def test_an_option_stands_in_the_commands_that_it_is_for(robustfim: CommandLine) -> None:
    plugin(robustfim, "{f'--for-{command}': ('json', 'Write it.')}", "command")
    for command in ("run", "report", "compare"):
        shown = robustfim(f"{command} -p adds.py --help").out
        assert [each for each in ("run", "report", "compare") if f"--for-{each}" in shown] == [command]


def test_an_option_of_a_plugin_that_is_not_loaded_is_unknown(robustfim: CommandLine) -> None:
    assert "--html" in robustfim("run --help").out
    assert "--html" not in robustfim("run -p no:html --help").out
    refused(robustfim("run toy.yaml -p no:html --html page.html"), "--html", "'robustfim run --help'")
    refused(robustfim("run toy.yaml --record one.json"), "--record")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("{'--html': ('json', 'It.')}", "the option '--html' is offered by two plugins, 'html' and 'adds'"),
        ("{'--lock': ('json', 'It.')}", "plugin 'adds': robustfim_options: --lock is an option of 'robustfim run'"),
        ("{'--help': ('json', 'It.')}", "plugin 'adds': robustfim_options: --help is an option of 'robustfim run'"),
        ("{'lock': ('json', 'It.')}", "plugin 'adds': robustfim_options must return {'--option': ('report', 'help')}"),
        ("{'--one': 'json'}", "plugin 'adds': robustfim_options must return {'--option': ('report', 'help')}"),
        ("['--one']", "plugin 'adds': robustfim_options must return a dict of names"),
    ],
)
def test_an_option_that_cannot_be_added_is_an_error_of_its_plugin(
    robustfim: CommandLine, options: str, message: str
) -> None:
    plugin(robustfim, options)
    refused(robustfim("run toy.yaml -p adds.py"), message, code=4)


def test_an_option_for_an_unknown_report_is_refused_by_its_own_name(robustfim: CommandLine) -> None:
    plugin(robustfim, "{'--one': ('jsonn', 'It.')}")
    refused(robustfim("run toy.yaml -p adds.py --one x"), "--one: unknown report 'jsonn'. Did you mean 'json'?")
    robustfim("run toy.yaml")
    refused(robustfim("report reports/toy -p adds.py --one x"), "unknown report 'jsonn'. Did you mean 'json'?")


def test_a_report_that_cannot_show_two_runs_is_refused(robustfim: CommandLine) -> None:
    plugin(robustfim, "{'--one': ('junit', 'It.')}")
    robustfim("run toy.yaml")
    both = "reports/toy/results.json reports/toy/results.json"
    refused(robustfim(f"compare {both} -p adds.py --one x"), "the report 'junit' of plugin 'ci' cannot show two runs.")
