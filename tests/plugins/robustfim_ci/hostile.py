"""A run record in which every text that a user, a plugin or a data set decides tries to break a report."""

from __future__ import annotations

from robustfim.example import content_id
from robustfim.outcome import Outcome
from robustfim.record import EditRecord, ExampleRecord, Failure, PredictionRecord, Record
from tests.plugins.robustfim_html.synthetic import build

__all__ = ["HOSTILE", "hostile"]

HOSTILE = (
    "<script>alert(1)</script>",
    "]]></failure><testcase name='forged'/>",
    "``` ``````` `code` ~~~",
    "| a | pipe | table |",
    "first line\n::error file=x,line=1::forged\r\n::set-output name=a::b",
    "percent %0A::error::forged %25",
    "control \x00 \x07 \x1b[31m \x85 \ufffe \uffff end",
    "half of a pair \ud83d end",
    "</details></summary><!-- --> --> <img src=x onerror=alert(2)>",
    "**bold** _em_ [link](https://evil.example) ![img](x) https://evil.example www.evil.example",
    "@everyone #12 !34 ~label a@b.example :tada: $x^2$",
    "&lt;b&gt; &amp; &#64; \\| \\` \\",
    "# heading",
    "+++ --- @@ -1 +1 @@",
    "safe \u202eevil\u202c text\u200b",
)
"""Texts that break careless reports."""


def hostile() -> Record:
    """Make a record with one check for each hostile text, which fails on an example of that text."""
    record = build(examples=40, difficult=10, control=10, keep=("synonyms",))
    (template,) = record.checks
    checks, examples, failures = [], [], []
    for number, text in enumerate(HOSTILE):
        identity = content_id({"text": text})
        check_id = f"s.yaml::{number} {text}"
        examples.append(
            ExampleRecord(id=identity, fields={"text": text, text: text}, label=text, prediction=text, arm="difficult")
        )
        failures.append(
            Failure(
                id=f"bad{number}",
                check=check_id,
                example=identity,
                arm="difficult",
                fields={"text": f"{text}{text}", text: text},
                edits=[
                    EditRecord(field="text", start=len(text), end=len(text), before="", after=text, origin=text),
                ],
                before=PredictionRecord(label=text, probabilities=[0.9, 0.1]),
                after=PredictionRecord(label="other", probabilities=[0.4, 0.6]),
                reason=text,
                reproduce=f"robustfim run '{text}'",
            )
        )
        checks.append(
            template.model_copy(
                update={
                    "id": check_id,
                    "name": f"{number} {text}",
                    "outcome": (Outcome.FAILED, Outcome.ERROR, Outcome.INCONCLUSIVE)[number % 3],
                    "message": text,
                    "traceback": text if number % 3 == 1 else "",
                    "marks": [text],
                    "perturbation": {"use": text, text: text},
                    "expectation": {"use": text},
                }
            )
        )
    return record.model_copy(
        update={
            "suite": HOSTILE[0] + HOSTILE[6],
            "path": "suites/<a>,b:c%.yaml",
            "message": HOSTILE[4],
            "checks": checks,
            "examples": examples,
            "failures": failures,
            "started": HOSTILE[0],
            "model": record.model.model_copy(update={"use": HOSTILE[3], "fingerprint": HOSTILE[1]}),
            "data": record.data.model_copy(update={"use": HOSTILE[9]}),
        }
    )
