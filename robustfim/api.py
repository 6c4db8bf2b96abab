"""The Python API: run a suite, score examples, perturb texts.

Functions take plain objects and return one object. They write files only if you name a place for them. They raise the
errors of :mod:`robustfim.errors` with the messages of the command line; a message names the keyword of a wrong value.
"""

from __future__ import annotations

from collections import Counter, UserList
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import finalize

from robustfim.blame import blame
from robustfim.errors import PluginError, UsageError, shown_names
from robustfim.example import Example
from robustfim.given import RunKeywords, check_given, takes_keywords
from robustfim.outcome import ExitCode
from robustfim.result import Perturbed, Run, Scored

if TYPE_CHECKING:
    from robustfim.collect.lookup import ModelAndData
    from robustfim.plugin.manager import PluginManager
    from robustfim.plugin.sources import PluginOptions
    from robustfim.predict.context import RunContext
    from robustfim.suite.file import SuiteFile

__all__ = ["Rows", "context", "model_and_data", "perturb", "run", "score"]


_BLOCK = 256
"""Texts that are perturbed between two updates of the progress."""


class Rows(UserList[Any]):
    """A data source for rows that a script gives as a list: texts, mappings of columns to values, or examples."""


@takes_keywords(RunKeywords)
def run(asked: RunKeywords) -> Run:
    """Run the checks of a suite on a model, and return the results.

    A keyword that is also a key of the suite replaces the value in the file. Wherever a suite names a model, data
    source, score, perturbation, constraint or expectation, you may give an object.

    Returns:
        The results.

    Raises:
        UsageError: The suite, a name or an option is wrong.
        NothingCollected: No check or no example is left.
        PluginError: A plugin cannot be loaded, or the code of a report raised an error.
        KeyboardInterrupt: The run was interrupted; the exception's ``run`` holds the results until then.
    """
    from robustfim.plugin.sources import PluginOptions
    from robustfim.session.open import open_sessions
    from robustfim.terminal.console import make_console
    from robustfim.terminal.series import run_session

    file = _suite(asked)
    sessions = open_sessions(file, plugins=PluginOptions.parse(asked.plugins), options=asked.options)
    if len(sessions) > 1:
        raise UsageError(
            "'run' takes a suite with one model, and this suite lists several under 'models'. Call 'run' "
            "once for each model, with model=…, and give the later calls baseline=… of the first run."
        )
    session, baseline = sessions[0], asked.baseline
    if baseline is not None and not isinstance(baseline, str | Path):
        session.baselines = {"": baseline.record if isinstance(baseline, Run) else baseline}
    code, found = run_session(session, make_console(), report=asked.verbosity is not None)
    done = Run(found, [*asked.plugins, *session.config.suite.plugins])
    if code is ExitCode.INTERRUPTED:
        interrupt = KeyboardInterrupt(found.message)
        interrupt.run = done  # type: ignore[attr-defined]  # nothing that was found is lost
        raise interrupt
    return done


