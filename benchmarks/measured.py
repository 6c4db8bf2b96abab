"""The results of ``python -m benchmarks``, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks import arena as bouts
from benchmarks import coverage as covered
from benchmarks import cues, lambda_max, many_classes, precision, queue_rate, report, sears
from benchmarks import exits as ended
from benchmarks import gpu as device
from benchmarks import releases as simulated
from benchmarks import rivals as tools
from benchmarks import scale as many_rows
from benchmarks import stopping as stopped
from benchmarks import stratified as by_score
from benchmarks import studies as papers
from benchmarks.sections import table
from benchmarks.timing import Spread

__all__ = ["Results", "render"]


@dataclass
class Results:
    """The measurements of one call of ``python -m benchmarks``.

    If a measurement was left out, its attribute is a string with the reason. In a sequence, a pair of strings stands
    for a model or data set that was not measured: its name and the reason.

    Attributes:
        environment: The machine and the versions.
        command: The command that measured; of each path only the last part.
        queue: The prediction queue, compared with a bare loop.
        costs: The cost of λmax for each model.
        classes: The cost of λmax with more classes for each model.
        losses: The loss of accuracy in half precision for each model.
        studies: The papers' experiments.
        arena: The comparison of scores for each model and data set.
        mended: The studies of repair by rules, one for each seed.
        cues: The experiment of Balanced COPA for each trainer.
        coverage: The coverage of confidence intervals of correlations.
        exits: The exit codes of simulated runs.
        arms: The exit codes of simulated runs on two arms.
        traps: The results for files of a population whose failure rate equals the limit.
        budgets: Simulated checks that stop when their verdict is certain.
        strata: Simulated draws from strata of a score.
        releases: Simulated releases.
        page: The cost of the HTML report of a large run, and of the report of an older checkout.
        scale: The cost of runs on growing numbers of rows; empty if left out.
        gpu: The speed of models on a CUDA device; empty if left out or without a device.
        rivals: The results of one job in several tools.
    """

    environment: dict[str, str]
    command: str
    queue: queue_rate.QueueRate | str = "left out"
    costs: list[lambda_max.Cost | tuple[str, str]] = field(default_factory=list)
    classes: list[many_classes.Exact | many_classes.Iterated | tuple[str, str]] = field(default_factory=list)
    losses: list[precision.Loss | tuple[str, str]] = field(default_factory=list)
    studies: list[papers.Study | tuple[str, str]] = field(default_factory=list)
    arena: list[bouts.Bout | tuple[str, str]] = field(default_factory=list)
    mended: list[sears.Mended | tuple[str, str]] = field(default_factory=list)
    cues: list[cues.Experiment | tuple[str, str]] = field(default_factory=list)
    coverage: Sequence[covered.Coverage] | str = "left out"
    exits: Sequence[ended.Exits] | str = "left out"
    arms: Sequence[ended.Arms] = ()
    traps: Sequence[ended.Trap] = ()
    budgets: Sequence[stopped.Stopped] | str = "left out"
    strata: Sequence[by_score.Drawn] | str = "left out"
    releases: simulated.Releases | str = "left out"
    page: Sequence[report.ReportCost] | str = "left out"
    scale: Sequence[many_rows.ScaleCost] = ()
    gpu: Sequence[device.DeviceCost] = ()
    rivals: list[tools.Job] | str = "left out"


def render(results: Results) -> str:
    """Write the results as Markdown.

    Args:
        results: The measurements.

    Returns:
        The text of all sections.
    """
    parts = [
        "# Benchmarks",
        f"Written by `{results.command}`. Each number is a median, with its quartiles in brackets. What is compared is "
        "timed in turn in one process, and a ratio is the median of the ratios of neighbouring timings: it does not "
        "depend on how busy the machine is, the times do. Each file has the day and the commit at which its command "
        "ran, and a seal of the text, so that a change by hand shows. Results from before 2026-11-26 have the day and "
        "the commit that brought them.",
        table(["", ""], [[name, value] for name, value in results.environment.items()]),
        "## The prediction queue",
        _queue(results.queue),
        "## λmax, two classes",
        _costs(results.costs),
        "## λmax, many classes",
        _classes(results.classes),
        "## Half precision",
        _losses(results.losses),
        "## The papers' experiments",
        papers.as_markdown(results.studies),
        "## Which score predicts failures",
        bouts.as_markdown(results.arena),
        "## Mending by rules",
        _mended(results.mended),
        "## Superficial cues",
        _cues(results.cues),
        "## The coverage of correlations",
        covered.as_markdown(results.coverage),
        "## The exit code as a test",
        ended.as_markdown(results.exits, results.arms, results.traps),
        "## Budgets",
        stopped.as_markdown(results.budgets),
        "## Draws from strata",
        by_score.as_markdown(results.strata),
        "## Simulated releases",
        simulated.as_markdown(results.releases),
        "## The HTML report of a large run",
        report.as_markdown(results.page),
        "## Many rows",
        many_rows.as_markdown(results.scale),
        "## The same job in other tools",
        tools.as_markdown(results.rivals),
        "## On a CUDA device",
        device.as_markdown(results.gpu),
    ]
    return "\n\n".join(parts) + "\n"


def _queue(found: queue_rate.QueueRate | str) -> str:
    if isinstance(found, str):
        return f"Not measured: {found}."
    rows = [
        ["bare loop, texts a second", _shown(found.bare, ".0f"), "", ""],
        ["queue, texts a second", _shown(found.queue, ".0f"), "", ""],
        [
            "queue / bare loop",
            _shown(found.share, ".3f"),
            f"≥ {queue_rate.AIM}",
            _verdict(found.share.median >= queue_rate.AIM),
        ],
    ]
    return (
        f"{found.texts:,} distinct texts made from {found.source}, batches of {queue_rate.BATCH}, on "
        f"{found.transformer}; {found.share.count} repetitions. Both sort by length. The queue also hashes, "
        "deduplicates, looks up, checks, and writes each batch to an empty store on disk.\n\n"
        + table(["", "measured", "aim", ""], rows)
    )


def _costs(found: Sequence[lambda_max.Cost | tuple[str, str]]) -> str:
    if not found:
        return "Not measured: left out."
    rows = []
    literal = []
    absent = []
    for each in found:
        if isinstance(each, tuple):
            absent.append(f"- {each[0]}: not measured: {each[1]}")
            continue
        rows.append(
            [
                each.model,
                str(each.threads),
                "×".join(str(size) for size in each.shape),
                _shown(each.forward, ".2f"),
                _shown(each.eigenvalue, ".2f"),
                _shown(each.ratio, ".2f"),
                _verdict(each.ratio.median <= lambda_max.AIM),
                _shown(each.autograd, ".2f"),
                _shown(each.from_text, ".2f"),
                str(each.ratio.count),
            ]
        )
        if each.literal is not None:
            taken = each.literal
            literal.append([each.model, f"{taken.seconds:.2f}", f"{taken.times:,.0f}", f"{taken.error:.0e}"])
    head = ["model", "threads", "batch", "forward, ms", "λmax, ms", "λmax / forward", f"≤ {lambda_max.AIM}"]
    parts = [
        "`λmax / forward` is against a bare forward pass of the same batch; `autograd` is what a forward and a "
        "backward pass cost in torch alone, the least that any gradient costs; `from text` has tokenising and lookup "
        "on both sides, as a run has.",
        table([*head, "autograd / forward", "from text", "repetitions"], rows),
    ]
    if absent:
        parts.append("\n".join(absent))
    if literal:
        parts += [
            f"The published algorithm, once, on {lambda_max.WORDS} words, its whole matrix built and decomposed:",
            table(["model", "seconds", "times λmax's, same text", "relative difference"], literal),
        ]
    return "\n\n".join(parts)


def _classes(found: Sequence[many_classes.Exact | many_classes.Iterated | tuple[str, str]]) -> str:
    if not found:
        return "Not measured: left out."
    exact = [
        [
            each.model,
            str(each.classes),
            "×".join(str(size) for size in each.shape),
            _shown(each.milliseconds, ".1f"),
            _shown(each.ratio, ".2f"),
            _verdict(each.ratio.median <= many_classes.EXACT_AIM),
            str(each.ratio.count),
        ]
        for each in found
        if isinstance(each, many_classes.Exact)
    ]
    iterated = [
        [
            each.model,
            str(each.classes),
            _shown(each.exact, ".0f"),
            _shown(each.share, ".3f"),
            _verdict(each.share.median <= many_classes.ITERATED_AIM),
            f"{each.error:.0e}",
            _verdict(each.error <= many_classes.ERROR_AIM),
            f"{each.residual:.0e}",
            f"{each.products:.0f}",
            str(each.share.count),
        ]
        for each in found
        if isinstance(each, many_classes.Iterated)
    ]
    parts = [
        "The reference models with random heads, their logits scaled to a standard deviation of "
        f"{many_classes.DEVIATION:.0f}, on one thread. The exact λmax of a batch, against one forward pass and C − 1 "
        "backward passes to the input alone:",
        table(
            ["model", "C", "batch", "λmax, ms", "λmax / passes", f"≤ {many_classes.EXACT_AIM}", "repetitions"], exact
        ),
        "Lanczos iterations, one text at a time, against the exact way on the same text; error and residual are the "
        "worst of all texts, products with the Fisher matrix the median:",
        table(
            ["model", "C", "exact, ms", "iterations / exact", f"≤ {many_classes.ITERATED_AIM}", "error",
             f"≤ {many_classes.ERROR_AIM:g}", "residual", "products", "texts"],
            iterated,
        ),
        *(f"- {each[0]}: not measured: {each[1]}" for each in found if isinstance(each, tuple)),
    ]  # fmt: skip
    return "\n\n".join(parts)


def _losses(found: list[precision.Loss | tuple[str, str]]) -> str:
    if not found:
        return "Not measured: left out."
    measured = [each for each in found if not isinstance(each, tuple)]
    rows = [
        [
            each.model,
            each.dtype,
            f"{each.median:.1e}",
            f"{each.ninetieth:.1e}",
            f"{each.largest:.1e}",
            f"{each.rho:.4f}",
            f"{each.agreement:.1%}",
            str(each.undefined),
            f"{each.times:.2f}",
        ]
        for each in measured
    ]
    parts = [f"- {each[0]}: not measured: {each[1]}" for each in found if isinstance(each, tuple)]
    if measured:
        head = ["model", "precision", "median error", "90th percentile", "largest", "Spearman", "same label"]
        parts.insert(
            0,
            f"λmax of {measured[0].texts:,} texts of {measured[0].source} against float32, on this processor: relative "
            "error, rank correlation, share of the same label, texts without a number, and time by that of float32.\n\n"
            + table([*head, "undefined", "time"], rows),
        )
    return "\n\n".join(parts)


def _mended(found: Sequence[sears.Mended | tuple[str, str]]) -> str:
    if not found:
        return "Not measured: left out."
    measured = [each for each in found if not isinstance(each, tuple)]
    parts = [f"- {each[0]}: not measured: {each[1]}" for each in found if isinstance(each, tuple)]
    if measured:
        trained = "; ".join(
            f"seed {each.seed}: {each.rules} rules made {each.variants:,} variants of {each.fit:,} examples"
            for each in measured
        )
        parts.insert(
            0,
            "`robustfim study sears` with its default settings: fastText is trained on rotten_tomatoes/train, rules "
            "are mined from held-out training data, and it is trained again with the same seed on the training data "
            "and what the rules make of it. Measured on rotten_tomatoes/dev, which takes part in nothing else. "
            "Sensitivity error, as in the paper (12.6 % to 3.4 %): rules are applied to the examples that the model "
            "labels rightly; of the texts that come out, those labelled wrongly. Sensitive examples: the same by "
            "example. 95 % Wilson intervals; that of the sensitivity error takes the texts of one example as "
            "independent. p is "
            f"McNemar's, exact. {trained}.\n\n" + table(*sears.rows(measured)),
        )
    return "\n\n".join(parts)


def _cues(found: Sequence[cues.Experiment | tuple[str, str]]) -> str:
    if not found:
        return "Not measured: left out."
    parts = [
        "The experiment of Balanced COPA, cross-validated, an instance and its mirror in one fold, each number the "
        "share that is right with its 95 % Wilson interval; p is McNemar's exact, corrected by Holm for the five rows. "
        "Easy is what a linear model solves without the premise, so that a bag of words differs there by construction. "
        "Chance is 50 %, of pairs 25 %."
    ]
    for each in found:
        if isinstance(each, tuple):
            parts.append(f"- {each[0]}: not measured: {each[1]}")
            continue
        took = "" if each.minutes is None else f", {each.minutes:.1f} minutes"
        parts += [f"{each.name}: {each.how}; {each.pairs} pairs{took}.", table(*cues.rows(each))]
        if each.correlation:
            parts.append("Rank correlation of sensitivity with productivity, over cues:")
            parts.append(
                "\n".join(
                    f"- trained on {regime}: " + ("undefined." if rho is None else "{:.2f}, p = {:.2g}.".format(*rho))
                    for regime, rho in each.correlation.items()
                )
            )
    return "\n\n".join(parts)


def _shown(spread: Spread, form: str) -> str:
    return f"{spread.median:{form}} [{spread.low:{form}}, {spread.high:{form}}]"


def _verdict(met: bool) -> str:
    return "met" if met else "missed"
