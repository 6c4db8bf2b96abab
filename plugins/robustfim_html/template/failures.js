// The failures: what is listed, in which order, and what can be done with it.

const SELECTS = ["check", "arm", "change", "harm", "kind", "review", "now", "gold", "edit", "slice", "sort"];
const EDITS = 200; // edits to choose from, the commonest
const PAPER = 24; // groups that make eight pages with the rest
const DOTS = /\.\.(?=[^.]|$)/; // between the ends of a range

class Page {
  constructor(data) {
    this.data = data;
    this.writer = new Writer(data);
    this.search = new Search(data);
    this.chosen = new Set();
    this.orders = new Map();
    this.inputs = Object.fromEntries(SELECTS.map((name) => [name, byId(`by-${name}`)]));
    this.inputs.q = byId("q");
    this.fits = new Uint32Array(data.groups);
    this.slices = data.head.slices.map((_, i) => data.c[`slice_${i}`]);
  }

  start() {
    const { data } = this;
    const golds = Uint32Array.from({ length: data.groups }, (_, g) => data.c.example_gold[data.c.group_example[g]]);
    this.golds = this.offer("gold", golds, (gold) => (gold ? data.head.words[gold - 1] : "none"));
    const element = byId("list");
    element.classList.add("virtual");
    element.replaceChildren();
    this.list = new VirtualList(element, (group) => this.card(group), START);
    const canvas = byId("canvas");
    if (canvas) {
      this.plot = new Plot(this.data, canvas, () => this.changed());
      this.axes();
    }
    this.listen();
    this.follow();
    addEventListener("hashchange", () => this.follow());
    (window.requestIdleCallback || setTimeout)(() => {
      this.search.build();
      this.offerEdits();
    });
  }

  // Offer what occurs to choose from, the commonest first, where it is more than one.
  offer(name, found, named) {
    const tally = new Map();
    for (const each of found) tally.set(each, (tally.get(each) || 0) + 1);
    const offered = [...tally].sort((a, b) => b[1] - a[1]).slice(0, EDITS);
    this.inputs[name].append(...offered.map(([each, number]) => h("option", { value: named(each), "data-index": each }, `${named(each)} (${count(number)})`)));
    this.inputs[name].closest("label").hidden = offered.length < 2;
    return found;
  }

  // Edits are named once somebody may want them: of 10,000 pairs that takes as long as a few frames.
  offerEdits() {
    if (this.edits) return;
    const [names, edits] = this.data.edits((text) => this.writer.visible(text, true).map((part) => part.textContent ?? part).join(""));
    this.edits = edits;
    this.offer("edit", edits.flat(), (edit) => names[edit]);
  }

  card(group) {
    const card = h("li", { "data-group": group, tabindex: -1 }, this.writer.card(group));
    for (const box of card.querySelectorAll(".pick")) box.checked = this.chosen.has(Number(box.dataset.row));
    if (this.target !== undefined) {
      const pair = card.querySelector(`[id="failure-${CSS.escape(this.target)}"]`);
      if (pair) {
        pair.classList.add("target");
        const folded = pair.closest("details.siblings");
        if (folded) folded.open = true;
      }
    }
    return card;
  }

  // ---- Filtering and sorting

  index(name) {
    const input = this.inputs[name];
    return input && input.selectedIndex > 0 ? Number(input.selectedOptions[0].dataset.index) : -1;
  }

  // Tell whether a pair fits what is asked of single pairs; the rest is asked of their group.
  fitting() {
    const { c } = this.data;
    const [change, harm, kind, review, edit] = ["change", "harm", "kind", "review", "edit"].map((name) => this.index(name));
    const found = this.search.find(this.inputs.q.value);
    return (row) => (change < 0 || c.change[row] === change) && (harm < 0 || c.harm[row] === harm) &&
      (kind < 0 || c.step[row] === kind) && (review < 0 || c.review[row] === review) && (edit < 0 || this.edits[row].includes(edit)) && (!found || found[row]);
  }

