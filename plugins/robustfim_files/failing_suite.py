"""The failing texts of runs as a suite that every later model must pass."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from robustfim.collect import Named
from robustfim.collect.written import check_lines, comments, flow, placed_options, relative_path, written_use
from robustfim.errors import RobustfimError, UsageError
from robustfim.plugin import PluginManager, PluginOptions, load_plugins
from robustfim.printable import counted
from robustfim.record import CheckRecord, ExampleRecord, Failure, Record, private_value, write_rows
from robustfim.suite import SuiteFile, as_plain, check_name, one_suite_each, read_suite_file
from robustfim.whole_file import write_whole, writing

__all__ = ["FailingSuite", "write_suite"]

_GOLD = ("correct", "equals")
"""Expectations that use the gold label if they name no label."""


@dataclass
class FailingSuite:
    """A new suite made of the texts that failed in runs of one suite, on one or several models.

    Each check keeps the requirement that it had in the run. If the label had to stay unchanged and a text has a gold
    label, the check also requires the gold label, so that a model with one constant answer does not pass.

    Attributes:
        rows: The examples by id: text fields, gold label, group (such as difficult or random), and a column of failing
            texts for each check.
        checks: The checks with a failing text, by name, as mappings for a suite file.
        notes: The comment written above each check.
        texts: The number of failing texts.
        left_out: The number of failures left out because a suite file cannot express them, by reason.
    """

    records: Sequence[Record]
    manager: PluginManager
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    checks: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    texts: int = 0
    left_out: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        offered = {kind: self.manager.offers(kind) for kind in ("expectations", "perturbations")}
        fields = dict.fromkeys(
            name for record in self.records for record_example in record.examples for name in record_example.fields
        )
        self._fields, self._label, self._arm = list(fields), _free("label", fields), _free("arm", fields)
        failing: dict[str, list[tuple[Failure, ExampleRecord]]] = {}
        known: dict[str, CheckRecord] = {}
        for record in self.records:
            checks = {check.id: check for check in record.checks}
            examples = record.look_up({failure.example for failure in record.failures})
            for failure in record.failures:
                check, example = checks[failure.check], examples[failure.example]
                sourced = check.perturbation.get("use") not in offered["perturbations"]
                reason = _unfit(failure, check, example, record, offered["expectations"], sourced=sourced)
                if reason:
                    self.left_out[reason] += 1
                else:
                    known.setdefault(check.name, check)
                    failing.setdefault(check.name, []).append((failure, example))
        for name, pairs in failing.items():
            self._add(known[name], pairs)

    def _add(self, check: CheckRecord, pairs: Sequence[tuple[Failure, ExampleRecord]]) -> None:
        """Add a check with its texts; one that several models fail is there once."""
        column, labelled, before = f"failed_{check.name}", False, self.texts
        for failure, example in pairs:
            row = self.rows.setdefault(
                example.id, {**example.fields, self._label: example.label, self._arm: example.arm}
            )
            texts = row.setdefault(column, [])
            item = self._item(failure, example)
            labelled |= isinstance(item, dict) and self._label in item
            if item not in texts:
                texts.append(item)
                self.texts += 1
        expect = written_use(check.expectation)
        if check.expectation["use"] == "invariant":
            kept = {**check.expectation, "counts": "changes"}  # not by whether another example has a gold label
            expect = "correct" if check.counts == "broken" else kept
            if check.counts == "changes" and self._gold_is_known(pairs):
                expect = {"use": "all", "of": [kept, "correct"]}
        held = [row[column] for row in self.rows.values() if column in row]
        unchanged = any(dict(failure.fields) == dict(example.fields) for failure, example in pairs)
        fails = written_use(check.fails)
        self.checks[check.name] = {
            "perturb": {
                "use": "column", "name": column, **({"label": self._label} if labelled else {}),
                **({"unchanged": True} if unchanged else {}),
                "candidates": max(map(len, held)),
            },
            "expect": expect,
            **({} if fails == "any" else {"fails": fails}),
            "limit": 0,
            **({"marks": check.marks} if check.marks else {}),
        }  # fmt: skip
        number = counted(self.texts - before, "text")
        source = f"{check.id}, {flow(check.perturbation)}"
        self.notes[check.name] = f"{number} of {counted(len(held), 'example')} from {source}"

    def _item(self, failure: Failure, example: ExampleRecord) -> str | dict[str, str]:
        """A failing text: as it is where an example is one text, else the fields that are not as before."""
        own = {self._label: failure.label} if failure.label not in (None, example.label) else {}
        if len(example.fields) == 1 and not own:
            return next(iter(failure.fields.values()))
        changed = {name: text for name, text in failure.fields.items() if text != example.fields[name]}
        return {**(changed or failure.fields), **{key: value for key, value in own.items() if value is not None}}

    def _gold_is_known(self, pairs: Sequence[tuple[Failure, ExampleRecord]]) -> bool:
        """Whether the gold labels of examples are those that the models give."""
        gold = {example.label for _, example in pairs} - {None}
        return bool(gold) and all(not record.model.labels or gold <= {*record.model.labels} for record in self.records)

    def __str__(self) -> str:
        return ", ".join(
            [
                counted(self.texts, "failing text"),
                counted(len(self.rows), "example"),
                counted(len(self.checks), "check"),
            ]
        )

    def write(self, path: Path, files: Sequence[SuiteFile | None], plugins: PluginOptions) -> list[Path]:
        """Write the suite file, and a data file beside it, and return their paths.

        Args:
            path: The path of the new suite.
            files: The suite file of each record. If a file is None, the model is described as in the record.
            plugins: The plugins given with the command-line option ``-p``.

        Raises:
            UsageError: One of the files cannot be written.
        """
        data = path.with_suffix(".jsonl")
        columns = [*self._fields, self._label, self._arm, *(f"failed_{name}" for name in self.checks)]
        rows = [{name: row.get(name) for name in columns} for row in self.rows.values()]
        text = "\n".join(self._lines(path, data, files, plugins)) + "\n"
        write_rows(data, columns, rows)
        with writing(path):
            return [write_whole(path, text.encode("utf-8", "backslashreplace")), data]

    def _lines(self, path: Path, data: Path, files: Sequence[SuiteFile | None], plugins: PluginOptions) -> list[str]:
        record = self.records[0]
        names = " and ".join(dict.fromkeys(each.model.use for each in self.records))
        head = [
            f"Written by 'robustfim export' on {datetime.date.today()}: {counted(self.texts, 'text')} on which "
            f"{names} failed in {record.path or record.suite}.",
            f"They stand in {data.name}. One that fails again fails its check.",
            f"Run it:  robustfim run {path.as_posix()}",
        ]
        fields = self._fields[0] if len(self._fields) == 1 else self._fields
        named = {key: value for key, value in (("text", fields), ("label", self._label)) if value != key}
        models = [self._model(file, each, path.parent) for file, each in zip(files, self.records, strict=True)]
        lines = [*comments(head), "", f"suite: {path.stem}"]
        if loaded := _plugins(files, plugins, path.parent):
            lines.append(f"plugins: {flow(loaded)}")
        if None in models:
            lines.append("# model: a script gave it; name yours, or give it again: robustfim.run(this file, model=…)")
        elif len(models) == 1:
            lines.append(f"model: {flow(models[0])}")
        else:
            lines += ["models:", *(f"  - {flow(model)}" for model in models)]
        lines += [
            f"data: {flow({'use': 'jsonl', 'path': data.name, **named})}",
            "one_label: true  # a few texts may well have one",
            "",
            "checks:",
        ]
        return [*lines, *check_lines(self.checks, {name: [note] for name, note in self.notes.items()})][:-1]

    def _model(self, file: SuiteFile | None, record: Record, folder: Path) -> dict[str, Any] | None:
        """The model of a run, its paths from the new suite's folder; None for an object of a script."""
        part = None if file is None else Named.read("models", file, self.manager)
        if part is None:
            known = self.manager.find("models", record.model.use) is not None
            return {"use": record.model.use, **record.model.options} if known else None
        return None if part.use.given is not None else placed_options(part, folder)


