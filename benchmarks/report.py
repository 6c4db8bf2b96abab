"""Measures the HTML report of a large run in Chromium: its size, its loading time, and how fast it reacts.

The record is artificial: sentences of the shipped reviews, changed by one word or by a step in embedding space, with
random scores and probabilities, so that the file does not compress better than a real report.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from benchmarks.timing import Spread
from robustfim.example import content_id
from robustfim.outcome import Outcome
from robustfim.record import (
    ArmRecord,
    CheckRecord,
    DataRecord,
    EditRecord,
    Environment,
    ExampleRecord,
    Failure,
    ModelRecord,
    PredictionRecord,
    Record,
    ScoreRecord,
    SelectionRecord,
)

if TYPE_CHECKING:
    from playwright.sync_api import Page

__all__ = ["AIMS", "ReportCost", "as_markdown", "large_record", "report_costs"]

AIMS = {
    "megabytes": 4.0,
    "ready": 1000.0,
    "filter": 100.0,
    "sort": 100.0,
    "search": 100.0,
    "brush": 100.0,
    "heap": 80.0,
}
"""The aims, in MB of the file, milliseconds, and MB of the script's heap."""
LABELS = ["negative", "positive"]
SCORES = ("fisher", "boundary", "entropy")
CHECKS = ("synonyms", "typos", "people", "places", "numbers", "contractions")


@dataclass(frozen=True)
class ReportCost:
    """The size and the times of the page of a large run.

    Attributes:
        name: The name of the page.
        failures: The number of failing pairs in the page.
        examples: The number of examples that the run tested.
        megabytes: The size of the file, in MB.
        elements: The number of elements of the document when the page is ready.
        rendered: Seconds to write the page from a record in memory; None if another process wrote the page.
        ready: Milliseconds from opening the page until its list is shown.
        actions: For each action of a reader, the milliseconds until the new layout; None if the page lacks the action.
        heap: Megabytes of the script's heap after all actions and a garbage collection.
    """

    name: str
    failures: int
    examples: int
    megabytes: float
    elements: int
    rendered: float | None
    ready: Spread
    actions: dict[str, Spread | None]
    heap: float


