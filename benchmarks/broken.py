"""Inputs for ``benchmarks.faults``: a suite and a plugin that pass, data of every format, and ways to break them."""

# ruff: noqa: E501  # much of it is code and data as text, a line each

from __future__ import annotations

import contextlib
import functools
import io
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

__all__ = ["FAULTS", "FILMS", "PLUGIN", "ROLES", "SUITE", "data_files", "faulty_plugin"]

FILMS = [("a great film", 1), ("a good plot and a good cast", 1), ("an awful film", 0), ("a bad plot", 0)]
FILMS += [
    (f"{word} number {i} of a film with a cast", int(word in ("good", "great")))
    for i in range(6)
    for word in ("great", "good", "bad", "awful")
]
"""Texts, and whether they are positive."""

PLUGIN = """
import math, re, time
from pathlib import Path
from robustfim import Edit, Example, hookimpl
from robustfim.contract import ModelContract, ScoreContract

WEIGHTS = {"great": 2.0, "good": 1.0, "bad": -1.5, "awful": -3.0}
ROWS = FILMS

class WordSum:
    def __init__(self, labels: list[str] | None = None, seconds: float = 0.0, batch_size: int = 64, log: Path | None = None):
        self.labels, self.fingerprint = tuple(labels or ("negative", "positive")), "word sum"
        self.seconds, self.log = seconds, log
        self.contract = ModelContract(batch_size=batch_size)

    def predict(self, examples):
        time.sleep(self.seconds)
        if self.log:
            with self.log.open("a") as file:
                file.writelines("x\\n" for _ in examples)
        rows = []
        for each in examples:
            yes = 1 / (1 + math.exp(-sum(WEIGHTS.get(word, 0.0) for word in re.findall(r"\\w+", each.text))))
            rows.append([1 - yes, yes] + [0.0] * (len(self.labels) - 2))
        return rows

class Films:
    def load(self):
        return [Example({"text": text}, ("negative", "positive")[label]) for text, label in ROWS]

class Rename:
    def __init__(self, table: dict[str, str] | None = None):
        self.table = table or {"film": "movie", "cast": "crew", "plot": "story"}

    def edits(self, example, random):
        for field, text in example.fields.items():
            for before, after in self.table.items():
                for found in re.finditer(rf"\\b{before}\\b", text):
                    yield Edit(field, found.start(), found.end(), before, after)

class Accept:
    def reject(self, candidate):
        return None

class Long:
    contract = ScoreContract(hardest="highest")

    def score(self, examples, context):
        return [float(len(each.text)) for each in examples]

@hookimpl
def robustfim_offers():
    return {
        "models": {"wordsum": WordSum},
        "data": {"films": Films},
        "perturbations": {"rename": Rename},
        "constraints": {"accept": Accept},
        "scorers": {"long": Long},
    }
""".replace("= FILMS", f"= {FILMS!r}")
"""A correct plugin that does not need torch."""

SUITE = """\
suite: toy
seed: 3
plugins: [toy.py]
model: {use: wordsum}
data: {use: films}
scores: [long]
select: {by: long, difficult: 8, control: 8}
checks:
  film: {perturb: {use: rename, table: {film: movie}}, constrain: [accept], limit: 0.9}
  all: {perturb: {use: rename, words: 2, candidates: 4}, expect: invariant, limit: 0.9, marks: [fast]}
reports: [json]
"""

# ---- data of every format -----------------------------------------------------------------------------


@functools.cache
def data_files() -> Mapping[str, tuple[str, str, bytes]]:
    """Make one valid data file of every format.

    Returns:
        A mapping from each format's name to a suite that reads the file, the file's name, and its content.
    """
    rows = [{"text": f"a good film number {i}", "label": "positive" if i % 2 else "negative"} for i in range(8)]
    pairs = [{"premise": f"a film {i}", "hypothesis": "it is a film", "label": "negative"} for i in range(6)]
    copa = [
        {"id": i, "premise": "The film ended.", "question": "cause", "choice1": "It was over.", "choice2": "It was a film.", "label": i % 2}
        for i in range(6)
    ]  # fmt: skip
    items = "".join(
        f'<item id="{i}" asks-for="cause" most-plausible-alternative="1"><p>The film ended.</p><a1>It was over.</a1>'
        f"<a2>It was a film.</a2></item>"
        for i in range(1, 7)
    )
    question = {"id": "1", "question": "Which film?", "answers": [{"text": "a film", "answer_start": 0}]}
    squad = {
        "version": "1.1",
        "data": [{"title": "x", "paragraphs": [{"context": "a film is good", "qas": [question]}]}],
    }
    test = {
        "type": "MFT",
        "capability": "Films",
        "name": "films",
        "labels": "positive",
        "data": ["a good film", "a great film"],
    }
    answers = [{"text": text, "probabilities": [0.75 - label / 2, 0.25 + label / 2]} for text, label in FILMS]
    labels = [{"text": text, "label": "positive" if label else "negative"} for text, label in FILMS]
    return {
        "csv": (_suite("csv", "d.csv"), "d.csv", _csv(rows)),
        "csv of a named column": (_suite("csv", "d.csv", "text: text, label: label"), "d.csv", _csv(rows)),
        "jsonl": (_suite("jsonl", "d.jsonl"), "d.jsonl", _lines(rows)),
        "parquet": (_suite("parquet", "d.parquet"), "d.parquet", _parquet(rows)),
        "squad": (_suite("squad", "d.json", labels="[a dog, a film]"), "d.json", json.dumps(squad).encode()),
        "copa xml": (_suite("copa", "d.xml", labels="['1', '2']"), "d.xml", f"<copa-corpus>{items}</copa-corpus>".encode()),
        "copa jsonl": (_suite("copa", "d.jsonl", labels="['1', '2']"), "d.jsonl", _lines(copa)),
        "pairs jsonl": (_suite("pairs", "d.jsonl"), "d.jsonl", _lines(pairs)),
        "pairs tsv": (_suite("pairs", "d.tsv"), "d.tsv", _csv(pairs, "\t")),
        "checklist": (_source("checklist, path: d.jsonl"), "d.jsonl", _lines([test])),
        "answers jsonl": (_answered("d.jsonl"), "d.jsonl", _lines(answers)),
        "answers csv": (_answered("d.csv"), "d.csv", _csv(labels)),
        "lock": (SUITE + "lock: d.json\n", "d.json", _lock()),
        "suite of words": (SUITE.replace("plugins: [toy.py]", "plugins: [d.py]"), "d.py", PLUGIN.encode()),
    }  # fmt: skip


