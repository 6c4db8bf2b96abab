// Rules that were mined: accepted, rejected and edited, as `robustfim mine --review` does it.

const RULE_ANSWERS = { y: "accept", n: "reject", e: "edit", b: "back" };

class RulesTab {
  constructor(desk) {
    this.desk = desk;
    this.before = Promise.resolve();
  }

  build() {
    this.panel = el("div");
    return [this.panel];
  }

  async shown() {
    if (this.told) return;
    fill(this.panel, el("p", { class: "muted", role: "status" }, "Reading the rules …"));
    try {
      this.draw(await ask("rules"));
    } catch (error) {
      fill(this.panel);
      throw error;
    }
  }

  // One answer after the other: each sees what the ones before it have changed.
  answer(rule, answer, text) {
    this.before = this.before.then(tried(async () => {
      this.draw(await ask("rules", { rule, answer, text }));
      say({ accept: `${rule}: accepted`, reject: `${rule}: rejected`, edit: `${rule}: edited`, back: "The last answer is taken back." }[answer]);
      const next = this.panel.querySelector("#rules-asked > li") || byId("rules-back");
      if (next) next.focus();
    }));
    return this.before;
  }

  draw(told) {
    this.told = told;
    const { accepted, proposed, rejected } = told;
    const full = accepted.length >= told.number;
    fill(this.panel,
      el("p", { class: "about" }, "Rules that keep the meaning and change the label, the one first that adds most to those accepted. Accepted ones are written at once to ",
        el("code", null, told.out), ", as ", el("code", null, "robustfim mine --review"), " writes them. A rejected rule takes its near-copies with it."),
      el("p", { class: "muted" }, "Keys, on a rule: ", Object.entries(RULE_ANSWERS).map(([key, meaning]) => [el("kbd", null, key), ` ${meaning === "back" ? "take the last answer back" : meaning} `])),
      told.why ? el("p", { class: "warn" }, `${told.why[0].toUpperCase()}${told.why.slice(1)}`) : null,
      el("p", { role: "status" }, el("b", null, `${accepted.length} accepted`), `, ${rejected.length} rejected, of ${told.number} wanted`),
      told.silent.length ? el("p", { class: "muted" }, `Not asked about, since they flip no text of the run: ${told.silent.join(", ")}.`) : null,
      el("div", { class: "row" }, button("Take the last answer back", () => this.answer("", "back"), { id: "rules-back", disabled: !told.answers })),
      proposed.length ? el("ol", { class: "ways", id: "rules-asked" }, proposed.map((each, i) => this.asked(each, i === 0)))
        : el("p", { class: "muted" }, full ? "As many rules as were wanted are accepted." : "No rule is left that would add anything."),
      accepted.length ? [el("h3", null, "Accepted"), el("ol", { class: "ways", id: "rules-accepted" }, accepted.map((each) => el("li", null, this.said(each), this.pairs(each, false))))] : null,
      rejected.length ? [el("h3", null, "Rejected"), el("ul", { id: "rules-rejected" }, rejected.map((rule) => el("li", null, el("bdi", null, rule))))] : null);
  }

  asked(rule, first) {
    const row = el("li", { tabindex: 0, "data-rule": rule.rule, "aria-label": `Rule ${rule.rule}` }, this.said(rule),
      el("div", { class: "row" },
        button("Accept", () => this.answer(rule.rule, "accept"), { "data-answer": "accept" }),
        button("Reject", () => this.answer(rule.rule, "reject"), { "data-answer": "reject" }),
        button("Edit", () => this.edit(row, rule.rule), { "data-answer": "edit", disabled: Boolean(this.told.why) })),
      this.pairs(rule, first));
    return row;
  }

  said(rule) {
    return [
      el("p", null, el("b", null, el("bdi", null, rule.rule))),
      el("p", { class: "muted" }, rule.of ? `flips ${rule.flips} of ${rule.of} texts that did not choose it, ${percent(rule.rate)} [${percent(rule.interval[0])}–${percent(rule.interval[1])}]; ` : "no text tells that did not choose it; ",
        `${rule.of ? "chosen for " : ""}${rule.chosen[0]} flips of ${rule.chosen[1]}; ${rule.same[0]} of ${rule.same[1]} scored mean the same`),
    ];
  }

  pairs(rule, open) {
    if (!rule.pairs.length) return el("p", { class: "muted" }, "It flips no text and keeps its meaning.");
    return el("details", { open }, el("summary", null, `${counted(rule.pairs.length + rule.more, "flip", "flips")}${rule.more ? `, ${rule.pairs.length} shown` : ""}`),
      el("ul", { class: "ways" }, rule.pairs.map((each) => el("li", null,
        el("p", null, el("bdi", null, each.was), " ", el("span", { class: "num" }, percent(each.was_probability)), " → ", el("bdi", { class: "to" }, each.now), " ", el("span", { class: "num" }, percent(each.now_probability)),
          each.chose && rule.of ? el("span", { class: "muted" }, " chose the rule") : null),
        changedFields({ text: each.before }, { text: each.after })))));
  }

  edit(row, rule) {
    const input = el("input", { "aria-label": `In the place of ${rule}`, autocomplete: "off", spellcheck: "false" });
    input.value = rule;
    const form = el("form", { class: "row", onsubmit: (event) => { event.preventDefault(); this.answer(rule, "edit", input.value); } },
      input, el("button", { type: "submit", class: "main" }, "Measure it"), button("Cancel", () => { form.remove(); row.focus(); }));
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      form.remove();
      row.focus();
    });
    const old = row.querySelector("form");
    if (old) old.remove();
    row.querySelector(".row").after(form);
    input.focus();
    input.select();
  }

  key(event) {
    const answer = RULE_ANSWERS[event.key];
    if (!answer || !this.told) return;
    event.preventDefault();
    if (answer === "back") {
      if (this.told.answers) this.answer("", "back");
      return;
    }
    const row = event.target.closest("#rules-asked > li");
    if (!row) return;
    if (answer !== "edit") this.answer(row.dataset.rule, answer);
    else if (!this.told.why) this.edit(row, row.dataset.rule);
  }
}
