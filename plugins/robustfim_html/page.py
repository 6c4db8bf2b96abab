"""The page: a run record as one HTML document."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from robustfim.record import Record
from robustfim.record.exhibits_html import document, exhibits_html, exhibits_style
from robustfim_html import number
from robustfim_html.bar import length, rate_bar, scale
from robustfim_html.cells import matrix, slices
from robustfim_html.check import spelled, view
from robustfim_html.histogram import histograms, score_title
from robustfim_html.pair import groups
from robustfim_html.tint import attributed
from robustfim_html.verdict import outcomes, overall, reaches, sentence
from robustfim_html.visible import plain, visible

__all__ = ["render"]


@cache
def _part(name: str) -> str:
    """Read a file of the page; line ends as browsers see them, since they hash what they see."""
    text = (resources.files("robustfim_html") / "template" / name).read_text(encoding="utf-8")
    return text.replace("\r\n", "\n")


def _digest(text: str) -> str:
    """Return a content-security-policy source for exactly this text."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _shown(value: Any) -> Any:
    """Name the invisible characters of every text that the template prints."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_part),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters.update(
        count=number.count,
        decimal=number.decimal,
        duration=number.duration,
        interval=number.interval,
        moment=number.moment,
        percent=number.percent,
        score=score_title,
        signed=number.signed,
        spelled=spelled,
        visible=visible,
    )
    return environment


def _score_names(record: Record) -> list[str]:
    """List the scores, the one that chose the difficult arm first."""
    names = dict.fromkeys([score.name for score in record.scores])
    for example in record.examples:
        names.update(dict.fromkeys(example.scores))
    return sorted(names, key=lambda name: name != record.selection.by)


def render(record: Record) -> str:
    """Write a run as one self-contained HTML document.

    Args:
        record: The run; nothing in it is trusted.

    Returns:
        The document. Its policy forbids every request and every script and style but its own.
    """
    style, script = _part("style.css") + exhibits_style(), _part("page.js")
    policy = (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    names = _score_names(record)
    gathered, changes = groups(record, names)
    top, step = scale(record.checks)
    pairs: dict[str, int] = {}
    for failure in record.failures:
        pairs[failure.check] = pairs.get(failure.check, 0) + 1
    page = (
        _environment()
        .get_template("page.html")
        .render(
            record=record,
            policy=policy,
            style=Markup(style),  # noqa: S704  # a file of this plugin
            script=Markup(script),  # noqa: S704  # a file of this plugin
            sentence=sentence(record),
            overall=overall(record),
            outcomes=outcomes(record),
            reaches=reaches(record),
            checks=[
                view(check, index=index, top=top, pairs=pairs.get(check.id, 0))
                for index, check in enumerate(record.checks)
            ],
            has_arms=any(arm in check.arms for check in record.checks for arm in ("difficult", "control")),
            rated=any(check.rate is not None for check in record.checks),
            matrix=matrix(record),
            slices=slices(record),
            sections=[(each, exhibits_html(each.tables, each.figures, level=3)) for each in record.sections],
            ticks=[(length(i * step / top), number.share(i * step)) for i in range(round(top / step) + 1)],
            histograms=histograms(record, {failure.example for failure in record.failures}),
            groups=gathered,
            attributed=attributed(record),
            changes=changes,
            scores=names,
            lowest={score.name for score in record.scores if score.hardest == "lowest"},
            arms=sorted({group.arm for group in gathered if group.arm}, key=("difficult control all").find),
            accuracy_bar=rate_bar(
                record.model.accuracy, record.model.accuracy_interval, None, top=1.0, kind="accuracy", height=12
            ),
            missing=number.MISSING,
        )
    )
    return document(page)
