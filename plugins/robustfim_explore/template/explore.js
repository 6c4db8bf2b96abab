// The desk at the side of the page, with its tabs.

const PULSE = 2000; // ms between two looks at whether the server is there, and has anything new
const WIDE = 1000; // px from which the list stands beside the desk
const LONGEST = 8000; // characters of a draft that an address holds

const TABS = [["text", "Text"], ["review", "Review"], ["trial", "Try"]];

class Side {
  constructor() {
    this.text = new TextTab(this);
    this.review = new ReviewTab(this);
    this.trial = new TrialTab(this);
    this.waiting = [];
    this.gone = "";
  }

  async start() {
    this.frame();
    try {
      this.take(await ask("state"));
    } catch (error) {
      say(error.message, true);
      return;
    }
    for (const [name] of TABS) byId(`panel-${name}`).append(...this[name].build().flat(Infinity).filter(Boolean));
    this.live();
    for (const article of this.waiting.splice(0)) this.dress(article);
    for (const article of document.querySelectorAll("#list article.pair")) this.dress(article);
    while (this.told.state === "loading") {
      await new Promise((resolve) => { setTimeout(resolve, 400); });
      try {
        this.take({ ...this.told, ...await ask("state") });
      } catch (error) {
        say(error.message, true);
        return;
      }
      this.live();
    }
    this.usual = innerWidth < WIDE ? "" : "text";
    // A step to another place of the list comes here, too, and changes nothing of what is open, or about to be.
    addEventListener("popstate", () => { if (location.search !== this.search) this.follow(); });
    await this.follow();
    document.documentElement.dataset.followed = "";
    this.beat();
  }

  // Look now and then whether the server is still there, and what another tab or the terminal has answered.
  async beat() {
    for (;;) {
      await new Promise((resolve) => { setTimeout(resolve, PULSE); });
      if (document.hidden) continue;
      let gone = "";
      try {
        const { written } = await ask("pulse");
        if (this.told.written !== written) await this.review.shown();
      } catch (error) {
        gone = error.message;
      }
      if (gone === this.gone) continue;
      this.gone = gone;
      this.live();
    }
  }

  // ---- The address says what is open: ?tab=…&open=ID&trial=N&field-text=…, before the # that is the list's.

  remember(another) {
    if (this.following || this.usual === undefined) return;
    const state = new URLSearchParams();
    const tab = byId("desk").hidden ? "" : this.shown;
    if (tab !== this.usual) state.set("tab", tab);
    const { opened, given, fields } = this.text;
    if (opened && opened !== this.first) state.set("open", opened);
    if (this.trial.trial) state.set("trial", this.trial.trial.trial);
    for (const [name, text] of Object.entries(fields)) if (text !== ((given || {})[name] ?? "")) state.set(`field-${name}`, text);
    if (state.toString().length > LONGEST) for (const name of Object.keys(fields)) state.delete(`field-${name}`);
    const search = state.size ? `?${state}` : "";
    this.search = search;
    if (search !== location.search) history[another ? "pushState" : "replaceState"](null, "", `${location.pathname}${search}${location.hash}`);
  }

  // One address after another: what is left for the next is not remembered as a step of its own.
  follow() {
    this.followed = Promise.resolve(this.followed).then(() => this.restore());
    return this.followed;
  }

  async restore() {
    this.search = location.search;
    const state = new URLSearchParams(this.search);
    const tab = state.get("tab") ?? this.usual;
    this.following = true;
    try {
      if (TABS.some(([name]) => name === tab)) this.show(tab);
      else this.fold(true);
      const id = state.get("open") || this.first;
      if (id && id !== this.text.opened) await this.text.open(id);
      if (state.has("trial")) await this.trial.restore(state.get("trial"));
      const { fields, given } = this.text;
      const wanted = Object.fromEntries(Object.keys(fields).map((name) => [name, state.get(`field-${name}`) ?? (given || {})[name] ?? ""]));
      if (Object.keys(fields).some((name) => fields[name] !== wanted[name])) await this.text.set(wanted);
    } catch (error) {
      say(error.message, true);
    } finally {
      this.following = false;
    }
  }

  take(told) {
    this.told = told;
    this.first = told.pairs.length ? told.pairs[0].id : null;
    told.examples_of = new Map(Object.entries(told.gold_of));
    told.reviewed_ids = new Set(told.reviewable_ids);
  }

