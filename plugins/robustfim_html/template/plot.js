// A scatter of two numbers of each tested example, or a histogram of one, with a brush that filters the list.

const PAD = { left: 52, right: 14, top: 12, bottom: 34 };

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
    Object.assign(this, { start, end, low, high, room });
  }

  // A zero on a logarithmic axis stands at its end.
  value(x) { return this.log ? Math.log10(Math.max(x, this.least)) : x; }

  pixel(x) { return this.start + ((Math.min(Math.max(this.value(x), this.a), this.b) - this.a) / (this.b - this.a)) * (this.end - this.start); }

  number(pixel) {
    const inner = this.a + ((pixel - this.start) / (this.end - this.start)) * (this.b - this.a);
    if (this.cut[0] && inner < this.a + this.room) return this.low - Math.abs(this.low) / 1000;
    if (this.cut[1] && inner > this.b - this.room) return this.high + Math.abs(this.high) / 1000;
    if (!this.log) return inner;
    return inner <= Math.log10(this.least) ? this.low : 10 ** inner;
  }

  ticks() {
    if (this.log) {
      const [first, last] = [Math.ceil(this.a), Math.floor(this.b)];
      const every = Math.max(1, Math.ceil((last - first) / 6));
      const found = [];
      for (let k = first; k <= last; k += every) found.push(10 ** k);
      return found;
    }
    const rough = (this.b - this.a) / 5;
    const base = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * base).find((s) => rough <= s * 1.0000001);
    const found = [];
    for (let i = Math.ceil(this.a / step); i <= Math.floor(this.b / step); i++) found.push(Number((i * step).toPrecision(12)));
    return found;
  }
}

