// A scatter of two numbers of each tested example, or a histogram of one, with a brush that filters the list.

const BINS = 40;

class Plot {
  constructor(data, canvas, changed) {
    Object.assign(this, { data, canvas, changed, x: 0, y: -1, brush: {}, marks: new Uint8Array(data.head.examples.length) });
    this.failing = new Uint8Array(data.head.examples.length);
    for (const example of data.c.example) this.failing[example] = 1;
    this.chart = new Chart(canvas, (pen, ink) => this.paint(pen, ink));
    this.listen();
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
    this.marks = marks;
    this.chart.draw();
  }

  paint(pen, ink) {
    const [across, up] = this.chart.sides;
    const { axes } = this.data.head;
    this.across = new Scale(this.column(this.x), ...across);
    const tall = this.y < 0 ? this.counted() : null;
    this.up = new Scale(tall ? [0, 1.08 * Math.max(1, ...tall.map((each) => each[0] + each[1] + each[2]))] : this.column(this.y), ...up);
    if (tall) Object.assign(this.up, { a: 0, log: false });
    this.chart.axes(pen, ink, this.across, this.up, [axes[this.x].title, tall ? "examples" : axes[this.y].title], tall);
    const colours = [ink("rest"), ink("failed-faint"), ink("failed")];
    if (tall) this.bars(pen, ink, colours, tall);
    else this.dots(pen, colours);
    this.frame(pen, ink, across, up);
  }

  dots(pen, colours) {
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

  // The examples of each bin, by their marks.
  counted() {
    const { across } = this;
    const tall = Array.from({ length: BINS }, () => [0, 0, 0]);
    const column = this.column(this.x);
    for (let i = 0; i < column.length; i++) {
      if (!Number.isFinite(column[i])) continue;
      const share = (across.value(column[i]) - across.a) / (across.b - across.a);
      tall[Math.min(BINS - 1, Math.max(0, Math.floor(share * BINS)))][this.marks[i]]++;
    }
    return tall;
  }

  bars(pen, ink, colours, tall) {
    const { across, up } = this;
    const wide = (across.end - across.start) / BINS;
    tall.forEach((counts, b) => {
      let below = 0;
      for (const kind of [2, 1, 0]) {
        const top = up.pixel(below + counts[kind]);
        pen.fillStyle = colours[kind];
        pen.fillRect(across.start + b * wide + 0.5, top, wide - 1, up.pixel(below) - top);
        below += counts[kind];
      }
      pen.fillStyle = ink("ink");
      pen.textAlign = "center";
      if (below && pen.measureText(count(below)).width < wide) pen.fillText(count(below), across.start + (b + 0.5) * wide, up.pixel(below) - 3);
    });
  }

  frame(pen, ink, across, up) {
    const { x, y } = this.brush;
    if (!x && !y) return;
    const [left, right] = x ? [this.across.pixel(x[0]) - 3, this.across.pixel(x[1]) + 3] : across;
    const [bottom, top] = y && this.y >= 0 ? [this.up.pixel(y[0]) + 3, this.up.pixel(y[1]) - 3] : up;
    pen.strokeStyle = ink("accent");
    pen.lineWidth = 1.5;
    pen.strokeRect(left, top, right - left, bottom - top);
  }

  listen() {
    const { canvas, chart } = this;
    let start = null;
    canvas.addEventListener("pointerdown", (event) => {
      start = chart.at(event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!start) return;
      const end = chart.at(event);
      if (Math.abs(end[0] - start[0]) > 3) this.take(start, end);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (!start) return;
      const end = chart.at(event);
      // A click takes the brush away.
      if (Math.abs(end[0] - start[0]) <= 3 && Math.abs(end[1] - start[1]) <= 3) {
        this.brush = {};
        this.changed();
      } else this.take(start, end);
      start = null;
    });
  }

  take(start, end) {
    const ends = (scale, i) => [scale.number(start[i]), scale.number(end[i])].sort((a, b) => a - b).map((x) => Number(x.toPrecision(4)));
    this.brush = { x: ends(this.across, 0) };
    if (this.y >= 0) this.brush.y = ends(this.up, 1);
    this.changed();
  }
}