  // What the models are ready for; without one the live parts say why they are off.
  live() {
    const { why, notes, models } = this.told;
    const state = this.gone ? "gone" : this.told.state;
    const line = byId("desk-state");
    fill(line, this.gone ? this.gone : state === "loading" ? "Loading the model …" : state === "off" ? [el("b", null, "No live model: "), why, " Reviewing works without it."] : [el("b", null, models.join(" and ")), " live"]);
    line.className = state === "gone" ? "bad" : state === "off" ? "warn" : "";
    document.documentElement.dataset.explorer = state;
    fill(byId("desk-notes"), ...notes.map((note) => el("p", { class: "warn" }, note)));
    byId("desk").dataset.state = state;
    for (const name of ["text", "trial"]) {
      for (const each of byId(`panel-${name}`).querySelectorAll("textarea, button, input, select")) {
        if (state !== "ready") { each.disabled = true; each.dataset.off = ""; }
        else if ("off" in each.dataset) { each.disabled = false; delete each.dataset.off; }
      }
    }
    if (state === "ready") {
      this.text.buttons();
      if (this.text.opened) tried(() => this.text.open(this.text.opened))(); // opened while the model was being loaded
    }
  }

  frame() {
    const tab = ([name, label], i) => el("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`, "aria-selected": String(i === 0), tabindex: i ? -1 : 0, onclick: () => this.show(name),
    }, label);
    const tabs = el("div", { role: "tablist", "aria-label": "Explorer", onkeydown: (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const place = TABS.findIndex(([name]) => name === this.shown);
      this.show(TABS[(place + step + TABS.length) % TABS.length][0]);
      byId(`tab-${this.shown}`).focus();
    } }, TABS.map(tab));
    document.body.append(
      el("aside", { id: "desk", "aria-label": "Explorer" },
        el("header", null, el("div", { class: "row top" }, el("p", { id: "desk-state", role: "status" }, "Asking the server …"), el("a", { href: "/study" }, "User study"), button("Close", () => this.fold(true), { id: "desk-close" })),
          el("div", { id: "desk-notes" }), tabs, el("p", { id: "desk-said", role: "status" })),
        TABS.map(([name], i) => el("section", { id: `panel-${name}`, role: "tabpanel", "aria-labelledby": `tab-${name}`, tabindex: 0, hidden: i > 0 }))),
      button("Explore", () => this.fold(false), { id: "desk-open", class: "main", hidden: true }));
    this.shown = "text";
    this.fold(innerWidth < WIDE);
    document.addEventListener("keydown", (event) => this.key(event));
    const keys = document.querySelector("#keys dl");
    if (keys) {
      for (const [key, meaning] of [["e", "open it in the explorer"], ["v", "valid"], ["n", "not valid"], ["u", "unsure"], ["b", "take the last answer back"], ["g", "its gold label is wrong"]]) {
        keys.append(el("dt", null, el("kbd", null, key)), el("dd", null, meaning));
      }
    }
  }

  fold(closed) {
    byId("desk").hidden = closed;
    byId("desk-open").hidden = !closed;
    document.body.classList.toggle("folded", closed);
    dispatchEvent(new Event("resize"));
    this.remember();
  }

  show(name) {
    this.fold(false);
    this.shown = name;
    for (const [each] of TABS) {
      byId(`panel-${each}`).hidden = each !== name;
      byId(`tab-${each}`).setAttribute("aria-selected", String(each === name));
      byId(`tab-${each}`).tabIndex = each === name ? 0 : -1;
    }
    this.remember();
    if (this[name].shown && this.told && this.told.state !== "loading") this[name].shown().catch((error) => say(error.message, true));
  }

  open(id) {
    this.show("text");
    say("");
    return tried(async () => {
      if (id !== this.text.opened) await this.text.open(id); // a draft of it stays
      const [first] = Object.values(this.text.inputs);
      first.focus({ preventScroll: true });
      byId("desk").scrollTop = 0;
    })();
  }

  dress(article) {
    if (!this.told) this.waiting.push(article);
    else if (!article.querySelector(":scope > .desk-bar")) this.review.dress(article);
  }

  key(event) {
    if (event.key === "Escape" && event.target.closest("#desk")) {
      const card = document.querySelector("#list > li");
      if (card) card.focus();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !this.told) return;
    if (event.target.closest("input:not([type=checkbox]), select, textarea, dialog")) return;
    this.review.key(event);
  }
}

const side = new Side();
document.addEventListener("card", (event) => side.dress(event.target));
document.addEventListener("visibilitychange", () => { if (!document.hidden && side.told && side.told.state !== "loading") side.review.shown(); });
document.addEventListener("DOMContentLoaded", () => side.start());
