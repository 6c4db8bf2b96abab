"""The explorer in a real browser: editing, reviewing, trying, by keys alone, and with texts that attack it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import robustfim
from robustfim.judge import first_failures, write_record
from robustfim_explore.adversaries import read
from tests.plugins.robustfim_explore.served import Served
from tests.plugins.robustfim_html.conftest import WATCH
from tests.plugins.robustfim_html.vectors import VECTORS, attacked
from tests.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opened = Callable[..., Any]


@pytest.fixture
def opened(browser: Browser) -> Iterator[Opened]:
    """Open the link of a server; at the end nothing else was asked, and no rule was broken."""
    context = browser.new_context(viewport={"width": 1360, "height": 900}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.add_init_script(WATCH)
    asked: list[str] = []
    pages: list[tuple[Page, str]] = []
    context.on("request", lambda request: asked.append(request.url))

    def open_page(served: Served, state: str = "ready", width: int = 1360) -> Page:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 900})
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        pages.append((page, served.url))
        page.goto(served.link)
        page.wait_for_selector(f"html[data-explorer={state}][data-ready][data-followed]", timeout=60_000)
        return page

    yield open_page
    for page, _ in pages:
        assert page.evaluate("() => seen") == {"violations": [], "ran": 0}
    own = {url for _, url in pages}
    assert [url for url in asked if not url.startswith((*own, "blob:"))] == []
    context.close()


def said(page: Page) -> str:
    return str(page.inner_text("#panel-text .said .label bdi >> nth=0"))


def opened_first(page: Page) -> None:
    bar = page.locator("#list .desk-bar:has([data-answer])").first
    pair = bar.get_attribute("data-failure")
    bar.locator(".open").click()
    page.wait_for_selector(f"#panel-text .about >> text={pair}")
    page.wait_for_selector("#panel-text .trail li:nth-child(2)")


def choose(page: Page, name: str, **options: str) -> None:
    """Choose a perturbation of the form, and fill its options in."""
    page.select_option("#try-perturb", name)
    for option, text in options.items():
        field = page.locator(f"#try-option-{option}")
        field.evaluate("(field) => { const fold = field.closest('details'); if (fold) fold.open = true; }")
        field.fill(text)


def test_a_text_is_edited_in_place_and_every_pause_is_told(served: Served, opened: Opened) -> None:
    page = opened(served)
    opened_first(page)
    assert page.is_visible("#panel-text .said.turned")
    page.fill("#field-text", "Superb, superb, superb: I loved every minute.")
    page.wait_for_selector("#panel-text .trail li:nth-child(3)")
    assert said(page).startswith("positive")
    page.fill("#field-text", "Dull, awful, a waste of time, and I hated it.")
    page.wait_for_selector("#panel-text .trail li:nth-child(4)")
    assert said(page).startswith("negative")
    assert page.locator("#panel-text .shaded .for").count() >= 10
    with page.expect_download() as taken:
        page.click("#save-path")
    path = [json.loads(line) for line in Path(taken.value.path()).read_text(encoding="utf-8").splitlines()]
    assert [each["label"] for each in path[2:]] == ["positive", "negative"]
    page.click("text=Undo")
    page.wait_for_selector("#panel-text .trail li:nth-child(5)")
    assert page.input_value("#field-text").startswith("Superb")
    page.click("text=Redo")
    page.wait_for_selector("#panel-text .trail li:nth-child(6)")
    page.click("text=Back to the source")
    page.wait_for_selector("#panel-text .trail li:nth-child(7)")
    assert not page.is_visible("#panel-text .said.turned")


def test_of_fast_typing_only_the_pauses_are_asked(served: Served, opened: Opened) -> None:
    page = opened(served)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/look") else None)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    page.click("#field-text")
    page.keyboard.press("Control+A")
    page.keyboard.type("A wonderful film, and I loved it.")
    before = len(asked)
    page.clock.run_for(1000)
    page.wait_for_selector("#panel-text .trail li:nth-child(3)")
    assert said(page) == "positive"
    assert (before, len(asked)) == (0, 1)


def test_the_smallest_change_and_steps_are_shown(served: Served, opened: Opened) -> None:
    page = opened(served)
    opened_first(page)
    before = said(page)
    page.click("#flip")
    page.click("#panel-text .ways button >> nth=0", timeout=60_000)
    page.wait_for_selector("#panel-text .trail li:nth-child(3)")
    assert said(page) != before
    page.click("#panel-text .steps summary")
    page.wait_for_selector(".stepped .bars")
    page.focus("#step")
    page.keyboard.press("End")
    assert page.inner_text(".stepped .to") == before
    page.check("input[value=attribution]")
    page.wait_for_selector("text=by 8 points of the path")
    page.click("#explain-fine")
    page.wait_for_selector("text=by 32 points of the path")
    assert page.locator("#panel-text .shaded .against").count() > 0


def test_failures_are_reviewed_by_keys_alone(served: Served, opened: Opened, ran: Path) -> None:
    page = opened(served)
    page.select_option(
        "#by-check", label=next(text for text in page.locator("#by-check option").all_inner_texts() if "typos" in text)
    )
    page.keyboard.press("Escape")
    page.evaluate("() => document.activeElement.blur()")
    pressed = page.locator("#list [aria-pressed=true]")
    for number, key in enumerate(("v", "n", "u"), start=1):
        page.keyboard.press("j")
        page.keyboard.press(key)
        until(pressed.count, number)
    until(served.answers, ["valid", "invalid", "unsure"])
    page.keyboard.press("b")
    until(pressed.count, 2)
    until(served.answers, ["valid", "invalid"])
    page.keyboard.press("g")
    page.wait_for_selector("#list .gold[aria-pressed=true]")
    page.keyboard.press("e")
    page.wait_for_selector("#panel-text .trail li:nth-child(2)")
    page.wait_for_function("() => document.activeElement.id === 'field-text'")
    page.focus("#tab-text")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.id") == "tab-review"
    page.wait_for_selector("#next-pair button[data-answer=valid]")
    page.keyboard.press("Tab")
    with page.expect_download() as taken:
        page.click("#save-labels")
    (row,) = map(json.loads, Path(taken.value.path()).read_text(encoding="utf-8").splitlines())
    assert set(row) == {"id", "text", "label", "prediction"}
    again = opened(served)
    again.wait_for_selector("#list .said.valid, #list .said.invalid", state="attached")  # what the page itself says now


def test_answers_given_faster_than_the_server_takes_them_keep_their_order(served: Served, opened: Opened) -> None:
    page = opened(served)
    page.evaluate(
        """() => {
          const [real, waits] = [window.fetch, [300, 200, 100, 50]];
          window.fetch = async (place, ...rest) => {
            if (place === "/api/review") await new Promise((resolve) => { setTimeout(resolve, waits.shift() || 0); });
            return real(place, ...rest);
          };
        }"""
    )
    page.select_option("#by-check", label=page.locator("#by-check option", has_text="typos").inner_text())
    page.evaluate("() => document.activeElement.blur()")
    for key in "jvjnjuub":
        page.keyboard.press(key)
    page.wait_for_selector("#desk-said >> text=the answer is taken back")
    until(served.answers, ["valid", "invalid"])
    until(page.locator("#list [data-answer][aria-pressed=true]").count, 2)


def test_the_page_opens_on_the_first_failing_pair_of_the_list(served: Served, opened: Opened) -> None:
    page = opened(served)
    (first, *_) = first_failures(served.desk.record)
    assert page.inner_text("#panel-text .about b >> nth=0") == first.id
    assert page.input_value("#field-text") == "\n".join(first.fields.values())
    assert page.is_visible("#panel-text .said.turned")
    assert "open=" not in page.url
    second = page.locator("#pairs option:not([value=''])").nth(1).get_attribute("value")
    page.click("#next")
    page.wait_for_selector(f"#panel-text .about >> text={second}")
    page.go_back()
    page.wait_for_selector(f"#panel-text .about >> text={first.id}")


def test_a_check_of_the_suite_fills_the_form_and_a_trial_survives_a_reload(served: Served, opened: Opened) -> None:
    page = opened(served)
    page.click("#tab-trial")
    page.wait_for_selector("#try-option-letters")
    assert page.input_value("#try-perturb") == "check typos"
    assert page.input_value("#try-option-words") == "2"
    page.select_option("#try-option-first_letter", "true")
    page.select_option("#try-scope", "tested")
    page.click("#try-begin")
    page.wait_for_selector("#as-check")
    found = page.inner_text("#panel-trial .found p[role=status]")
    page.reload()
    page.wait_for_selector("#as-check")
    assert page.inner_text("#panel-trial .found p[role=status]") == found
    assert page.input_value("#try-perturb") == "typos"
    assert page.input_value("#try-option-first_letter") == "true"
    assert page.input_value("#try-option-words") == "2"


def test_what_an_earlier_trial_found_goes_when_the_next_one_begins(served: Served, opened: Opened) -> None:
    page = opened(served)
    page.click("#tab-trial")
    choose(page, "typos", words="2")
    page.select_option("#try-scope", "tested")
    page.click("#try-begin")
    page.wait_for_selector("#as-check")
    with page.expect_request("**/api/trials") as asked:
        left = page.evaluate(
            "() => { document.getElementById('try-begin').click(); return !!document.getElementById('as-check'); }"
        )
    assert not left
    assert asked.value.method == "POST"
    page.wait_for_selector("#as-check")
    choose(page, "typos", words="0")
    page.click("#try-begin")
    page.wait_for_selector("#desk-said.bad")
    assert page.is_visible("#as-check")  # what was refused takes nothing away


def test_a_perturbation_is_tried_on_what_is_selected_and_kept(served: Served, opened: Opened) -> None:
    page = opened(served)
    page.check("#list .pick >> nth=0")
    page.click("#tab-trial")
    choose(page, "typos", words="2")
    page.select_option("#try-scope", "chosen")
    page.click("#try-begin")
    page.wait_for_selector("#panel-trial p[role=status] >> text=1 testable text")
    page.select_option("#try-scope", "tested")
    page.click("#try-begin")
    right = sum(example.arm is not None and bool(example.correct) for example in served.desk.record.examples)
    assert right > 1
    page.wait_for_selector(f"#panel-trial .found p[role=status] >> text=of {right} testable texts")
    page.wait_for_selector("#as-check")
    page.click("#as-check")
    assert "use: typos" in page.inner_text("#panel-trial pre")
    choose(page, "typos", words="many")
    page.click("#try-begin")
    page.wait_for_selector("#desk-said.bad >> text=words")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_no_accessibility_rule_is_broken(served: Served, opened: Opened, scheme: str, width: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    page = opened(served, width=width)
    page.emulate_media(color_scheme=scheme)
    if width < 1000:
        page.click("#desk-open")
    opened_first(page) if width > 1000 else page.fill("#field-text", "A fine film, and long.")
    page.wait_for_selector("#panel-text .said .label")
    for tab in ("text", "review", "trial"):
        page.click(f"#tab-{tab}")
        page.wait_for_timeout(300)
        found = axe.Axe().run(page).response["violations"]
        serious = [
            (tab, each["id"], [node["target"] for node in each["nodes"]][:3])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_two_tabs_keep_one_another_s_answers(served: Served, opened: Opened) -> None:
    first, second = opened(served), opened(served)
    pairs = served.get("state")["reviewable_ids"]
    for page, pair in ((first, pairs[0]), (second, pairs[1]), (first, pairs[-1])):
        page.evaluate("(pair) => { location.hash = `failure-${pair}`; }", pair)
        page.click(f'[data-failure="{pair}"] [data-answer=valid]')
        page.wait_for_selector(f'[data-failure="{pair}"] [data-answer=valid][aria-pressed=true]')
    until(served.answers, ["valid"] * 3)
    second.click("#tab-review")  # which shows what the other one answered
    second.wait_for_selector("#panel-review [role=status] >> text=3 of", timeout=30_000)


def test_without_its_model_the_page_says_why_and_reviews(opened: Opened, ran: Path, tmp_path: Path) -> None:
    running = Served(ran / "reports" / "toy", tmp_path, model_wanted=False)
    page = opened(running, "off")
    assert "--no-model" in page.inner_text("#desk-state")
    assert page.is_disabled("#field-text")
    assert page.is_disabled("#flip")
    page.click("#list [data-answer=valid] >> nth=0")
    page.wait_for_selector("#list [data-answer=valid][aria-pressed=true]")
    running.close()
    page.click("#list [data-answer=unsure] >> nth=0")
    page.wait_for_selector("#desk-said.bad >> text=What was reviewed is kept")
    until(running.answers, ["valid"])


class Hostile:
    """Its labels are attacks, and so are its errors."""

    labels = VECTORS[:2]
    fingerprint = VECTORS[3]

    def predict(self, examples: Any) -> Any:
        if any("raise" in example.text for example in examples):
            raise RuntimeError(VECTORS[4])
        return [[0.5 + len(example.text) % 7 / 20, 0.5 - len(example.text) % 7 / 20] for example in examples]


def test_no_text_label_id_or_message_runs_a_script(opened: Opened, tmp_path: Path) -> None:
    assert len(VECTORS) >= 60
    (tmp_path / "hostile.py").write_text(
        "from tests.plugins.robustfim_explore.test_browser import Hostile\nimport robustfim\n\n"
        "@robustfim.hookimpl\ndef robustfim_offers():\n    return {'models': {'hostile': Hostile}}\n",
        encoding="utf-8",
    )
    write_record(attacked(), tmp_path / "results.json")
    running = Served(
        tmp_path / "results.json", tmp_path, model=("use=hostile",), plugins=(str(tmp_path / "hostile.py"),)
    )
    page = opened(running)
    page.wait_for_selector("#list .desk-bar")
    for place in range(2):
        page.locator("#list .desk-bar .open:visible").nth(place).click()
        page.wait_for_selector("#panel-text .said .label")
    field = "#panel-text textarea >> nth=0"
    for vector in VECTORS:
        with page.expect_response("**/look"):
            page.fill(field, vector.replace("\r", ""))
    page.wait_for_selector("#panel-text .trail li:nth-child(40)")
    page.fill(field, "raise")
    page.wait_for_selector("#panel-text .bad")
    page.click("#tab-review")
    page.click("#tab-trial")
    choose(page, "typos", kinds=VECTORS[0])
    page.click("#try-begin")
    page.wait_for_selector("#panel-trial .bad, #desk-said.bad")
    running.close()


def test_an_address_opens_the_same_pair_draft_tab_and_list_again(served: Served, opened: Opened) -> None:
    page = opened(served)
    page.select_option("#by-check", index=1)
    opened_first(page)
    page.fill("#field-text", "Superb, and I loved it.")
    page.wait_for_function("() => location.search.includes('Superb')")
    page.click("#tab-trial")
    address = page.url
    assert "tab=trial" in address
    assert "check=" in address
    page.reload()
    page.wait_for_selector("html[data-followed]")
    assert page.get_attribute("#tab-trial", "aria-selected") == "true"
    assert page.input_value("#field-text") == "Superb, and I loved it."
    assert page.url == address
    assert page.evaluate("() => document.getElementById('by-check').selectedIndex") == 1


def test_back_and_forward_lead_from_pair_to_pair(served: Served, opened: Opened) -> None:
    page = opened(served)
    first, second = served.get("state")["reviewable_ids"][:2]
    texts = []
    for pair in (first, second):
        page.evaluate("(pair) => { location.hash = `failure-${pair}`; }", pair)
        page.click(f'[data-failure="{pair}"] .open')
        page.wait_for_selector(f"#panel-text .about >> text={pair}")
        page.wait_for_selector("#panel-text .trail li:nth-child(2)")
        texts.append(page.input_value("#field-text"))
    for move, pair, text in ((page.go_back, first, texts[0]), (page.go_forward, second, texts[1])):
        move()
        page.wait_for_url(lambda url, pair=pair: url.partition("#")[0].endswith(pair))
        page.wait_for_selector(f"#panel-text .about >> text={pair}")
        page.wait_for_function("(text) => document.getElementById('field-text').value === text", arg=text)


def test_steps_faster_than_the_page_follows_end_where_the_address_is(served: Served, opened: Opened) -> None:
    page = opened(served)
    first, second = served.get("state")["reviewable_ids"][:2]
    for pair in (first, second):
        page.evaluate("(pair) => { location.hash = `failure-${pair}`; }", pair)
        page.click(f'[data-failure="{pair}"] .open')
        page.wait_for_selector(f"#panel-text .about >> text={pair}")
        page.wait_for_selector("#panel-text .trail li:nth-child(2)")
    for move in (page.go_back, page.go_forward, page.go_back):
        move()
    page.wait_for_selector(f"#panel-text .about >> text={first}")
    page.go_forward()  # no step was remembered in between, which would have taken this one away
    page.wait_for_url(lambda url: url.partition("#")[0].endswith(second))
    page.wait_for_selector(f"#panel-text .about >> text={second}")


def test_a_step_in_the_list_does_not_close_what_is_being_opened(served: Served, opened: Opened) -> None:
    page = opened(served)
    (pair, *_) = served.get("state")["reviewable_ids"]
    page.evaluate("(pair) => { location.hash = `failure-${pair}`; }", pair)
    page.wait_for_selector(f'[data-failure="{pair}"] .open')
    page.evaluate(
        """(pair) => {
          document.querySelector(`[data-failure="${pair}"] .open`).click();
          dispatchEvent(new PopStateEvent("popstate"));
        }""",
        pair,
    )
    page.wait_for_selector(f"#panel-text .about >> text={pair}", timeout=10_000)


def test_the_page_says_that_its_server_is_gone_and_shuts_what_needs_it(
    opened: Opened, ran: Path, tmp_path: Path
) -> None:
    running = Served(ran / "toy.yaml", tmp_path, reports=ran / "reports")
    page = opened(running)
    assert page.is_enabled("#field-text")
    running.close()
    page.wait_for_selector("html[data-explorer=gone]")
    assert "does not answer" in page.inner_text("#desk-state.bad")
    assert page.is_disabled("#field-text")
    assert page.is_disabled("#try-begin")


def test_what_another_tab_answers_is_shown_unasked(served: Served, opened: Opened) -> None:
    first, second = opened(served), opened(served)
    (pair, *_) = served.get("state")["reviewable_ids"]
    for page in (first, second):
        page.evaluate("(pair) => { location.hash = `failure-${pair}`; }", pair)
    first.click(f'[data-failure="{pair}"] [data-answer=valid]')
    second.wait_for_selector(f'[data-failure="{pair}"] [data-answer=valid][aria-pressed=true]')


def test_a_model_without_gradients_is_offered_no_steps(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "plain.yaml").write_text(
        "{suite: plain, model: {use: python, call: plain_model:predict, labels: [negative, positive]}, "
        "data: {use: reviews, limit: 12}, allow_weak: true, checks: {typos: {perturb: typos}}, reports: [json]}",
        encoding="utf-8",
    )
    (tmp_path / "plain_model.py").write_text(
        "def predict(texts):\n    return [[0.9, 0.1] if len(text) % 2 else [0.1, 0.9] for text in texts]\n",
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(tmp_path)
        robustfim.run(tmp_path / "plain.yaml", reports=tmp_path / "reports")
        running = Served(tmp_path / "plain.yaml", tmp_path, reports=tmp_path / "reports")
        page = opened(running)
        opened_first(page)
        assert not any(page.is_visible(f"#panel-text {part}") for part in (".steps", ".shade", ".shaded"))
        page.click("#flip")
        page.wait_for_selector("#desk-said >> text=The search has ended: ")
        assert page.locator("#panel-text .ways li").count() == 2
        assert "eigenvector" not in served_perturbations(running)
        running.close()


def served_perturbations(running: Served) -> list[str]:
    return list(running.get("state")["perturbations"])


@pytest.mark.parametrize("width", [1440, 1024])
def test_nothing_jumps_while_the_page_opens_and_the_list_stands_beside_the_desk(
    served: Served, opened: Opened, width: int
) -> None:
    page = opened(served, width=width)
    page.wait_for_selector("html[data-followed]")
    shift = page.evaluate(
        "() => new Promise((done) => { let sum = 0; new PerformanceObserver((found) => { for (const each of "
        "found.getEntries()) if (!each.hadRecentInput) sum += each.value; }).observe({ type: 'layout-shift', "
        "buffered: true }); requestAnimationFrame(() => requestAnimationFrame(() => done(sum))); })"
    )
    assert shift < 0.05
    opened_first(page)
    card, desk = (page.locator(each).first.bounding_box() for each in ("#list > li", "#desk"))
    assert card is not None
    assert desk is not None
    assert card["width"] >= 400
    assert card["x"] + card["width"] <= desk["x"]


@pytest.mark.slow
def test_a_reader_writes_an_adversary_and_another_one_rates_it(served: Served, opened: Opened) -> None:
    page = opened(served)
    page.click("text=User study")
    page.wait_for_url("**/study")
    page.click("#human")
    page.wait_for_selector("#desk-said.bad >> text=give your name")
    page.fill("#who", "Ann")
    page.click("#human")
    page.wait_for_selector("textarea")
    label = page.inner_text("#task b")
    other = next(example for example in served.desk.examples.values() if example.prediction != label)
    before, after = page.inner_text("#task .text"), other.fields["text"]
    page.fill("textarea", after)
    page.click(".attempt")
    page.wait_for_selector(f"#task .answer >> text={other.prediction}: the label changes. 9 attempts are left.")
    page.click(".choice")
    page.wait_for_function("before => document.querySelector('#task .text').textContent !== before", arg=before)
    page.fill("#who", "Cleo")
    page.click("#rater")
    page.wait_for_selector(".rating")
    assert page.locator("#task .text").all_inner_texts() == [before, after]
    page.click(".rating >> text=5")
    page.wait_for_selector("#task .done")
    found, rating = read(served.desk.study.path)
    assert (found["before"], found["after"], found["who"]) == (before, after, "Ann")
    assert (rating["before"], rating["after"], rating["similarity"]) == (before, after, 5)
