"""Make checks from a suite and its plugins, and read usable examples from a data source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from itertools import cycle, islice
from typing import Any

from robustfim.collect.attribution import attribution_asked_for
from robustfim.collect.cards import Cards
from robustfim.collect.check import Check
from robustfim.collect.check_source import checks_of
from robustfim.collect.collection import Collection
from robustfim.collect.lookup import contradicts, read_rows
from robustfim.collect.parts import Parts
from robustfim.collect.spool import BLOCK, Examples, Spool
from robustfim.collect.supports import refuse_unsupported
from robustfim.decision import NO_LABEL, WithinRule, read_number
from robustfim.errors import DataError, NothingCollected, UsageError, shown, suggestions
from robustfim.example import Example
from robustfim.labels import Unlabelled, labels_option, match_name, relabelled
from robustfim.parts import AttributionPart
from robustfim.plugin.factory import default_score
from robustfim.plugin.manager import PluginManager
from robustfim.predict.decided import decision_rule, without_rule
from robustfim.predict.labels import gold_names, is_answering, known_labels, model_labels
from robustfim.printable import counted
from robustfim.roles import Progress
from robustfim.suite.config import RunConfig
from robustfim.suite.error_list import Gathering
from robustfim.suite.expression import compile_expression
from robustfim.suite.file import Location
from robustfim.suite.format import BEST, Use

__all__ = ["collect", "load_examples", "select_checks"]


def collect(config: RunConfig, manager: PluginManager) -> Collection:
    """Look up every name of a suite, check every option, and construct the plugins' classes.

    Nothing heavy happens here: no data are read and no weights are loaded.

    Raises:
        UsageError: Names or options are unknown (the message lists each with its line), or libraries are missing.
        PluginError: A plugin cannot be imported or constructed.
    """
    suite = config.suite
    parts = Parts(manager, config.file, tuple(suite.slices), Cards.of(config, manager))
    mistakes = Gathering()

    def make(kind: str, use: Use, location: Location) -> Any:
        with mistakes.step():
            return parts.make(kind, use, location)

    model = make("models", suite.model, ("model",))
    data = None if suite.data is None else make("data", suite.data, ("data",))
    scorers, checks, attribution, source = [], [], None, None
    with mistakes.step():
        scorers = [make("scorers", use, location) for use, location in _scores(config, manager)]
    for name, spec in suite.checks.items():
        with mistakes.step():
            checks.append(refuse_unsupported(_repeated(parts.check(name, spec), config), config, model))
    if suite.source is not None:
        source = make("checks", suite.source, ("checks",))
        if suite.repeat:
            message = "'repeat' is for checks that the suite writes, and those of a source bring texts of their own."
            mistakes.add(config.file.error(message, ("repeat",)))
    reports = {use.use: make("reports", use, ("reports", i)) for i, use in enumerate(suite.reports)}
    engine = make("engines", suite.engine, ("engine",))
    with mistakes.step():
        attribution = attribution_asked_for(config, manager, model)
    mistakes.tell()
    if source is not None:
        checks = checks_of(source, config)
    return Collection(
        config, model, data, source, tuple(scorers), tuple(checks), reports,
        collected=tuple(checks),
        attribution=attribution, owners=parts.owners, engine=engine,
        made=(*parts.made, *(() if attribution is None else (AttributionPart(attribution.attribution),))),
    )  # fmt: skip


def _repeated(check: Check, config: RunConfig) -> Check:
    """Ask again about unchanged texts, whose answers stay where the model has no noise of its own."""
    contract, stays = check.perturbation.contract, check.spec.expect.use in ("invariant", "directional")
    if config.options.examples or not stays or check.perturbation.takes_steps or contract.unchanged:
        return check
    return replace(check, repeat=config.suite.repeat)


def _scores(config: RunConfig, manager: PluginManager) -> list[tuple[Use, Location]]:
    """The suite's scores, and the one that selects if the suite does not list it."""
    suite = config.suite
    scores: list[tuple[Use, Location]] = [(use, ("scores", i)) for i, use in enumerate(suite.scores)]
    if suite.select is not None and suite.select.scored:
        if suite.select.by == BEST:
            if len(scores) < 2:
                raise config.file.error(
                    f"'by: {BEST}' chooses among the suite's scores, so name two or more: 'scores: [NAME, NAME]'. "
                    "'robustfim plugins' lists them.",
                    ("select", "by"),
                )
            return scores
        by = suite.select.by or (suite.scores[0].use if suite.scores else default_score(manager))
        if by is None:
            raise config.file.error(
                "no loaded plugin has a score that selects by default: name one with 'by: NAME'.", ("select",)
            )
        if by not in {use.use for use, _ in scores}:
            scores.append((Use(use=by), ("select", "by")))
    return scores


