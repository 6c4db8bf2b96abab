// A list of any length, of which only what is near the window is laid out.

const OVERSCAN = 700;
const START = 190; // about the height of a card, until some were measured
const GAP = 12;

class VirtualList {
  constructor(element, make, height) {
    Object.assign(this, { element, make, items: [], heights: new Float32Array(0), shown: new Map(), guess: height });
    this.current = -1;
    let waiting = false;
    const soon = () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => { waiting = false; this.draw(); });
    };
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", () => { this.heights.fill(0); soon(); });
  }

  // Show other items: numbers that `make` turns into elements, in their order.
  show(items, total) {
    if (this.heights.length < total) this.heights = new Float32Array(total);
    for (const element of this.shown.values()) element.remove();
    this.shown.clear();
    this.items = items;
    this.current = -1;
    this.draw();
  }

  height(item) { return this.heights[item] || this.guess; }

  // Where an item begins, in pixels from the top of the list.
  offset(place) {
    let sum = 0;
    for (let i = 0; i < place; i++) sum += this.height(this.items[i]);
    return sum;
  }

  draw() {
    if (this.all) return;
    const { items } = this;
    const top = -this.element.getBoundingClientRect().top - OVERSCAN;
    const bottom = top + innerHeight + 2 * OVERSCAN;
    let [first, above] = [0, 0];
    while (first < items.length - 1 && above + this.height(items[first]) < top) above += this.height(items[first++]);
    let [last, reach] = [first, above];
    while (last < items.length && (reach < bottom || last === first)) reach += this.height(items[last++]);
    this.place(first, last, above);
  }

  // Lay out the items from one place up to another.
  place(first, last, above) {
    const { items, element } = this;
    const wanted = new Set();
    for (let i = first; i < last; i++) wanted.add(items[i]);
    for (const [item, card] of this.shown) {
      if (!wanted.has(item)) { card.remove(); this.shown.delete(item); }
    }
    let before = null;
    const fresh = [];
    for (let i = first; i < last; i++) {
      let card = this.shown.get(items[i]);
      if (!card) {
        card = this.make(items[i]);
        card.setAttribute("aria-setsize", items.length);
        card.setAttribute("aria-posinset", i + 1);
        this.shown.set(items[i], card);
        fresh.push([items[i], card]);
      }
      if ((before ? before.nextElementSibling : element.firstElementChild) !== card) {
        if (before) before.after(card);
        else element.prepend(card);
      }
      before = card;
    }
    let below = 0;
    for (let i = last; i < items.length; i++) below += this.height(items[i]);
    element.style.paddingTop = `${above}px`;
    element.style.paddingBottom = `${below}px`;
    for (const [, card] of fresh) {
      for (const pair of card.querySelectorAll("article.pair")) pair.dispatchEvent(new Event("card", { bubbles: true }));
    }
    // Reading heights only now lets the browser lay out once.
    let sum = 0;
    for (const [item, card] of fresh) sum += this.heights[item] = card.getBoundingClientRect().height + GAP;
    if (fresh.length && this.guess === START) this.guess = sum / fresh.length;
  }

  // A card may have grown or shrunk since it was laid out.
  measure() {
    for (const [item, card] of this.shown) this.heights[item] = card.getBoundingClientRect().height + GAP;
  }

  // Bring an item into view; returns its element.
  reveal(place) {
    const item = this.items[place];
    for (let pass = 0; pass < 3; pass++) {
      const top = this.element.getBoundingClientRect().top + scrollY;
      scrollTo({ top: top + this.offset(place) - innerHeight / 3, behavior: "instant" });
      this.draw();
      const card = this.shown.get(item);
      if (card) {
        card.scrollIntoView({ block: "start", behavior: "instant" });
        const at = card.getBoundingClientRect().top;
        if (at >= 0 && at < innerHeight) break;
      }
    }
    this.draw();
    return this.shown.get(item);
  }

  // Lay out some of the items all at once, for paper.
  unroll(items) {
    this.all = this.items;
    this.items = items;
    this.place(0, items.length, 0);
  }

  roll() {
    this.items = this.all || this.items;
    this.all = null;
    this.draw();
  }
}