def _suite(use: str, file: str, more: str = "", labels: str = "[negative, positive]") -> str:
    rest = f", {more}" if more else ""
    return (
        f"suite: toy\nallow_weak: true\nplugins: [toy.py]\nmodel: {{use: wordsum, labels: {labels}}}\ndata: {{use: {use}, path: {file}{rest}}}\n"
        "checks:\n  film: {perturb: {use: rename, table: {film: movie}}, limit: 1}\n"
    )


def _source(use: str) -> str:
    return f"suite: toy\nplugins: [toy.py]\nmodel: wordsum\nchecks: {{use: {use}}}\n"


def _answered(file: str) -> str:
    return (
        "suite: toy\nallow_weak: true\nplugins: [toy.py]\nmodel: {use: predictions, labels: [negative, positive], path: "
        f"{file}}}\ndata: films\nchecks:\n  same: {{perturb: itself, limit: 1}}\n"
    )


def _csv(rows: list[dict[str, str]], comma: str = ",") -> bytes:
    lines = [comma.join(rows[0])] + [comma.join(row.values()) for row in rows]
    return "\n".join(lines).encode() + b"\n"


def _lines(rows: Sequence[Mapping[str, object]]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _parquet(rows: list[dict[str, str]]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    stream = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), stream)
    return stream.getvalue()


def _lock() -> bytes:
    """Lock the suite, as its author would."""
    from robustfim.cli import main

    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name), contextlib.redirect_stdout(io.StringIO()):
        Path("toy.py").write_text(PLUGIN, encoding="utf-8")
        Path("suite.yaml").write_text(SUITE, encoding="utf-8")
        with contextlib.suppress(SystemExit):
            main(["lock", "suite.yaml", "--no-store"])
        return Path("suite.lock.json").read_bytes()


# ---- plugins ------------------------------------------------------------------------------------------

ROLES = {
    "model predict": "class Faulty(WordSum):\n    def predict(self, examples):\n        FAULT\n        return super().predict(examples)",
    "model labels": "class Faulty(WordSum):\n    @property\n    def labels(self):\n        FAULT\n        return ('negative', 'positive')\n    @labels.setter\n    def labels(self, value): pass",
    "model fingerprint": "class Faulty(WordSum):\n    @property\n    def fingerprint(self):\n        FAULT\n        return 'x'\n    @fingerprint.setter\n    def fingerprint(self, value): pass",
    "model init": "class Faulty(WordSum):\n    def __init__(self):\n        FAULT\n        super().__init__()",
    "data load": "class Faulty(Films):\n    def load(self):\n        FAULT\n        return super().load()",
    "perturbation edits": "class Faulty(Rename):\n    def edits(self, example, random):\n        FAULT\n        return list(super().edits(example, random))",
    "perturbation propose": "class Faulty:\n    def propose(self, example, random):\n        FAULT\n        return []",
    "perturbation prepare": "class Faulty(Rename):\n    def prepare(self, context):\n        FAULT",
    "perturbation init": "class Faulty(Rename):\n    def __init__(self):\n        FAULT\n        super().__init__()",
    "constraint reject": "class Faulty:\n    def reject(self, candidate):\n        FAULT\n        return None",
    "expectation judge": "class Faulty:\n    def judge(self, before, after, candidate):\n        FAULT\n        return Judgement(Verdict.PASSED)",
    "scorer score": "class Faulty(Long):\n    def score(self, examples, context):\n        FAULT\n        return super().score(examples, context)",
    "report write": "class Faulty:\n    def write(self, record, folder):\n        FAULT\n        (folder / 'x').write_text('x')\n        return folder / 'x'",
    "hook configure": "@hookimpl\ndef robustfim_configure(config):\n    FAULT",
    "hook report_header": "@hookimpl\ndef robustfim_report_header(config):\n    FAULT",
    "hook check_finish": "@hookimpl\ndef robustfim_check_finish(check, result):\n    FAULT",
    "hook sections": "@hookimpl\ndef robustfim_sections(collection, context):\n    FAULT\n    return []",
    "hook terminal_summary": "@hookimpl\ndef robustfim_terminal_summary(record):\n    FAULT",
    "hook session_finish": "@hookimpl\ndef robustfim_session_finish(record, written):\n    FAULT",
}
"""A member of a role, as a class or hook with a place for its fault."""

