// Asking the server, and writing what it says: texts go in as text, never as markup.

const byId = (id) => document.getElementById(id);

const el = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...kept(children));
  return element;
};

const kept = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== "");

// Put other children in the place of those that an element has.
const fill = (element, ...children) => element.replaceChildren(...kept(children));

const button = (label, action, attributes) => el("button", { type: "button", onclick: action, ...attributes }, label);

const ask = async (path, body, method) => {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, {
      method: method || (body === undefined ? "GET" : "POST"),
      headers: { "X-Robustfim-Explore": "1" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error("The server does not answer: it has ended, or is not reached. What was reviewed is kept.");
  }
  if (answer.status === 403) throw new Error("This page belongs to a server that has ended: open the link that the terminal printed last.");
  if (answer.status === 413) throw new Error("The text is too long: at most 2 MB are taken.");
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error || `The server answered ${answer.status}.`);
  return told;
};

const percent = (share) => (share === null || share === undefined ? "–" : `${(100 * share).toFixed(1)}\u00a0%`);

const decimal = (x) => {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(1) : x.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size))));
  return text.replace("-", "−");
};

const counted = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

// What differs between two texts, by words; far from any change the text is cut short.
const FAR = 60;
const changed = (before, after) => {
  const cut = (text) => text.match(/\w+|\s+|[^\w\s]/gu) || [];
  const [a, b] = [cut(before), cut(after)];
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [x, y] = [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
  const parts = [["", a.slice(0, head).join("")]];
  const add = (kind, text) => {
    const last = parts[parts.length - 1];
    if (last[0] === kind) last[1] += text;
    else parts.push([kind, text]);
  };
  if (x.length * y.length > 250000) {
    add("del", x.join(""));
    add("ins", y.join(""));
  } else {
    const long = Array.from({ length: x.length + 1 }, () => new Uint16Array(y.length + 1));
    for (let i = x.length - 1; i >= 0; i--) {
      for (let j = y.length - 1; j >= 0; j--) long[i][j] = x[i] === y[j] ? long[i + 1][j + 1] + 1 : Math.max(long[i + 1][j], long[i][j + 1]);
    }
    let [i, j] = [0, 0];
    while (i < x.length || j < y.length) {
      if (i < x.length && j < y.length && x[i] === y[j]) { add("", x[i++]); j++; }
      else if (i < x.length && (j === y.length || long[i + 1][j] >= long[i][j + 1])) add("del", x[i++]);
      else add("ins", y[j++]);
    }
  }
  add("", a.slice(a.length - tail).join(""));
  return parts.map(([kind, text], k) => {
    if (kind) return el(kind, null, text);
    if (text.length <= 2 * FAR) return text;
    const [start, end] = [k === 0 ? "" : text.slice(0, FAR), k === parts.length - 1 ? "" : text.slice(-FAR)];
    return `${start} … ${end}`;
  });
};

const changedFields = (before, after) => Object.keys(after).filter((name) => before[name] !== after[name] || Object.keys(after).length === 1)
  .map((name) => el("div", { class: "text", dir: "auto" }, changed(before[name] || "", after[name])));

// One line that says what went wrong, heard by those who do not see it.
const say = (text, bad) => {
  const line = byId("desk-said");
  line.textContent = text;
  line.classList.toggle("bad", Boolean(bad));
};

const tried = (action) => async (...given) => {
  try {
    await action(...given);
  } catch (error) {
    say(error.message, true);
  }
};

const saveAs = (name, text) => {
  const link = el("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text], { type: "application/jsonl" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
