"""The three ways a plugin gets in, and what keeps one out."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import pytest

from robustfim.errors import PluginError, UsageError
from robustfim.plugin.manager import PluginManager
from robustfim.plugin.sources import PluginOptions, load_plugins
from tests.robustfim.command_line import CommandLine, refused

SHOUT = """\
from robustfim import Edit, hookimpl


class {cls}:
    '''Writes the whole text in capitals.'''

    def edits(self, example, random):
        text = example.fields["text"]
        yield Edit("text", 0, len(text), text, text.upper())


@hookimpl
def robustfim_offers():
    return {{"perturbations": {{"{name}": {cls}}}}}
"""


def shout(name: str = "shout", cls: str = "Shout") -> str:
    return SHOUT.format(name=name, cls=cls)


def install(folder: Path, *, distribution: str, name: str, module: str, version: str = "1.2.3") -> None:
    """Lay an installed distribution with one entry point into a folder, as pip would."""
    info = folder / f"{distribution}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(f"[robustfim]\n{name} = {module}\n", encoding="utf-8")


def owners(manager: PluginManager) -> dict[str, str]:
    return {name: offer.owner for name, offer in manager.offers("perturbations").items()}


# ---- a file -------------------------------------------------------------------------------------------


def test_a_file_beside_the_suite_is_loaded_wherever_one_stands(robustfim: CommandLine) -> None:
    robustfim.write("deep/shout.py", shout())
    manager = load_plugins(PluginOptions(), ["shout.py"], Path("deep"))
    assert owners(manager)["shout"] == "shout"
    (record,) = [plugin for plugin in manager.records() if plugin.name == "shout"]
    assert record.sha256 == hashlib.sha256(Path("deep/shout.py").read_bytes()).hexdigest()


def test_a_file_named_twice_is_loaded_once(robustfim: CommandLine) -> None:
    robustfim.write("shout.py", shout())
    manager = load_plugins(PluginOptions(load=("shout.py",)), ["shout.py"])
    assert manager.names.count("shout") == 1


def test_two_files_of_one_name_are_refused(robustfim: CommandLine) -> None:
    robustfim.write("a/shout.py", shout())
    robustfim.write("b/shout.py", shout("other"))
    with pytest.raises(PluginError, match="two plugins are named 'shout'; rename one of them"):
        load_plugins(PluginOptions(load=("a/shout.py", "b/shout.py")))


def test_a_missing_file_is_told_with_its_path(robustfim: CommandLine) -> None:
    refused(robustfim("run toy.yaml -p nowhere.py"), "no plugin file nowhere.py.")
    refused(robustfim("run toy.yaml -o plugins=[gone.py]"), "no plugin file gone.py.")


def test_a_file_that_raises_is_told_with_its_exception(robustfim: CommandLine) -> None:
    robustfim.write("bad.py", "raise RuntimeError('not today')\n")
    refused(robustfim("run toy.yaml -p bad.py"), "plugin file bad.py cannot be run: RuntimeError: not today")
    robustfim.write("worse.py", "def f(:\n")
    refused(robustfim("run toy.yaml -p worse.py"), "plugin file worse.py cannot be run: SyntaxError: ")


# ---- a module -----------------------------------------------------------------------------------------


def test_a_module_of_the_current_folder_is_found(robustfim: CommandLine) -> None:
    robustfim.write("loud.py", shout())
    shown = robustfim("run toy.yaml -p loud -o checks.rename.perturb.use=shout")
    assert shown.code == 1
    assert "loud" in [plugin.name for plugin in robustfim.record().environment.plugins]


def test_a_module_may_name_its_class_by_text(robustfim: CommandLine) -> None:
    robustfim.write("loud/__init__.py", shout().replace('": Shout}', '": "loud.body:Shout"}'))
    robustfim.write("loud/body.py", shout())
    manager = load_plugins(PluginOptions(load=("loud",)))
    assert manager.get("perturbations", "shout").cls.__module__ == "loud.body"


def test_an_installed_module_goes_before_one_of_the_current_folder(robustfim: CommandLine) -> None:
    robustfim.write("yaml.py", shout())
    with pytest.raises(PluginError, match="plugin 'yaml' implements no hook"):
        load_plugins(PluginOptions(load=("yaml",)))


def test_an_installed_plugin_named_by_its_module_is_loaded_once() -> None:
    before, after = load_plugins(PluginOptions()), load_plugins(PluginOptions(load=("robustfim_fisher",)))
    assert before.names == after.names


def test_a_missing_module_is_told(robustfim: CommandLine) -> None:
    refused(robustfim("run toy.yaml -p nowhere"), "no plugin module 'nowhere' is installed or in the current folder")
    refused(robustfim("run toy.yaml -p ./toy"), "'./toy' is no plugin module")
    robustfim.write("needy.py", "import no_such_library\n")
    refused(robustfim("run toy.yaml -p needy"), "plugin 'needy' needs the missing module 'no_such_library'.")
    robustfim.write("hasty.py", "1 / 0\n")
    refused(robustfim("run toy.yaml -p hasty"), "'hasty' cannot be imported: ZeroDivisionError")


# ---- an entry point -----------------------------------------------------------------------------------


def test_an_installed_entry_point_is_there_without_being_named_as_soon_as_it_is_installed(
    robustfim: CommandLine,
) -> None:
    site = robustfim.write("site/loud_plugin.py", shout()).parent
    sys.path.insert(0, str(site))
    assert robustfim("plugins shout").code == 4
    install(site, distribution="robustfim_loud", name="loud", module="loud_plugin")
    shown = robustfim("plugins shout")
    assert shown.code == 0, shown
    assert "shout  perturbation of plugin loud" in shown.out


def test_an_entry_point_is_recorded_with_its_version(robustfim: CommandLine) -> None:
    install(robustfim.folder, distribution="robustfim_loud", name="loud", module="loud_plugin")
    robustfim.write("loud_plugin.py", shout())
    sys.path.insert(0, str(robustfim.folder))
    (record,) = [plugin for plugin in load_plugins(PluginOptions()).records() if plugin.name == "loud"]
    assert (record.version, record.sha256) == ("1.2.3", None)


def test_a_blocked_entry_point_is_not_even_imported(robustfim: CommandLine) -> None:
    install(robustfim.folder, distribution="robustfim_bomb", name="bomb", module="bomb_plugin")
    robustfim.write("bomb_plugin.py", "raise RuntimeError('imported')\n")
    sys.path.insert(0, str(robustfim.folder))
    refused(
        robustfim("run toy.yaml"),
        "plugin 'bomb' (bomb_plugin) cannot be imported: RuntimeError: imported.",
        "leave it out with '-p no:bomb'",
    )
    assert robustfim("run toy.yaml::calm -p no:bomb").code == 0
    assert robustfim("-p no:bomb run toy.yaml::calm").code == 0
    assert "bomb_plugin" not in sys.modules


def test_help_is_shown_although_a_plugin_is_broken(robustfim: CommandLine) -> None:
    install(robustfim.folder, distribution="robustfim_bomb", name="bomb", module="bomb_plugin")
    robustfim.write("bomb_plugin.py", "raise RuntimeError('imported')\n")
    sys.path.insert(0, str(robustfim.folder))
    shown = robustfim("--help")
    refused(shown, "plugin 'bomb'", code=0)
    assert "Run suites of robustness checks" in shown.out


def test_two_installed_plugins_of_one_name_are_refused_and_both_named(robustfim: CommandLine) -> None:
    for distribution, module in (("robustfim_one", "one_plugin"), ("robustfim_two", "two_plugin")):
        install(robustfim.folder, distribution=distribution, name="loud", module=module)
        robustfim.write(f"{module}.py", shout())
    sys.path.insert(0, str(robustfim.folder))
    refused(
        robustfim("run toy.yaml"),
        "one_plugin of robustfim_one 1.2.3 and two_plugin of robustfim_two 1.2.3",
        "'-p no:loud'",
    )
    assert robustfim("run toy.yaml::calm -p no:loud").code == 0


def test_a_plugin_file_is_run_as_it_stands_however_fast_it_changes(
    robustfim: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    for name in ("loud", "calm"):  # the same size, and mostly the same second
        path = robustfim.write("loud.py", shout(name))
        os.utime(path, (1_000_000_000, 1_000_000_000))
        assert robustfim(f"plugins {name} -p loud.py").code == 0
    assert not (robustfim.folder / "__pycache__").exists()


def test_two_plugins_that_offer_one_name_are_both_named(robustfim: CommandLine) -> None:
    robustfim.write("loud.py", shout("rename"))
    refused(
        robustfim("run toy.yaml -p loud"),
        "the perturbation 'rename' is offered by 2 plugins, 'loud' and 'toy': write 'loud/rename' or 'toy/rename'",
        "leave one out with '-p no:loud' or '-p no:toy'",
    )
    suite = (robustfim.folder / "toy.yaml").read_text(encoding="utf-8")
    robustfim.write(
        "full.yaml", suite.replace("use: rename", "use: toy/rename").replace("perturb: rename", "perturb: toy/rename")
    )
    assert robustfim("run full.yaml -p loud").code == 1
    assert {check.perturbation["use"] for check in robustfim.record().checks} == {"toy/rename"}
    listed = robustfim("plugins rename -p loud -p toy.py").out
    assert "loud/rename" in listed
    assert "toy/rename" in listed
    assert robustfim("run toy.yaml::calm -p loud -p no:loud").code == 0


# ---- blocking -----------------------------------------------------------------------------------------


def test_every_kind_of_plugin_can_be_blocked(robustfim: CommandLine) -> None:
    robustfim.write("shout.py", shout())
    options = PluginOptions.parse(["shout.py", "no:shout", "no:html", "no:builtin"])
    assert options == PluginOptions(("shout.py",), ("shout", "html", "builtin"))
    manager = load_plugins(options)
    assert not {"shout", "html", "robustfim.builtin"} & set(manager.names)
    with pytest.raises(UsageError, match=r"there is no plugin 'htlm'\. Did you mean 'html'"):
        load_plugins(PluginOptions(block=("htlm",)))


def test_the_terminal_is_a_plugin_that_can_be_blocked(robustfim: CommandLine) -> None:
    shown = robustfim("run toy.yaml -p no:terminal")
    assert (shown.code, shown.out, shown.err) == (1, "", "")
    assert robustfim.outcomes()["both"] == "failed"


# ---- commands -----------------------------------------------------------------------------------------

COMMANDS = """\
import click
from robustfim import UsageError, hookimpl