  filter() {
    const { data, fits } = this;
    const { c } = data;
    const [check, arm, now, slice, gold] = ["check", "arm", "now", "slice", "gold"].map((name) => this.index(name));
    const fitting = this.fitting();
    const inside = this.plot ? this.plot.inside() : null;
    const members = slice < 0 ? null : this.slices[slice];
    let pairs = 0;
    const kept = [];
    for (const g of this.order()) {
      const example = c.group_example[g];
      if ((check >= 0 && c.group_check[g] !== check + 1) || (arm >= 0 && c.example_arm[example] !== arm) ||
        (now >= 0 && c.group_now[g] !== now) || (gold >= 0 && this.golds[g] !== gold) || (members && !members[example]) || (inside && !inside[example])) continue;
      let number = 0;
      for (let row = c.group_first[g]; row < data.end(g); row++) {
        if (fitting(row)) number++;
      }
      if (number) {
        fits[g] = number;
        pairs += number;
        kept.push(g);
      }
    }
    this.kept = kept;
    this.pairs = pairs;
  }

  // All groups in the order asked for; the first pair of a group speaks for it.
  order() {
    const chosen = this.inputs.sort.selectedOptions[0];
    const key = chosen.dataset.key;
    if (!this.orders.has(key)) {
      const { data } = this;
      const { c } = data;
      const column = key === "harm" ? null : key.startsWith("score_") ? c[key] : c[key];
      const order = Uint32Array.from({ length: data.groups }, (_, g) => g);
      if (column) {
        const up = "up" in chosen.dataset;
        const values = Float64Array.from(order, (g) => {
          const value = column[key.startsWith("score_") ? c.group_example[g] : c.group_first[g]];
          return Number.isNaN(value) ? Infinity : up ? value : -value;
        });
        order.sort((a, b) => values[a] - values[b] || a - b);
      }
      this.orders.set(key, order);
    }
    return this.orders.get(key);
  }

  changed() {
    this.target = undefined;
    this.refresh();
    this.remember();
  }

  // How much of the window the filters cover while the list is scrolled.
  covered() {
    const { form } = this.inputs.q;
    const stuck = getComputedStyle(form).position === "sticky";
    document.documentElement.style.setProperty("--sticky", `${(stuck ? form.offsetHeight : 0) + 54}px`);
  }

  refresh() {
    this.filter();
    this.list.show(this.kept, this.data.groups);
    this.tell();
    if (this.plot) this.mark();
  }

  tell() {
    const { data } = this;
    const words = [h("b", null, counted(this.pairs, "failing pair", "failing pairs"))];
    if (this.pairs !== data.pairs) words.push(` of ${count(data.pairs)}`);
    words.push(` in ${counted(this.kept.length, "group", "groups")} of one example and one check`);
    byId("shown").replaceChildren(...words);
    byId("nothing").hidden = this.kept.length > 0;
    this.covered();
  }

  mark() {
    const { plot, data } = this;
    const marks = plot.failing.slice();
    for (const g of this.kept) marks[data.c.group_example[g]] = 2;
    plot.draw(marks);
    for (const name of ["x", "y"]) {
      const ends = plot.brush[name] || ["", ""];
      [byId(`${name}-from`).value, byId(`${name}-to`).value] = ends;
    }
    byId("y-range").hidden = plot.y < 0;
  }

  // ---- The address says what is shown: #check=…&arm=…&q=…, or #failure-ID for one pair.

  remember() {
    const state = new URLSearchParams();
    for (const [name, input] of Object.entries(this.inputs)) {
      if (input && input.value && !(name === "sort" && input.value === "harm")) state.set(name, input.value);
    }
    if (this.plot) {
      const { plot, data } = this;
      const name = (axis) => (axis < 0 ? "count" : data.head.axes[axis].name);
      const { x, y } = plot.brush;
      if (x || y || plot.x !== this.first[0] || plot.y !== this.first[1]) {
        state.set("x", name(plot.x));
        state.set("y", name(plot.y));
      }
      if (x) state.set("x-range", x.join(".."));
      if (y) state.set("y-range", y.join(".."));
    }
    const hash = state.toString();
    history.replaceState(null, "", hash ? `#${hash}` : "#failures");
  }

  follow() {
    const hash = location.hash.slice(1);
    this.target = undefined;
    if (hash.startsWith("failure-")) {
      const id = decoded(hash).slice("failure-".length);
      const row = this.data.head.ids.indexOf(id);
      if (row >= 0) {
        this.read(new URLSearchParams());
        this.target = id;
        this.refresh();
        const place = this.kept.indexOf(this.data.groupOf[row]);
        const card = this.list.reveal(place);
        const pair = card && card.querySelector(".target");
        if (pair) pair.scrollIntoView({ block: "start", behavior: "instant" });
        return;
      }
    }
    const known = hash.includes("=");
    this.read(new URLSearchParams(known ? hash : ""));
    this.refresh();
    if (known) this.land();
  }

