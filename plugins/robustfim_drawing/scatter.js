// Numbers of many examples on a canvas: scales, axes, and a drawing that follows the page's size and colours.

const PAD = { left: 52, right: 14, top: 22, bottom: 56 };

const short = (x) => (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5) ? x.toExponential(0)
  : x.toLocaleString("en", { maximumSignificantDigits: 6 })).replace("-", "−");

// A scale from numbers to pixels: logarithmic where none is negative and they spread over more than two decades.
class Scale {
  constructor(numbers, start, end) {
    const finite = Float64Array.from(numbers).filter(Number.isFinite).sort();
    const [low, high] = finite.length ? [finite[0], finite[finite.length - 1]] : [0, 1];
    const least = finite.find((x) => x > 0) ?? Infinity;
    this.log = low >= 0 && Number.isFinite(least) && Math.log10(high) - Math.log10(least) > 2;
    this.least = least;
    [this.a, this.b] = this.log ? [Math.log10(least), Math.log10(high)] : [low, high];
    // The outermost hundredth is drawn at the end where it would take more than a tenth of the axis.
    const last = finite.length - 1;
    const [from, to] = [Math.floor(last / 100), Math.ceil(0.99 * last)].map((i) => this.value(finite[i]));
    const much = (last >= 99 && to > from ? 0.1 : Infinity) * (this.b - this.a);
    this.cut = [from - this.a > much, this.b - to > much];
    [this.a, this.b] = [this.cut[0] ? from : this.a, this.cut[1] ? to : this.b];
    if (this.a === this.b) { this.a -= 0.5; this.b += 0.5; }
    const room = 0.02 * (this.b - this.a);
    this.a -= room;
    this.b += room;
    Object.assign(this, { low, high, room });
    this.between(start, end);
  }

  // Stand between two pixels.
  between(start, end) { Object.assign(this, { start, end }); return this; }

  // A zero on a logarithmic axis stands at its end.
  value(x) { return this.log ? Math.log10(Math.max(x, this.least)) : x; }

  // What lies further out stands at the end, until the scale was moved.
  pixel(x) {
    const inner = this.moved ? this.value(x) : Math.min(Math.max(this.value(x), this.a), this.b);
    return this.start + ((inner - this.a) / (this.b - this.a)) * (this.end - this.start);
  }

  inner(pixel) { return this.a + ((pixel - this.start) / (this.end - this.start)) * (this.b - this.a); }

  number(pixel) {
    const inner = this.inner(pixel);
    if (this.cut[0] && inner < this.a + this.room) return this.low - Math.abs(this.low) / 1000;
    if (this.cut[1] && inner > this.b - this.room) return this.high + Math.abs(this.high) / 1000;
    if (!this.log) return inner;
    return inner <= Math.log10(this.least) ? this.low : 10 ** inner;
  }

  // Hold a part of the numbers: pulled apart about a pixel, or shifted by some.
  zoom(factor, pixel) {
    const middle = this.inner(pixel ?? (this.start + this.end) / 2);
    [this.a, this.b] = [middle - (middle - this.a) / factor, middle + (this.b - middle) / factor];
    Object.assign(this, { moved: true, cut: [false, false] });
  }

  shift(pixels) {
    const by = (pixels / (this.end - this.start)) * (this.b - this.a);
    Object.assign(this, { a: this.a - by, b: this.b - by, moved: true, cut: [false, false] });
  }

  ticks() {
    if (this.log && this.b - this.a > 1) {
      const [first, last] = [Math.ceil(this.a), Math.floor(this.b)];
      const every = Math.max(1, Math.ceil((last - first) / 6));
      const found = [];
      for (let k = first; k <= last; k += every) found.push(10 ** k);
      return found;
    }
    const [a, b] = this.log ? [10 ** this.a, 10 ** this.b] : [this.a, this.b];
    const rough = (b - a) / 5;
    const base = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * base).find((s) => rough <= s * 1.0000001);
    const found = [];
    for (let i = Math.ceil(a / step); i <= Math.floor(b / step); i++) found.push(Number((i * step).toPrecision(12)));
    return found;
  }

  // What is drawn at the ends that were cut, in words.
  ends() {
    const number = (x) => short(Number((this.log ? 10 ** x : x).toPrecision(3)));
    return [this.cut[0] ? `at the end: below ${number(this.a + this.room)}` : "",
      this.cut[1] ? `at the end: above ${number(this.b - this.room)}` : ""];
  }
}

class Chart {
  // `paint(pen, ink)` draws it; `ink` gives a colour of the page by its name.
  constructor(canvas, paint) {
    Object.assign(this, { canvas, paint });
    new ResizeObserver(() => this.draw()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  draw() {
    const { canvas } = this;
    [this.width, this.height] = [canvas.clientWidth, canvas.clientHeight];
    if (!this.width || !this.height) return;
    const ratio = devicePixelRatio || 1;
    const sides = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    if (canvas.width !== sides[0] || canvas.height !== sides[1]) [canvas.width, canvas.height] = sides;
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.font = `12px ${style.fontFamily}`;
    this.paint(pen, (name) => style.getPropertyValue(`--${name}`).trim());
  }

  // Where the axes stand, from left to right and from the bottom up.
  get sides() { return [[PAD.left, this.width - PAD.right], [this.height - PAD.bottom, PAD.top]]; }

  // What is drawn in it stays within the axes.
  clip(pen) {
    pen.beginPath();
    pen.rect(PAD.left - 5, PAD.top - 8, this.width - PAD.left - PAD.right + 10, this.height - PAD.top - PAD.bottom + 13);
    pen.clip();
  }

  // `whole`: only whole numbers stand beside the vertical axis.
  axes(pen, ink, across, up, titles, whole) {
    const { width, height } = this;
    const foot = height - PAD.bottom;
    const line = (x, y, toX, toY) => { pen.beginPath(); pen.moveTo(x, y); pen.lineTo(toX, toY); pen.stroke(); };
    const rows = up.ticks().filter((tick) => !whole || Number.isInteger(tick));
    pen.lineWidth = 1;
    pen.strokeStyle = ink("line");
    for (const tick of rows) line(PAD.left, up.pixel(tick), width - PAD.right, up.pixel(tick));
    pen.strokeStyle = ink("strong");
    line(PAD.left, foot + 0.5, width - PAD.right, foot + 0.5);
    pen.fillStyle = ink("muted");
    const write = (text, x, y, side) => { pen.textAlign = side; pen.fillText(text, x, y); };
    for (const tick of rows) write(short(tick), PAD.left - 6, up.pixel(tick) + 4, "right");
    for (const tick of across.ticks()) {
      line(across.pixel(tick), foot, across.pixel(tick), foot + 4);
      write(short(tick), across.pixel(tick), foot + 16, "center");
    }
    write(titles[0], (PAD.left + width - PAD.right) / 2, height - 24, "center");
    write(titles[1], 6, 11, "left");
    const [below, above] = across.ends();
    write(below, PAD.left, height - 8, "left");
    write(above, width - PAD.right, height - 8, "right");
    const [low, high] = up.ends();
    write(low, PAD.left + 6, foot - 6, "left");
    write(high, width - PAD.right, 11, "right");
  }

  at(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
}
