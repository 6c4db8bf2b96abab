"""The page in a real browser: what it lists, how it is moved through, what it gives away, and by keys alone."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from importlib import resources
from typing import Any
from urllib.parse import quote

import pytest

from robustfim.judge.harm import harm_of
from robustfim.record import ExampleRecord, Failure, Record, SliceRecord
from robustfim.statistics import Rate
from robustfim_drawing import number
from robustfim_html.page import render
from robustfim_html.visible import plain
from tests.plugins.robustfim_html.document import parse
from tests.plugins.robustfim_html.hostile import hostile
from tests.plugins.robustfim_html.synthetic import build
from tests.plugins.robustfim_html.test_tint import with_importance
from tests.plugins.robustfim_html.vectors import VECTORS, attacked

ALL_ON_PAPER = "() => { document.documentElement.classList.add('print-all'); dispatchEvent(new Event('beforeprint')); }"
Opened = Callable[..., Any]

CARDS = """() => [...document.querySelectorAll("#list > li")].map((card) => {
  const copy = card.cloneNode(true);
  for (const each of copy.querySelectorAll(".js")) each.remove();
  for (const each of copy.querySelectorAll("svg, svg *")) {
    const sorted = [...each.attributes].map((a) => [a.name, a.value]).sort();
    for (const [name] of sorted) each.removeAttribute(name);
    for (const [name, value] of sorted) each.setAttribute(name, value);
  }
  return copy.innerHTML.replace(/>\\s+</g, "><").replace(/\\s+/g, " ").trim();
})"""


def status(page: Any) -> str:
    return str(page.inner_text("#shown"))


def first_ids(page: Any, most: int = 3) -> list[str]:
    return page.evaluate("() => [...document.querySelectorAll('#list > li > article')].map((a) => a.id)")[:most]  # type: ignore[no-any-return]  # what the page says


def pairs_of(page: Any) -> int:
    (found,) = re.findall(r"^([\d,]+) failing pair", status(page))
    return int(found.replace(",", ""))


def wait_for_pairs(page: Any, count: int) -> None:
    """Wait until the page says how many failing pairs it shows: it follows a link, a key or a reset in a later task."""
    page.wait_for_function(
        "pairs => document.getElementById('shown').textContent.startsWith(pairs)", arg=f"{count:,} failing pair"
    )


# ---- one card, two writers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["plain", "hostile", "with answers", "with importance", "without examples", "no labels"]
)
def test_the_script_writes_cards_as_the_page_does(opened: Opened, record: Record, small: Record, kind: str) -> None:
    kinds: dict[str, Callable[[], Record]] = {
        "plain": lambda: record,
        "hostile": hostile,
        "with answers": lambda: with_answers(small),
        "with importance": lambda: with_importance(small),
        "without examples": lambda: small.model_copy(update={"examples": []}),
        "no labels": lambda: small.model_copy(update={"model": small.model.model_copy(update={"labels": []})}),
    }
    text = render(kinds[kind]())
    still = opened(text.replace('id="data"', 'id="none"'), ready=False)
    written = still.evaluate(CARDS)
    live = opened(text)
    live.evaluate(ALL_ON_PAPER)
    assert live.evaluate(CARDS)[: len(written)] == written
    assert len(written) > 10


def test_numbers_are_written_as_in_the_rest_of_the_page(browser: Any) -> None:
    numbers = [
        0,
        1,
        -1,
        0.5,
        0.25,
        12.25,
        12.75,
        99.95,
        1234.5,
        12345.6,
        -0.03125,
        0.0001234,
        1e-7,
        3e9,
        999999.5,
        2 / 3,
    ]
    numbers += [n / 977 for n in range(977)] + [n / 1000 for n in range(1001)]
    source = (resources.files("robustfim_html") / "template" / "card.js").read_text(encoding="utf-8")
    page = browser.new_page()
    found = page.evaluate(
        f"(numbers) => {{ {source}\n return numbers.map((n) => [decimal(n), percent(n)]); }}", numbers
    )
    page.close()
    assert found == [[number.decimal(n), number.percent(n)] for n in numbers]


# ---- what is listed --------------------------------------------------------------------------------------


def wanted(record: Record, keep: Callable[[Failure, ExampleRecord], bool]) -> int:
    sources = {example.id: example for example in record.examples}
    return sum(keep(failure, sources[failure.example]) for failure in record.failures)


def with_slices(record: Record) -> Record:
    members = [example.id for example in record.examples if example.arm and "Seat" in example.fields["text"]]
    rate = Rate(1, 2)
    seats = SliceRecord(name="seats & rows", examples=len(members), members=members, accuracy=rate, failures=rate)
    return record.model_copy(update={"slices": [seats]})


def with_answers(record: Record) -> Record:
    said = ["valid", "invalid", "unsure", None]
    failures = [failure.model_copy(update={"review": said[row % 4]}) for row, failure in enumerate(record.failures)]
    return record.model_copy(update={"failures": failures})


FILTERS: dict[str, tuple[str, Callable[[Failure, ExampleRecord], bool]]] = {
    "review": ("review=invalid", lambda failure, _: failure.review == "invalid"),
    "check": ("check=synonyms", lambda failure, _: failure.check.endswith("::synonyms")),
    "arm": ("arm=control", lambda failure, _: failure.arm == "control"),
    "change": ("change=positive+→+negative", lambda failure, _: failure.after.label == "negative"),
    "kind": ("kind=step", lambda failure, _: failure.step is not None),
    "harm": (
        "harm=wrong+before",
        lambda failure, source: harm_of(failure, source, ["negative", "positive"]) == "wrong before",
    ),
    "slice": ("slice=seats+%26+rows", lambda _, source: "Seat" in source.fields["text"]),
    "texts": (
        "q=A+Nice++surprise",
        lambda failure, source: any(
            "a nice surprise" in each["text"].lower() for each in (source.fields, failure.fields)
        ),
    ),
    "after": (
        "q=follow-up",
        lambda failure, source: "follow-up" in f"{source.fields} {failure.fields} {failure.edits}",
    ),
    "brush": (
        "x=fisher&y=count&x-range=0.5..2",
        lambda _, source: 0.5 <= (source.scores["fisher"] or 0) <= 2,
    ),
    "two": (
        "x=fisher&y=boundary&x-range=0.5..2&y-range=0..0.5&check=synonyms",
        lambda failure, source: (
            failure.check.endswith("::synonyms")
            and 0.5 <= (source.scores["fisher"] or 0) <= 2
            and 0 <= (source.scores["boundary"] or 0) <= 0.5
        ),
    ),
    "all of them": (
        "check=typos&arm=difficult&q=seat",
        lambda failure, source: (
            failure.check.endswith("::typos")
            and failure.arm == "difficult"
            and "seat" in f"{source.fields}{failure.fields}".lower()
        ),
    ),
}


FOLLOW = """address => new Promise((done) => {
  addEventListener("hashchange", () => setTimeout(done), {once: true});
  location.hash = address;
})"""


def test_an_address_lists_what_a_slow_count_finds(opened: Opened, record: Record) -> None:
    made = with_answers(with_slices(record))
    page = opened(render(made), f"#{FILTERS['two'][0]}")
    for kind, (address, keep) in {"two": FILTERS["two"], **FILTERS}.items():
        if kind != "two":
            page.evaluate(FOLLOW, address)
        count = wanted(made, keep)
        assert pairs_of(page) == count, kind
        assert 0 < count < len(record.failures), kind


def test_what_fits_nothing_says_so_and_reset_brings_all_back(opened: Opened, record: Record, page: str) -> None:
    shown = opened(page, "#q=no+such+word")
    assert shown.is_visible("#nothing")
    shown.click("button[type=reset]")
    wait_for_pairs(shown, len(record.failures))
    assert not shown.is_visible("#nothing")


def test_the_list_is_sorted_by_a_score(opened: Opened, record: Record, page: str) -> None:
    shown = opened(page)
    by_id = {f"failure-{failure.id}": failure for failure in record.failures}
    for name, up in (("fisher", False), ("boundary", True)):
        shown.select_option("#by-sort", name)
        scores = {example.id: example.scores[name] or 0 for example in record.examples}
        numbers = [scores[by_id[each].example] for each in first_ids(shown, 6)]
        assert numbers == sorted(numbers, reverse=not up)
        ends = [scores[failure.example] for failure in record.failures]
        assert numbers[0] == (min(ends) if up else max(ends))


def test_an_address_shows_the_same_thing_again(opened: Opened, page: str) -> None:
    shown = opened(page)
    shown.select_option("#by-arm", "difficult")
    shown.select_option("#by-sort", "entropy")
    shown.fill("#q", "film")
    shown.wait_for_function("() => location.hash.includes('q=film')")
    shown.fill("#x-from", "0.5")
    shown.press("#x-from", "Enter")
    shown.wait_for_function("() => location.hash.includes('x-range')")
    again = opened(page, "#" + shown.url.partition("#")[2])
    assert status(again) == status(shown)
    for each in (again, shown):
        each.evaluate(ALL_ON_PAPER)
    assert first_ids(again, 100) == first_ids(shown, 100)
    assert again.input_value("#q") == "film"
    assert again.url.partition("#")[2] == shown.url.partition("#")[2]


def test_dragging_over_the_plot_filters_the_list_and_a_click_takes_it_back(
    opened: Opened, record: Record, page: str
) -> None:
    shown = opened(page)
    shown.locator("#canvas").scroll_into_view_if_needed()
    box = shown.locator("#canvas").bounding_box()
    shown.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 20)
    shown.mouse.down()
    shown.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.5 * box["height"], steps=4)
    shown.mouse.up()
    low, high = float(shown.input_value("#x-from")), float(shown.input_value("#x-to"))
    down, up = float(shown.input_value("#y-from")), float(shown.input_value("#y-to"))

    def inside(_: Failure, source: ExampleRecord) -> bool:
        first, second = sorted(source.probabilities or [0, 0])
        return low <= (source.scores["fisher"] or 0) <= high and down <= second - first <= up

    count = wanted(record, inside)
    wait_for_pairs(shown, count)
    assert 0 < count < len(record.failures)
    shown.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 30)
    wait_for_pairs(shown, len(record.failures))


def test_a_row_and_a_bar_lead_to_their_examples(opened: Opened, record: Record, page: str) -> None:
    shown = opened(page)
    cell = shown.locator(".rows td a").first
    count = int(cell.inner_text().split()[0])
    assert count < pairs_of(shown)
    cell.click()
    wait_for_pairs(shown, count)
    bar = shown.locator("#score-1 svg:visible a").nth(3)
    failing = int(re.findall(r": ([\d,]+) of [\d,]+ with a failing pair", bar.text_content())[0])
    bar.dispatch_event("click")
    shown.wait_for_function("() => document.getElementById('x-from').value !== ''")  # the page has followed the link
    shown.evaluate(ALL_ON_PAPER)
    feet = shown.locator("#list .foot").all_text_contents()
    assert len({found[1] for foot in feet if (found := re.search(r"example (\w+)", foot))}) == failing


# ---- moving through it -----------------------------------------------------------------------------------


def test_a_link_to_a_folded_pair_unfolds_it(opened: Opened, page: str) -> None:
    folded = parse(page).by_id("list").all("details", "siblings")[-1].all("article")[-1].attributes["id"]
    shown = opened(page, f"#{folded}")
    pair = shown.locator(f"#{folded}")
    assert pair.is_visible()
    assert "target" in pair.get_attribute("class")
    box = pair.bounding_box()
    assert 0 <= box["y"] < 900


def test_only_what_is_near_the_window_is_laid_out_and_scrolling_reaches_the_end(
    opened: Opened, record: Record, page: str
) -> None:
    shown = opened(page)
    groups = len({(failure.check, failure.example) for failure in record.failures})
    assert shown.locator("#list > li").count() < 40 < groups
    last = "() => document.querySelector('#list > li:last-child').getAttribute('aria-posinset')"
    for _ in range(600):
        shown.mouse.wheel(0, 4000)
        shown.wait_for_timeout(40)
        if shown.evaluate(last) == str(groups):
            break
    assert shown.evaluate(last) == str(groups)
    order = [int(each.get_attribute("aria-posinset")) for each in shown.locator("#list > li").all()]
    assert order == list(range(order[0], order[0] + len(order)))


def test_everything_can_be_done_with_keys_alone(opened: Opened, record: Record, page: str) -> None:
    shown = opened(page)
    keys = shown.keyboard
    keys.press("?")
    assert shown.locator("#keys").get_attribute("open") is not None
    keys.press("Escape")
    assert shown.locator("#keys").get_attribute("open") is None
    keys.press("/")
    keys.type("film")
    shown.wait_for_function("() => location.hash.includes('q=film')")
    assert 0 < pairs_of(shown) < len(record.failures)
    keys.press("Escape")
    shown.wait_for_function("() => !document.getElementById('q').value && !location.hash.includes('q=')")
    wait_for_pairs(shown, len(record.failures))
    keys.press("j")
    keys.press("j")
    focused = "() => document.activeElement.getAttribute('aria-posinset')"
    assert shown.evaluate(focused) == "2"
    assert shown.evaluate("document.activeElement.getBoundingClientRect().top") > 0
    keys.press("k")
    assert shown.evaluate(focused) == "1"
    keys.press("Enter")
    assert shown.evaluate("document.activeElement.querySelector('details.repro').open") is True
    keys.press("x")
    assert shown.inner_text("#chosen-count") == "1 pair selected"
    keys.press("c")
    shown.wait_for_function(
        "() => document.activeElement.querySelector('button.copy[data-as=text]').textContent === 'Copied'"
    )
    for _ in range(20):
        keys.press("j")
    assert shown.evaluate(focused) == "21"
    # From the search on, Tab reaches every filter.
    shown.focus("#q")
    reached = set()
    for _ in range(12):
        keys.press("Tab")
        reached.add(shown.evaluate("document.activeElement.id"))
    assert {"by-check", "by-arm", "by-change", "by-harm", "by-kind", "by-sort", "choose-all"} <= reached


def test_a_failure_is_copied_as_text_command_and_json(opened: Opened, record: Record, page: str) -> None:
    shown = opened(page)
    card = shown.locator("#list > li").first
    failure = next(
        record_failure for record_failure in record.failures if f"failure-{record_failure.id}" == first_ids(shown, 1)[0]
    )
    source = next(example for example in record.examples if example.id == failure.example)
    card.locator("details.repro").first.locator("summary").click()

    def copied(form: str) -> str:
        shown.evaluate("() => navigator.clipboard.writeText('nothing yet')")
        card.locator(f"button.copy[data-as={form}]").first.click()
        shown.wait_for_function("async () => await navigator.clipboard.readText() !== 'nothing yet'")
        return str(shown.evaluate("navigator.clipboard.readText()"))

    assert copied("command") == failure.reproduce
    text = copied("text").splitlines()
    assert text[1:] == [f"- {source.fields['text']}", f"+ {failure.fields['text']}"]
    told = json.loads(copied("JSON"))
    assert told["id"] == failure.id
    assert told["source"] == source.fields
    assert told["fields"] == failure.fields
    assert (told["before"]["label"], told["after"]["label"]) == (failure.before.label, failure.after.label)
    assert told["gold"] == source.label


def test_what_is_selected_is_saved_as_json_lines(opened: Opened, record: Record, page: str) -> None:
    shown = opened(page, "#check=people")
    shown.click("#choose-all")
    ids = {failure.id for failure in record.failures if failure.check.endswith("::people")}
    assert shown.inner_text("#chosen-count") == f"{len(ids)} pairs selected"
    with shown.expect_download() as started:
        shown.click("#export")
    lines = started.value.path().read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["id"] for line in lines} == ids
    with shown.expect_download() as started:
        shown.click("#export-csv")
    rows = list(csv.DictReader(started.value.path().read_text(encoding="utf-8").splitlines()))
    told = {each["id"]: each for each in map(json.loads, lines)}
    assert {row["id"] for row in rows} == ids
    for row in rows:
        pair = told[row["id"]]
        assert (row["source_text"], row["perturbed_text"]) == (pair["source"]["text"], pair["fields"]["text"])
        assert (row["gold"], row["before"], row["after"]) == (
            pair["gold"], pair["before"]["label"], pair["after"]["label"]
        )  # fmt: skip
    shown.click("#choose-none")
    assert not shown.is_visible("#chosen")


def test_a_cell_that_a_spreadsheet_would_compute_is_saved_as_text(opened: Opened, small: Record) -> None:
    failure = next(small_failure for small_failure in small.failures if small_failure.step is None)
    formula = failure.model_copy(update={"fields": {"text": "=1+1"}, "edits": [], "example": "nowhere"})
    shown = opened(render(small.model_copy(update={"failures": [formula]})))
    shown.click("#choose-all")
    with shown.expect_download() as started:
        shown.click("#export-csv")
    (row,) = csv.DictReader(started.value.path().read_text(encoding="utf-8").splitlines())
    assert row["perturbed_text"] == "'=1+1"


def test_the_list_is_filtered_by_gold_label_and_by_edit(opened: Opened, record: Record, page: str) -> None:
    shown = opened(page)
    gold = {example.id: example.label for example in record.examples}
    label = next(gold[failure.example] for failure in record.failures if gold.get(failure.example))
    shown.select_option("#by-gold", label)
    wait_for_pairs(shown, sum(gold.get(failure.example) == label for failure in record.failures))
    shown.click("button[type=reset]")
    wait_for_pairs(shown, len(record.failures))
    option = shown.locator("#by-edit option").nth(1)
    edit, number = option.get_attribute("value"), int(re.findall(r"\((\d+)\)$", option.inner_text())[0])
    shown.select_option("#by-edit", edit)
    wait_for_pairs(shown, number)
    before, _, after = edit.partition(" → ")
    shown.evaluate(ALL_ON_PAPER)
    cards = shown.locator("#list > li").all()
    assert cards
    for card in cards:
        assert before in " ".join(card.locator("del").all_text_contents()).lower()
        assert after in " ".join(card.locator("ins").all_text_contents()).lower()
    again = opened(page, f"#{shown.url.partition('#')[2]}")
    assert again.input_value("#by-edit") == edit


# ---- every screen, and paper -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (420, "light"),
        (1280, "dark"),
        (420, "dark"),
        (1280, "light"),
    ],
)
def test_no_accessibility_rule_is_broken(opened: Opened, small: Record, width: int, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    page = opened(render(with_slices(small)), ready=False)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    page.wait_for_function("() => document.documentElement.dataset.ready")
    found = axe.Axe().run(page).response["violations"]
    serious = [
        (each["id"], [node["target"] for node in each["nodes"]][:3])
        for each in found
        if each["impact"] in ("serious", "critical")
    ]
    assert serious == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_dark_and_light_have_other_colours(opened: Opened, page: str) -> None:
    shown = opened(page)
    colours = []
    for scheme in ("light", "dark"):
        shown.emulate_media(color_scheme=scheme)
        colours.append(shown.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours[0] != colours[1]


def test_paper_has_some_groups_of_each_check_and_no_controls_or_all_of_them(opened: Opened, page: str) -> None:
    shown = opened(page)
    before = shown.locator("#list > li").count()
    shown.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    shown.emulate_media(media="print")
    names = shown.locator("#list .check-tag").all_text_contents()
    assert len(names) <= 24
    assert set(names) == {
        content.split(" (")[0] for content in shown.locator("#by-check option").all_text_contents()[1:]
    }
    assert not shown.is_visible("#q")
    assert not shown.is_visible("#canvas")
    assert not shown.is_visible("#glossary")
    shown.emulate_media(media="screen")
    shown.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert shown.locator("#list > li").count() <= before + 5
    shown.evaluate(ALL_ON_PAPER)
    shown.emulate_media(media="print")
    assert shown.locator("#list > li").count() == 192
    assert shown.is_visible("#glossary")


def test_a_report_is_printed_on_at_most_eight_pages(opened: Opened, page: str) -> None:
    printed = opened(page).pdf(format="A4")
    assert 2 <= len(re.findall(rb"/Type */Page[^s]", printed)) <= 8


def test_a_browser_that_cannot_unpack_keeps_the_first_failures_and_says_so(
    browser: Any, tmp_path: Any, page: str
) -> None:
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8")
    shown = browser.new_page()
    shown.add_init_script("delete window.DecompressionStream")
    shown.goto(path.as_uri())
    shown.wait_for_function("() => document.getElementById('shown').textContent.includes('only the first ones')")
    assert shown.locator("#list article").count() >= 100
    shown.close()


def test_columns_that_cannot_be_read_keep_the_first_failures_and_say_so(browser: Any, tmp_path: Any, page: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(re.sub(r'(id="data">.{400}).{40}', r"\1", page), encoding="utf-8")
    shown = browser.new_page()
    shown.goto(path.as_uri())
    shown.wait_for_function("() => document.getElementById('shown').textContent.includes('cannot be read')")
    assert shown.locator("#list article").count() >= 100
    shown.close()


def test_a_run_of_one_failure_and_one_of_none_are_pages_too(opened: Opened) -> None:
    record = build(keep=("synonyms",), examples=80, difficult=20, control=20)
    one = opened(render(record.model_copy(update={"failures": record.failures[:1]})))
    assert status(one).startswith("1 failing pair in 1 group")
    none = opened(render(record.model_copy(update={"failures": []})), ready=False)
    assert none.is_visible("text=No check found a failing pair.")


# ---- what others wrote acts on nothing -------------------------------------------------------------------


def test_no_text_label_id_name_or_message_runs_a_script_sends_a_request_or_breaks_a_rule(opened: Opened) -> None:
    assert len(set(VECTORS)) == len(VECTORS) >= 60
    shown = opened(render(attacked()))
    elements = shown.evaluate(
        "document.querySelectorAll('script, style, iframe, object, embed, img, image, link, base').length"
    )
    shown.evaluate(ALL_ON_PAPER)
    for fold in shown.locator("details:not([open])").all()[:20]:
        fold.evaluate("fold => { fold.open = true; }")
    assert shown.locator("#list article").count() >= len(VECTORS)
    for title in shown.locator("#list [title]").all()[:40]:
        title.dispatch_event("mouseover")
    assert (
        shown.evaluate(
            "document.querySelectorAll('script, style, iframe, object, embed, img, image, link, base').length"
        )
        == elements
        == 2
    )
    names = shown.evaluate("[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())")
    assert not [name for name in names if name.startswith("on")]
    texts = shown.evaluate("[...document.querySelectorAll('#list .text')].map((e) => e.textContent).join('')")
    assert VECTORS[0] in texts
    assert VECTORS[25] in texts


def test_no_address_runs_a_script(opened: Opened) -> None:
    shown = opened(render(attacked()))
    forms = ["#q={}", "#failure-{}", "#check={}&change={}", "#x={}&y={}&x-range={}..{}", "#{}"]
    texts = [quote(vector, safe="", errors="replace") for vector in VECTORS]
    texts += [vector.encode("utf-8", "replace").decode() for vector in VECTORS]
    followed = shown.evaluate(
        """async (hashes) => {
          let followed = 0;
          addEventListener("hashchange", () => followed++);
          for (const hash of hashes) {
            location.hash = hash;
            await new Promise((go) => setTimeout(go));
          }
          return followed;
        }""",
        [forms[number % len(forms)].replace("{}", text) for number, text in enumerate(texts)],
    )
    assert followed > len(VECTORS)
    assert shown.locator("#shown").is_visible()


def test_what_is_copied_and_saved_is_text(opened: Opened) -> None:
    shown = opened(render(attacked()))
    shown.click("#choose-all")
    with shown.expect_download() as started:
        shown.click("#export")
    lines = [json.loads(line) for line in started.value.path().read_text(encoding="utf-8").split("\n")[:-1]]
    assert {line["example"] for line in lines} >= {plain(vector) for vector in VECTORS}


def test_nothing_is_wider_than_a_phone_whatever_is_opened(opened: Opened, small: Record) -> None:
    shown = opened(render(with_slices(small)), ready=False)
    shown.set_viewport_size({"width": 390, "height": 844})
    shown.wait_for_function("() => document.documentElement.dataset.ready")
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
    shown.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    command = shown.locator("#list .repro code").first.bounding_box()
    assert command is not None
    assert command["width"] > 200, "the command is not squeezed by the buttons beside it"
    wide = """[...document.querySelectorAll("main *, header *")]
        .filter((each) => !each.closest(".scroll, pre, code, .vh"))
        .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
        .map((each) => each.outerHTML.slice(0, 90))"""
    assert shown.evaluate(wide) == []
    assert shown.evaluate("document.documentElement.scrollWidth") == 390
