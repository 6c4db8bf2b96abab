"""The command ``robustfim import``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from robustfim.commands import INPUT, OUTPUT, Chosen, shared_options
from robustfim.printable import counted

if TYPE_CHECKING:
    from robustfim.roles import ResultFormat, SuiteFormat

__all__ = ["command"]


@click.command(name="import", epilog="Example: robustfim import hatecheck test_suite_cases.csv --out hate.yaml")
@click.argument("name", metavar="FORMAT")
@click.argument("file", type=INPUT, metavar="FILE", required=False)
@click.option("--out", type=OUTPUT, metavar="FILE",
              help="The suite to write, suites/FORMAT.yaml where it is not given; for results the record, "
              "reports/NAME/results.json.")  # fmt: skip
@click.option("--label", "labels", multiple=True, metavar="SUITE=MODEL",
              help="The model's label for one of the suite's: --label hateful=hate, or [several, of, them]."
              )  # fmt: skip
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE",
              help="An option of the format: -o task=sst2. 'robustfim plugins FORMAT' lists them.")  # fmt: skip
@click.option("--limit", type=click.FloatRange(0, 1), default=0.1, show_default=True,
              help="The limit that each check of a suite begins with; edit them in the suite.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@shared_options(
    "model", "plugins", model={"help": "The suite's model: --model use=huggingface --model path=./my-model."}
)
def command(
    name: str, file: Path | None, out: Path | None, labels: Sequence[str], options: Sequence[str], limit: float,
    force: bool, chosen: Chosen,
) -> None:  # fmt: skip
    """Make a suite of a released test suite, or a record of another tool's results.

    FILE is your own copy, in the FORMAT in which it was released; 'robustfim plugins' lists the formats. Nothing is
    fetched, no pickle is read, and no text is copied into a suite: it names the file and its hash.
    """
    from robustfim.errors import UsageError
    from robustfim.roles import ResultFormat

    if file is None:
        missing = "FORMAT" if Path(name).is_file() else "FILE"
        known = ", ".join(sorted(chosen.manager().offers("suite_formats")))
        raise UsageError(f"{missing} is missing: 'robustfim import FORMAT FILE', where FORMAT is one of {known}.")
    form = _format(name, options, chosen)
    if isinstance(form, ResultFormat):
        for option, values in (("--model", chosen.model), ("--label", labels)):
            if values:
                raise UsageError(f"{name!r} makes a record from results, so {option} has no effect. Leave it out.")
        _write_record(form, file, out, force=force)
    else:
        target = out or Path("suites") / f"{name}.yaml"
        _require_free(target, force=force)
        _write_suite(name, form, file, target, options, labels, limit, chosen)


def _format(name: str, options: Sequence[str], chosen: Chosen) -> SuiteFormat | ResultFormat:
    from robustfim.errors import PluginError
    from robustfim.plugin.factory import make_offered
    from robustfim.roles import ResultFormat, SuiteFormat
    from robustfim.suite import SuiteFile, Use, parse_override

    file = SuiteFile(Path("import"), {"use": name})
    file.overridden["use",] = "FORMAT"
    for text in options:
        location, value = parse_override(text, "-o")
        file.override(location, value, f"-o {text}")
    manager, use = chosen.manager(), Use.model_validate(file.data)
    made, offer = make_offered(manager, file, "suite_formats", use, ())
    if not isinstance(made, SuiteFormat | ResultFormat):
        raise PluginError(f"plugin {offer.owner!r}: the format {name!r} needs 'read' and 'contract', or 'record'.")
    return made


def _write_record(form: ResultFormat, file: Path, out: Path | None, *, force: bool) -> None:
    from robustfim.judge import write_record
    from robustfim_suites.cases import plain_name

    out = out or Path("reports") / plain_name(file.stem) / "results.json"
    _require_free(out, force=force)
    record = form.record(file)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_record(record, out)
    checks, failures = len(record.checks), len(record.failures)
    click.echo(f"wrote {out}: {counted(checks, 'check')}, {counted(failures, 'failure')}")
    for check in record.checks:
        click.echo(f"  {check.name}  {check.outcome.value}: {check.message}")
    click.echo(f"look at it: robustfim report {out}")


def _write_suite(
    name: str, form: SuiteFormat, file: Path, out: Path, options: Sequence[str], labels: Sequence[str], limit: float,
    chosen: Chosen,
) -> None:  # fmt: skip
    from robustfim.collect.written import placed_options, relative_path
    from robustfim.errors import UsageError
    from robustfim.parts import FormatPart
    from robustfim.session import look_at_suite
    from robustfim.suite import check_name, parse_override
    from robustfim_suites.imported import ImportedSuite
    from robustfim_suites.label_groups import LabelGroups
    from robustfim_suites.released import checks_of_format, sha256

    try:
        check_name(out.stem)
    except ValueError as error:
        raise UsageError(f"--out {out}: {error}.".replace("a check", "a suite")) from None
    pairs = [parse_override(text, "--label") for text in labels]
    names = {".".join(map(str, place)): value for place, value in pairs}
    contract = form.contract
    LabelGroups(contract.labels, names)  # refuses a label that the suite does not have
    own = {".".join(map(str, place)): value for place, value in (parse_override(text, "-o") for text in options)}
    checks = checks_of_format(form, file)
    read = FormatPart(form).files(file)
    told = {"path": relative_path(file, out.parent), "sha256": sha256(read), "licence": contract.licence}
    reader = contract.source
    source: dict[str, Any] = (
        {"use": reader, "format": {"use": name, **own} if own else name, **told}
        if reader == "released"
        else {"use": reader, **told, **own}
    )
    if names:
        source["labels"] = names
    loaded = chosen.plugin_options.load
    modules = [relative_path(Path(each), out.parent) if each.endswith(".py") else each for each in loaded]
    named = chosen.model_and_data()[0].model
    model = None if named is None else placed_options(named, out.parent)
    suite = ImportedSuite(
        name=out.stem, form=form, checks=checks, source=source,
        limits={check.name: limit for check in checks}, model=model,
        plugins=modules,
    )  # fmt: skip
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(suite.text(out.as_posix()), encoding="utf-8")
    if suite.model is not None:
        look_at_suite(out, options=chosen.options)
    click.echo(f"wrote {out}: {suite.size}; {contract.title}; licence: {contract.licence}")
    for reason, number in FormatPart(form).skipped.items():
        click.echo(f"not tested: {reason}{f' ({number:,})' * (number > 1)}")
    click.echo(f"run it: robustfim run {out}" if suite.model else f"put your model into it, then: robustfim run {out}")


def _require_free(out: Path, *, force: bool) -> None:
    from robustfim.errors import UsageError

    if out.exists() and not force:
        raise UsageError(f"{out} exists already. Name another file with --out, or write over it with --force.")