def large_record(*, failures: int = 30_000, examples: int = 10_000, seed: int = 0) -> Record:
    """Make an artificial record of a large run.

    Args:
        failures: The number of failing pairs, at least one.
        examples: The number of tested examples.
        seed: The seed of all random choices.
    """
    random = Random(seed)  # noqa: S311  # sentences and numbers, not secrets
    words = _words()
    rows = []
    for number in range(examples):
        text = f"{' '.join(random.choices(words, k=random.randrange(8, 22)))} {number}."
        positive = random.random()
        rows.append(
            ExampleRecord(
                id=content_id({"text": text}),
                fields={"text": text},
                label=LABELS[(positive >= 0.5) == (random.random() < 0.9)],
                prediction=LABELS[positive >= 0.5],
                probabilities=[1 - positive, positive],
                arm="difficult" if number < examples // 2 else "control",
                scores={name: random.lognormvariate(0, 2) for name in SCORES},
            )
        )
    made = [
        _failure(random, random.choice(rows), random.choice((*CHECKS, "eigenvector")), words) for _ in range(failures)
    ]
    checks = []
    for name in (*CHECKS, "eigenvector"):
        failing = {each.example for each in made if each.check.endswith(f"::{name}")}
        arms = {
            arm: ArmRecord(drawn=len(own), tested=len(own), failing=len(own & failing))
            for arm in ("difficult", "control")
            if (own := {row.id for row in rows if row.arm == arm})
        }
        checks.append(
            CheckRecord(
                id=f"large.yaml::{name}", name=name, outcome=Outcome.FAILED, perturbation={"use": name}, limit=0.1,
                tested=examples, failing=len(failing), arms=arms, examples=[row.id for row in rows],
            )
        )  # fmt: skip
    return Record(
        suite="large",
        path="large.yaml",
        model=ModelRecord(use="made up", fingerprint="0" * 12, labels=LABELS),
        data=DataRecord(use="made up", examples=examples, labelled=examples),
        environment=Environment(robustfim="0.1.0", python="3"),
        seed=seed,
        started="2026-01-01T00:00:00Z",
        scores=[ScoreRecord(name=name, hardest="highest") for name in SCORES],
        selection=SelectionRecord(by="fisher", difficult=examples // 2, control=examples - examples // 2),
        examples=rows,
        checks=checks,
        failures=list({each.id: each for each in made}.values()),
    )


def _words() -> list[str]:
    from robustfim_reference.bundled import Reviews

    return sorted({word for each in Reviews().load() for word in each.text.split()})


def _failure(random: Random, row: ExampleRecord, check: str, words: list[str]) -> Failure:
    text = row.fields["text"]
    places = [place for place in range(len(text)) if place == 0 or text[place - 1] == " "]
    start = random.choice(places)
    end = text.find(" ", start) if " " in text[start:] else len(text)
    new = random.choice(words)
    step = (
        {"direction": "eigenvector", "norm": random.choice((-1.0, -0.5, 0.5, 1.0))} if check == "eigenvector" else None
    )
    edit = EditRecord(field="text", start=start, end=end, before=text[start:end], after=new, origin=f"{check}: lexicon")
    perturbed = text if step else text[:start] + new + text[end:]
    before, after = row.probabilities or [0.5, 0.5], random.random() / 2
    flipped = [1 - after, after] if before[1] >= 0.5 else [after, 1 - after]
    return Failure.model_validate(
        {
            "id": content_id({"check": check, "text": perturbed, "source": row.id, "step": str(step)}),
            "check": f"large.yaml::{check}",
            "example": row.id,
            "arm": row.arm,
            "fields": {"text": perturbed},
            "edits": [] if step else [edit.model_dump()],
            "step": step,
            "before": PredictionRecord(label=LABELS[before[1] >= 0.5], probabilities=before).model_dump(),
            "after": PredictionRecord(label=LABELS[before[1] < 0.5], probabilities=flipped).model_dump(),
            "margin": 0.5 - after,
            "reproduce": f"robustfim run large.yaml::{check} --example {row.id}",
        }
    )


# ---- in the browser --------------------------------------------------------------------------------------

_ACTED = """async ([selector, value]) => {
  const input = document.querySelector(selector);
  const start = performance.now();
  input.value = value;
  const search = input.type === "search";
  if (search) input.form.dispatchEvent(new Event("submit", { cancelable: true }));
  else input.dispatchEvent(new Event("change", { bubbles: true }));
  document.body.getBoundingClientRect();
  const done = performance.now();
  await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
  return done - start;
}"""

_NOW = {
    "filter": [("#by-check", "large.yaml::typos"), ("#by-arm", "control"), ("#by-check", "")],
    "sort": [("#by-sort", "fisher"), ("#by-sort", "entropy"), ("#by-sort", "excess")],
    "search": [("#q", "film"), ("#q", "zzz"), ("#q", "a good")],
    "brush": [("#x-from", "0.5"), ("#x-to", "2"), ("#x-from", "1")],
}


def report_costs(scratch: Path, *, repeats: int, failures: int = 30_000) -> list[ReportCost] | str:
    """Measure the page of a large run.

    Args:
        scratch: A folder for the pages.
        repeats: The number of times that each page is opened.
        failures: The number of failing pairs of the record, three for each example.

    Returns:
        The costs, or a string with the reason why there are none.
    """
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if browser is None:
        return "there is no Chromium on this machine's path"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return "Playwright is not installed"
    from robustfim_html.report import HtmlReport

    scratch.mkdir(parents=True, exist_ok=True)
    record = large_record(failures=failures, examples=failures // 3)
    started = time.perf_counter()
    page = HtmlReport(scratch / "now.html").write(record, scratch)
    rendered = time.perf_counter() - started
    pages: list[tuple[str, Path, float | None, dict[str, list[tuple[str, str]]], str]] = [
        ("this page", page, rendered, _NOW, "() => document.documentElement.dataset.ready")
    ]
    costs = []
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser)
        for name, path, seconds, actions, is_ready in pages:
            ready: list[float] = []
            times: dict[str, list[float]] = {action: [] for action in actions}
            elements, heap = 0, 0.0
            for _ in range(repeats):
                shown = running.new_page(viewport={"width": 1280, "height": 900})
                ready.append(_opened(shown, path, is_ready))
                elements = shown.evaluate("document.getElementsByTagName('*').length")
                for action, steps in actions.items():
                    for selector, value in steps:
                        times[action].append(shown.evaluate(_ACTED, [selector, value]))
                    shown.evaluate("() => document.querySelector('.filters').reset()")
                    shown.wait_for_timeout(200)
                heap = _heap(shown)
                shown.close()
            costs.append(
                ReportCost(
                    name, len(record.failures), len(record.examples), path.stat().st_size / 1e6, elements, seconds,
                    Spread.of(ready), {each: Spread.of(times[each]) if times.get(each) else None for each in _NOW},
                    heap,
                )
            )  # fmt: skip
        running.close()
    return costs


def _opened(shown: Page, path: Path, is_ready: str) -> float:
    """Open a page; returns the milliseconds until it is ready, as its own clock counts them."""
    shown.set_default_timeout(180_000)
    shown.goto(path.as_uri())
    shown.wait_for_function(is_ready, polling=5)
    own: Any = shown.evaluate("document.documentElement.dataset.ready || performance.now()")
    return float(own)


def _heap(shown: Page) -> float:
    session = shown.context.new_cdp_session(shown)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    return float(used) / 1e6


def as_markdown(found: Sequence[ReportCost] | str) -> str:
    """Write the costs as a section of Markdown.

    Args:
        found: The costs, or a string with the reason why there are none.
    """
    if isinstance(found, str):
        return f"Not measured: {found}."
    own = found[0]
    rows = [
        ["file, MB", *(f"{each.megabytes:.2f}" for each in found), *_aim("megabytes", own.megabytes)],
        ["elements, when ready", *(f"{each.elements:,}" for each in found), "", ""],
        ["ready, ms", *(_spread(each.ready) for each in found), *_aim("ready", own.ready.median)],
    ]
    for name, spread in own.actions.items():
        slow = float("inf") if spread is None else spread.median
        rows.append([f"{name}, ms", *(_spread(each.actions[name]) for each in found), *_aim(name, slow)])
    rows.append(["heap after that, MB", *(f"{each.heap:.0f}" for each in found), *_aim("heap", own.heap)])
    head = ["", *(each.name for each in found), "aim", ""]
    table = [head, ["---"] * len(head), *rows]
    written = "" if own.rendered is None else f" Writing it takes {own.rendered:.1f} s."
    return (
        f"A made-up run with {own.failures:,} failing pairs of {own.examples:,} examples, seven checks and three "
        f"scores, in Chromium, from disk; {own.ready.count} repetitions. An action is timed from the reader's input to "
        f"the second frame after it, so that up to two frames, 33 ms, are in each number.{written}\n\n"
        + "\n".join("| " + " | ".join(line) + " |" for line in table)
    )


def _spread(found: Spread | None) -> str:
    return "none" if found is None else f"{found.median:.0f} [{found.low:.0f}, {found.high:.0f}]"


def _aim(name: str, number: float) -> list[str]:
    return [f"≤ {AIMS[name]:g}", "met" if number <= AIMS[name] else "missed"]
