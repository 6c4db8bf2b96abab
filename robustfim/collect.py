"""Collection: from a suite to checks with their plugins, and from a data source to usable examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from robustfim.check import Check, NamedConstraint
from robustfim.check_source import checks_of
from robustfim.collection import Collection, NamedScorer
from robustfim.config import RunConfig
from robustfim.errors import (
    DataError,
    ModelError,
    NothingCollected,
    PluginError,
    RobustfimError,
    UsageError,
    did_you_mean,
)
from robustfim.example import Example
from robustfim.expression import compile_expression
from robustfim.fingerprint import code_fingerprint
from robustfim.label_mapping import match_name
from robustfim.manager import PluginManager
from robustfim.options import build
from robustfim.roles import CheckSource, DataSource, Expectation, Model, Perturbation, Substitution
from robustfim.suite import Use
from robustfim.suite_file import Location, as_plain

__all__ = ["collect", "load_examples", "model_labels", "select_checks"]


def collect(config: RunConfig, manager: PluginManager) -> Collection:
    """Look every name of a suite up, check every option, and construct the plugins' classes.

    Nothing heavy happens here: no data is read and no weights are loaded.

    Args:
        config: The suite and options.
        manager: The loaded plugins.

    Returns:
        The collection, with every check of the suite and no examples yet.

    Raises:
        UsageError: A name or option is unknown, with its line.
        PluginError: A plugin cannot be imported or constructed.
    """
    suite, file = config.suite, config.file

    def make(
        kind: str, use: Use, location: Location, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, str, tuple[Any, ...]]:
        try:
            offer = manager.get(kind, use.use)
        except UsageError as error:
            raise file.error(str(error), (*location, "use")) from None
        chosen = use.options if options is None else options
        made = build(offer.cls, chosen, offer.owner, file, location)
        return made, offer.owner, (offer.name, code_fingerprint(offer.cls), as_plain(chosen))

    def expect(use: Use, location: Location) -> Expectation:
        """Make an expectation, after those of which it is composed."""
        offer = manager.offers("expectations").get(use.use)
        options = use.options
        for key in getattr(offer.cls, "parts", ()) if offer else ():
            if key in options:
                options[key] = expect_each(options[key], (*location, key))
        made, owner, _ = make("expectations", use, location, options)
        _require(made, Expectation, owner, "expectation", "judge")
        for name in getattr(made, "slices", ()):
            if name not in suite.slices:
                known = ", ".join(suite.slices) or "none; 'slices' of the suite defines them"
                message = f"unknown slice {name!r}.{did_you_mean(name, suite.slices)} Known: {known}."
                raise file.error(message, (*location, "slices", name))
        return cast(Expectation, made)

    def expect_each(value: Any, location: Location) -> Any:
        if isinstance(value, str) or (isinstance(value, dict) and isinstance(value.get("use"), str)):
            return expect(Use(use=value) if isinstance(value, str) else Use(**value), location)
        if isinstance(value, list):
            return [expect_each(each, (*location, index)) for index, each in enumerate(value)]
        if isinstance(value, dict):
            return {key: expect_each(each, (*location, key)) for key, each in value.items()}
        return value

    model, owner, _ = make("models", suite.model, ("model",))
    _require(model, Model, owner, "model")
    data = source = None
    if suite.data is not None:
        data, owner, _ = make("data", suite.data, ("data",))
        _require(data, DataSource, owner, "data source", "load")
    scorers = [NamedScorer(use.use, *make("scorers", use, location)) for use, location in _scores(config)]
    checks: list[Check] = []
    for name, spec in suite.checks.items():
        at: Location = ("checks", name)
        perturbation, owner, identity = make("perturbations", spec.perturb, (*at, "perturb"))
        if not isinstance(perturbation, Substitution | Perturbation):
            raise PluginError(f"plugin {owner!r}: {type(perturbation).__name__} has neither 'edits' nor 'propose'.")
        if not isinstance(perturbation, Substitution) and "words" in spec.perturb.model_fields_set:
            raise file.error(
                f"{spec.perturb.use!r} makes whole candidates, so 'words' does not apply to it.",
                (*at, "perturb", "words"),
            )
        constraints = [
            NamedConstraint(use.use, make("constraints", use, (*at, "constrain", i))[0])
            for i, use in enumerate(spec.constrain)
        ]
        order, order_identity = None, ()
        if spec.perturb.order.use != "random":
            order, _, order_identity = make("orders", spec.perturb.order, (*at, "perturb", "order"))
        expectation = expect(spec.expect, (*at, "expect"))
        checks.append(
            Check(
                f"{file.path.name}::{name}", name, spec, owner, perturbation, tuple(constraints), expectation,
                order, identity, order_identity, file.line(at),
            )
        )  # fmt: skip
    if suite.source is not None:
        source, owner, _ = make("checks", suite.source, ("checks",))
        _require(source, CheckSource, owner, "source of checks", "checks")
        checks = checks_of(source, owner, config)
    reports = {use.use: make("reports", use, ("reports", i))[0] for i, use in enumerate(suite.reports)}
    return Collection(config, model, data, source, tuple(scorers), tuple(checks), reports, collected=len(checks))


def _scores(config: RunConfig) -> list[tuple[Use, Location]]:
    """The suite's scores, and the one that selects if the suite does not list it."""
    suite = config.suite
    scores: list[tuple[Use, Location]] = [(use, ("scores", i)) for i, use in enumerate(suite.scores)]
    if suite.select is not None and suite.select.difficult:
        by = suite.select.by or (suite.scores[0].use if suite.scores else "fisher")
        if by not in {use.use for use, _ in scores}:
            scores.append((Use(use=by), ("select", "by")))
    return scores


