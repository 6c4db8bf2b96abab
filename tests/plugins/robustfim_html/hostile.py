"""A run record in which every text that a user, a plugin or a data set decides tries to break the page."""

from __future__ import annotations

from robustfim.example import content_id
from robustfim.record import EditRecord, ExampleRecord, Failure, PredictionRecord, Record
from tests.plugins.robustfim_html.synthetic import build

__all__ = ["HOSTILE", "hostile"]

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    '"><img src=x onerror=alert(3)>',
    "</style></title><svg onload=alert(4)>",
    "safe \u202eevil\u202c text\u200b with a zero\x00byte",
    "Pneumono" + "ultramicroscopic" * 40,
    "فيلم جميل جدا وممثلون رائعون",
    "first line\nsecond line\r\nthird line",
    "{{ 7 * 7 }} {% raw %} <!-- comment --> <![CDATA[ ]]> &amp; &lt;",
)
"""Texts that break careless pages."""


def hostile() -> Record:
    """Make a record in which every text a user, a plugin or a data set decides is hostile."""
    record = build(examples=40, difficult=10, control=10, keep=("synonyms", "neighbours"))
    examples, failures = list(record.examples), []
    for number, text in enumerate(HOSTILE):
        identity = content_id({"text": text})
        examples.append(
            ExampleRecord(
                id=identity,
                fields={"text": text, f"<b>{text[:9]}": text},
                label=HOSTILE[0],
                prediction="positive",
                probabilities=[0.1, 0.9],
                arm="difficult",
                scores={"fisher": None, HOSTILE[2]: 1.5 * number},
            )
        )
        failures.append(
            Failure(
                id=f"bad{number}",
                check="sentiment.yaml::synonyms",
                example=identity,
                arm="difficult",
                fields={"text": text + HOSTILE[1], f"<b>{text[:9]}": text},
                edits=[
                    EditRecord(
                        field="text", start=len(text), end=len(text), before="", after=HOSTILE[1], origin=HOSTILE[2]
                    )
                ],
                before=PredictionRecord(label="positive", probabilities=[0.1, 0.9]),
                after=PredictionRecord(label=HOSTILE[1], probabilities=[0.6, 0.4]),
                reason=HOSTILE[0],
                reproduce=f"robustfim run -k '{HOSTILE[1]}'",
            )
        )
    checks = [
        check.model_copy(
            update={
                "name": HOSTILE[2] + check.name,
                "message": HOSTILE[3],
                "traceback": "\n".join(HOSTILE),
                "marks": [HOSTILE[0]],
                "perturbation": {"use": HOSTILE[1], HOSTILE[2]: HOSTILE},
                "constraints": [HOSTILE[0]],
            }
        )
        for check in record.checks
    ]
    return record.model_copy(
        update={
            "suite": HOSTILE[0],
            "path": HOSTILE[2],
            "message": HOSTILE[3],
            "examples": examples,
            "checks": checks,
            "failures": [*record.failures, *failures],
            "started": HOSTILE[0],
            "model": record.model.model_copy(
                update={"use": HOSTILE[4], "options": {HOSTILE[0]: list(HOSTILE)}, "fingerprint": HOSTILE[3]}
            ),
            "data": record.data.model_copy(
                update={"skipped": {HOSTILE[1]: 2}, "options": {HOSTILE[2]: {HOSTILE[0]: 1}}}
            ),
            "environment": record.environment.model_copy(
                update={"device": HOSTILE[0], "packages": {HOSTILE[3]: HOSTILE[2]}}
            ),
        }
    )