@click.command()
@click.option("--how", default="well")
@click.pass_context
def command(ctx, how):
    '''End in one of several ways.'''
    if how == "badly":
        raise LookupError("lost")
    if how == "refused":
        raise UsageError("not like this")
    if how == "seven":
        ctx.exit(7)
    if how == "out":
        raise SystemExit(0)
    click.echo(f"ended {how}")


@hookimpl
def robustfim_commands():
    return {"end": ("ending:command", "End somehow."), "gone": ("ending:gone", "Is not there."),
            "odd": ("ending:robustfim_commands", "Is no command.")}
"""


def test_a_plugins_command_ends_as_it_says(robustfim: CommandLine) -> None:
    robustfim.write("ending.py", COMMANDS)
    assert robustfim("-p ending end").out == "ended well\n"
    assert robustfim("-p ending end --how seven").code == 7
    assert robustfim("-p ending end --help").out.startswith("Usage: robustfim end [OPTIONS]")
    refused(robustfim("-p ending end --how refused"), "not like this")
    out = robustfim("-p ending end --how out")
    assert (out.code, out.err.splitlines()[-1]) == (1, "ERROR: plugin 'ending': command 'end' raised SystemExit: 0")
    refused(robustfim("-p ending end --who"), "No such option", "See 'robustfim end --help'.")
    refused(robustfim("end"), "there is no command 'end'.")


def test_a_plugins_command_that_raises_is_told_with_its_traceback(robustfim: CommandLine) -> None:
    robustfim.write("ending.py", COMMANDS)
    shown = robustfim("-p ending end --how badly")
    assert shown.code == 1
    assert "Traceback" in shown.err
    assert shown.err.splitlines()[-1] == "ERROR: plugin 'ending': command 'end' raised LookupError: lost"
    refused(robustfim("-p ending gone"), "plugin 'ending': command 'gone': 'ending:gone' cannot be imported")
    refused(robustfim("-p ending odd"), "ending:robustfim_commands is not a click command")
