// A perturbation or a rule, tried on one text or on many.

class TrialTab {
  constructor(desk) {
    this.desk = desk;
    this.chosen = [];
    document.addEventListener("chosen", (event) => { this.chosen = event.detail; this.scopes(); });
  }

  build() {
    const { told } = this.desk;
    const known = (label, names, value) => (names.length ? el("optgroup", { label }, names.map((name) => el("option", { value: value(name) }, name))) : null);
    const owners = Object.groupBy(Object.keys(told.perturbations), (name) => told.perturbations[name]);
    this.perturb = el("select", { id: "try-perturb", onchange: tried(() => this.choose(this.written())) },
      known("as a check of the suite", Object.keys(told.checks), (name) => `check ${name}`),
      Object.entries(owners).map(([owner, names]) => known(owner, names, (name) => name)));
    this.options = el("div", { class: "options" });
    this.number = el("input", { id: "try-number", type: "number", min: 1, max: 100, value: 8 });
    this.scope = el("select", { id: "try-scope" });
    this.scopes();
    this.begin = el("button", { type: "submit", class: "main", id: "try-begin" }, "Try it");
    this.stop = button("Stop", tried(async () => this.draw(await ask(`trials/${this.trial.trial}`, undefined, "DELETE"))), { hidden: true });
    this.found = el("div", { class: "found" });
    return [
      el("form", { class: "try", onsubmit: (event) => { event.preventDefault(); tried(() => this.start())(); } },
        el("label", { for: "try-perturb" }, "Perturbation"), this.perturb,
        this.options,
        el("label", { for: "try-scope" }, "On"), this.scope,
        el("label", { for: "try-number" }, "Candidates a text"), this.number,
        el("div", { class: "row" }, this.begin, this.stop)),
      el("p", { class: "about" }, "A text fails where the perturbation’s own expectation is broken: mostly, where the label changes."),
      this.found,
    ];
  }

  // What the list of perturbations names, with the options that a check of the suite gives it.
  written() {
    const [, check] = this.perturb.value.split(/^check /);
    return check === undefined ? { use: this.perturb.value } : this.desk.told.checks[check];
  }

  // Show the form of a perturbation, filled with the options of one that a suite has.
  async choose(spec) {
    const told = await ask(`form/${encodeURIComponent(spec.use)}`);
    this.use = spec.use;
    if (spec.candidates) this.number.value = spec.candidates;
    const row = (option) => {
      const [id, value] = [`try-option-${option.name}`, spec[option.name]];
      const text = value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
      const asked = { id, "data-option": option.name, required: option.needed, "aria-describedby": `${id}-meaning` };
      const input = option.choices.length
        ? el("select", asked, el("option", { value: "" }, `${option.default} (default)`), option.choices.map((each) => el("option", { value: each, selected: each === text }, each)))
        : el("input", { ...asked, value: text, placeholder: option.default || (option.several ? "one, another, …" : ""), autocomplete: "off", spellcheck: "false" });
      return [el("label", { for: id }, option.name), el("div", null, input, el("p", { id: `${id}-meaning`, class: "muted" }, option.meaning))];
    };
    const [shared, own] = [true, false].map((each) => told.options.filter((option) => option.shared === each));
    fill(this.options, el("p", { class: "about" }, told.summary), own.map(row),
      el("details", { open: shared.some((option) => option.name in spec) }, el("summary", null, "Options of every perturbation"), el("div", { class: "options" }, shared.map(row))));
  }

  async shown() {
    if (!this.use) await this.choose(this.written());
  }

  scopes() {
    if (!this.scope) return;
    const { value } = this.scope;
    const tested = this.desk.told.tested;
    const options = [["text", "the text of the tab Text"], ["chosen", `the ${counted(this.chosen.length, "example", "examples")} selected in the list`],
      ["tested", `all ${counted(tested.length, "tested example", "tested examples")}`]];
    fill(this.scope, ...options.map(([name, label]) => el("option", { value: name, disabled: name === "chosen" && !this.chosen.length }, label)));
    this.scope.value = this.chosen.length && value === "chosen" ? "chosen" : value || "text";
  }

  async start() {
    const perturb = { use: this.use };
    for (const input of this.options.querySelectorAll("[data-option]")) perturb[input.dataset.option] = input.value;
    const asked = { perturb, candidates: Number(this.number.value) || 8 };
    if (this.scope.value === "text") asked.fields = this.desk.text.fields;
    else asked.examples = this.scope.value === "chosen" ? this.chosen : this.desk.told.tested;
    say("");
    this.begin.disabled = true; // what an earlier trial shows goes before the next one is asked for
    fill(this.found, el("p", { class: "muted", role: "status" }, "Beginning …"));
    try {
      await this.follow(await ask("trials", asked));
    } catch (error) {
      if (this.trial) this.draw(this.trial);
      else fill(this.found);
      this.begin.disabled = false;
      throw error;
    }
  }

