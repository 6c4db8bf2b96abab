"""``robustfim plugin new``: write the folder of a new plugin, with tests that pass."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from robustfim.commands import Chosen, print_line, shared_options
from robustfim.errors import UsageError
from robustfim.version import __version__

__all__ = ["new", "plugin"]

_TEMPLATES = Path(__file__).with_name("template")
_NAME = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_LONGEST = 50

_FILES: Mapping[str, str] = {
    "pyproject.toml": "pyproject.toml.jinja",
    "README.md": "README.md.jinja",
    ".gitignore": "gitignore.jinja",
    ".github/workflows/ci.yml": "ci.yml.jinja",
    "src/{module}/__init__.py": "face.py.jinja",
    "src/{module}/{kind}.py": "{kind}.py.jinja",
    "src/{module}/py.typed": "",
    "tests/test_{module}.py": "test_{kind}.py.jinja",
}
"""The files of a plugin, and the template of each; none for an empty one."""


@dataclass(frozen=True)
class _Kind:
    """What a plugin can begin as.

    Attributes:
        role: The key of what it offers in ``robustfim_offers``.
        noun: What it is called, with its article.
        does: What the example does, after "it".
        suite: How a suite uses it, with ``NAME`` for its name; empty where none names it.
        beside: The kinds of what its module offers beside it by the same name.
    """

    role: str
    noun: str
    does: str
    suite: str = ""
    beside: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """Return the noun of this kind without its article."""
        return self.noun.partition(" ")[2]


_KINDS: Mapping[str, _Kind] = {
    "perturbation": _Kind(
        "perturbations", "a perturbation", "ends sentences with exclamation marks",
        "checks:\n  NAME: {perturb: {use: NAME, marks: 1}, limit: 0.05}",
    ),
    "model": _Kind(
        "models", "a model", "distinguishes shouted texts by their capitals",
        "model: {use: NAME, share: 0.5}",
    ),
    "score": _Kind(
        "scorers", "a score", "ranks the least sure texts as difficult",
        "select: {by: NAME, difficult: 100, control: 100}",
    ),
    "constraint": _Kind(
        "constraints", "a constraint", "rejects a candidate much longer than its text",
        "checks:\n  typos: {perturb: typos, constrain: [{use: NAME, most: 1.2}], limit: 0.05}",
    ),
    "order": _Kind(
        "orders", "an order", "tries candidates first that replace the most characters",
        "checks:\n  typos: {perturb: {use: typos, candidates: 1, order: NAME}, limit: 0.05}",
    ),
    "expectation": _Kind(
        "expectations", "an expectation", "asks the model to stay sure of its label",
        "checks:\n  typos: {perturb: typos, expect: {use: NAME, by: 0.1}, limit: 0.05}",
    ),
    "reducer": _Kind(
        "reducers", "a reducer", "fails an example with two failing candidates, or with all of fewer",
        "checks:\n  typos: {perturb: typos, fails: {use: NAME, least: 2}, limit: 0.05}",
    ),
    "data": _Kind(
        "data", "a data source", "reads a folder of text files; the folder is the label",
        "data: {use: NAME, path: reviews}",
    ),
    "report": _Kind(
        "reports", "a report", "writes a CSV file with a line a check",
        "reports: [NAME]",
    ),
    "tagger": _Kind(
        "services", "a tagger", "splits texts of any script for perturbations with parts of speech",
    ),
    "trainer": _Kind(
        "trainers", "a trainer", "trains a naive Bayes classifier of words, a model of the same name",
        "model: {use: NAME, path: trained/model.json}", beside=("model",),
    ),
    "format": _Kind(
        "suite_formats", "a suite format", "reads pairs of equivalent texts from a CSV file",
        "checks: {use: released, format: NAME, path: pairs.csv}",
    ),
    "source": _Kind(
        "checks", "a source of checks", "takes each file of a folder as a check of equivalent texts",
        "checks: {use: NAME, path: pairs}",
    ),
    "attribution": _Kind(
        "services", "an attribution", "leaves each word out in turn, and measures the model's loss of sureness",
        "attribution: true",
    ),
    "engine": _Kind(
        "engines", "an engine", "computes in threads of the run's process",
        "engine: {use: NAME, workers: 2}",
    ),
}  # fmt: skip
"""The kinds by name, which is that of their module and their templates."""


@click.group(epilog="Example: robustfim plugin new exclaim")
def plugin() -> None:
    """Make a plugin of your own."""


@plugin.command(epilog="Example: robustfim plugin new exclaim")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(list(_KINDS)),
    default="perturbation",
    show_default=True,
    help="The kind of its example.",
)
@shared_options("plugins", "color")
def new(chosen: Chosen, name: str, kind: str) -> None:
    """Write the folder of a new plugin.

    It is robustfim-NAME, below the current folder: an entry point, a small example NAME of its kind to put your own in
    place of, tests that use robustfim_testing and pass at once, a README and a workflow of GitHub. Nothing is installed
    or fetched.
    """
    from robustfim.whole_file import write_whole

    module = f"robustfim_{name.replace('-', '_')}"
    folder = Path(f"robustfim-{name.replace('_', '-')}")
    _check_name(name)
    if folder.exists():
        raise UsageError(f"{folder} exists already. Choose another name, or move it.")
    if importlib.util.find_spec(module) is not None:
        raise UsageError(f"a package {module} is installed already, so the plugin needs another name than {name!r}.")
    begun = _KINDS[kind]
    for taken in (begun, *(_KINDS[beside] for beside in begun.beside)):
        offered = {} if taken.role == "services" else chosen.manager().offers(taken.role)
        if name in offered:
            raise UsageError(
                f"plugin {offered[name].owner!r} offers {taken.noun} {name!r} already, so yours needs another name."
            )
    for path, text in _files(name, module, folder.name, kind).items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode("utf-8"))
    console = chosen.console()
    print_line(console, f"{folder} is written: the {begun.word} {name!r} is in {folder}/src/{module}/{kind}.py")
    print_line(console, f"install it: pip install -e '{folder}[dev]'")
    print_line(console, f"test it:    python -m pytest {folder}")


def _check_name(name: str) -> None:
    """Refuse a name that packages, entry points or suites could not have."""
    if name.startswith(("robustfim-", "robustfim_")):
        raise UsageError(f"write the name without 'robustfim-', which is put before it: {name[10:]!r}.")
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise UsageError(
            f"{name!r} is not a name for a plugin: write at most {_LONGEST} small letters (a-z) and digits, a letter "
            "first, parts joined by single '-' or '_'."
        )


def _files(name: str, module: str, distribution: str, kind: str) -> dict[str, str]:
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
        "body": kind,
        "kind": _KINDS[kind],
    }
    return {
        path.format(module=module, kind=kind): (
            environment.get_template(template.format(kind=kind)).render(values) if template else ""
        )
        for path, template in _FILES.items()
    }
