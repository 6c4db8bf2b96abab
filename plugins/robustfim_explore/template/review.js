// What people say: which failures are valid, and which gold labels are wrong.

const WORDS = { valid: "valid", invalid: "not valid", unsure: "unsure" };
const LETTERS = { v: "valid", n: "invalid", u: "unsure" };

class ReviewTab {
  constructor(desk) {
    this.desk = desk;
    this.given = []; // the pairs that were answered on this page, the last one at the end
    this.before = Promise.resolve();
    this.looking = {}; // the pair that the tab shows, and since when
  }

  // One answer after the other, in the order of the keys: each sees what the ones before it have changed.
  inTurn(action) {
    this.before = this.before.then(tried(action));
    return this.before;
  }

  build() {
    this.panel = el("div");
    this.draw();
    return [this.panel];
  }

  get answers() { return this.desk.told.answers; }

  draw() {
    const { told } = this.desk;
    const answered = Object.keys(told.answers).length;
    const following = told.next;
    fill(this.panel,
      el("p", { class: "about" }, "Valid: people might write this, and the label still fits. Answers stand in ",
        el("code", null, told.review_file), ", as ", el("code", null, "robustfim review"), " writes them."),
      el("p", { role: "status" }, el("b", null, `${answered.toLocaleString("en")} of ${counted(told.reviewable, "failing pair", "failing pairs")}`), " answered"),
      following ? el("section", { class: "said", id: "next-pair" }, el("h3", null, "Next of the random sample"), this.pair_ = el("div")) : el("p", { class: "muted" }, "No pair is left to look at."),
      told.validity.length ? el("table", { class: "plain" }, el("thead", null, el("tr", null, ["check", "fails", "validly", "looked at"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", null, told.validity.map((each) => el("tr", null, el("th", { scope: "row" }, el("bdi", null, each.check)), el("td", { class: "num" }, percent(each.rate)),
          el("td", { class: "num" }, `${percent(each.valid)} [${percent(each.interval[0])}–${percent(each.interval[1])}]`), el("td", { class: "num" }, `${each.looked} of ${each.failing}`))))) : null,
      el("h3", null, "Gold labels that are wrong"),
      told.wrong.length ? el("ul", { class: "ways" }, told.wrong.map((id) => el("li", null, el("b", null, id), " ", button("Open", () => this.desk.open(id)), button("Take back", () => this.inTurn(() => this.mark(id, false)))))) : el("p", { class: "muted" }, "None is marked. Mark one at its failure."),
      told.wrong.length ? el("div", { class: "row" }, button("Save the list as JSON lines", tried(async () => {
        const { rows } = await ask("labels");
        saveAs("wrong-labels.jsonl", rows.map((each) => `${JSON.stringify(each)}\n`).join(""));
      }), { id: "save-labels" })) : null);
    if (following) this.drawNext(following).catch((error) => say(error.message, true));
  }

  async drawNext(id) {
    const place = this.pair_;
    const told = await ask(`source/${encodeURIComponent(id)}`);
    fill(place,
      el("p", { class: "muted" }, told.check, told.label === null ? ", without a gold label" : [", gold ", el("bdi", null, told.label)]),
      ...changedFields(told.before, told.shown),
      el("div", { class: "row" }, Object.entries(WORDS).map(([answer, word]) => button(word, () => this.inTurn(() => this.answer(id, answer)), { "data-answer": answer })),
        button("Open", () => this.desk.open(id))));
    if (this.looking.id !== id) this.looking = { id, at: Date.now() };
  }

  async answer(failure, answer) {
    const seconds = this.looking.id === failure ? (Date.now() - this.looking.at) / 1000 : null;
    const told = await ask("review", { failure, answer, seconds });
    Object.assign(this.desk.told, told);
    if (answer) this.given.push(failure);
    else if (this.given.includes(failure)) this.given.splice(this.given.lastIndexOf(failure), 1);
    say(answer ? `${failure}: ${WORDS[answer]}` : `${failure}: the answer is taken back`);
    this.redraw();
  }

  redraw() {
    this.draw();
    for (const bar_ of document.querySelectorAll(".desk-bar")) this.mark_(bar_);
  }

  // What another tab, or the terminal, has answered meanwhile.
  shown() {
    return this.inTurn(async () => {
      const was = JSON.stringify([this.answers, this.desk.told.wrong]);
      this.desk.take({ ...this.desk.told, ...await ask("state") });
      if (JSON.stringify([this.answers, this.desk.told.wrong]) !== was) this.redraw();
    });
  }

  async mark(example, wrong) {
    Object.assign(this.desk.told, await ask("label", { example, wrong }));
    say(wrong ? `the gold label of ${example} is marked as wrong` : `the mark of ${example} is taken back`);
    this.redraw();
  }

  // A bar of buttons at each card of the list.
  dress(article) {
    const id = article.id.slice("failure-".length);
    const { told } = this.desk;
    const can = told.reviewed_ids.has(id);
    const example = told.examples_of.get(id);
    const own = el("div", { class: "desk-bar", "data-failure": id, "data-example": example || "" },
      button("Open", () => this.desk.open(id), { class: "open", "aria-label": `Open pair ${id} in the explorer` }),
      can ? el("span", { role: "group", "aria-label": `Validity of pair ${id}` }, Object.entries(WORDS).map(([answer, word]) => button(word, () => this.inTurn(() => this.answer(id, this.answers[id] === answer ? null : answer)), { "data-answer": answer, "aria-pressed": "false" }))) : el("span", { class: "muted" }, "a step in embedding space has no text to review"),
      example ? button("gold label wrong", () => this.inTurn(() => this.mark(example, !this.desk.told.wrong.includes(example))), { class: "gold", "aria-pressed": "false" }) : null);
    this.mark_(own);
    article.append(own);
  }

  mark_(own) {
    const { failure, example } = own.dataset;
    for (const each of own.querySelectorAll("[data-answer]")) each.setAttribute("aria-pressed", String(this.answers[failure] === each.dataset.answer));
    const gold = own.querySelector(".gold");
    if (gold) gold.setAttribute("aria-pressed", String(this.desk.told.wrong.includes(example)));
  }

  key(event) {
    const card = document.activeElement && document.activeElement.closest("#list > li");
    const own = (document.activeElement && document.activeElement.closest("article.pair") || card || document.createElement("i")).querySelector(".desk-bar");
    if (event.key === "b") this.inTurn(() => (this.given.length ? this.answer(this.given[this.given.length - 1], null) : null));
    else if (!own) return;
    else if (LETTERS[event.key]) {
      const [answer, { failure }] = [LETTERS[event.key], own.dataset];
      if (own.querySelector("[data-answer]")) this.inTurn(() => (this.answers[failure] === answer ? null : this.answer(failure, answer)));
    } else if (event.key === "g" && own.querySelector(".gold")) own.querySelector(".gold").click();
    else if (event.key === "e") {
      event.preventDefault();
      this.desk.open(own.dataset.failure);
    }
  }
}
