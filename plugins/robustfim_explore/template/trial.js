// A perturbation or a rule, tried on one text or on many.

class TrialTab {
  constructor(desk) {
    this.desk = desk;
    this.chosen = [];
    document.addEventListener("chosen", (event) => { this.chosen = event.detail; this.scopes(); });
  }

  build() {
    const { told } = this.desk;
    const known = el("datalist", { id: "perturbations" }, Object.values(told.checks).map((spec) => el("option", { value: spec })),
      told.perturbations.map((name) => el("option", { value: name })));
    this.perturb = el("input", { id: "try-perturb", list: "perturbations", placeholder: "typos, or {use: typos, words: 2}", autocomplete: "off", spellcheck: "false" });
    this.rule = el("input", { id: "try-rule", placeholder: "movie → film", autocomplete: "off", spellcheck: "false" });
    this.number = el("input", { id: "try-number", type: "number", min: 1, max: 100, value: 8 });
    this.scope = el("select", { id: "try-scope" });
    this.scopes();
    this.begin = el("button", { type: "submit", class: "main", id: "try-begin" }, "Try it");
    this.stop = button("Stop", tried(async () => this.draw(await ask(`trials/${this.trial.trial}`, undefined, "DELETE"))), { hidden: true });
    this.found = el("div", { class: "found" });
    return [
      el("p", { class: "about" }, "A text fails where the perturbation’s own expectation is broken: mostly, where the label changes."),
      el("form", { class: "try", onsubmit: (event) => { event.preventDefault(); tried(() => this.start())(); } },
        el("label", { for: "try-perturb" }, "Perturbation"), this.perturb, known,
        el("label", { for: "try-rule" }, "or one rule"), this.rule,
        el("label", { for: "try-scope" }, "On"), this.scope,
        el("label", { for: "try-number" }, "Candidates a text"), this.number,
        el("div", { class: "row" }, this.begin, this.stop)),
      this.found,
    ];
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
    const asked = { candidates: Number(this.number.value) || 8 };
    if (this.rule.value.trim()) asked.rule = this.rule.value.trim();
    else asked.perturb = this.perturb.value.trim();
    if (this.scope.value === "text") asked.fields = this.desk.text.fields;
    else asked.examples = this.scope.value === "chosen" ? this.chosen : this.desk.told.tested;
    say("");
    this.begin.disabled = true; // what an earlier trial shows goes before the next one is asked for
    fill(this.found, el("p", { class: "muted", role: "status" }, "Beginning …"));
    try {
      const begun = await ask("trials", asked);
      this.saved = null;
      this.draw(begun);
      while (this.trial.state === "running") {
        await new Promise((resolve) => { setTimeout(resolve, 250); });
        this.draw(await ask(`trials/${begun.trial}`));
      }
    } catch (error) {
      if (this.trial) this.draw(this.trial);
      else fill(this.found);
      this.begin.disabled = false;
      throw error;
    }
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
      el("ul", { class: "ways" }, told.pairs.slice(0, 100).map((each) => el("li", null,
        el("p", null, el("bdi", null, each.label), " ", el("span", { class: "num" }, percent(each.probability)), " → ", el("bdi", { class: "to" }, each.now), " ", el("span", { class: "num" }, percent(each.now_probability)),
          el("span", { class: "muted" }, ` ${[...new Set(each.edits.map((edit) => edit[2]))].filter(Boolean).join(", ")}`)),
        changedFields(each.before, each.after),
        button("Take this text", tried(async () => { this.desk.show("text"); await this.desk.text.openPair(each); }))))),
      told.failures > 100 ? el("p", { class: "muted" }, `${(told.failures - 100).toLocaleString("en")} more failing texts are not listed; saving keeps all.`) : "");
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
