// A text that is edited in place, and what the models say of it at every pause.

const PAUSE = 120; // ms without a key

const bar = (share, css) => {
  const fill = el("i", { class: css });
  fill.style.width = `${100 * Math.min(1, Math.max(0, share || 0))}%`;
  return el("span", { class: "meter", "aria-hidden": "true" }, fill);
};

class TextTab {
  constructor(desk) {
    this.desk = desk;
    this.past = [];
    this.future = [];
    this.path = [];
    this.source = null;
    this.shade = "eigenvector";
    this.looks = new Map();
  }

  build() {
    const { fields } = this.desk.told;
    this.inputs = Object.fromEntries(fields.map((name) => [name,
      el("textarea", { id: `field-${name}`, rows: 2, spellcheck: "false", dir: "auto", oninput: () => this.typed() })]));
    this.about = el("p", { class: "about" });
    const { pairs } = this.desk.told;
    this.pairs = el("select", { id: "pairs", "aria-label": "Open", onchange: () => this.desk.open(this.pairs.value) },
      Object.entries(Object.groupBy(pairs, (pair) => pair.group)).map(([group, found]) => el("optgroup", { label: `${group} (${found.length})` },
        found.map((pair) => el("option", { value: pair.id }, pair.edit.length > 60 ? `${pair.edit.slice(0, 60)} …` : pair.edit || pair.id)))));
    const beside = (step) => {
      const next = pairs[pairs.findIndex((pair) => pair.id === this.opened) + step];
      if (next) this.desk.open(next.id);
    };
    this.shaded = el("div", { class: "shaded", "aria-label": "The text with its words weighed" });
    this.results = el("div", { class: "results", "aria-live": "polite" });
    this.more = el("div", { class: "found" });
    this.trail = el("ol", { class: "trail" });
    this.undoButton = button("Undo", () => this.undo(), { disabled: true, title: "Ctrl+Z" });
    this.redoButton = button("Redo", () => this.redo(), { disabled: true });
    this.resetButton = button("Back to the source", () => this.set(this.source.fields), { disabled: true });
    this.slider = el("input", { type: "range", id: "step", min: 0, max: 40, value: 20, "aria-label": "Step along the eigenvector", oninput: () => this.stepped() });
    this.stepped_ = el("div", { class: "stepped" }, el("p", { class: "muted" }, "The text stays; its embedding moves."));
    this.steps = el("details", { class: "steps", ontoggle: tried(() => this.loadSteps()) },
      el("summary", null, "Step along the eigenvector"), this.slider, this.stepped_);
    const way = (name, label) => el("label", null, el("input", {
      type: "radio", name: "shade", value: name, checked: name === this.shade, onchange: tried(async () => { this.shade = name; await this.drawShade(); }),
    }), label);
    return [
      pairs.length ? el("div", { class: "row pairs-row" }, button("‹", () => beside(-1), { "aria-label": "Previous pair" }), button("›", () => beside(1), { "aria-label": "Next pair", id: "next" }), this.pairs) : null,
      this.about,
      fields.map((name) => el("div", { class: "field-box" },
        el("label", { for: `field-${name}`, class: fields.length > 1 ? "" : "vh" }, fields.length > 1 ? name : "The text"), this.inputs[name])),
      el("div", { class: "row" }, this.undoButton, this.redoButton, this.resetButton),
      this.results,
      this.ways = el("fieldset", { class: "shade" }, el("legend", { class: "vh" }, "What the words are shaded by"),
        way("eigenvector", "weight in the eigenvector"), way("attribution", "speaks for or against the label")),
      this.shaded,
      el("div", { class: "row" },
        button("Smallest change that flips it", tried(() => this.flips()), { id: "flip" })),
      this.more,
      this.steps,
      el("details", { class: "path", open: true }, el("summary", null, "Path of the edits"), this.trail,
        el("div", { class: "row" }, button("Save as JSON lines", () => this.savePath(), { id: "save-path" }))),
    ];
  }

  get fields() { return Object.fromEntries(Object.entries(this.inputs).map(([name, input]) => [name, input.value])); }

  // Open a failing pair or an example of the run.
  async open(id) {
    this.opened = id;
    const told = await ask(`source/${encodeURIComponent(id)}`);
    if (this.opened !== id) return; // another one was opened meanwhile
    const start = told.before || told.shown;
    this.given = told.shown || start;
    this.pairs.value = id; // empty where it is not among those that the list names
    this.source = { ...told, fields: start, look: null };
    this.past = [];
    this.future = [];
    this.path = [];
    fill(this.about,
      told.failure ? "Pair " : "Example ", el("b", null, told.failure || told.example),
      told.check ? [" of ", el("b", null, told.check)] : "",
      told.label === null ? ", without a gold label" : [", gold ", el("b", null, el("bdi", null, told.label))]);
    for (const place of [this.more, this.trail]) fill(place);
    this.desk.remember(true);
    this.put(start);
    await this.look();
    if (this.opened !== id) return;
    if (told.shown && told.before) {
      this.past.push(start);
      this.put(told.shown);
      await this.look();
    }
    this.buttons();
  }

