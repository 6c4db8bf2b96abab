"""``python -m benchmarks.faults``: break suites, data, plugins, stores and runs, and count what gets past.

Every case is drawn from the seed and its number alone, so that ``--only KIND --first NUMBER --cases 1`` repeats one.
Before any is broken, every suite and data file must pass as it is. Cases run in processes forked from one that has
imported and run all that they need, many in one; a kill takes a process for itself.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import multiprocessing
import os
import random
import re
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.attempt import LIMIT, attempt, problems
from benchmarks.broken import (
    FAULTS,
    PLUGIN,
    ROLES,
    SUITE,
    data_files,
    faulty_plugin,
)
from benchmarks.changes import mutate_bytes, mutate_suite
from benchmarks.counted import KINDS, Found, render
from benchmarks.found import halves, plain_record, rows
from benchmarks.odd_answers import OddEndpoint

_TOGETHER = 200


def campaign(cases: int, seed: int, kinds: tuple[str, ...] = KINDS, first: int = 0, kills: int | None = None) -> Found:
    """Run the cases of several kinds, and count their results.

    Args:
        cases: The number of cases of each kind except kills.
        seed: The seed from which, with its number, each case is drawn.
        kinds: The kinds, some of ``KINDS``.
        first: The number of the first case.
        kills: The number of runs that are killed; a hundredth of ``cases`` by default.
    """
    found = Found()
    _warm_up()
    for kind in kinds:
        number = (max(1, cases // 100) if kills is None else kills) if kind == "kills" else cases
        for start in range(first, first + number, _TOGETHER):
            numbers = range(start, min(start + _TOGETHER, first + number))
            found.add(news := _in_a_process(kind, seed, numbers))
            for violation in news.violations:
                print(violation, flush=True)
            print(f"\r{kind}: {found.tried[kind]:,} of {number:,}", end="", file=sys.stderr, flush=True)
        print(f"\r{kind}: {found.tried[kind]:,} tried, {len(found.violations)} violations so far", file=sys.stderr)
    return found


def _again(printed: list[str], seed: int) -> Found:
    """Take up what campaigns printed, parts of one among them, and try once more what got past."""
    found, again = Found(), []
    for text in printed:
        found.add(Found.read(text))
    _warm_up()
    for kind, number in sorted({tuple(line.partition(":")[0].split()) for line in found.violations}):
        again += _in_a_process(kind, seed, range(int(number), int(number) + 1)).violations
    found.again = again
    return found


def _in_a_process(kind: str, seed: int, numbers: range) -> Found:
    """Try some cases in one process; one that dies or hangs takes nothing with it but its own case."""
    found = Found()
    context = multiprocessing.get_context("fork")
    waiting = list(numbers)
    while waiting:
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_try_all, args=(there, kind, seed, waiting))
        process.start()
        there.close()
        with contextlib.suppress(EOFError):
            while waiting and here.poll(LIMIT * 4):
                told: Found = here.recv()
                found.add(told)
                waiting.pop(0)
        if waiting:  # the process is dead, or stands still
            found.tried[kind] += 1
            how = "hangs" if process.is_alive() else f"ends the process with {process.exitcode}"
            found.violations.append(f"{kind} {waiting.pop(0)}: {how}")
            process.kill()
        process.join()
    return found


def _warm_up() -> None:
    """Run what is going to be broken: it must pass, else what breaks says nothing. The children find all imported."""
    from robustfim.plugin import PluginManager

    # The installed plugins stay the same, and reading their names takes as long as a case.
    names = vars(sys.modules[PluginManager.__module__])
    names["entry_points"] = functools.cache(names["entry_points"])
    whole = {"suite": (SUITE, "toy.py", PLUGIN.encode()), **data_files()}
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        for each, (suite, file, content) in whole.items():
            _prepare()
            Path(file).write_bytes(content)
            Path("data.yaml").write_text(suite, encoding="utf-8")
            shown = attempt("run", "data.yaml", "--no-store")
            if shown.code != 0:
                raise RuntimeError(f"{each} does not pass before it is broken:\n{shown.text}")


def _try_all(tell: Any, kind: str, seed: int, numbers: list[int]) -> None:
    case = {
        "suites": _suite, "data": _data, "plugins": _plugin, "stores": _store, "kills": _kill, "answers": _answer,
    }[kind]  # fmt: skip
    for number in numbers:
        found = Found(tried=Counter({kind: 1}))
        with tempfile.TemporaryDirectory() as name:
            os.chdir(name)
            _prepare()
            for problem in case(random.Random(f"{seed}/{kind}/{number}"), found, number):  # noqa: S311  # no secret
                found.violations.append(f"{kind} {number}: {problem}")
            os.chdir("/")
        tell.send(found)


def _prepare() -> None:
    """Write a plugin and a suite that passes."""
    Path("toy.py").write_text(PLUGIN, encoding="utf-8")
    Path("suite.yaml").write_text(SUITE, encoding="utf-8")


# ---- the kinds ----------------------------------------------------------------------------------------


def _suite(rng: random.Random, found: Found, number: int) -> Iterator[str]:
    """A suite with some bytes, words or lines that no author meant."""
    Path("suite.yaml").write_bytes(mutate_suite(SUITE, rng))
    yield from problems(attempt("run", "suite.yaml", "--no-store"), found, "suites")


def _data(rng: random.Random, found: Found, number: int) -> Iterator[str]:
    """A data file with some bytes that do not belong there, in one of the formats, in turn."""
    formats = data_files()
    name, (suite, file, content) = list(formats.items())[number % len(formats)]
    Path(file).write_bytes(mutate_bytes(content, rng))
    Path("data.yaml").write_text(suite, encoding="utf-8")
    for problem in problems(attempt("run", "data.yaml", "--no-store"), found, "data"):
        yield f"{name}: {problem}"


def _plugin(rng: random.Random, found: Found, number: int) -> Iterator[str]:
    """A plugin that breaks one member of one role, in one way; all pairs in turn."""
    pairs = [(role, fault) for role in ROLES for fault in FAULTS]
    role, fault = pairs[number % len(pairs)]
    code, suite, harmless = faulty_plugin(role, fault)
    Path("faulty.py").write_text(code, encoding="utf-8")
    Path("faulty.yaml").write_text(suite, encoding="utf-8")
    folder = Path.cwd()
    shown = attempt("run", "faulty.yaml", "--no-store")
    os.chdir(folder)
    for problem in problems(shown, found, "plugins"):
        yield f"{role}, {fault}: {problem}"
    if shown.code == 0 and not harmless:
        yield f"{role}, {fault}: wrong pass: exit 0 with a faulty plugin"


def _store(rng: random.Random, found: Found, number: int) -> Iterator[str]:
    """A store of which some values, or bytes, are others than they were."""
    attempt("run", "suite.yaml", "--reports", "before")
    path = Path(".robustfim/store.sqlite")
    if rng.random() < 0.5:
        values = [b"[1.0]", b"[0.9, 0.9]", b"null", b"5", b'"x"', b"[", b"\xff\xfe", b"{}", b"[NaN, 1]", b"[1,0,0]"]
        with sqlite3.connect(path) as file:
            keys = [key for (key,) in file.execute("SELECT key FROM answers")]
            for key in rng.sample(keys, rng.randint(1, len(keys))):
                value = rng.choice(values)
                file.execute("UPDATE answers SET value = CAST(? AS TEXT) WHERE key = ?", (value, key))
        file.close()
    else:
        for each in path.parent.glob("store.sqlite*"):
            each.write_bytes(mutate_bytes(each.read_bytes(), rng))
    yield from problems(attempt("run", "suite.yaml", "--reports", "after"), found, "stores")
    before, after = (plain_record(Path(name) / "toy" / "results.json") for name in ("before", "after"))
    if before != after:
        yield "wrong pass: a changed store changes the record"


def _kill(rng: random.Random, found: Found, number: int) -> Iterator[str]:
    """A run that is killed some times, at a batch or while it writes, beside another one or alone, and then goes on."""
    slow = SUITE.replace("model: {use: wordsum", "model: {use: wordsum, seconds: 0.02, batch_size: 2, log: sent.txt")
    Path("suite.yaml").write_text(slow.replace("[json]", "[json, html, junit, markdown]"), encoding="utf-8")
    whole = attempt("run", "suite.yaml", "--no-store", "--reports", "whole")
    needed = _count_sent()
    for problem in halves(Path("whole/toy")):
        yield f"a whole run: {problem}"
    kills = beside = 0
    for _ in range(rng.randint(1, 3)):
        both = rng.random() < 0.2
        beside += both
        runs = [_start(rng) for _ in range(2 if both else 1)]
        sent = rng.randint(1, 20)
        reached = time.monotonic()
        while _count_sent(remove=False) < sent and time.monotonic() - reached < LIMIT and _alive(runs):
            time.sleep(0.002)
        time.sleep(rng.random() * 0.06)
        for process in runs:
            process.join(0 if rng.random() < 0.7 else LIMIT)  # some are killed where they said, or end
            process.kill()
            process.join()
            kills += process.exitcode == -signal.SIGKILL
        for problem in halves(Path("reports/toy")):
            yield problem
    last = attempt("run", "suite.yaml")
    found.codes[f"kills: {kills} a case"] += 1
    if last.code != whole.code:
        yield f"the resumed run exits with {last.code}, the whole one with {whole.code}"
    elif plain_record(Path("reports/toy/results.json")) != plain_record(Path("whole/toy/results.json")):
        yield "the resumed record is another"
    elif rows(Path("reports/toy")) != rows(Path("whole/toy")):
        yield "the rows of the resumed record are others"
    lost = _count_sent() - needed
    if lost > 2 * kills + beside * needed:  # two runs at once ask for what the other has not yet answered
        yield f"{lost} answers lost in {kills} kills of batches of 2"


def _answer(rng: random.Random, found: Found, number: int) -> Iterator[str]:
    """A run against an endpoint that answers oddly."""
    from robustfim_blackbox import endpoint

    endpoint._LONGEST_WAIT = 0.05  # what a Retry-After may make of a case
    odd = OddEndpoint(rng)
    model = {
        "use": "http", "url": odd.url, "labels": ["negative", "positive"], "body": {"inputs": "{texts}"}, "backoff": 0,
        "retries": rng.choice([0, 1, 3]), "timeout": 0.4, "batch": rng.choice([1, 16]), "concurrency": 2,
    }  # fmt: skip
    suite = SUITE.replace("{use: wordsum}", json.dumps(model)).replace("words: 2, candidates: 4", "candidates: 1")
    Path("suite.yaml").write_text(suite, encoding="utf-8")
    shown = attempt("run", "suite.yaml", "--no-store")
    odd.close()
    for problem in problems(shown, found, "answers"):
        yield f"{odd.script}: {problem}"
    if shown.code in (0, 6) and odd.unanswered:
        yield f"{odd.script}: wrong pass: exit {shown.code} with {len(odd.unanswered)} answers that are none"


def _start(rng: random.Random) -> Any:
    """Start a run in a fork, which may kill itself in the middle of writing a file, or before it takes its place."""
    process = multiprocessing.get_context("fork").Process(target=_run_and_die, args=(rng.randint(1, 9), rng.random()))
    process.start()
    return process


def _run_and_die(last: int, share: float) -> None:
    write, count = Path.write_bytes, 0

    def write_and_die(self: Path, data: Any) -> int:
        nonlocal count
        count += 1
        if count == last:
            write(self, data[: int(len(data) * share)])
            os.kill(os.getpid(), signal.SIGKILL)
        return write(self, data)

    Path.write_bytes = write_and_die  # type: ignore[method-assign]  # this process ends with the run
    attempt("run", "suite.yaml")


def _alive(runs: list[Any]) -> bool:
    return any(process.is_alive() for process in runs)


def _count_sent(*, remove: bool = True) -> int:
    path = Path("sent.txt")
    number = len(path.read_text(encoding="utf-8").splitlines()) if path.exists() else 0
    if remove:
        path.unlink(missing_ok=True)
    return number


def main() -> None:
    """Try, and print what was counted; the exit code is 1 where anything got past."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("--cases", type=int, default=200, help="cases of each kind (default 200)")
    parser.add_argument("--kills", type=int, help="killed runs (default: a hundredth of the cases)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--update", action="store_true", help="write the counts into benchmarks/results")
    parser.add_argument(
        "--again",
        type=Path,
        action="append",
        help="what a campaign of this seed printed: only what got past is tried again",
    )
    parser.add_argument("--only", choices=KINDS, action="append")
    options = parser.parse_args()
    started = time.monotonic()
    if options.again:
        found = _again([path.read_text(encoding="utf-8") for path in options.again], options.seed)
    else:
        found = campaign(options.cases, options.seed, tuple(options.only or KINDS), options.first, options.kills)
    for line, number in sorted(found.codes.items()):
        print(f"{line}: {number:,}")
    print(f"{sum(found.tried.values()):,} cases in {time.monotonic() - started:.0f} s: {dict(found.tried)}")
    print(f"{len(found.violations)} violations{'' if found.again is None else f', {len(found.again)} of them again'}")
    if options.update:
        from benchmarks.sections import write_results

        words = " ".join(sys.argv[1:]).replace(" --update", "")
        command = f"python -m benchmarks.faults {re.sub(r' --again [^ ]+', '', words)}".strip()
        if options.again:
            command += " > found.txt`, then the same with `--again found.txt"
        write_results(render(found, command))
    sys.exit(bool(found.violations if found.again is None else found.again))


if __name__ == "__main__":
    main()