  // Show the first listed text, below the filters where they stay in sight.
  land() {
    const list = byId("list");
    const { form } = this.inputs.q;
    const above = getComputedStyle(form).position === "sticky" ? form : list;
    above.scrollIntoView({ block: "start", behavior: "instant" });
    if (above === form) scrollBy({ top: list.getBoundingClientRect().top - form.getBoundingClientRect().bottom - 14, behavior: "instant" });
  }

  read(state) {
    if (state.has("edit")) this.offerEdits();
    this.inputs.q.value = state.get("q") || "";
    for (const name of SELECTS) {
      const input = this.inputs[name];
      if (!input) continue;
      const value = state.get(name);
      const found = value === null ? -1
        : [...input.options].findIndex((option) => option.value === value || option.dataset.name === value);
      input.selectedIndex = Math.max(0, found);
    }
    if (!this.plot) return;
    const { plot } = this;
    const axis = (name, otherwise) => {
      if (name === "count") return -1;
      const found = this.data.head.axes.findIndex((each) => each.name === name || each.title === name);
      return found < 0 ? otherwise : found;
    };
    plot.x = Math.max(0, axis(state.get("x"), this.first[0]));
    plot.y = axis(state.get("y"), state.has("x") ? -1 : this.first[1]);
    plot.brush = {};
    for (const name of ["x", "y"]) {
      const ends = (state.get(`${name}-range`) || "").split(DOTS).map(Number);
      if (state.has(`${name}-range`) && ends.length === 2 && ends.every(Number.isFinite)) plot.brush[name] = ends;
    }
    byId("plot-x").value = plot.x;
    byId("plot-y").value = plot.y;
  }

  // ---- The plot's axes and the ends of its brush

  axes() {
    const { plot, data } = this;
    const { axes } = data.head;
    const margin = axes.findIndex((axis) => axis.name === "margin");
    this.first = [0, margin > 0 ? margin : axes.length > 1 ? 1 : -1];
    const option = (axis, i) => h("option", { value: i }, axis.title);
    byId("plot-x").append(...axes.map(option));
    byId("plot-y").append(h("option", { value: -1 }, "number of examples"), ...axes.map(option));
    for (const name of ["x", "y"]) {
      byId(`plot-${name}`).addEventListener("change", (event) => {
        plot[name] = Number(event.target.value);
        delete plot.brush[name];
        if (plot.y < 0) delete plot.brush.y;
        this.changed();
      });
      for (const end of ["from", "to"]) {
        byId(`${name}-${end}`).addEventListener("change", () => {
          const [from, to] = [byId(`${name}-from`).value, byId(`${name}-to`).value];
          const axis = plot[name];
          const scale = new Scale(plot.column(Math.max(0, axis)), 0, 1);
          if (from === "" && to === "") delete plot.brush[name];
          else plot.brush[name] = [from === "" ? scale.low : Number(from), to === "" ? scale.high : Number(to)];
          this.changed();
        });
      }
    }
  }

  // ---- What readers do