  // Open a text that a trial found, with its source before it.
  async openPair(pair) {
    await this.open(pair.example).catch(() => this.set(pair.before));
    await this.set(pair.after);
  }

  put(fields) {
    clearTimeout(this.waiting);
    this.waiting = 0;
    for (const [name, input] of Object.entries(this.inputs)) {
      input.value = fields[name] ?? "";
      input.style.height = "auto";
      input.style.height = `${Math.min(320, input.scrollHeight + 2)}px`;
    }
    this.last = this.fields;
  }

  // Put another text in, so that it can be taken back.
  set(fields) {
    this.past.push(this.fields);
    this.future = [];
    this.put(fields);
    this.buttons();
    return this.look();
  }

  typed() {
    if (!this.waiting) this.before = this.last || this.fields;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.waiting = 0;
      this.past.push(this.before);
      this.future = [];
      this.last = this.fields;
      this.buttons();
      this.look();
    }, PAUSE);
  }

  undo() { this.turn(this.past, this.future); }

  redo() { this.turn(this.future, this.past); }

  turn(from, to) {
    if (!from.length) return;
    to.push(this.fields);
    this.put(from.pop());
    this.buttons();
    this.look();
  }

  buttons() {
    this.undoButton.disabled = !this.past.length;
    this.redoButton.disabled = !this.future.length;
    this.resetButton.disabled = !this.source;
    for (const part of [this.steps, this.ways, this.shaded]) part.hidden = !this.desk.told.gradients;
  }

  // One question at a time, and of what was typed meanwhile only the last.
  async look() {
    if (this.asking) {
      this.again = true;
      await this.asking;
      return;
    }
    this.asking = (async () => {
      do {
        this.again = false;
        const { fields } = this;
        if (!Object.values(fields).some((text) => text.trim())) {
          fill(this.results, el("p", { class: "muted" }, "The text is empty."));
          continue;
        }
        const begun = performance.now();
        try {
          const found = await ask("look", { fields });
          this.desk.took = performance.now() - begun;
          this.show(fields, found);
        } catch (error) {
          fill(this.results, el("p", { class: "bad" }, error.message));
        }
      } while (this.again);
    })();
    await this.asking;
    this.asking = null;
    this.desk.remember();
  }

  show(fields, found) {
    const [first] = found.models;
    if (this.source && !this.source.look && Object.keys(fields).every((name) => fields[name] === this.source.fields[name])) {
      this.source.look = found;
    }
    this.now = { fields, found };
    fill(this.results, ...found.models.map((each, i) => this.model(each, i)));
    const before = this.path.length ? this.path[this.path.length - 1] : null;
    if (!first.error && !(before && Object.keys(fields).every((name) => before.fields[name] === fields[name]))) {
      this.path.push({ fields, label: first.label, probability: Math.max(...first.probabilities), lambda: first.lambda_max ?? null });
      this.drawTrail();
    }
    this.drawShade().catch((error) => say(error.message, true));
    if (this.steps.open) this.loadSteps().catch((error) => say(error.message, true));
  }

  model(told, index) {
    const name = this.desk.told.models.length > 1 ? el("h3", null, told.model) : null;
    if (told.error) return el("section", { class: "said" }, name, el("p", { class: "bad" }, told.error));
    const was = this.source && this.source.look ? this.source.look.models[index] : null;
    const turned = was && !was.error && was.label !== told.label;
    const rows = told.labels.map((label, k) => [label, told.probabilities[k], was && !was.error ? was.probabilities[was.labels.indexOf(label)] ?? null : null])
      .sort((a, b) => (told.labels.length > 8 ? b[1] - a[1] : 0)).slice(0, 8);
    const numbers = [["λmax", "lambda_max"], ["margin", "margin"], ["boundary distance", "distance"]];
    return el("section", { class: `said${turned ? " turned" : ""}` }, name,
      el("p", { class: "label" }, el("bdi", null, told.label), turned ? el("span", { class: "tag" }, "not the source’s ", el("bdi", null, was.label)) : null),
      el("dl", { class: "bars" }, rows.map(([label, now, before]) => [
        el("dt", null, el("bdi", null, label)),
        el("dd", null, el("span", { class: "pairs" }, before === null ? null : bar(before, "was"), bar(now, "now")),
          el("b", { class: "num" }, percent(now)), before === null ? null : el("span", { class: "num muted" }, `was ${percent(before)}`))])),
      el("dl", { class: "numbers" }, numbers.filter(([, key]) => told[key] !== undefined && !(told.reason && key !== "margin")).map(([title, key]) => el("div", null,
        el("dt", null, title), el("dd", { class: "num" }, decimal(told[key]),
          was && !was.error && was !== told ? el("span", { class: "muted" }, ` was ${decimal(was[key])}`) : null)))),
      told.read_in_part ? el("p", { class: "warn" }, "The model reads only a part of this text.") : null,
      told.reason ? el("p", { class: "muted" }, `No gradients: ${told.reason}`) : null);
  }

  // ---- The words, shaded

  async drawShade() {
    const { now } = this;
    if (!now || now.found.models[0].error) return;
    const attribution = this.shade === "attribution";
    let words = now.found.models[0].words || [];
    let told = "the share of the eigenvector’s length that lies at this word";
    if (attribution) {
      const found = now.explained || await ask("explain", { fields: now.fields });
      now.explained = found;
      if (now !== this.now) return;
      words = found.words;
      told = "added to the lead of the predicted label, in logits";
    }
    const most = Math.max(...words.map((word) => Math.abs(word[3] || 0)), 1e-12);
    fill(this.shaded, ...Object.entries(now.fields).map(([name, text]) => {
      const parts = [];
      let place = 0;
      for (const [field, start, end, value] of words) {
        if (field !== name || start < place) continue;
        const part = el("span", { class: value < 0 ? "against" : "for", title: `${attribution ? decimal(value) : percent(value)}: ${told}` }, text.slice(start, end));
        part.style.setProperty("--weight", (0.45 * Math.abs(value || 0) / most).toFixed(3));
        parts.push(text.slice(place, start), part);
        place = end;
      }
      return el("p", { dir: "auto" }, parts, text.slice(place));
    }));
    if (attribution && now.explained) {
      const { change, delta, points, fine } = now.explained;
      this.shaded.append(el("p", { class: "muted" }, `In all ${decimal(change)} logits, delta ${decimal(delta)}`, points ? `, by ${points} points of the path. ` : ". ",
        fine || !points ? null : button("More exactly", tried(async () => {
          now.explained = await ask("explain", { fields: now.fields, fine: true });
          await this.drawShade();
        }), { id: "explain-fine" })));
    } else if (!words.length) this.shaded.append(el("p", { class: "muted" }, "The model has no gradients to weigh words by."));
  }

  // ---- Buttons

  async flips() {
    fill(this.more, el("p", { class: "muted", role: "status" }, "Looking for the smallest change …"));
    const { ways } = await ask("flips", { fields: this.fields }).catch((error) => { fill(this.more); throw error; });
    const [flipping, asked] = [ways.filter((each) => each.words).length, ways.reduce((sum, each) => sum + each.asked, 0)];
    say(`The search has ended: ${flipping} of ${counted(ways.length, "way", "ways")} flip it, by ${counted(asked, "text", "texts")} asked.`);
    fill(this.more, el("h3", null, "Smallest change found, in each way"), el("ul", { class: "ways" }, ways.map((each) => el("li", null,
      el("p", null, el("b", null, each.way), each.words ? `: ${counted(each.words, "word", "words")} → ` : ": ",
        each.words ? el("bdi", { class: "to" }, each.label) : el("span", { class: "muted" }, each.message),
        each.asked ? el("span", { class: "muted" }, ` (${counted(each.asked, "text", "texts")} asked)`) : null),
      each.words ? [changedFields(this.fields, each.fields), button("Take this text", () => this.set(each.fields))] : null))));
  }

  async loadSteps() {
    if (!this.steps.open || !this.now) return;
    const { fields } = this.now;
    if (this.way && this.way.fields === fields) return;
    const told = await ask("steps", { fields });
    this.way = { ...told, fields };
    this.slider.max = told.norms.length - 1;
    this.slider.value = (told.norms.length - 1) / 2;
    this.stepped();
  }

  stepped() {
    if (!this.way) return;
    const place = Number(this.slider.value);
    const row = this.way.probabilities[place];
    const best = row.indexOf(Math.max(...row));
    this.slider.setAttribute("aria-valuetext", `norm ${decimal(this.way.norms[place])}: ${this.way.labels[best]} ${percent(row[best])}`);
    fill(this.stepped_,
      el("p", null, "Norm ", el("b", { class: "num" }, decimal(this.way.norms[place])), ": ", el("bdi", { class: "to" }, this.way.labels[best]),
        el("span", { class: "muted" }, " To the right the predicted label loses.")),
      el("dl", { class: "bars" }, this.way.labels.map((label, k) => [label, row[k]]).sort((a, b) => (row.length > 8 ? b[1] - a[1] : 0)).slice(0, 8).map(([label, share]) => [
        el("dt", null, el("bdi", null, label)), el("dd", null, el("span", { class: "pairs" }, bar(share, "now")), el("b", { class: "num" }, percent(share)))])));
  }

  // ---- The path

  drawTrail() {
    const shown = this.path.map((each, i) => [each, i]).slice(-60).reverse();
    fill(this.trail, ...shown.map(([each, i]) => el("li", { value: i + 1 },
      el("div", { class: "was-said" }, el("bdi", null, each.label), " ", el("span", { class: "num" }, percent(each.probability)), each.lambda === null ? null : el("span", { class: "num muted" }, ` λmax ${decimal(each.lambda)}`)),
      i ? changedFields(this.path[i - 1].fields, each.fields) : el("div", { class: "text muted" }, "the source"),
      i === this.path.length - 1 ? null : button("Go back to this", () => this.set(each.fields)))));
  }

  savePath() {
    saveAs("path.jsonl", this.path.map((each) => `${JSON.stringify(each)}\n`).join(""));
  }
}