def _require(made: object, role: type, owner: str, word: str, *methods: str) -> None:
    """Refuse an object that cannot play its role."""
    missing = [name for name in methods or ("predict",) if not callable(getattr(made, name, None))]
    if missing:
        raise PluginError(f"plugin {owner!r}: {type(made).__name__} is no {word}: it has no method {missing[0]!r}.")


# ---- which checks -------------------------------------------------------------------------------------


def select_checks(checks: Sequence[Check], config: RunConfig, last_failed: Iterable[str] = ()) -> list[Check]:
    """Keep the checks that the command line asks for.

    Args:
        checks: All checks of the suite.
        config: The options ``only``, ``keyword``, ``marks`` and ``last_failed``.
        last_failed: Ids of the checks that did not pass the last time; with none, ``--lf`` keeps everything.

    Returns:
        The kept checks, in the suite's order.

    Raises:
        UsageError: A name in ``suite.yaml::name`` does not exist, or an expression cannot be read.
        NothingCollected: Nothing is left.
    """
    options = config.options
    names = [check.name for check in checks]
    for wanted in options.only:
        if wanted not in names:
            raise UsageError(
                f"{config.shown_path} has no check {wanted!r}.{did_you_mean(wanted, names)} It has: {', '.join(names)}."
            )
    kept = [check for check in checks if not options.only or check.name in options.only]
    if options.keyword:
        matches = compile_expression(options.keyword, "-k")
        kept = [each for each in kept if matches(lambda word, each=each: word.lower() in each.name.lower())]  # type: ignore[misc]  # a default binds the loop variable
    if options.marks:
        matches = compile_expression(options.marks, "-m")
        kept = [each for each in kept if matches(lambda word, each=each: word in each.spec.marks)]  # type: ignore[misc]  # a default binds the loop variable
    failed = set(last_failed) & {check.id for check in kept}
    if options.last_failed and failed:
        kept = [check for check in kept if check.id in failed]
    if not kept:
        raise NothingCollected(
            f"no check of {config.shown_path} is left after the selection; it has: {', '.join(names)}."
        )
    return kept


