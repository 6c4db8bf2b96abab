// A card: the failing pairs of one example in one check, written as the page's own first cards are.

const h = (tag, attributes, ...children) => {
  const svg = tag === "svg" || tag === "rect";
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== ""));
  return element;
};

// ---- Numbers, to the letter as the rest of the page writes them.

const MISSING = "–";
const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// Half of the last digit is rounded to the even one.
const fixed = (x, digits) => {
  const scaled = Math.abs(x) * 2 ** (digits + 1);
  if (Number.isInteger(scaled) && scaled % 2 === 1) {
    const low = Math.floor(Math.abs(x) * 10 ** digits);
    if (low % 2 === 0) return (Math.sign(x) * low / 10 ** digits).toFixed(digits);
  }
  return x.toFixed(digits);
};
const separated = (text) => {
  const [whole, rest] = text.split(".");
  const made = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? made : `${made}.${rest}`;
};
const count = (n) => separated(String(n));
const percent = (share) => (share === null || !Number.isFinite(share) ? MISSING : `${fixed(100 * share, 1)}\u00a0%`);
const decimal = (x) => {
  if (x === null || !Number.isFinite(x)) return MISSING;
  if (x === 0) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(x)));
  if (exponent >= -4 && exponent < 6) return separated(fixed(x, Math.max(0, 2 - exponent))).replace("-", "−");
  const [mantissa, power] = x.toExponential(1).split("e");
  const digits = [...String(Math.abs(Number(power)))].map((digit) => SUPERSCRIPT[digit]).join("");
  return `${mantissa}×10${Number(power) < 0 ? "⁻" : ""}${digits}`.replace("-", "−");
};
const length = (share) => `${String(Number(fixed(100 * Math.min(Math.max(share, 0), 1), 2)))}%`;
const counted = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`;

// ---- Texts

class Writer {
  constructor(data) {
    this.data = data;
    this.anywhere = new RegExp(data.head.hidden, "gu");
    this.inChange = new RegExp(data.head.hiddenChange, "gu");
  }

  // A text with what nobody can see shown by name.
  visible(text, change) {
    if (change && text && !/[^ \n]/.test(text)) {
      return [h("span", { class: "ctl" }, text.replaceAll("\n", "↵\n").replaceAll(" ", "␣"))];
    }
    const pattern = change ? this.inChange : this.anywhere;
    const shown = change ? text : text.replaceAll("\r\n", "\n");
    const parts = [];
    let place = 0;
    for (const found of shown.matchAll(pattern)) {
      const code = found[0].codePointAt(0).toString(16);
      const [name, title] = this.data.head.names[code] || [`U+${code.toUpperCase().padStart(4, "0")}`, ""];
      parts.push(shown.slice(place, found.index), h("span", { class: "ctl", title }, name));
      place = found.index + found[0].length;
    }
    parts.push(shown.slice(place));
    return parts;
  }

  piece(part) {
    const body = this.visible(part.text, part.edited);
    return part.tint ? h("span", { class: `imp ${part.tint}`, title: part.title }, body) : body;
  }

  marked(segments) {
    const made = [];
    for (let i = 0; i < segments.length;) {
      const start = i++;
      const { kind, folded } = segments[start];
      while (i < segments.length && segments[i].kind === kind && segments[i].folded === folded &&
        !(kind && segments[i].first)) i++;
      const members = segments.slice(start, i);
      const inner = [];
      for (let j = 0; j < members.length;) {
        const first = j;
        while (j < members.length && members[j].bold === members[first].bold) j++;
        const body = members.slice(first, j).map((part) => this.piece(part));
        inner.push(members[first].bold ? h("b", null, body) : body);
      }
      if (folded) {
        const hidden = members.reduce((sum, part) => sum + [...part.text].length, 0);
        made.push(h("details", { class: "far" }, h("summary", null, `… ${count(hidden)} characters …`), inner));
      } else made.push(kind ? h(kind === 1 ? "del" : "ins", null, inner) : inner);
    }
    return made;
  }

  // ---- Cards

  card(group) {
    const { data } = this;
    const first = data.c.group_first[group];
    const rows = [];
    for (let row = first; row < data.end(group); row++) rows.push(row);
    const siblings = rows.slice(1).map((row) => this.pair(group, row, false));
    return [
      this.pair(group, first, true),
      siblings.length ? h("details", { class: "siblings" },
        h("summary", null, `${count(siblings.length)} more of this example`), siblings) : null,
    ];
  }

  pair(group, row, whole) {
    const { data } = this;
    const { c, head } = data;
    const [before, after] = head.changes[c.change[row]];
    const arm = data.arm(row);
    const now = head.now[c.group_now[group]];
    const id = head.ids[row];
    return h("article", { class: "pair", id: `failure-${id}` },
      h("div", { class: "head" },
        h("input", { type: "checkbox", class: "pick js", "data-row": row, "aria-label": `Select pair ${id}` }),
        h("span", { class: "change" }, h("bdi", null, before), " ", h("span", { class: "num" }, percent(data.share("before", row))),
          " ", h("span", { class: "arrow", "aria-hidden": "true" }, "→"), h("span", { class: "vh" }, " becomes "), " ",
          h("bdi", { class: "to" }, after), " ", h("span", { class: "num" }, percent(data.share("after", row)))),
        head.reviews[c.review[row]] === "not looked at" ? null
          : h("span", { class: `tag said ${head.reviews[c.review[row]]}` }, head.reviews[c.review[row]]),
        whole ? [
          h("span", { class: "tag check-tag" }, h("bdi", null, data.checkName(row))),
          arm && arm !== "all" ? h("span", { class: "tag" }, h("span", { class: `key ${arm}` }), arm) : null,
          now ? h("span", { class: "tag now" }, now) : null,
        ] : null,
        h("span", { class: "excess num" }, `missed by ${decimal(c.excess[row])}`)),
      this.body(row, whole),
      this.foot(row, whole));
  }

  body(row, whole) {
    const { data } = this;
    const { c, head } = data;
    const fields = data.fields(c.example[row]);
    const origins = data.word("origins", row).split("\n").filter(Boolean);
    const rows = [];
    for (let i = c.row_start[row]; i < c.row_start[row + 1]; i++) {
      const [was, now] = [c.row_before[i], c.row_after[i]];
      rows.push(h("dt", null, h("bdi", null, head.labels[c.row_label[i]])), h("dd", null,
        h("svg", { height: 13, "aria-hidden": "true", focusable: "false" },
          h("rect", { class: "track", width: "100%", height: 5, rx: 2 }),
          h("rect", { class: "was", width: length(was), height: 5, rx: 2 }),
          h("rect", { class: "track", y: 8, width: "100%", height: 5, rx: 2 }),
          h("rect", { class: "now", y: 8, width: length(now), height: 5, rx: 2 })),
        h("span", { class: "num" }, h("span", { class: "vh" }, "before "), percent(was), h("span", { class: "vh" }, ", after"),
          " ", h("b", null, percent(now)))));
    }
    const others = c.others[row];
    const said = (name, css) => (data.word(name, row) ? h("p", { class: css }, data.word(name, row)) : null);
    return h("div", { class: "body" },
      h("div", { class: "texts" },
        fields.map(([name, text], k) => (whole || data.edited(row, k) ? [
          fields.length > 1 ? h("div", { class: "field" }, name) : null,
          h("div", { class: "text", dir: "auto" }, this.marked(data.segments(row, k, text))),
        ] : null)),
        said("note", "note"),
        origins.length ? h("p", { class: "origin" }, "by ",
          origins.map((origin, i) => [i ? ", " : "", h("bdi", null, origin)])) : null,
        said("shift", "note"), said("reason", "origin"), said("other", "origin other")),
      rows.length ? h("dl", { class: "probs" }, rows, others ? h("dt", { class: "others" },
        `and ${count(others)} other ${others === 1 ? "class" : "classes"}`) : null) : null);
  }

  foot(row, whole) {
    const { data } = this;
    const { c, head } = data;
    const example = c.example[row];
    const gold = data.gold(example);
    const importance = c.example_importance[example];
    const id = head.ids[row];
    const command = data.command(row);
    const one = (name, value) => h("span", null, `${name} `, h("b", null, value));
    return h("div", { class: "foot num" },
      whole ? [
        gold !== null ? h("span", null, "gold ", h("b", null, h("bdi", null, gold)),
          head.harms[c.harm[row]] === "wrong before" ? [" ", h("span", { class: "wrong" }, "wrong before too")] : null) : null,
        head.axes.map((axis, i) => (axis.score && c.example_known[example] ? one(axis.title, decimal(c[`score_${i}`][example])) : null)),
        importance ? one("importance in all", head.words[importance - 1]) : null,
        one("example", data.example(row)),
      ] : null,
      h("span", null, "pair ", h("a", { href: `#failure-${encodeURIComponent(id)}` }, id)),
      h("details", { class: "repro" }, h("summary", null, "Reproduce"), h("div", null,
        h("code", { tabindex: 0 }, command || "No command is recorded."),
        h("span", { class: "copies js" }, ["command", "text", "JSON"].map((as) => (as === "command" && !command ? null
          : h("button", { type: "button", class: "copy", "data-as": as, "data-row": row }, `Copy ${as}`)))))));
  }
}
