"""``robustfim plugin new``: the folder of a plugin of one's own, with tests that pass."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from pathlib import Path

import click

from robustfim.commands import Chosen, print_line, shared_options
from robustfim.errors import UsageError
from robustfim.version import __version__

__all__ = ["new", "plugin"]

_TEMPLATES = Path(__file__).with_name("plugin_template")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_LONGEST = 50

_FILES: Mapping[str, str] = {
    "pyproject.toml": "pyproject.toml.jinja",
    "README.md": "README.md.jinja",
    ".gitignore": "gitignore.jinja",
    ".github/workflows/ci.yml": "ci.yml.jinja",
    "src/{module}/__init__.py": "face.py.jinja",
    "src/{module}/perturbation.py": "perturbation.py.jinja",
    "src/{module}/py.typed": "",
    "tests/test_{module}.py": "test.py.jinja",
}
"""The files of a plugin, and the template of each; none for an empty one."""


@click.group(epilog="Example: robustfim plugin new exclaim")
def plugin() -> None:
    """Make a plugin of your own."""


@plugin.command(epilog="Example: robustfim plugin new exclaim")
@click.argument("name")
@shared_options("plugins", "color")
def new(chosen: Chosen, name: str) -> None:
    """Write the folder of a new plugin.

    It is robustfim-NAME, below the current folder: an entry point, a small perturbation NAME to put your own in place
    of, tests that use robustfim.testing and pass at once, a README and a workflow of GitHub. Nothing is installed or
    fetched.
    """
    from robustfim.whole_file import write_whole

    module = f"robustfim_{name.replace('-', '_')}"
    folder = Path(f"robustfim-{name.replace('_', '-')}")
    _check_name(name)
    if folder.exists():
        raise UsageError(f"{folder} is there already. Choose another name, or move it away.")
    if importlib.util.find_spec(module) is not None:
        raise UsageError(f"a package {module} is installed already, so the plugin needs another name than {name!r}.")
    if name in (offered := chosen.manager().offers("perturbations")):
        raise UsageError(
            f"plugin {offered[name].owner!r} offers a perturbation {name!r} already, so yours needs another name."
        )
    for path, text in _files(name, module, folder.name).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode("utf-8"))
    console = chosen.console()
    print_line(console, f"{folder} is written: the perturbation {name!r} is in {folder}/src/{module}/perturbation.py")
    print_line(console, f"install it: pip install -e '{folder}[dev]'")
    print_line(console, f"test it:    python -m pytest {folder}")


def _check_name(name: str) -> None:
    """Refuse a name that packages, entry points or suites could not have."""
    if name.startswith(("robustfim-", "robustfim_")):
        raise UsageError(f"write the name without 'robustfim-', which is put before it: {name[10:]!r}.")
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise UsageError(
            f"{name!r} is no name for a plugin: write at most {_LONGEST} small letters (a-z) and digits, a letter "
            "first, parts joined by single '-' or '_'."
        )


def _files(name: str, module: str, distribution: str) -> dict[str, str]:
    """Fill the templates; path to text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # What is written is Python, TOML and YAML, no HTML, and the name holds letters, digits, - and _ only.
    environment = Environment(  # noqa: S701  # there is nothing to escape
        loader=FileSystemLoader(_TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True
    )
    values = {
        "name": name,
        "module": module,
        "distribution": distribution,
        "class_name": "".join(part.capitalize() for part in re.split("[-_]", name)),
        "version": __version__,
    }
    return {
        path.format(module=module): environment.get_template(template).render(values) if template else ""
        for path, template in _FILES.items()
    }
