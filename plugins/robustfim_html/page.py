"""The HTML page of a run record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

import robustfim_drawing as drawing
from robustfim.collect import flow
from robustfim.judge import Trials, cause_texts, first_failures, reach_word, reaches, rules_command
from robustfim.outcome import BY_URGENCY
from robustfim.record import Record
from robustfim_drawing import OTHERS, closed, document, exhibits_html, page_style, part, policy_of, svg_length
from robustfim_html.cells import matrix, slices
from robustfim_html.check import scale, view
from robustfim_html.diff import quoted, written
from robustfim_html.difficulty import difficulties, score_title
from robustfim_html.ends import ends
from robustfim_html.live import lives
from robustfim_html.pair import HARMS, NOW, REVIEWS, Group, groups
from robustfim_html.payload import ARMS, payload, sets
from robustfim_html.spans import decision
from robustfim_html.tint import attributed
from robustfim_html.untouched import untouched
from robustfim_html.verdict import answer, quiet, recalls, rows, subject
from robustfim_html.visible import plain, visible

__all__ = ["environment", "render", "style"]

_SCRIPTS = ("data.js", "card.js", "search.js", "list.js", "plot.js", "failures.js", "live.js", "share.js", "page.js")
_ROWS, _NAMES, _CAUSES = 8, 12, 3
"""Rows of the first screen, checks that share a line of it, and causes; the table of checks has all."""
_READABLE = 100
"""Failing pairs that are written into the page itself, to be read without its script."""


def _part(name: str) -> str:
    return part(f"template/{name}", "robustfim_html")


def _shown(value: Any) -> Any:
    """Name the invisible characters of every text that the template prints."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def style() -> str:
    """Return the CSS for this plugin's pages, to be placed after the CSS that all pages share."""
    return _part("style.css")


@cache
def environment() -> Environment:
    """Return the template environment of this plugin's pages."""
    environment = Environment(
        loader=FunctionLoader(lambda name: part("page.html") if name == "head.html" else _part(name)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    numbers = ("count", "decimal", "duration", "interval", "moment", "percent", "share", "signed")
    environment.filters.update(
        {name: getattr(drawing, name) for name in numbers},
        decision=decision,
        quoted=quoted,
        length_of=svg_length,
        score=score_title,
        flow=flow,
        subject=subject,
        urlencode=lambda text: quote(plain(text), safe=""),
        visible=visible,
        written=written,
    )
    return environment


def _first(gathered: Sequence[Group]) -> list[Group]:
    """Take the first groups, up to so many pairs that need no script."""
    kept, pairs = [], 0
    for group in gathered:
        if pairs >= _READABLE:
            break
        kept.append(group)
        pairs += len(group.pairs)
    return kept


def _tally(names: Sequence[str], counted: Mapping[str, int]) -> list[tuple[int, str, int]]:
    """List what occurs: its number, its name, how often."""
    return [(index, str(name), counted[name]) for index, name in enumerate(names) if counted.get(name)]


def _score_names(record: Record) -> list[str]:
    """List the scores, the one that chose the difficult arm first."""
    names = dict.fromkeys([score.name for score in record.scores])
    for example in record.examples:
        names.update(dict.fromkeys(example.scores))
    return sorted(names, key=lambda name: name != record.selection.by)


def render(
    record: Record, baseline: Record | None = None, styles: Sequence[str] = (), scripts: Sequence[str] = ()
) -> str:
    """Return the HTML document that shows a run, with all scripts and styles inside.

    Args:
        record: The run; its texts are escaped.
        baseline: The record of the baseline, to show the failures of both runs.
        styles: Paths of further style sheets on the server that serves the page; empty for a page that is a file.
        scripts: Paths of further scripts on this server.

    Returns:
        The document. Its content security policy forbids network requests, and all scripts and styles except the
        document's own and the server's.
    """
    styled = page_style() + style()
    script = closed(part("scatter.js"), part("save.js"), *map(_part, _SCRIPTS))
    policy = policy_of(styled, script, served=bool(styles or scripts))
    found = answer(record)
    names = _score_names(record)
    gathered, changes = groups(record, baseline)
    pairs_of = [pair for group in gathered for pair in group.pairs]
    top = scale(record.checks)
    pairs = Counter(pair.failure.check for pair in pairs_of)
    shown = rows(record, top)
    sections = [*record.sections, *ends(record)]
    first, hardest = _first(gathered), first_failures(record, 3)
    page = (
        environment()
        .get_template("page.html")
        .render(
            record=record,
            policy=policy,
            styles=styles,
            scripts=scripts,
            style=Markup(styled),  # noqa: S704  # a file of this plugin
            script=Markup(script),  # noqa: S704  # a file of this plugin
            others=Markup(OTHERS),  # noqa: S704  # written by the harness
            answer=found,
            title=f"{record.suite}: {found.verdict}",
            version=record.environment.robustfim,
            lives=lives(record, gathered, hardest),
            rows=shown,
            rows_shown=_ROWS,
            names_shown=_NAMES,
            causes_shown=_CAUSES,
            repeated=[(cause.sentence, cause_texts(record, cause)[1]) for cause in record.causes],
            rules=rules_command(record),
            quiet=quiet(record, shown),
            recalls=recalls(record),
            numbers={check.id: index + 1 for index, check in enumerate(record.checks)},
            paired=any(check.partners for check in record.checks),
            reaches=record.reach or reaches(record),
            reach_word=reach_word(record),
            checks=sorted(
                (view(check, index=index, top=top, pairs=pairs[check.id]) for index, check in enumerate(record.checks)),
                key=lambda each: BY_URGENCY.index(each.record.outcome),
            ),
            has_arms=any(arm in check.arms for check in record.checks for arm in ("difficult", "control", "easiest")),
            rated=any(check.rate is not None for check in record.checks),
            matrix=matrix(record),
            slices=slices(record),
            sections=[(section, exhibits_html(section.tables, section.figures, level=3)) for section in sections],
            top=top,
            exhibits_html=exhibits_html,
            difficulties=difficulties(record, names, Trials.of_record(record).failing),
            groups=first,
            further=len(pairs_of) - sum(len(group.pairs) for group in first),
            payload=payload(record, gathered, changes, names, baseline) if gathered else "",
            other=baseline,
            untouched=untouched(record, baseline),
            plotted=bool(names) or any(example.probabilities for example in record.examples),
            harms=_tally(HARMS, Counter(pair.harm for pair in pairs_of)),
            kinds=_tally(("text", "step"), Counter("step" if pair.failure.step else "text" for pair in pairs_of)),
            reviews=_tally(REVIEWS, Counter(pair.failure.review or REVIEWS[-1] for pair in pairs_of)),
            states=_tally(NOW, Counter(group.now for group in gathered)),
            sliced=list(sets(record, baseline)),
            attributed=attributed(record),
            changes=changes,
            scores=names,
            lowest={score.name for score in record.scores if score.hardest == "lowest"},
            arms=[
                (index, arm) for index, arm in enumerate(ARMS) if arm and any(group.arm == arm for group in gathered)
            ],
            missing=drawing.MISSING,
        )
    )
    return document(page)
