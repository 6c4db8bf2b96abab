"""The index of a folder of reports: a row for each suite, with the trend of its accepted runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from robustfim.judge import reaches, write_record
from robustfim.judge.baseline import accept
from robustfim.outcome import Outcome
from robustfim.record import AcceptedRun, Record
from robustfim.statistics import Rate
from robustfim_html.index import Suite, render_index, suites
from robustfim_html.page import render
from robustfim_html.verdict import answer
from tests.plugins.robustfim_html.document import parse
from tests.plugins.robustfim_html.vectors import attacked
from tests.robustfim.command_line import CommandLine
from tests.robustfim.conftest import robustfim

__all__ = ["robustfim"]


def written(folder: Path, record: Record, name: str, page: bool) -> None:
    kept = record.model_copy(update={"suite": name, "deselected": [], "reach": reaches(record)})
    (folder / name).mkdir(parents=True)
    write_record(kept, folder / name / "results.json")
    if page:
        (folder / name / "report.html").write_text(render(kept), encoding="utf-8")


def test_every_suite_has_a_row_that_leads_to_its_page(small: Record, tmp_path: Path) -> None:
    for name, page in (("reviews", True), ("a b", True), ("news", False)):
        written(tmp_path / "reports", small, name, page)
    part = small.model_copy(update={"deselected": ["s::typos"]})
    (tmp_path / "reports" / "some.partial").mkdir()
    write_record(part, tmp_path / "reports" / "some.partial" / "results.json")
    document = parse(render_index(list(suites(tmp_path / "reports", tmp_path / "baselines"))))
    rows = document.all("tr")[1:]
    assert [row.all("th")[0].all("bdi")[0].text for row in rows] == ["a b", "news", "reviews"]
    links = [element.attributes["href"] for row in rows for element in row.all("a")]
    assert links == ["a%20b/report.html", "reviews/report.html"]
    verdict = answer(small).verdict
    assert all(" ".join(verdict.split()) in row.all("th")[0].words for row in rows)
    assert document.one("h1").words.startswith("3 suites: 3 ")


def test_the_trend_begins_at_zero_and_ends_with_the_last_run(small: Record) -> None:
    rates = [0.4, 0.1, 0.2]
    runs = tuple(AcceptedRun(started="", model="m", broken=Rate(round(100 * rate), 100)) for rate in rates)
    trend = str(Suite(small, "", answer(small), runs).trend)
    (points,) = re.findall(r'points="([^"]*)"', trend)
    places = [tuple(map(float, each.split(","))) for each in points.split()]
    heights = [20 - y for _, y in places]  # 4 px are free below
    assert heights == pytest.approx([16 * rate / max(rates) for rate in rates], abs=0.06)
    left, middle, right = (x for x, _ in places)
    assert middle - left == pytest.approx(right - middle)
    assert "40.0\xa0% → 10.0\xa0% → 20.0\xa0%" in trend.replace(" %", "\xa0%")
    assert f'cx="{places[-1][0]:.1f}" cy="{places[-1][1]:.1f}"' in trend


def test_the_command_writes_the_index_and_says_what_it_left_out(
    robustfim: CommandLine, small: Record, tmp_path: Path
) -> None:
    written(tmp_path / "reports", small, "reviews", page=True)
    (tmp_path / "reports" / "torn").mkdir()
    (tmp_path / "reports" / "torn" / "results.json").write_text("{", encoding="utf-8")
    baseline = tmp_path / "baselines" / "reviews.json"
    whole = [check for check in small.checks if check.outcome is not Outcome.ERROR]
    for day in (1, 2):
        earlier = {"reach": reaches(small), "suite": "reviews", "started": f"2026-11-0{day}", "checks": whole}
        accept(small.model_copy(update=earlier), baseline)
    shown = robustfim(f"index {tmp_path / 'reports'} --baselines {tmp_path / 'baselines'}")
    assert (shown.code, "left out: " in shown.err) == (0, True)
    page = (tmp_path / "reports" / "index.html").read_text(encoding="utf-8")
    (points,) = re.findall(r'points="([^"]*)"', page)
    assert len(points.split()) == 3  # two that were accepted, and the last
    (tmp_path / "empty").mkdir()
    assert "holds no record of a whole run" in robustfim(f"index {tmp_path / 'empty'}").err


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_the_index_fits_every_screen_and_runs_nothing(opened: Any, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    hostile = attacked()
    measured = (AcceptedRun(started="", model="m", broken=Rate(count, 100)) for count in (40, 10, 20))
    row = Suite(hostile, "x/report.html", answer(hostile), (AcceptedRun.of(hostile), *measured))
    page = opened(render_index([row]), ready=False)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    trend = page.locator(".trend").bounding_box()
    assert trend is not None
    assert (trend["width"] >= 70, trend["x"] + trend["width"] <= width) == (True, True)
    found = axe.Axe().run(page).response["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
