// Everything is readable without this script; it sorts, filters, draws and copies.
document.documentElement.classList.add("js");

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll(".live").forEach(enliven);

  share();

  // ---- The table of checks: sorted by a column, each check with the row folded under it.

  const keysOf = (element) => element.dataset.keys.split("|");
  const compare = (a, b, down) => {
    if (a === "" || b === "") return (a === "") - (b === "");
    const [x, y] = [Number(a), Number(b)];
    const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b) : x - y;
    return down ? -order : order;
  };

  for (const head of document.querySelectorAll("th[data-sort]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const first = "down" in head.dataset ? "descending" : "ascending";
      const other = first === "descending" ? "ascending" : "descending";
      const sort = head.getAttribute("aria-sort") === first ? other : first;
      for (const each of head.parentNode.children) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sort);
      const column = Number(head.dataset.sort);
      const table = head.closest("table");
      const rows = [...table.tBodies].map((body) => [keysOf(body)[column], body]);
      rows.sort((a, b) => compare(a[0], b[0], sort === "descending"));
      table.append(...rows.map((row) => row[1]));
    });
  }

  // ---- The score shown.

  const figures = [...document.querySelectorAll("figure.score")];
  const picked = () => {
    const chosen = document.querySelector('input[name="score"]:checked');
    if (chosen) for (const figure of figures) figure.hidden = figure.id !== `score-${chosen.value}`;
  };
  for (const radio of document.querySelectorAll('input[name="score"]')) radio.addEventListener("change", picked);
  picked();

  // ---- Keys that work on every page.

  const keys = byId("keys");
  addEventListener("keydown", (event) => {
    const typing = event.target.closest && event.target.closest("input:not([type=checkbox]), select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || typing || keys.open) return;
    if (event.key === "?") {
      event.preventDefault();
      keys.showModal();
    }
  });
  byId("keys-close").addEventListener("click", () => keys.close());

  const line = byId("data");
  if (!line) return;
  const status = byId("shown");
  if (!window.DecompressionStream) {
    status.textContent = "This browser cannot unpack the rest of the failures: only the first ones are shown.";
    return;
  }
  unpacked(line.textContent.trim()).then((data) => {
    line.remove();
    new Page(data).start();
    document.documentElement.dataset.ready = String(Math.round(performance.now()));
  }).catch((error) => {
    status.textContent = `The rest of the failures cannot be read (${error.message}): only the first ones are shown.`;
    throw error;
  });
});
