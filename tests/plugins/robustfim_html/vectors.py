"""Texts that try to run a script, to send a request or to break a rule of the page, each in its own way."""

from __future__ import annotations

from robustfim.example import content_id
from robustfim.exhibit import Figure, Section, Series, Table
from robustfim.outcome import Outcome
from robustfim.record import EditRecord, ExampleRecord, Failure, PredictionRecord, Record, SliceRecord
from robustfim.statistics import Rate
from tests.plugins.robustfim_html.synthetic import build

__all__ = ["VECTORS", "attacked"]

VECTORS = (
    "<script>alert(1)</script>",
    "<script src=//example.invalid/x.js></script>",
    "</script><script>alert(1)</script>",
    "</script ><script >alert(1)</script >",
    "<ScRiPt>alert(1)</sCrIpT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<!--><script>alert(1)</script>-->",
    "<!--<script>alert(1)//",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<script type=module>alert(1)</script>",
    "<script>\u2028alert(1)\u2029</script>",
    "\x00<script>alert(1)</script>",
    "<\x00script>alert(1)</script>",
    "＜script＞alert(1)＜/script＞",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "&#60;script&#62;alert(1)&#60;/script&#62;",
    "\\u003cscript\\u003ealert(1)\\u003c/script\\u003e",
    "<img src=x onerror=alert(1)>",
    "<img src=x:x onerror=alert(1)//",
    "<img/src=`x`onerror=alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "'><img src=x onerror=alert(1)>",
    "<img srcset='//example.invalid/a.png 1x'>",
    "<image src=//example.invalid/b.png onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=alert(1)></svg>#x'>",
    "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><img src onerror=alert(1)>",
    "<math href=javascript:alert(1)>x</math>",
    "<a href=javascript:alert(1)>x</a>",
    "<a href='jav&#x09;ascript:alert(1)'>x</a>",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<object data=//example.invalid/c.swf></object>",
    "<embed src=//example.invalid/d.swf>",
    "<link rel=stylesheet href=//example.invalid/e.css>",
    "<link rel=prefetch href=//example.invalid/f>",
    "<base href=//example.invalid/>",
    "<meta http-equiv=refresh content='0;url=//example.invalid/g'>",
    "<meta http-equiv=Content-Security-Policy content=\"script-src 'unsafe-inline'\">",
    "<style>@import '//example.invalid/h.css';</style>",
    "</style><style>*{background:url(//example.invalid/i)}</style>",
    "<div style=background:url(//example.invalid/j)>",
    '" style="background:url(//example.invalid/k)',
    "<body onload=alert(1)>",
    "<details open ontoggle=alert(1)>x",
    "<input autofocus onfocus=alert(1)>",
    "<select autofocus onfocus=alert(1)>",
    "<video src=//example.invalid/l onerror=alert(1)>",
    "<audio src=//example.invalid/m onerror=alert(1)>",
    "<form action=//example.invalid/n><input type=submit></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    '" autofocus onfocus="alert(1)',
    "' onmouseover='alert(1)",
    '"onclick=alert(1) x="',
    "` onerror=`alert(1)`",
    "<marquee onstart=alert(1)>",
    "<template><script>alert(1)</script></template>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<textarea><script>alert(1)</script></textarea>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "{{constructor.constructor('alert(1)')()}}",
    "{% include '/etc/passwd' %}",
    "${alert(1)}",
    "#{alert(1)}",
    "__proto__",
    "constructor",
    "]]></data></script><script>alert(1)</script>",
    "\u202e<script>alert(1)</script>",
    "cut \ud83d <script>alert(1)</script>",
    "x\x01y\x02z",
    '=HYPERLINK("//example.invalid/o")',
    "</text></svg><script>alert(1)</script>",
    "</title></rect></svg><img src=x onerror=alert(1)>",
    "<foreignObject><body onload=alert(1)></foreignObject>",
    "<set attributeName=href to=javascript:alert(1)>",
    '0" transform="rotate(1)" onload="alert(1)',
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<details ontoggle=alert(1) open><summary>x</summary></details>",
    "<a ping=//example.invalid/p href=//example.invalid/q>x</a>",
    "<iframe class=first-run src=//example.invalid/r></iframe>",
)
"""At least 60; ``seen.ran`` of the browser counts what any of them runs."""


def attacked() -> Record:
    """Make a record whose every text, label, id, name and message is one of the vectors."""
    record = build(examples=60, difficult=20, control=20, keep=("synonyms", "typos"))
    synonyms, typos = record.checks
    examples, failures = [], []
    for number, vector in enumerate(VECTORS):
        other = VECTORS[-1 - number]
        examples.append(
            ExampleRecord(
                id=vector,
                fields={"text": f"{vector} and {other}", vector: other},
                label=vector,
                prediction=other,
                probabilities=[0.3, 0.7],
                arm="difficult" if number % 2 else "control",
                scores={"fisher": 0.1 + number, other: 1.0 * number},
            )
        )
        failures.append(
            Failure(
                id=f"{vector}/{content_id({'text': vector})}",
                check=synonyms.id,
                example=vector,
                arm="difficult" if number % 2 else "control",
                fields={"text": f"{other} and {other}", vector: vector},
                edits=[
                    EditRecord(
                        field="text", start=0, end=len(vector), before=vector, after=other, origin=f"{vector}\n{other}"
                    )
                ],
                before=PredictionRecord(label=vector, probabilities=[0.3, 0.7]),
                after=PredictionRecord(label=other, probabilities=[0.8, 0.2]),
                reason=vector,
                reproduce=f"robustfim run -k {vector}",
            )
        )
    rate = Rate(1, 2)
    text = "\n".join(VECTORS)
    checks = [
        check.model_copy(
            update={
                "id": f"{VECTORS[0]}::{VECTORS[21 + number]}" if number else synonyms.id,
                "name": VECTORS[21 + number],
                "message": text,
                "traceback": text,
                "marks": list(VECTORS[:3]),
                "capability": VECTORS[number],
                "type": "INV",
                "outcome": Outcome.FAILED,
                "perturbation": {"use": VECTORS[3], **dict.fromkeys(VECTORS, text)},
                "examples": [*check.examples, *VECTORS],
            }
        )
        for number, check in enumerate((synonyms, typos))
    ]
    section = Section(
        name="v",
        title=VECTORS[0],
        findings=list(VECTORS),
        tables=[Table(title=VECTORS[1], header=list(VECTORS[:2]), rows=[list(VECTORS[:2])], notes=[VECTORS[2]])],
        figures=[
            Figure(
                title=VECTORS[21],
                across=VECTORS[22],
                up=VECTORS[23],
                series=[Series(name=VECTORS[24], kind="dots", points=[(0, 1), (1, 2)], labels=list(VECTORS[:2]))],
            )
        ],
    )
    return record.model_copy(
        update={
            "suite": VECTORS[67],
            "message": text,
            "checks": checks,
            "examples": [*record.examples, *examples],
            "failures": [*[failure for failure in record.failures if failure.check == synonyms.id], *failures],
            "slices": [
                SliceRecord(
                    name=vector, members=list(VECTORS), definition={vector: vector}, accuracy=rate, failures=rate
                )
                for vector in VECTORS
            ],
            "sections": [section],
            "model": record.model.model_copy(update={"use": VECTORS[25], "labels": list(VECTORS[:2])}),
        }
    )