FAULTS = {
    "raises": "raise ZeroDivisionError('no')",
    "raises what cannot be told": "class Bad(Exception):\n            def __str__(self): raise RuntimeError\n        raise Bad",
    "leaves": "sys.exit()",
    "leaves with a text": "sys.exit('x')",
    "raises a BaseException": "raise BaseException('x')",
    "stops a generator": "raise StopIteration",
    "recurses": "f = lambda: f()\n        f()",
    "fails an assertion": "assert False, 'no'",
    "gives 5": "return 5",
    "gives a text": "return 'text'",
    "gives nothing": "return None",
    "gives itself": "x = []\n        x.append(x)\n        return x",
    "gives NaN": "return [[float('nan'), 1.0]]",
    "gives what cannot be shown": "class Odd:\n            def __repr__(self): raise RuntimeError\n        return [Odd()]",
    "gives odd edits": "return [Edit('text', 0.0, 1.0, 'a', 'b'), Edit('text', 0, 1, 'a', 5), Edit('none', 0, 1, 'a', 'b')]",
    "never stops giving": "return iter(lambda: Edit('text', 0, 0, '', 'x'), None)",
    "goes elsewhere": "os.chdir('/')",
    "closes the terminal": "sys.stdout.close()",
}
"""What is done in that place; those of ``_HARMLESS`` must change nothing."""

_HARMLESS = {"goes elsewhere", "closes the terminal"}
_NOTHING_IS_RIGHT = {"hook configure", "hook report_header", "hook check_finish", "hook terminal_summary"}
_NOTHING_IS_RIGHT |= {
    "hook sections",
    "hook session_finish",
    "perturbation prepare",
    "model init",
    "perturbation init",
    "constraint reject",
}


def faulty_plugin(role: str, fault: str) -> tuple[str, str, bool]:
    """Write a plugin with one fault, and a suite that uses it.

    Args:
        role: A key of ``ROLES``.
        fault: A key of ``FAULTS``.

    Returns:
        The plugin's code, the suite, and whether the suite may pass in spite of the fault.
    """
    body = ROLES[role]
    hook = role.startswith("hook")
    fault_code = FAULTS[fault].replace("\n        ", "\n    ") if hook else FAULTS[fault]
    code = "import os, sys\nfrom toy_base import *\nfrom robustfim import Judgement, Verdict\n" + body.replace(
        "FAULT", fault_code
    )
    code = code.replace("from toy_base import *", PLUGIN.split("@hookimpl")[0])
    kind = role.split()[0]
    offered = {
        "model": "models", "data": "data", "perturbation": "perturbations", "constraint": "constraints",
        "expectation": "expectations", "scorer": "scorers", "report": "reports",
    }  # fmt: skip
    if not hook:
        code += f"\n\n@hookimpl\ndef robustfim_offers():\n    return {{{offered[kind]!r}: {{'faulty': Faulty}}}}\n"
    suite = SUITE.replace("plugins: [toy.py]", "plugins: [toy.py, faulty.py]")
    changes = {
        "model": ("model: {use: wordsum}", "model: faulty"),
        "data": ("data: {use: films}", "data: faulty"),
        "perturbation": ("{use: rename, table: {film: movie}}", "faulty"),
        "constraint": ("[accept]", "[faulty]"),
        "expectation": ("expect: invariant", "expect: faulty"),
        "scorer": ("[long]", "[faulty]"),
        "report": ("[json]", "[json, faulty]"),
    }
    if kind in changes:
        suite = suite.replace(*changes[kind])
    if kind == "scorer":
        suite = suite.replace("by: long", "by: faulty")
    harmless = fault in _HARMLESS or (fault == "gives nothing" and role in _NOTHING_IS_RIGHT)
    harmless |= (fault.startswith("gives") and role in _SILENT) or (fault == "never stops giving" and role in _SILENT)
    harmless |= (role, fault) in _RIGHT
    return code, suite, harmless


_SILENT = {"hook configure", "hook check_finish", "hook session_finish", "perturbation prepare"}
"""Roles whose results are not read."""

_RIGHT = {
    ("hook report_header", "gives a text"),
    ("hook terminal_summary", "gives a text"),
    ("constraint reject", "gives nothing"),
    ("perturbation edits", "never stops giving"),
    ("model fingerprint", "gives a text"),
}
"""What is right by chance, or bounded."""
