// The columns that the page carries: unpacked once, kept as typed arrays, in which NaN stands for a missing number.

const byId = (id) => document.getElementById(id);

const unpacked = async (line) => {
  const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(line)
    : Uint8Array.from(atob(line), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const head = JSON.parse(await new Response(stream).text());
  const c = {};
  for (const [name, column] of Object.entries(head.columns)) {
    c[name] = Float64Array.from(column, (number) => (number === null ? NaN : number));
  }
  return new Failures(head, c);
};

// The failing pairs (rows), in groups of one example and one check.
class Failures {
  constructor(head, c) {
    Object.assign(this, { head, c });
    this.pairs = head.ids.length;
    this.groups = c.group_first.length;
    this.groupOf = new Uint32Array(this.pairs);
    for (let g = 0; g < this.groups; g++) this.groupOf.fill(g, c.group_first[g], this.end(g));
  }

  end(group) { return group + 1 < this.groups ? this.c.group_first[group + 1] : this.pairs; }

  share(name, row) { const n = this.c[name][row]; return Number.isNaN(n) ? null : n; }

  word(name, row) { return this.head.words[this.c[name][row]]; }

  check(row) { return this.c.group_check[this.groupOf[row]] - 1; }

  checkName(row) { const check = this.check(row); return check < 0 ? "" : this.head.checks[check].name; }

  arm(row) { return this.head.arms[this.c.example_arm[this.c.example[row]]]; }

  gold(example) { const at = this.c.example_gold[example]; return at ? this.head.words[at - 1] : null; }

  example(row) { return this.head.examples[this.c.example[row]]; }

  command(row) {
    return this.word("command", row).replaceAll("\x01", this.example(row)).replaceAll("\x02", this.head.ids[row]);
  }

  // The fields of an example: [name, text].
  fields(example) {
    const found = [];
    for (let i = this.c.example_field_start[example]; i < this.c.example_field_start[example + 1]; i++) {
      found.push([this.head.fields[this.c.example_field[i]], this.head.texts[this.c.example_text[i]]]);
    }
    return found;
  }

  // The segments of a pair's field, number k of its example.
  segments(row, k, text) {
    const { c, head } = this;
    const field = c.field_start[row] + k;
    const found = [];
    let place = 0;
    for (let i = c.segment_start[field]; i < c.segment_start[field + 1]; i++) {
      const bits = c.segment_bits[i];
      const kind = bits & 3;
      const size = c.segment_size[i];
      const piece = kind === 2 ? head.pieces[size] : text.slice(place, place + size);
      if (kind !== 2) place += size;
      found.push({
        kind, text: piece, first: bits & 4, edited: bits & 8, bold: bits & 16, folded: bits & 32,
        tint: head.tints[c.segment_tint[i]], title: c.segment_tint[i] ? head.words[c.segment_title[i]] : "",
      });
    }
    return found;
  }

  // The edits that occur, as "boring → borin", in no regard of case; and of each pair the places of its own.
  edits(shown) {
    const places = new Map();
    const found = Array.from({ length: this.pairs }, () => []);
    const add = (row, [, before, after]) => {
      const sides = [before, after].map((side) => shown(side.trim() || side).toLowerCase());
      const name = sides.every(Boolean) ? sides.join(" → ") : sides[1] ? `+ ${sides[1]}` : `− ${sides[0]}`;
      if (!places.has(name)) places.set(name, places.size);
      found[row].push(places.get(name));
    };
    for (let row = 0; row < this.pairs; row++) {
      if (this.c.step[row]) continue;
      this.fields(this.c.example[row]).forEach(([, text], k) => {
        let sides = null;
        for (const { kind, text: piece } of [...this.segments(row, k, text), { kind: 0 }]) {
          if (kind) (sides ||= ["", "", ""])[kind] += piece;
          else {
            if (sides) add(row, sides);
            sides = null;
          }
        }
      });
    }
    return [[...places.keys()], found];
  }

  edited(row, k) { return this.c.field_edited[this.c.field_start[row] + k]; }

  // A field as the perturbation left it.
  after(row, k, text) {
    const { c, head } = this;
    const field = c.field_start[row] + k;
    let place = 0;
    let made = "";
    for (let i = c.segment_start[field]; i < c.segment_start[field + 1]; i++) {
      const kind = c.segment_bits[i] & 3;
      const size = c.segment_size[i];
      if (kind === 2) made += head.pieces[size];
      else {
        if (kind === 0) made += text.slice(place, place + size);
        place += size;
      }
    }
    return made;
  }

  // A pair as one object, for copying.
  plain(row) {
    const example = this.c.example[row];
    const fields = this.fields(example);
    const [before, after] = this.head.changes[this.c.change[row]];
    return {
      id: this.head.ids[row],
      check: this.check(row) < 0 ? null : this.head.checks[this.check(row)].id,
      example: this.example(row),
      arm: this.arm(row) || null,
      gold: this.gold(example),
      harm: this.head.harms[this.c.harm[row]],
      source: Object.fromEntries(fields),
      fields: Object.fromEntries(fields.map(([name, text], k) => [name, this.after(row, k, text)])),
      origins: this.word("origins", row).split("\n").filter(Boolean),
      note: this.word("note", row) || null,
      before: { label: before, probability: this.share("before", row) },
      after: { label: after, probability: this.share("after", row) },
      excess: this.c.excess[row],
      reproduce: this.command(row),
    };
  }

  // A pair as a reader would write it down.
  spoken(row) {
    const told = this.plain(row);
    const lines = [`${told.before.label} ${percent(told.before.probability)} → ${told.after.label} ` +
      `${percent(told.after.probability)} (${this.checkName(row)}${told.gold === null ? "" : `, gold ${told.gold}`})`];
    for (const [name, text] of Object.entries(told.source)) {
      const named = Object.keys(told.source).length > 1 ? `${name} ` : "";
      lines.push(`- ${named}${text}`);
      if (told.fields[name] !== text) lines.push(`+ ${named}${told.fields[name]}`);
    }
    if (told.note) lines.push(told.note);
    return lines.join("\n");
  }
}