class Plot {
  constructor(data, canvas, changed) {
    Object.assign(this, { data, canvas, changed, x: 0, y: -1, brush: {}, marks: new Uint8Array(data.head.examples.length) });
    this.failing = new Uint8Array(data.head.examples.length);
    for (const example of data.c.example) this.failing[example] = 1;
    this.listen();
    addEventListener("resize", () => this.draw());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  column(axis) { return this.data.c[`score_${axis}`]; }

  // Which examples the brush holds; null for all.
  inside() {
    const { x, y } = this.brush;
    if (!x && !y) return null;
    const found = new Uint8Array(this.failing.length).fill(1);
    for (const [axis, ends] of [[this.x, x], [this.y, y]]) {
      if (!ends || axis < 0) continue;
      const column = this.column(axis);
      for (let i = 0; i < found.length; i++) if (!(column[i] >= ends[0] && column[i] <= ends[1])) found[i] = 0;
    }
    return found;
  }

  // `marks`: 2 for the examples of the pairs listed, 1 for other failing ones.
  draw(marks) {
    if (marks) this.marks = marks;
    const { canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width || !height) return;
    const ratio = devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext("2d");
    const style = getComputedStyle(canvas);
    const ink = (name) => style.getPropertyValue(`--${name}`).trim();
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.across = new Scale(this.column(this.x), PAD.left, width - PAD.right);
    const colours = [ink("rest"), ink("failed-faint"), ink("failed")];
    pen.font = `12px ${style.fontFamily}`;
    if (this.y < 0) this.bars(pen, height, colours, ink);
    else this.dots(pen, height, colours);
    this.axes(pen, width, height, ink);
    this.frame(pen, height, width, ink);
  }

  dots(pen, height, colours) {
    this.up = new Scale(this.column(this.y), height - PAD.bottom, PAD.top);
    const [xs, ys] = [this.column(this.x), this.column(this.y)];
    for (const kind of [0, 1, 2]) {
      pen.fillStyle = colours[kind];
      const size = kind === 2 ? 4 : 3;
      for (let i = 0; i < xs.length; i++) {
        if (this.marks[i] === kind && Number.isFinite(xs[i]) && Number.isFinite(ys[i])) {
          pen.fillRect(this.across.pixel(xs[i]) - size / 2, this.up.pixel(ys[i]) - size / 2, size, size);
        }
      }
    }
  }

  bars(pen, height, colours) {
    const bins = 40;
    const { across } = this;
    const tall = [0, 1, 2].map(() => new Uint32Array(bins));
    const column = this.column(this.x);
    for (let i = 0; i < column.length; i++) {
      if (!Number.isFinite(column[i])) continue;
      const share = (across.value(column[i]) - across.a) / (across.b - across.a);
      tall[this.marks[i]][Math.min(bins - 1, Math.max(0, Math.floor(share * bins)))]++;
    }
    let most = 1;
    for (let b = 0; b < bins; b++) most = Math.max(most, tall[0][b] + tall[1][b] + tall[2][b]);
    this.up = new Scale([0, most], height - PAD.bottom, PAD.top);
    this.up.a = 0;
    this.up.log = false;
    const wide = (across.end - across.start) / bins;
    for (let b = 0; b < bins; b++) {
      let below = 0;
      for (const kind of [2, 1, 0]) {
        if (!tall[kind][b]) continue;
        const [foot, top] = [this.up.pixel(below), this.up.pixel(below + tall[kind][b])];
        pen.fillStyle = colours[kind];
        pen.fillRect(across.start + b * wide + 0.5, top, wide - 1, foot - top);
        below += tall[kind][b];
      }
    }
  }

  axes(pen, width, height, ink) {
    pen.fillStyle = ink("muted");
    pen.strokeStyle = ink("strong");
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(PAD.left, PAD.top);
    pen.lineTo(PAD.left, height - PAD.bottom + 0.5);
    pen.lineTo(width - PAD.right, height - PAD.bottom + 0.5);
    pen.stroke();
    pen.textAlign = "center";
    for (const tick of this.across.ticks()) pen.fillText(short(tick), this.across.pixel(tick), height - PAD.bottom + 16);
    this.ends(pen, this.across, (text, end) => {
      pen.textAlign = end ? "right" : "left";
      pen.fillText(text, end ? width - PAD.right : PAD.left, height - PAD.bottom + 30);
    });
    pen.textAlign = "left";
    if (this.y >= 0) this.ends(pen, this.up, (text, end) => pen.fillText(text, PAD.left + 6, end ? PAD.top + 2 : height - PAD.bottom - 6));
    pen.textAlign = "right";
    for (const tick of this.up.ticks()) {
      if (this.y >= 0 || Number.isInteger(tick)) pen.fillText(short(tick), PAD.left - 6, this.up.pixel(tick) + 4);
    }
  }

  // Say what is drawn at an end that was cut.
  ends(pen, scale, write) {
    const number = (x) => short(Number((scale.log ? 10 ** x : x).toPrecision(3)));
    if (scale.cut[0]) write(`at the end: below ${number(scale.a + scale.room)}`, 0);
    if (scale.cut[1]) write(`at the end: above ${number(scale.b - scale.room)}`, 1);
  }

  frame(pen, height, width, ink) {
    const { x, y } = this.brush;
    if (!x && !y) return;
    const [left, right] = x ? [this.across.pixel(x[0]) - 3, this.across.pixel(x[1]) + 3] : [PAD.left, width - PAD.right];
    const [bottom, top] = y && this.y >= 0 ? [this.up.pixel(y[0]) + 3, this.up.pixel(y[1]) - 3] : [height - PAD.bottom, PAD.top];
    pen.strokeStyle = ink("accent");
    pen.lineWidth = 1.5;
    pen.strokeRect(left, top, right - left, bottom - top);
  }

  listen() {
    let start = null;
    const at = (event) => {
      const box = this.canvas.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      start = at(event);
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!start) return;
      const end = at(event);
      if (Math.abs(end[0] - start[0]) > 3) this.take(start, end);
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!start) return;
      const end = at(event);
      // A click takes the brush away.
      if (Math.abs(end[0] - start[0]) <= 3 && Math.abs(end[1] - start[1]) <= 3) {
        this.brush = {};
        this.changed();
      } else this.take(start, end);
      start = null;
    });
  }

  take(start, end) {
    const ends = (scale, i) => [scale.number(start[i]), scale.number(end[i])].sort((a, b) => a - b).map(rounded);
    this.brush = { x: ends(this.across, 0) };
    if (this.y >= 0) this.brush.y = ends(this.up, 1);
    this.changed();
  }
}

const rounded = (x) => Number(x.toPrecision(4));
const short = (x) => (x !== 0 && (Math.abs(x) < 1e-3 || Math.abs(x) >= 1e5) ? x.toExponential(0) : count(Number(x.toPrecision(6)))).replace("-", "−");
