// The run's examples as points, shaded by the rank of their λmax; those that fail have a ring.

class MapTab {
  constructor(desk) { this.desk = desk; }

  build() {
    this.x = el("select", { id: "map-x", onchange: () => this.axes() });
    this.y = el("select", { id: "map-y", onchange: () => this.axes() });
    this.canvas = el("canvas", { tabindex: 0, role: "application", "aria-label": "Map of the examples: arrows move from point to point, Enter opens one, plus and minus zoom" });
    this.legend = el("p", { class: "legend-line" });
    this.tip = el("p", { class: "tip", role: "status" });
    this.body = el("div", null, el("p", { class: "muted" }, "Laying out the examples …"));
    const { canvas } = this;
    this.chart = new Chart(canvas, (pen, ink) => this.paint(pen, ink));
    canvas.addEventListener("pointerdown", (event) => { this.drag = [event.offsetX, event.offsetY, false]; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    canvas.addEventListener("pointerup", () => { if (this.drag && !this.drag[2] && this.at >= 0) this.desk.open(this.data.ids[this.at]); this.drag = null; });
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(event.deltaY < 0 ? 1.25 : 0.8, event.offsetX, event.offsetY); }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    return [this.body];
  }

  // Laid out when it is first looked at.
  async shown() {
    if (this.data || this.loading) { this.draw(); return; }
    this.loading = true;
    try {
      this.data = await ask("map");
    } finally { this.loading = false; }
    const { data } = this;
    this.columns = new Map();
    if (data.components) {
      this.columns.set(`1st component, ${percent(data.shares[0])} of the variance`, data.components.map((point) => point[0]));
      this.columns.set(`2nd component, ${percent(data.shares[1] ?? 0)}`, data.components.map((point) => point[1]));
    }
    for (const [name, column] of Object.entries(data.scores)) this.columns.set(name === data.lambda ? "λmax" : name, column);
    const names = [...this.columns.keys()];
    if (names.length < 2) {
      fill(this.body, el("p", { class: "muted" }, `There are no two numbers to lay the examples out by: ${data.why || "the run has no scores."}`));
      return;
    }
    for (const select of [this.x, this.y]) fill(select, ...names.map((name) => el("option", { value: name }, name)));
    this.y.value = names[1];
    fill(this.body,
      data.why ? el("p", { class: "muted" }, `No components: ${data.why}`) : "",
      el("div", { class: "row" }, el("label", null, "Across ", this.x), el("label", null, "Up ", this.y), el("span", { class: "zoom" }, button("+", () => this.zoom(1.4), { "aria-label": "Zoom in" }), button("−", () => this.zoom(1 / 1.4), { "aria-label": "Zoom out" }), button("All", () => this.axes()))),
      this.canvas, this.legend, this.tip,
      el("p", { class: "muted" }, "Click a point to open it. Its eigenvector is stepped along in the tab Text.",
        data.left_out ? ` ${data.left_out.toLocaleString("en")} examples that no check tested are left out.` : ""));
    this.axes();
    if (this.desk.text.now) this.here(this.desk.text.now.found.place);
  }

  axes() {
    const shade = this.columns.get("λmax");
    // By rank, so that a few that are far out take no shades from the others.
    const order = shade ? shade.map((value, i) => i).filter((i) => shade[i] !== null).sort((i, j) => shade[i] - shade[j]) : [];
    const ranks = new Map(order.map((i, rank) => [i, rank / Math.max(1, order.length - 1)]));
    this.shadeOf = (i) => ranks.get(i) ?? null;
    const [x, y] = [this.columns.get(this.x.value), this.columns.get(this.y.value)];
    this.points = x.map((value, i) => (value === null || y[i] === null ? null : [value, y[i]]));
    this.scales = [0, 1].map((k) => new Scale(this.points.filter(Boolean).map((point) => point[k]), 0, 1));
    this.at = -1;
    const [low, middle, high] = [0, Math.floor((order.length - 1) / 2), order.length - 1].map((rank) => decimal(shade ? shade[order[rank]] : null));
    fill(this.legend, order.length ? ["λmax by rank: lowest ", el("span", { class: "num" }, low), el("i", { class: "ramp" }), el("span", { class: "num" }, high), " highest, median ", el("span", { class: "num" }, middle), "  "] : "",
      el("i", { class: "dot ring" }), "fails a check  ", el("i", { class: "dot" }), "does not  ", el("i", { class: "cross" }), "the text of the tab Text");
    this.draw();
  }

  here(place) {
    this.place = place;
    if (!place && this.data && this.data.components && this.desk.text.now && !this.refreshed) {
      this.refreshed = true; // looked at before the map was laid out
      ask("look", { fields: this.desk.text.now.fields }).then((found) => { this.place = found.place; this.draw(); }, () => {});
    }
    this.draw();
  }

  pixel([x, y]) { return [this.scales[0].pixel(x), this.scales[1].pixel(y)]; }

  draw() { if (this.points) this.chart.draw(); }

  paint(pen, ink) {
    if (!this.points) return;
    this.chart.sides.forEach((ends, k) => this.scales[k].between(...ends));
    this.chart.axes(pen, ink, ...this.scales, [this.x.value, this.y.value]);
    const [low, high] = ["map-low", "map-high"].map((name) => ink(name).split(" ").map(Number));
    pen.save();
    this.chart.clip(pen);
    const order = this.points.map((_, i) => i).sort((a, b) => this.data.failing[a] - this.data.failing[b]);
    for (const i of order) {
      if (!this.points[i]) continue;
      const share = this.shadeOf(i);
      pen.beginPath(); pen.arc(...this.pixel(this.points[i]), i === this.at ? 7 : 4, 0, 7);
      pen.fillStyle = share === null ? ink("rest") : `rgb(${low.map((from, k) => Math.round(from + share * (high[k] - from))).join(" ")})`;
      pen.fill();
      pen.lineWidth = this.data.failing[i] ? 1.8 : 0.8;
      pen.strokeStyle = this.data.failing[i] ? ink("failed") : ink("strong");
      pen.stroke();
    }
    if (this.place && this.x.selectedIndex < 2 && this.y.selectedIndex < 2 && this.data.components) {
      const [x, y] = this.pixel([this.place[this.x.selectedIndex], this.place[this.y.selectedIndex]]);
      pen.strokeStyle = ink("ink"); pen.lineWidth = 2.5;
      pen.beginPath(); pen.moveTo(x - 8, y); pen.lineTo(x + 8, y); pen.moveTo(x, y - 8); pen.lineTo(x, y + 8); pen.stroke();
    }
    pen.restore();
  }

  zoom(factor, ...at) {
    this.scales.forEach((scale, k) => scale.zoom(factor, at[k]));
    this.draw();
  }

  moved(event) {
    if (!this.points) return;
    if (this.drag && event.buttons) {
      const [dx, dy] = [event.offsetX - this.drag[0], event.offsetY - this.drag[1]];
      if (this.drag[2] || Math.hypot(dx, dy) > 4) {
        [dx, dy].forEach((pixels, k) => this.scales[k].shift(pixels));
        this.drag = [event.offsetX, event.offsetY, true];
        this.draw();
      }
      return;
    }
    let [best, near] = [-1, 12];
    this.points.forEach((point, i) => {
      if (!point) return;
      const [x, y] = this.pixel(point);
      const far = Math.hypot(x - event.offsetX, y - event.offsetY);
      if (far < near) [best, near] = [i, far];
    });
    this.point(best);
  }

  point(i) {
    if (i === this.at) return;
    this.at = i;
    const shade = this.columns.get("λmax");
    fill(this.tip, ...(i < 0 ? [] : [el("b", null, this.data.failing[i] ? "fails " : ""), shade ? `λmax ${decimal(shade[i])} · ` : "", el("bdi", null, this.data.texts[i])]));
    this.draw();
  }

  key(event) {
    if (!this.points) return;
    if (event.key === "+" || event.key === "=") this.zoom(1.25);
    else if (event.key === "-") this.zoom(0.8);
    else if (event.key === "Enter" && this.at >= 0) this.desk.open(this.data.ids[this.at]);
    else if (event.key.startsWith("Arrow")) {
      event.preventDefault();
      const k = event.key === "ArrowUp" || event.key === "ArrowDown" ? 1 : 0;
      const sign = event.key === "ArrowRight" || event.key === "ArrowUp" ? 1 : -1;
      const order = this.points.map((_, i) => i).filter((i) => this.points[i]).sort((a, b) => sign * (this.points[a][k] - this.points[b][k]) || a - b);
      this.point(order[Math.min(order.length - 1, order.indexOf(this.at) + 1)]);
    }
  }
}
