"""How long a person who edits a text waits: each question of ``robustfim explore`` on a real local server.

``python -m benchmarks.explore`` edits texts of the data as a person does, word by word, asks a server on this machine's
loopback what the model says of each, and prints the median and the 95th percentile in milliseconds: of what the person
waits for, and of the processor's own time, which a busy machine does not lengthen.
"""

from __future__ import annotations

import argparse
import json
import secrets
import threading
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import robustfim
from robustfim.commands import Chosen
from robustfim.seeds import random_for

__all__ = ["measure"]

_SUITE = """\
suite: waiting
model: {model}
data: reviews
scores: [fisher]
select: {{by: fisher, difficult: 30, control: 30}}
checks:
  typos: {{perturb: {{use: typos, words: 2}}}}
"""
_WORDS = ("fine", "dull", "superb", "awful", "long", "great", "weak", "moving")


def measure(model: str, texts: int, edits: int) -> dict[str, dict[str, float]]:
    """Measure each question.

    Args:
        model: The model, as a suite names it.
        texts: Texts of the data that are edited.
        edits: Edits of each, one word a time; every text that is asked about is new to the server.

    Returns:
        For each question how often it was asked, and medians and 95th percentiles in milliseconds.
    """
    import httpx

    from robustfim_explore.desk import Desk
    from robustfim_explore.gate import HEADER
    from robustfim_explore.serving import bind, server
    from robustfim_explore.subject import open_subject

    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "suite.yaml").write_text(_SUITE.format(model=model), encoding="utf-8")
        robustfim.run(folder / "suite.yaml", reports=folder / "reports")
        desk = Desk(open_subject(folder / "suite.yaml", Chosen(reports=folder / "reports"), review=folder / "r.json"))
        secret = secrets.token_urlsafe()
        bound = bind("127.0.0.1", 0)
        url = f"http://127.0.0.1:{bound.getsockname()[1]}"
        running = server(desk, bound, token=secret, host="127.0.0.1")
        thread = threading.Thread(target=running.run, kwargs={"sockets": [bound]}, daemon=True)
        thread.start()
        client = httpx.Client(base_url=url, headers={HEADER: "1"}, timeout=600)
        while not running.started:
            time.sleep(0.05)
        client.get(f"/?token={secret}")
        while client.get("/api/state").json()["state"] == "loading":
            time.sleep(0.1)
        questions = ("look", "look, with the map", "explain", "explain, finely", "steps", "near")
        taken: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in questions}

        def timed(name: str, question: Callable[[], object]) -> None:
            began, worked = time.perf_counter(), time.process_time()
            question()
            taken[name][0].append(1000 * (time.perf_counter() - began))
            taken[name][1].append(1000 * (time.process_time() - worked))

        def asked(path: str, text: str, **more: bool) -> Callable[[], object]:
            return lambda: client.post(f"/api/{path}", json={"fields": {"text": text}, **more}).raise_for_status()

        sources = [each for each in desk.record.examples if each.arm is not None][:texts]
        for name in ("look", "look, with the map"):
            if name != "look":
                client.get("/api/map")
            for source in sources:
                random = random_for(0, name, source.id)
                words = source.fields["text"].split()
                for _ in range(edits):
                    words[random.randrange(len(words))] = random.choice(_WORDS)
                    timed(name, asked("look", " ".join(words) + name[4:]))
                    if name == "look":
                        timed("explain", asked("explain", " ".join(words)))
                if name == "look":
                    timed("explain, finely", asked("explain", " ".join(words), fine=True))
                    for path in ("steps", "near"):
                        timed(path, asked(path, " ".join(words)))
        client.close()
        running.should_exit = True
        thread.join(10)
    return {
        name: {
            "asked": len(waited),
            "median_ms": float(np.median(waited)), "p95_ms": float(np.quantile(waited, 0.95)),
            "median_cpu_ms": float(np.median(worked)), "p95_cpu_ms": float(np.quantile(worked, 0.95)),
        }
        for name, (waited, worked) in taken.items()
    }  # fmt: skip


def main() -> None:
    """Read the command line, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--model", default="reference/bert")
    parser.add_argument("--texts", type=int, default=20)
    parser.add_argument("--edits", type=int, default=10)
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    given = parser.parse_args()
    found = measure(given.model, given.texts, given.edits)
    print(f"{given.model}: {given.texts} texts, {given.edits} edits of each")
    print(f"{'question':<22}{'asked':>7}{'median':>10}{'p95':>10}{'cpu median':>12}{'cpu p95':>10}  (ms)")
    for name, row in found.items():
        numbers = (row["median_ms"], row["p95_ms"], row["median_cpu_ms"], row["p95_cpu_ms"])
        print(
            f"{name:<22}{row['asked']:>7.0f}{numbers[0]:>10.1f}{numbers[1]:>10.1f}{numbers[2]:>12.1f}{numbers[3]:>10.1f}"
        )
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