# ---- which examples -----------------------------------------------------------------------------------


def load_examples(collection: Collection) -> Collection:
    """Read the data and keep what the model can be asked about.

    Empty texts and repeated texts are left out and counted. Gold labels are matched with the model's: exactly,
    or, where that is unambiguous, without regard to case.

    Args:
        collection: A collection without examples.

    Returns:
        The collection with examples and ``skipped``.

    Raises:
        DataError: The data cannot be read, or a label is none of the model's.
        ModelError: The model cannot be loaded, or its labels cannot be used.
        PluginError: The data source raised, or returned something else than examples.
        NothingCollected: No usable example is left.
    """
    labels = model_labels(collection.model)
    if collection.data is None or collection.config.suite.data is None:
        return replace(collection, skipped=dict(getattr(collection.source, "skipped", {})))
    use = collection.config.suite.data.use
    skipped: Counter[str] = Counter()
    kept: dict[str, Example] = {}
    rename: dict[str, str | None] = {}
    unknown: Counter[str] = Counter()
    try:
        rows = list(collection.data.load())
    except (DataError, PluginError):
        raise
    except RobustfimError as error:
        raise DataError(f"data {use!r}: {error}") from error
    except Exception as error:  # a data plugin may raise anything
        raise PluginError(f"data source {use!r} raised {type(error).__name__}: {error}") from error
    for row in rows:
        if not isinstance(row, Example):
            raise PluginError(f"data source {use!r} returned {row!r}, which is not an Example.")
        if not any(text.strip() for text in row.fields.values()):
            skipped["empty text"] += 1
        elif row.id in kept:
            skipped["repeated text"] += 1
        elif row.label is not None and rename.setdefault(row.label, match_name(row.label, labels)) is None:
            unknown[row.label] += 1
        else:
            label = None if row.label is None else rename[row.label]
            kept[row.id] = row if label == row.label else replace(row, label=label)
    if unknown:
        listed = ", ".join(f"{label!r} ({number} row{'s' * (number > 1)})" for label, number in unknown.most_common(5))
        raise DataError(
            f"data {use!r} has labels that the model does not know: {listed}. The model's labels are "
            f"{', '.join(map(repr, labels))}. Rename the data's labels: --data "
            f'"labels={{{next(iter(unknown))}: {labels[0]}}}", if that is what {next(iter(unknown))!r} means. '
            "'robustfim doctor' proposes the names by what the model answers."
        )
    skipped.update(getattr(collection.data, "skipped", {}))
    skipped = +skipped  # without the reasons that held for no row
    if not kept:
        reasons = ", ".join(f"{number} × {reason}" for reason, number in skipped.items()) or "it has no rows"
        raise NothingCollected(f"data {use!r} has no usable example: {reasons}.")
    return replace(collection, examples=tuple(kept.values()), skipped=dict(skipped))


def model_labels(model: Model) -> tuple[str, ...]:
    """Ask the model for its labels and fingerprint, which may load it.

    Args:
        model: The model.

    Raises:
        ModelError: It cannot be loaded, or its labels or fingerprint cannot be used.
    """
    try:
        labels, fingerprint = tuple(model.labels), model.fingerprint
    except RobustfimError:
        raise
    except Exception as error:  # a model may raise anything when it is loaded
        raise ModelError(f"the model cannot be loaded: {type(error).__name__}: {error}") from error
    if isinstance(model.labels, str) or len(labels) < 2 or not all(isinstance(label, str) for label in labels):
        raise ModelError(f"the model's labels must be at least two texts, not {model.labels!r}.")
    if len(set(labels)) < len(labels):
        raise ModelError(f"the model's labels must differ from one another, unlike {list(labels)}.")
    if not isinstance(fingerprint, str):
        raise ModelError(f"the model's fingerprint must be a text, not {fingerprint!r}.")
    return labels
