"""RESULTS.md: what was measured, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks import lambda_max, main_job, queue_rate
from benchmarks.timing import Spread

__all__ = ["Results", "render"]


@dataclass
class Results:
    """What one call of ``python -m benchmarks`` measured.

    Attributes:
        environment: Machine and versions.
        command: The command that measured, its paths shortened to their last part.
        queue: The queue against the bare loop; a string says why it was not measured.
        attackers: TextAttack's Attacker; a string says why it was not measured.
        costs: λmax, model by model; a pair names a model and why it was not measured.
        job: The command line; a string says why it was not measured.
    """

    environment: dict[str, str]
    command: str
    queue: queue_rate.QueueRate | str = "left out"
    attackers: Sequence[queue_rate.AttackerRate] | str = "left out"
    costs: list[lambda_max.Cost | tuple[str, str]] = field(default_factory=list)
    job: main_job.MainJob | str = "left out"


def render(results: Results) -> str:
    """Write the results as Markdown.

    Args:
        results: What was measured.

    Returns:
        The file's text.
    """
    parts = [
        "# Benchmarks",
        f"Written by `{results.command}`. Each number is a median, with its quartiles in brackets. What is compared is "
        "timed in turn in one process, and a ratio is the median of the ratios of neighbouring timings: it does not "
        "depend on how busy the machine is, the times do.",
        _table(["", ""], [[name, value] for name, value in results.environment.items()]),
        "## The prediction queue",
        _queue(results.queue),
        "### TextAttack's Attacker on the same model and candidates",
        _attackers(results.attackers),
        "## λmax, two classes",
        _costs(results.costs),
        "## The main job",
        _job(results.job),
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
        + _table(["", "measured", "aim", ""], rows)
    )


def _attackers(found: Sequence[queue_rate.AttackerRate] | str) -> str:
    if isinstance(found, str):
        return f"Not measured: {found}."
    rows = [
        [each.padding, _shown(each.attacker, ".1f"), _shown(each.share, ".3f"), _shown(each.queue_over, ".2f")]
        for each in found
    ]
    return (
        f"{found[0].texts:,} candidates, a source's eight asked for at once; {found[0].share.count} repetitions. Its "
        "own wrapper pads every text to the model's whole length; the second row replaces that wrapper by one that "
        "pads to the longest text.\n\n"
        + _table(["pads to", "queries a second", "Attacker / bare loop", "queue / Attacker"], rows)
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
        _table([*head, "autograd / forward", "from text", "repetitions"], rows),
    ]
    if absent:
        parts.append("\n".join(absent))
    if literal:
        parts += [
            f"The published algorithm, once, on {lambda_max.WORDS} words, its whole matrix built and decomposed:",
            _table(["model", "seconds", "times λmax's, same text", "relative difference"], literal),
        ]
    return "\n\n".join(parts)


def _job(found: main_job.MainJob | str) -> str:
    if isinstance(found, str):
        return f"Not measured: {found}."
    rows = [
        ["first run, empty store", _shown(found.cold, ".2f"), f"< {main_job.AIM:.0f}"],
        ["the same again", _shown(found.again, ".2f"), ""],
        ["`robustfim --help`", _shown(found.help, ".3f"), f"< {main_job.AIM_HELP}"],
        ["`python -c pass`", _shown(found.python, ".3f"), ""],
    ]
    met = [found.cold.median < main_job.AIM, None, found.help.median < main_job.AIM_HELP, None]
    for row, verdict in zip(rows, met, strict=True):
        row.append("" if verdict is None else _verdict(verdict))
    return (
        f"`robustfim run suites/{found.suite}.yaml` on {found.model}, {found.examples} examples tested, "
        f"{found.cold.count} repetitions, seconds. Texts sent to the model: {found.texts:,} by the first run, "
        f"{found.texts_again:,} by the second.\n\n" + _table(["", "seconds", "aim", ""], rows)
    )


def _shown(spread: Spread, form: str) -> str:
    return f"{spread.median:{form}} [{spread.low:{form}}, {spread.high:{form}}]"


def _verdict(met: bool) -> str:
    return "met" if met else "missed"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