def score(
    model: Any,
    data: Any,
    by: Any = None,
    *,
    labels: Sequence[str] | Mapping[str, str] | None = None,
    decide: Mapping[str, Any] | None = None,
    seed: int = 0,
    plugins: Sequence[str] = (),
    offline: bool = False,
    max_calls: int | None = None,
    store: str | Path | None = None,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> Scored:
    """Score the difficulty of examples under a model.

    Args:
        model: The model: a name, a path, a function or a model object.
        data: The examples: a file, a data source, a data frame or a list.
        by: The name of a score, ``{"use": …, **options}``, or an object that computes scores; by default the score that
            a suite uses to select examples.
        labels: The model's labels, in place of the names that the model gives them.
        decide: How the model's probabilities become decisions: ``{"label": "block", "at": 0.7}``.
        seed: The seed of every random choice.
        plugins: Names of further plugins to load.
        offline: Whether to forbid downloads.
        max_calls: The most texts that may be sent to the model.
        store: The file in which the model's answers are kept between runs.
        progress: Called with ("score", examples done, examples) now and then.

    Returns:
        The examples with their scores.

    Raises:
        UsageError: A name or an option is wrong, or the model does not allow the score.
        ModelError: The model gave no usable answer.
        PluginError: The code that computes the score raised an error.
    """
    check_given(score, locals())
    from robustfim.collect.lookup import context_of
    from robustfim.collect.needs import unmet_need
    from robustfim.collect.parts import Parts
    from robustfim.parts import ScorerPart, closing_all
    from robustfim.plugin.factory import default_score
    from robustfim.predict.store import Store
    from robustfim.select.selection import score_examples
    from robustfim.suite.format import Use

    with ExitStack() as opened, closing(Store(_path(store))) as stored:
        scorers: list[ScorerPart] = []

        def make(file: SuiteFile, manager: PluginManager, model: Any) -> None:
            if by is None and (default := default_score(manager)) is None:
                raise UsageError("no loaded plugin has a score that selects by default: name one with by=….")
            use = Use.read(default if by is None else file.data["scorer"])
            parts = Parts(manager, file)
            scorer = parts.make("scorers", use, ("scorer",))
            opened.enter_context(closing_all(parts.made))
            scorers.append(scorer)
            if reason := unmet_need(scorer, model, manager):
                raise UsageError(f"the score {scorer.use!r}: {reason}")

        _, manager, made, examples = _opened(
            opened, _configured(model, labels, decide), data, plugins, offline=offline, before=make, scorer=by
        )
        around = context_of(made, examples, manager, stored, seed=seed, offline=offline, max_calls=max_calls)
        scores = score_examples(scorers, examples, around, progress)
    (record,) = scores.records
    if record.message:
        raise (PluginError if record.broken else UsageError)(f"the score {record.name!r}: {record.message}")
    values = scores.values[record.name]
    return Scored(record.name, record.hardest, tuple(examples), tuple(values[example.id] for example in examples))


def perturb(
    perturbation: Any,
    texts: Any,
    *,
    candidates: int = 8,
    constrain: Sequence[Any] = (),
    model: Any = None,
    labels: Sequence[str] | Mapping[str, str] | None = None,
    seed: int = 0,
    plugins: Sequence[str] | PluginManager = (),
    offline: bool = False,
    progress: Callable[[int, int], None] = lambda *_: None,
    **options: Any,
) -> Perturbed:
    """Perturb texts, with the result of a suite's check that has the same seed, perturbation and constraints.

    Args:
        perturbation: The name of a perturbation, ``{"use": …, **options}``, or a perturbation.
        texts: A text, a list of texts or examples, a data frame, or the name of a data file.
        candidates: The largest number of perturbed texts for each text.
        constrain: Constraints that perturbed texts must meet: objects, or entries as in a suite.
        model: The model. It is needed only for a guided order (edits with the largest estimated effect first) and to
            choose words by importance.
        labels: The model's labels.
        seed: The seed of every random choice.
        plugins: Names of further plugins to load, or a plugin manager with the plugins loaded.
        offline: Whether to forbid downloads.
        progress: Called with (texts done, texts) now and then.
        options: Other keys of ``perturb`` in a suite: ``words=0.1``, ``order="guided"``, ``path=…``.

    Returns:
        The perturbed texts (candidates) of each text, in the order of the texts.

    Raises:
        UsageError: A name or an option is wrong.
        SkipCheck: A resource is missing.
        ModelError: The perturbation needs a model, and none is given.
        PluginError: The code of the perturbation or of a constraint raised an error.
    """
    check_given(perturb, locals())
    from robustfim.collect.lookup import context_of
    from robustfim.collect.parts import Parts
    from robustfim.parts import closing_all
    from robustfim.predict.store import Store
    from robustfim.propose.proposal import Proposer
    from robustfim.suite.file import copied
    from robustfim.suite.format import read_check

    texts = [texts] if isinstance(texts, str) else texts
    own = copied(perturbation) if isinstance(perturbation, Mapping) else {"use": perturbation}
    written = {"perturb": {"candidates": candidates, **own, **options}, "constrain": list(constrain)}
    name = "perturb"
    with ExitStack() as opened, closing(Store(None)) as stored:
        file, manager, made, examples = _opened(
            opened, _configured(model, labels, None), texts, plugins, offline=offline, distinct=False,
            checks={name: written},
        )  # fmt: skip
        around = context_of(made, examples, manager, stored, seed=seed, offline=offline)
        parts = Parts(manager, file)
        proposer = Proposer(parts.check(name, read_check(file, name)), around)
        opened.enter_context(closing_all(parts.made))
        proposer.prepare()
        pools = []
        for start in range(0, len(examples), _BLOCK):
            pools += proposer.candidates(examples[start : start + _BLOCK])
            progress(len(pools), len(examples))
    running = proposer.counts
    counts = Counter({"proposed": running.proposed, "unchanged": running.unchanged, "there already": running.duplicate})
    return Perturbed(tuple(examples), tuple(map(tuple, pools)), +(counts + running.rejected))


def context(
    model: Any = None,
    data: Any = (),
    *,
    labels: Sequence[str] | Mapping[str, str] | None = None,
    decide: Mapping[str, Any] | None = None,
    seed: int = 0,
    plugins: Sequence[str] | PluginManager = (),
    offline: bool = False,
    max_calls: int | None = None,
    store: str | Path | None = None,
) -> RunContext:
    """Return the object through which plugins ask a model, for use outside of a run.

    Args:
        model: A name, a path, a function or a model object; without a model, asking for predictions raises a
            ModelError.
        data: A file, a data source, a data frame or a list; the usable examples become the context's examples.
        labels: The model's labels.
        decide: How the model's probabilities become decisions: ``{"label": "block", "at": 0.7}``.
        seed: The seed of every random choice.
        plugins: Names of further plugins to load, or a plugin manager with the plugins loaded.
        offline: Whether to forbid downloads.
        max_calls: The most texts that may be sent to the model.
        store: The file in which the model's answers are kept between runs; without one, they are kept in memory.

    Returns:
        The context, which gives predictions, gradients, parts of speech and random numbers, and computes no answer
        twice.

    Raises:
        UsageError: A name or an option is wrong.
        ModelError: The model cannot be loaded.
    """
    check_given(context, locals())
    from robustfim.collect.lookup import context_of
    from robustfim.predict.store import Store

    whole = ExitStack()
    _, manager, made, found = _opened(whole, _configured(model, labels, decide), data, plugins, offline=offline)
    around = context_of(made, found, manager, Store(_path(store)), seed=seed, offline=offline, max_calls=max_calls)
    finalize(around, whole.close)  # it goes on asking for as long as it is there
    return around


def model_and_data(
    model: Any, data: Any, *, labels: Any = None, decide: Any = None, plugins: PluginOptions, offline: bool = False
) -> ModelAndData:
    """Look up the model and the data that a script names, without loading either.

    Args:
        model: A name, a path, a function or a model object.
        data: A file, a data source, a data frame or a list.
        labels: The model's labels.
        decide: How the model's probabilities become decisions: ``{"label": "block", "at": 0.7}``.
        plugins: The plugins to load.
        offline: Whether to forbid downloads.

    Raises:
        UsageError: A name or an option is wrong.
    """
    from robustfim.collect import lookup
    from robustfim.suite.file import SuiteFile

    file = SuiteFile.of({"model": _configured(model, labels, decide), "data": _rows(data)})
    (pair,) = lookup.model_and_data(file, plugins=plugins, offline=offline)
    return pair


def _opened(
    opened: ExitStack, model: Any, data: Any, plugins: Sequence[str] | PluginManager, *, offline: bool,
    distinct: bool = True, before: Callable[[SuiteFile, PluginManager, Any], None] = lambda *_: None, **keys: Any,
) -> tuple[SuiteFile, PluginManager, Any, list[Example]]:  # fmt: skip
    """Make a model and read its data; the exit stack ``opened`` closes both.

    ``keys`` are further keys of their suite; ``before`` is called before the first row is read.
    """
    from robustfim.collect.lookup import model_and_data, read_rows, usable_examples
    from robustfim.plugin.sources import PluginOptions
    from robustfim.predict.labels import model_labels
    from robustfim.suite.file import SuiteFile

    file = SuiteFile.of({**keys, **({} if model is None else {"model": model}), "data": _rows(data)})
    loaded = PluginOptions.parse(plugins) if isinstance(plugins, Sequence) else plugins
    (pair,) = model_and_data(file, plugins=loaded, offline=offline)
    made = None if pair.model is None else pair.model.opened(opened)
    if made is not None:
        model_labels(made)
    before(file, pair.manager, made)
    if pair.data is None:
        raise UsageError("there is no data.")
    if isinstance(data, list | tuple) and not data:
        return file, pair.manager, made, []
    source, use = pair.data.opened(opened), pair.data.use.use
    found = usable_examples(source, use) if distinct else list(read_rows(source, use, f"data source {use!r}"))
    return file, pair.manager, made, found


def _suite(asked: RunKeywords) -> SuiteFile:
    """Lay what a script gives over a suite, or make one of it."""
    from robustfim.suite.file import SCRIPT, SuiteFile, copied, read_suite_file

    given = asked.suite_keys
    if "data" in given:
        given["data"] = _rows(given["data"])
    if isinstance(asked.suite, str | Path):
        file = read_suite_file(Path(asked.suite))
        for key, value in given.items():
            file.override((key,), value, SCRIPT)
    else:
        file = SuiteFile.of({"suite": "python", **({} if asked.suite is None else copied(asked.suite)), **given})
    labels, decide = asked.labels, asked.decide
    if labels is not None or decide is not None:
        if "model" not in file.data:
            raise UsageError(
                f"{'decide' if labels is None else 'labels'}: neither the call nor the suite names a model for "
                "this argument. Name the model with model=…."
            )
        file.override(("model",), _configured(file.data["model"], labels, decide), SCRIPT)
    return file


def _configured(model: Any, labels: Any, decide: Any) -> Any:
    """Add the labels and the decision rule to what names a model; None where there is no model."""
    from robustfim.labels import read_label
    from robustfim.suite.file import copied

    options: dict[str, Any] = {} if decide is None else {"decide": decide}
    if labels is not None:
        with blame("labels", UsageError, did="cannot be read:"):
            options["labels"] = dict(labels) if isinstance(labels, Mapping) else [*map(read_label, labels)]
    if model is None or not options:
        return model
    return {**(copied(model) if isinstance(model, Mapping) else {"use": model}), **options}


def _rows(data: Any, split: str | None = None) -> Any:
    """Wrap a list of rows, which is no part of a suite's file; a column of texts is one, too. Of splits, take one."""
    if not {"columns", "column_names"} & {*dir(type(data))}:  # a column, an array
        listed = (getattr(data, name, None) for name in ("tolist", "to_list", "to_pylist"))
        data = next((each() for each in listed if callable(each)), data)
    if isinstance(data, list | tuple):
        return {"use": Rows(Example({"text": each}) if isinstance(each, str) else each for each in data)}
    if not isinstance(data, Mapping):
        return data
    if "use" in [*data]:
        given = data.get("use")
        used = given if isinstance(given, str | None) else _rows(given, data.get("split"))
        return data if used is given else {**data, **(used if isinstance(used, dict) else {"use": used})}
    if data and all(hasattr(each, "column_names") for each in data.values()):
        name = split or ("test" if "test" in data else None) or (next(iter(data)) if len(data) == 1 else "")
        if name not in data:
            raise UsageError(
                f"data has the splits {', '.join(data)}: give one of them, data=splits[{next(iter(data))!r}]."
            )
        return data[name]
    raise UsageError(
        f"data: the dict has the keys {shown_names(map(str, data))}, and the key 'use' is missing. Give "
        f"{{'use': NAME, …}}; for columns, give a frame, data=pandas.DataFrame(columns)."
    )


def _path(value: str | Path | None) -> Path | None:
    return None if value is None else Path(value)