# ---- which checks -------------------------------------------------------------------------------------


def select_checks(checks: Sequence[Check], config: RunConfig, last_failed: Iterable[str] = ()) -> list[Check]:
    """Return the checks that the command line selects.

    Args:
        checks: All checks of the suite.
        config: The options ``only``, ``keyword``, ``marks`` and ``last_failed``.
        last_failed: Ids of the checks that did not pass in the last run; if empty, ``--lf`` keeps all checks.

    Returns:
        The kept checks, in the suite's order.

    Raises:
        UsageError: A name in ``suite.yaml::name`` does not exist, or an expression cannot be read.
        NothingCollected: No check is left.
    """
    options = config.options
    names = [check.name for check in checks]
    for wanted in options.only:
        if wanted not in names:
            raise UsageError(f"{config.shown_path} has no check {shown(wanted)}.{suggestions(wanted, names)}")
    chosen = [check for check in checks if not options.only or check.name in options.only]
    if options.keyword:
        matches = compile_expression(options.keyword, "-k")
        chosen = [check for check in chosen if matches(lambda word, each=check: word.lower() in each.name.lower())]  # type: ignore[misc]  # a default binds the loop variable
    if options.marks:
        matches = compile_expression(options.marks, "-m")
        chosen = [check for check in chosen if matches(lambda word, each=check: word in each.spec.marks)]  # type: ignore[misc]  # a default binds the loop variable
    failed = set(last_failed) & {check.id for check in chosen}
    if options.last_failed and failed:
        chosen = [check for check in chosen if check.id in failed]
    if not chosen:
        raise NothingCollected(
            f"the selection leaves no check of {config.shown_path} to run; the suite has the checks {', '.join(names)}."
        )
    return chosen


# ---- which examples -----------------------------------------------------------------------------------


def load_examples(collection: Collection, progress: Progress = lambda *_: None) -> Collection:
    """Read the data once, block by block, and keep on disk the examples about which the model can be asked.

    Empty texts, repeated texts and texts longer than the suite's ``longest`` are left out and counted. For a text with
    two gold labels, the suite's ``on_conflict`` decides. Gold labels are matched with the model's: exactly, or, if it
    is unambiguous, ignoring case.

    Args:
        collection: A collection without examples.
        progress: Called with ("read", usable examples so far, 0) after every block except the first.

    Raises:
        DataError: The data cannot be read, or the model lacks a label.
        UsageError: An expectation names a label that the model lacks.
        ModelError: The model cannot be loaded, or its labels cannot be used.
        PluginError: The data source raised, or returned something other than examples.
        NothingCollected: No usable example is left.
    """
    _refuse_labels(collection, model_labels(collection.model, collection.who))
    rule = decision_rule(collection.model)
    labels = gold_names(collection.model)
    if collection.data is None or collection.config.suite.data is None:
        return replace(collection, skipped={} if collection.source is None else collection.source.skipped)
    use = collection.config.suite.data.use
    longest = collection.config.suite.longest
    skipped: Counter[str] = Counter()
    spool = Spool()
    rename: dict[str, str | None] = {}
    unknown: Counter[str] = Counter()
    unlabelled = Unlabelled({label: label for label in labels})
    conflicts: dict[str, Example] = {}
    most = collection.config.suite.most
    rows = read_rows(collection.data, use, collection.data.who, most + 1)
    read = 0
    while block := list(islice(rows, BLOCK)):
        read += len(block)
        if read > most:
            raise DataError(
                f"data {use!r} has more than {most:,} rows, or has no end. If you want all rows, raise the limit "
                f"in the suite: 'most: {10 * most}'."
            )
        if len(spool):
            progress("read", len(spool), 0)
        known = spool.known(row.id for row in block)
        usable: list[Example] = []
        for row in block:
            if not any(text.strip() for text in row.fields.values()):
                skipped["empty text"] += 1
            elif any(len(text) > longest for text in row.fields.values()):
                skipped[f"longer than {longest:,} characters"] += 1
            else:
                if isinstance(rule, WithinRule):
                    _require_numbers(row, use)
                if not is_answering(collection.model):  # there any answer may be the gold one
                    if row.label is not None and unlabelled(row.label):
                        row = replace(row, label=None)
                    names = [rename.setdefault(each, match_name(each, labels)) for each in row.gold]
                    unknown.update(each for each, name in zip(row.gold, names, strict=True) if name is None)
                    if names and None not in names:
                        named = [str(name) for name in names]
                        right = named if rule is None else rule.of_gold(named)
                        row = row if right == [*row.gold] else replace(row, label=right[0], accepted=tuple(right[1:]))
                before = known.setdefault(row.id, row)
                if before is row:
                    usable.append(row)
                elif contradicts(before, row) and not is_answering(collection.model):
                    conflicts[row.id] = row
                    skipped["repeated text with another label"] += 1
                else:
                    skipped["repeated text"] += 1
        spool.add(usable)
    if unknown:
        raise DataError(
            _unknown_labels(collection, unknown, [label for label in labels if label not in rename.values()] or labels)
        )
    skipped.update(unlabelled.require(f"data {use!r}"))
    skipped.update(collection.data.skipped)
    examples = Examples(spool, range(len(spool)))
    if conflicts and (way := collection.config.suite.on_conflict) != "first":
        if way == "refuse":
            raise DataError(_contradiction(use, examples, conflicts))
        skipped["text with two labels"] = len(conflicts)
        examples = Examples(spool, [row for row, id in enumerate(examples.ids()) if id not in conflicts])
    skipped = +skipped  # without the reasons that held for no row
    if not len(examples):
        reasons = ", ".join(f"{number} × {reason}" for reason, number in skipped.items()) or "it has no rows"
        raise NothingCollected(f"data {use!r} has no usable example: {reasons}.")
    return replace(collection, examples=examples, skipped=dict(skipped))