def write_suite(path: Path, records: Sequence[Record], plugins: PluginOptions) -> list[str]:
    """Write the texts that failed in runs of one suite as a new suite, which tests them again.

    Args:
        path: The path of the new suite, a ``.yaml`` file that does not exist yet. Nothing is written if no text failed.
        records: The runs, on one or several models.
        plugins: The plugins given with the command-line option ``-p``.

    Returns:
        Lines for the terminal: the failures left out, and the files written.

    Raises:
        UsageError: The suite or its data file exists already, or cannot be written.
        PluginLoadError: A plugin cannot be loaded.
    """
    _require_free(path)
    files = [_suite_of(record) for record in records]
    named = next((file for file in files if file is not None), None)
    manager = load_plugins(plugins, *(() if named is None else (named.data.get("plugins") or (), named.folder)))
    suite = FailingSuite(records, manager)
    lines = [f"left out: {number:,} failing: {reason}" for reason, number in suite.left_out.items()]
    if not suite.texts:
        return [*lines, f"no failing text, so {path} is not written"]
    written = " and ".join(map(str, suite.write(path, files, plugins)))
    return [*lines, f"wrote {written}: {suite}; run it: robustfim run {path}"]


def _require_free(path: Path) -> None:
    try:
        check_name(path.stem)
    except ValueError as error:
        raise UsageError(f"{path}: {error}.".replace("a check", "a suite")) from None
    for each in (path, path.with_suffix(".jsonl")):
        if each.exists():
            raise UsageError(f"{each} exists already. Name another file, to keep its texts.")


