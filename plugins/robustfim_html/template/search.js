// Search: through the texts before and after, and what is said of each pair.

const even = (text) => {
  const low = text.toLowerCase();
  return /[^\S ]| {2}/.test(low) ? low.replace(/\s+/g, " ") : low;
};

// Many texts as one, so that one search goes through all of them.
class Haystack {
  constructor(texts) {
    this.starts = new Uint32Array(texts.length + 1);
    texts.forEach((text, i) => { this.starts[i + 1] = this.starts[i] + text.length + 1; });
    this.text = texts.join("\x01");
  }

  // Mark the texts that hold a query.
  mark(query, found) {
    let place = this.text.indexOf(query);
    let i = 0;
    while (place >= 0) {
      let [low, high] = [i, found.length];
      while (low + 1 < high) {
        const middle = (low + high) >> 1;
        if (this.starts[middle] <= place) low = middle;
        else high = middle;
      }
      i = low;
      found[i] = 1;
      if (i + 1 >= found.length) break;
      place = this.text.indexOf(query, this.starts[i + 1]);
    }
  }
}

class Search {
  constructor(data) {
    this.data = data;
    this.last = ["", null];
  }

  build() {
    if (this.pairs) return;
    const { data } = this;
    const { c, head } = data;
    this.examples = new Haystack(head.examples.map((id, example) =>
      even([id, data.gold(example) || "", ...data.fields(example).map(([, text]) => text)].join(" "))));
    const texts = [];
    for (let row = 0; row < data.pairs; row++) {
      const example = c.example[row];
      const fields = data.fields(example);
      const after = c.step[row] ? [] : fields.map(([, text], k) => data.after(row, k, text));
      texts.push(even(`${head.ids[row]} ${after.join(" ")}`));
    }
    this.pairs = new Haystack(texts);
    this.words = new Haystack(head.words.map(even));
    this.names = new Haystack(head.checks.map((check) => even(check.name)));
    this.changes = new Haystack(head.changes.map(([before, after]) => even(`${before} → ${after}`)));
  }

  // Which pairs hold a query; null for all.
  find(query) {
    const wanted = even(query).trim();
    if (!wanted) return null;
    if (this.last[0] === wanted) return this.last[1];
    this.build();
    const { data } = this;
    const { c, head } = data;
    const marked = (stack, length) => {
      const found = new Uint8Array(length);
      stack.mark(wanted, found);
      return found;
    };
    const found = marked(this.pairs, data.pairs);
    const examples = marked(this.examples, head.examples.length);
    const words = marked(this.words, head.words.length);
    const names = marked(this.names, head.checks.length);
    const changes = marked(this.changes, head.changes.length);
    for (let row = 0; row < data.pairs; row++) {
      if (!found[row]) {
        const check = data.check(row);
        found[row] = examples[c.example[row]] || words[c.origins[row]] || words[c.note[row]] || words[c.reason[row]] ||
          words[c.shift[row]] || words[c.other[row]] || changes[c.change[row]] || (check >= 0 && names[check]);
      }
    }
    this.last = [wanted, found];
    return found;
  }
}