  listen() {
    const { inputs } = this;
    let waiting = 0;
    inputs.q.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.changed(), 60);
    });
    for (const name of SELECTS) if (inputs[name]) inputs[name].addEventListener("change", () => this.changed());
    const { form } = inputs.q;
    form.addEventListener("submit", (event) => { event.preventDefault(); this.changed(); });
    form.addEventListener("reset", () => {
      if (this.plot) this.plot.brush = {};
      setTimeout(() => this.changed());
    });
    const list = this.list.element;
    list.addEventListener("toggle", () => this.list.measure(), true);
    list.addEventListener("focusin", (event) => {
      const card = event.target.closest("ol > li");
      if (card) this.list.current = this.kept.indexOf(Number(card.dataset.group));
    });
    list.addEventListener("change", (event) => {
      if (!event.target.matches(".pick")) return;
      const row = Number(event.target.dataset.row);
      if (event.target.checked) this.chosen.add(row);
      else this.chosen.delete(row);
      this.selected();
    });
    document.addEventListener("click", (event) => {
      const button = event.target.closest("button.copy");
      if (button) copied(button, this.as(Number(button.dataset.row), button.dataset.as));
    });
    addEventListener("keydown", (event) => this.key(event));
    addEventListener("resize", () => this.covered());
    addEventListener("beforeprint", () => this.list.unroll(this.paper()));
    addEventListener("afterprint", () => this.list.roll());
    byId("choose-all").addEventListener("click", () => this.chooseAll());
    byId("choose-none").addEventListener("click", () => {
      this.chosen.clear();
      this.refresh();
      this.selected();
    });
    byId("export").addEventListener("click", () => save(new Blob([this.lines()], { type: "application/jsonl" }), "failures.jsonl"));
    byId("export-csv").addEventListener("click", () => save(new Blob([this.csv()], { type: "text/csv" }), "failures.csv"));
    byId("copy-chosen").addEventListener("click", (event) => copied(event.currentTarget, this.lines()));
  }

  // What paper gets of the groups that are listed: all, or of each check as many as make eight pages, ten at most.
  paper() {
    if (document.documentElement.classList.contains("print-all")) return this.kept;
    const places = new Map();
    const placed = this.kept.map((group) => {
      const check = this.data.c.group_check[group];
      places.set(check, (places.get(check) || 0) + 1);
      return [group, places.get(check)];
    });
    const fitting = (most) => placed.filter(([, place]) => place <= most).map(([group]) => group);
    let most = 10;
    while (most > 1 && fitting(most).length > PAPER) most--;
    return fitting(most).slice(0, PAPER);
  }

  key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    if (event.key === "Escape" && target === this.inputs.q) {
      if (target.value) {
        target.value = "";
        this.changed();
      }
      target.blur();
      return;
    }
    if (target.closest && target.closest("input:not([type=checkbox]), select, textarea")) return;
    const card = this.list.shown.get(this.kept[this.list.current]);
    if (event.key === "/") {
      event.preventDefault();
      this.inputs.q.focus();
      this.inputs.q.select();
    } else if (event.key === "j" || event.key === "k") {
      event.preventDefault();
      this.go(this.list.current + (event.key === "j" ? 1 : -1));
    } else if (event.key === "Enter" && card && target === card) {
      event.preventDefault();
      const folds = [...card.querySelectorAll("details.siblings, details.repro")];
      const open = folds.some((fold) => !fold.open);
      for (const fold of folds) fold.open = open;
    } else if (event.key === "x" && card) {
      card.querySelector(".pick").click();
    } else if (event.key === "c" && card) {
      const row = Number(card.querySelector(".pick").dataset.row);
      copied(card.querySelector("button.copy[data-as=text]"), this.as(row, "text"));
    }
  }

  go(place) {
    if (!this.kept.length) return;
    const next = Math.min(Math.max(place, 0), this.kept.length - 1);
    const card = this.list.reveal(next);
    if (card) card.focus({ preventScroll: true });
    this.list.current = next;
  }

  as(row, form) {
    if (form === "command") return this.data.command(row);
    return form === "JSON" ? JSON.stringify(this.data.plain(row)) : this.data.spoken(row);
  }

  // ---- Several at once

  chooseAll() {
    const { data } = this;
    const { c } = data;
    const fitting = this.fitting();
    for (const g of this.kept) {
      for (let row = c.group_first[g]; row < data.end(g); row++) {
        if (fitting(row)) this.chosen.add(row);
      }
    }
    for (const box of this.list.element.querySelectorAll(".pick")) box.checked = this.chosen.has(Number(box.dataset.row));
    this.selected();
  }

  selected() {
    byId("chosen").hidden = !this.chosen.size;
    byId("chosen-count").textContent = counted(this.chosen.size, "pair selected", "pairs selected");
    const examples = [...new Set([...this.chosen].map((row) => this.data.example(row)))];
    document.dispatchEvent(new CustomEvent("chosen", { detail: examples }));
  }

  // A spreadsheet reads a cell that begins so as a formula: an apostrophe makes it text.
  csv() {
    const cell = (value) => {
      const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
      return `"${(typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
    };
    const flat = ({ source, fields, before, after, origins, ...told }) => ({
      ...told, origins: origins.join("; "), before: before.label, before_probability: before.probability, after: after.label, after_probability: after.probability,
      ...Object.fromEntries(Object.entries(source).map(([name, text]) => [`source_${name}`, text])), ...Object.fromEntries(Object.entries(fields).map(([name, text]) => [`perturbed_${name}`, text])),
    });
    const rows = [...this.chosen].sort((a, b) => a - b).map((row) => flat(this.data.plain(row)));
    const names = [...new Set(rows.flatMap(Object.keys))];
    return [names, ...rows.map((row) => names.map((name) => row[name]))].map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
  }

  lines() {
    return [...this.chosen].sort((a, b) => a - b).map((row) => `${this.as(row, "JSON")}\n`).join("");
  }
}

const decoded = (text) => {
  try { return decodeURIComponent(text); } catch { return text; }
};
