// The user study: a text, ten attempts or five choices, and the ratings of others.

const ARMS = [["human", "Write yourself"], ["hsea", "Choose among five"], ["sea", "Let the score choose"], ["rater", "Rate others"]];
const who = () => byId("who").value;
const shown = (text) => el("div", { class: "text", dir: "auto" }, text);
const task = (...children) => fill(byId("task"), ...children);

const next = tried(async (arm) => {
  say("");
  const found = await ask("study/next", { arm, who: who() });
  if (found.done) return task(el("p", { class: "done" }, "Nothing is left: thank you."));
  if (arm === "rater") return rate(found);
  const head = [el("p", null, "The model says ", el("b", null, found.label), " of"), shown(found.text)];
  if (arm === "sea") return task(head, shown(found.found[0] || "No adversary was found."), again(arm));
  if (arm === "hsea") return task(head, choose(arm, found.found));
  write(arm, head, found);
});

const again = (arm) => el("p", { class: "row" }, button("Next text", () => next(arm), { class: "next" }));

// Each attempt is answered at once.
const write = (arm, head, first) => {
  const field = el("textarea", { rows: 3, "aria-label": "Your rewording" });
  field.value = first.text;
  const answer = el("p", { class: "answer", role: "status" }, `${first.left} attempts are left.`);
  const choices = el("div");
  const attempt = button("Ask the model", tried(async () => {
    const found = await ask("study/attempt", { who: who(), text: field.value });
    answer.textContent = `${found.label}${found.changed ? ": the label changes" : ""}. ${counted(found.left, "attempt is", "attempts are")} left.`;
    fill(choices, choose(arm, found.found));
    attempt.disabled = !found.left;
  }), { class: "attempt" });
  fill(choices, choose(arm, []));
  task(head, field, el("p", { class: "row" }, attempt), answer, choices);
  field.focus();
};

const choose = (arm, found) => {
  const end = (place) => tried(async () => {
    await ask("study/end", { who: who(), place });
    await next(arm);
  });
  return [
    found.length ? el("p", null, "Which is the closest in meaning?") : null,
    el("ol", null, found.map((text, i) => el("li", null, button(text, end(i + 1), { class: "choice" })))),
    el("p", { class: "row" }, button(found.length ? "None means the same" : "No adversary", end(0), { class: "none" })),
  ];
};

const rate = (pair) => {
  const give = (similarity) => tried(async () => {
    await ask("study/rate", { who: who(), ...pair, similarity });
    await next("rater");
  });
  task(shown(pair.before), shown(pair.after), el("p", null, "Do both mean the same? 1: no, 5: yes."),
    el("p", { class: "row" }, [1, 2, 3, 4, 5].map((n) => button(String(n), give(n), { class: "rating" }))));
};

fill(byId("arms"), ARMS.map(([arm, label]) => button(label, () => next(arm), { id: arm })));
