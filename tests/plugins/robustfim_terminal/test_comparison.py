"""A regression of a tagger shows its text, whatever else is wrong in it."""

from __future__ import annotations

import json

from tests.robustfim.command_line import CommandLine

FINDER = """\
def find(texts):
    return [[(at, at + len(word), label) for label, word in {words} if (at := text.find(word)) >= 0] for text in texts]
"""
SUITE = """\
suite: tagger
model: {use: python, call: "old:find", task: spans}
data: {use: jsonl, path: rows.jsonl, spans: spans}
checks:
  case:
    perturb: {use: case, kinds: [upper]}
    expect: {use: found, labels: [MAIL_ADDRESS, PERSON]}
    limit: {missed: 0.9}
"""


def test_a_span_that_is_newly_missed_shows_its_text(robustfim: CommandLine) -> None:
    rows = [
        {"text": f"A1 wrote to B2, no {n}.", "spans": [[0, 2, "PERSON"], [12, 14, "MAIL_ADDRESS"]]} for n in range(30)
    ]
    (robustfim.folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    (robustfim.folder / "tagger.yaml").write_text(SUITE, encoding="utf-8")
    # Of neither model is any text right: both take "wrote" for a place.
    wrong = "('PLACE', 'wrote'), ('PERSON', 'A1')"
    for name, words in (("old", f"[{wrong}, ('MAIL_ADDRESS', 'B2')]"), ("new", f"[{wrong}]")):
        (robustfim.folder / f"{name}.py").write_text(FINDER.replace("{words}", words), encoding="utf-8")
    robustfim("run tagger.yaml")
    robustfim("accept reports/tagger/results.json")
    shown = robustfim("run tagger.yaml --model call=new:find --baseline baselines")
    assert "missed MAIL_ADDRESS WORSE" in shown.unbroken
    assert "untouched: missed MAIL_ADDRESS A1 wrote to B2, no " in shown.unbroken