  // Show a trial until it has ended, or another one is shown.
  async follow(begun) {
    this.saved = null;
    this.draw(begun);
    this.desk.remember();
    while (this.trial.trial === begun.trial && this.trial.state === "running") {
      await new Promise((resolve) => { setTimeout(resolve, 250); });
      const told = await ask(`trials/${begun.trial}`);
      if (this.trial.trial === told.trial) this.draw(told);
    }
  }

  // Show a trial that was begun before the page was opened, with the form as it was.
  async restore(name) {
    if (this.trial && this.trial.trial === name) return;
    const told = await ask(`trials/${name}`);
    this.perturb.value = told.spec.use;
    await this.choose(told.spec);
    tried(() => this.follow(told))();
  }

  draw(told) {
    this.trial = told;
    const running = told.state === "running";
    this.begin.disabled = running;
    this.stop.hidden = !running;
    const rate = told.rate === null ? "" : ` · ${percent(told.rate)} [${percent(told.interval[0])}–${percent(told.interval[1])}]`;
    const progress = el("progress", { max: told.texts, value: told.done, "aria-label": "Texts tried" });
    fill(this.found,
      running ? progress : "",
      el("p", { role: "status" }, el("b", null, `${told.failing.toLocaleString("en")} of ${counted(told.testable, "testable text", "testable texts")}`), ` ${told.failing === 1 ? "fails" : "fail"}${rate}`,
        el("span", { class: "muted" }, ` ${counted(told.candidates, "candidate", "candidates")}, ${told.done} of ${counted(told.texts, "text", "texts")} looked at${running ? "" : told.state === "stopped" ? "; stopped" : "; ended"}`)),
      told.message ? el("p", { class: "bad" }, told.message) : "",
      !running && told.failures ? this.saving(told) : "",
      Object.entries(this.groups(told.pairs.slice(0, 100))).map(([edit, pairs]) => el("section", null,
        el("h3", null, el("bdi", null, edit), pairs.length > 1 ? el("span", { class: "muted" }, ` ${counted(pairs.length, "pair", "pairs")}`) : null),
        el("ul", { class: "ways" }, pairs.map((each) => el("li", null,
          el("p", null, el("bdi", null, each.label), " ", el("span", { class: "num" }, percent(each.probability)), " → ", el("bdi", { class: "to" }, each.now), " ", el("span", { class: "num" }, percent(each.now_probability)),
            el("span", { class: "muted" }, ` ${[...new Set(each.edits.map((edit_) => edit_[2]))].filter(Boolean).join(", ")}`)),
          changedFields(each.before, each.after),
          button("Take this text", tried(async () => { this.desk.show("text"); await this.desk.text.openPair(each); }))))))),
      told.failures > 100 ? el("p", { class: "muted" }, `${(told.failures - 100).toLocaleString("en")} more failing texts are not listed; saving keeps all.`) : "");
  }

  // What the same edits broke stands together, the commonest first; what broke one text alone comes last.
  groups(pairs) {
    const edits = (pair) => pair.edits.map(([before, after]) => `${before.toLowerCase()} → ${after.toLowerCase()}`).join(", ");
    const found = Object.entries(Object.groupBy(pairs, edits));
    const alone = found.filter(([, same]) => same.length === 1).flatMap(([, same]) => same);
    const together = found.filter(([, same]) => same.length > 1).sort((a, b) => b[1].length - a[1].length);
    return Object.fromEntries([...together, ...(alone.length ? [[together.length ? "other edits" : "each by another edit", alone]] : [])]);
  }

  saving(told) {
    if (this.saved) return this.saved;
    const name = el("input", { id: "save-name", placeholder: "found-by-hand", autocomplete: "off", spellcheck: "false" });
    const out = el("div");
    const called = () => name.value.trim() || name.placeholder;
    this.saved = el("section", { class: "said" }, el("h3", null, "Keep what fails"),
      el("div", { class: "row" }, el("label", { for: "save-name" }, "Name"), name,
        button("As a check, to paste", tried(async () => {
          const { yaml } = await ask(`trials/${told.trial}/check`, { check: called() });
          fill(out, el("p", { class: "muted" }, "Paste it into the suite:"), el("pre", { tabindex: 0 }, yaml),
            button("Copy", async (event) => { await navigator.clipboard.writeText(yaml); event.target.textContent = "Copied"; }));
        }), { id: "as-check" }),
        this.desk.told.beside === null ? null : button("These texts, as a suite beside it", tried(async () => {
          const kept = await ask(`trials/${told.trial}/save`, { check: called() });
          fill(out, el("p", { role: "status" }, `${counted(kept.texts, "text is", "texts are")} kept: `, kept.files.map((file) => [el("code", null, file), " "])));
        }), { id: "save-texts" })), out);
    return this.saved;
  }
}