def _suite_of(record: Record) -> SuiteFile | None:
    if not Path(record.path).is_file():
        return None
    try:
        variants = one_suite_each(read_suite_file(Path(record.path)))
    except RobustfimError:
        return None
    for _, file in variants:
        model = file.data.get("model")
        use = {"use": model} if isinstance(model, str) else model
        if isinstance(use, dict) and private_value(as_plain(use)) == {
            "use": record.model.use,
            **record.model.options,
        }:
            return file
    return None


def _unfit(
    failure: Failure, check: CheckRecord, example: ExampleRecord, record: Record, expectations: Collection[str], *,
    sourced: bool,
) -> str:  # fmt: skip
    """Say why a failure cannot stand in a suite of its own; empty where it can."""
    use = check.expectation.get("use")
    if failure.step is not None:
        return "a step in embedding space has no text"
    if check.yardstick:
        return "the perturbation is not meant to keep the meaning"
    if failure.review == "invalid":
        return "people call the text invalid"
    if not check.estimand.by_example or use not in expectations or _by_slice(check.expectation):
        return "what its check expects cannot be asked of the text alone"
    if check.partners:
        return "the text is another example of the data"
    if use in _GOLD and "label" not in check.expectation and (failure.label or example.label) is None:
        return "the record does not say which label was wanted"
    if sourced and _only_there(failure, check, record):
        return "it fails only as its source reads labels"
    return ""


def _only_there(failure: Failure, check: CheckRecord, record: Record) -> bool:
    """Whether a failure of a source's check is none by the plain names of the labels."""
    use, wanted = check.expectation["use"], check.expectation.get("label", failure.label)
    labels = wanted if isinstance(wanted, list) else [wanted]
    if use == "invariant":
        return failure.before.label == failure.after.label
    if use in _GOLD:
        return failure.after.label in labels or bool(record.model.labels and not {*labels} <= {*record.model.labels})
    return False


def _by_slice(value: Any) -> bool:
    """Whether an expectation, or a part of it, goes by slices of the data."""
    if isinstance(value, Mapping):
        return value.get("use") == "per_slice" or any(map(_by_slice, value.values()))
    return isinstance(value, list) and any(map(_by_slice, value))


def _plugins(files: Sequence[SuiteFile | None], plugins: PluginOptions, folder: Path) -> list[str]:
    """The plugins of the suites and of ``-p``, as a suite in another folder names them."""
    named = [(plugin, file.folder) for file in files if file is not None for plugin in file.data.get("plugins") or ()]
    named += [(each, Path()) for each in plugins.load]
    placed = (relative_path(Path(each), folder, base) if each.endswith(".py") else each for each, base in named)
    return list(dict.fromkeys(placed))


def _free(name: str, taken: Collection[str]) -> str:
    """A name of a column that no field of a text has."""
    while name in taken:
        name += "_"
    return name