def _refuse_labels(collection: Collection, labels: Sequence[str]) -> None:
    """Refuse labels that an expectation names and the model lacks; models of spans, numbers or answers have no list."""
    mistakes = Gathering()
    for check in collection.checks if labels else ():
        for label in check.expectation.contract.labels:
            if label not in labels:
                message = f"the model has no label {shown(label)}.{suggestions(label, labels)}"
                mistakes.add(collection.config.file.error(message, ("checks", check.name, "expect")))
    mistakes.tell()


def _unknown_labels(collection: Collection, unknown: Counter[str], free: Sequence[str]) -> str:
    """Say which labels the model does not know, with the option that gives them the names that are free."""
    rule, suite = decision_rule(collection.model), collection.config.suite
    counts = (f"{shown(label, 40)} ({counted(number, 'row')})" for label, number in unknown.most_common(5))
    none = "-1" in unknown and Unlabelled(dict.fromkeys(unknown.keys() - {"-1"}, ""))("-1")
    blank = {"-1": ""} if none else {}
    names = {**blank, **dict(zip(sorted(unknown.keys() - blank), cycle(free), strict=False))}
    own = list(known_labels(without_rule(collection.model)))
    ways = (("data", collection.data, suite.data, None, names),
            ("model", collection.model, suite.model, own, {name: label for label, name in names.items()}))  # fmt: skip
    way = "give them the model's names in the data"
    for part, made, use, classes, new in ways:
        if use and "labels" in signature(type(without_rule(getattr(made, "made", made))).__init__).parameters:
            option, line = labels_option(part, relabelled(classes or use.options.get("labels"), new))
            way = f"say which is which: {option}, or under {part!r} of a suite {line}"
            break
    return (
        f"data {suite.data and suite.data.use!r} has labels that the model does not know: {', '.join(counts)}. The "
        f"model's labels are {', '.join(map(repr, gold_names(collection.model)))}. If the column is right, {way}. "
        "'robustfim doctor' proposes the names by what the model answers."
        + " For several labels at once the model says 'decide: {each: {LABEL: 0.5, …}}'." * (NO_LABEL in unknown)
        + " Gold labels that are several are columns of 0 and 1, 'label: [NAME, NAME]', or lists in JSON Lines."
        * (rule is not None and rule.several)
    )


def _require_numbers(row: Example, use: str) -> None:
    """Refuse a gold label that is no number, where the model gives numbers."""
    for label in row.gold:
        try:
            read_number(label)
        except ValueError as error:
            raise DataError(
                f"data {use!r} has a gold label that is not a number, and the model gives numbers: {error}. Set "
                "'label' to the column that holds the right number, or write 'label: null' if there is none."
            ) from None


def _contradiction(use: str, examples: Examples, conflicts: Mapping[str, Example]) -> str:
    """Say which texts stand with two gold labels, and what can be done."""
    first = next(examples.among(conflicts))
    return (
        f"data {use!r} has {counted(len(conflicts), 'text')} with two gold labels, such as "
        f"{shown(first.text, 60)} ({shown(first.label, 40)} and {shown(conflicts[first.id].label, 40)}). "
        "'on_conflict: drop' leaves such texts out, 'on_conflict: first' takes the label of the first row."
    )
