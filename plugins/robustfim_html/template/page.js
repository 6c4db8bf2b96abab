"use strict";
// Everything is readable without this script; it sorts, filters and copies.
document.documentElement.classList.add("js");

document.addEventListener("DOMContentLoaded", () => {
  const byId = (id) => document.getElementById(id);

  // ---- The table of checks: sorted by a column, each check with the row folded under it.

  const keysOf = (element) => element.dataset.keys.split("|");
  const compare = (a, b, down) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const [x, y] = [Number(a), Number(b)];
    const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
    return down ? -order : order;
  };

  for (const head of document.querySelectorAll("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = "down" in head.dataset ? "descending" : "ascending";
      const other = first === "descending" ? "ascending" : "descending";
      const sort = head.getAttribute("aria-sort") === first ? other : first;
      for (const each of head.parentNode.children) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sort);
      const column = Number(head.dataset.sort);
      const table = head.closest("table");
      const rows = [...table.tBodies].map((body) => [keysOf(body)[column], body]);
      rows.sort((a, b) => compare(a[0], b[0], sort === "descending"));
      table.append(...rows.map((row) => row[1]));
    });
  }

  // ---- The score shown.

  const figures = [...document.querySelectorAll("figure.score")];
  const picked = () => {
    const chosen = document.querySelector('input[name="score"]:checked');
    if (chosen) for (const figure of figures) figure.hidden = figure.id !== "score-" + chosen.value;
  };
  for (const radio of document.querySelectorAll('input[name="score"]')) radio.addEventListener("change", picked);
  picked();

  // ---- Copying a command.

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const code = button.parentNode.querySelector("code");
    let copied = false;
    try {
      await navigator.clipboard.writeText(code.textContent);
      copied = true;
    } catch {
      // No permission: select it, so that the reader's own copy key works.
      getSelection().selectAllChildren(code);
      copied = document.execCommand("copy");
    }
    button.textContent = copied ? "Copied" : "Selected";
    setTimeout(() => { button.textContent = "Copy"; }, 1600);
  });

  // ---- Failures.

  const list = byId("list");
  if (!list) return;
  const PAGE = 100;
  const inputs = { q: byId("q"), check: byId("by-check"), arm: byId("by-arm"), change: byId("by-change"), sort: byId("sort") };
  const groups = [...list.children].map((element) => ({
    element,
    keys: keysOf(element),
    check: element.dataset.check,
    arm: element.dataset.arm,
    pairs: [...element.querySelectorAll(".pair")],
  }));
  for (const group of groups) group.changes = group.pairs.map((pair) => pair.dataset.change);
  let limit = PAGE;
  let fitting = groups;
  let reordered = false;

  // What a search looks through: the text before, the text after, and all that is said about them.
  const without = (element, tag) => {
    let text = "";
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) text += node.data;
      else if (node.localName !== tag && node.localName !== "summary") text += without(node, tag);
    }
    return text;
  };
  const indexed = (group) => {
    if (group.text === undefined) {
      const parts = [];
      for (const text of group.element.querySelectorAll(".text")) parts.push(without(text, "ins"), without(text, "del"));
      for (const other of group.element.querySelectorAll(".head, .origin, .note, .foot")) parts.push(other.textContent);
      group.text = parts.join("\n").toLowerCase().replace(/\s+/g, " ");
    }
    return group.text;
  };

  const index = (select) => (select && select.selectedIndex > 0 ? select.selectedOptions[0].dataset.index : null);
  const number = (n) => n.toLocaleString("en-US");
  const counted = (n, one, many) => number(n) + " " + (n === 1 ? one : many);

  const draw = () => {
    groups.forEach((group) => { group.element.hidden = true; });
    const seen = fitting.slice(0, limit).map((group) => group.element);
    seen.forEach((element) => { element.hidden = false; });
    // Only what is seen needs to be in order: moving thousands of cards takes a second.
    if (reordered) list.prepend(...seen);
    const pairs = fitting.reduce((sum, group) => sum + group.fits, 0);
    const all = groups.reduce((sum, group) => sum + group.pairs.length, 0);
    const shown = Math.min(limit, fitting.length);
    const words = [document.createElement("b")];
    words[0].textContent = counted(pairs, "failing pair", "failing pairs");
    words.push(pairs === all ? "" : " of " + number(all));
    words.push(" in " + counted(fitting.length, "group", "groups") + " of one example and one check");
    if (shown < fitting.length) words.push("; the first " + number(shown) + " groups are shown");
    byId("shown").replaceChildren(...words);
    byId("nothing").hidden = fitting.length > 0;
    byId("further").hidden = shown >= fitting.length;
    byId("more").textContent = "Show " + number(Math.min(PAGE, fitting.length - shown)) + " more";
    byId("every").textContent = "Show all " + number(fitting.length);
    list.classList.add("ready");
  };

  const filter = () => {
    const query = inputs.q.value.toLowerCase().replace(/\s+/g, " ").trim();
    const [check, change] = [index(inputs.check), index(inputs.change)];
    const arm = inputs.arm ? inputs.arm.value : "";
    fitting = groups.filter((group) => {
      group.fits = change === null ? group.pairs.length : group.changes.filter((each) => each === change).length;
      return group.fits > 0 && (check === null || group.check === check) && (!arm || group.arm === arm) &&
        (!query || indexed(group).includes(query));
    });
    if (change !== null) {
      // A pair asked for may be folded under one that was not.
      for (const group of fitting) {
        const folded = group.element.querySelector("details.siblings");
        if (folded && group.changes[0] !== change) folded.open = true;
      }
    }
    limit = PAGE;
    draw();
  };

  let sorted = "margin";
  const sort = () => {
    if (sorted === inputs.sort.value) return;
    sorted = inputs.sort.value;
    const option = inputs.sort.selectedOptions[0].dataset;
    const column = Number(option.key);
    groups.sort((a, b) => compare(a.keys[column], b.keys[column], !("up" in option)));
    reordered = true;
  };

  const remember = () => {
    const state = new URLSearchParams();
    for (const [name, input] of Object.entries(inputs)) {
      if (input && input.value && !(name === "sort" && input.value === "margin")) state.set(name, input.value);
    }
    const hash = state.toString();
    history.replaceState(null, "", hash ? "#" + hash : "#failures");
  };

  const changed = () => { sort(); filter(); remember(); };
  let waiting = 0;
  inputs.q.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(changed, 120); });
  for (const name of ["check", "arm", "change", "sort"]) if (inputs[name]) inputs[name].addEventListener("change", changed);
  const form = inputs.q.form;
  form.addEventListener("submit", (event) => { event.preventDefault(); changed(); });
  form.addEventListener("reset", () => setTimeout(changed));
  byId("more").addEventListener("click", () => { limit += PAGE; draw(); });
  byId("every").addEventListener("click", () => { limit = Infinity; draw(); });

  const choose = (select, value) => {
    if (!select) return;
    const options = [...select.options];
    const found = value === null ? -1
      : options.findIndex((option) => option.value === value || option.dataset.name === value);
    select.selectedIndex = Math.max(0, found);
  };

  const decoded = (text) => {
    try { return decodeURIComponent(text); } catch { return text; }
  };

  // The address says what is shown: #check=…&arm=…&change=…&q=…&sort=…, or #failure-ID for one pair.
  const follow = () => {
    const hash = location.hash.slice(1);
    for (const pair of list.querySelectorAll(".pair.target")) pair.classList.remove("target");
    if (hash.startsWith("failure-")) {
      const pair = byId(decoded(hash));
      if (!pair) return;
      inputs.q.value = "";
      for (const name of ["check", "arm", "change", "sort"]) choose(inputs[name], null);
      sort();
      filter();
      const place = fitting.findIndex((group) => group.element.contains(pair));
      limit = Math.max(PAGE, place + 1);
      draw();
      const folded = pair.closest("details.siblings");
      if (folded) folded.open = true;
      pair.classList.add("target");
      pair.scrollIntoView({ block: "start" });
    } else if (hash.includes("=")) {
      const state = new URLSearchParams(hash);
      inputs.q.value = state.get("q") || "";
      for (const name of ["check", "arm", "change", "sort"]) choose(inputs[name], state.get(name));
      sort();
      filter();
      byId("failures").scrollIntoView({ block: "start" });
    }
  };
  sort();
  filter();
  follow();
  addEventListener("hashchange", follow);
});
