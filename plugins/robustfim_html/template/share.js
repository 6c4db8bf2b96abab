// What leaves the page: texts that are copied, files that are saved, and the card to pass on.

const copied = async (button, text) => {
  const label = button.textContent;
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    // No permission: a field that is selected, so that the reader's own copy key works.
    const field = h("textarea", { class: "vh", "aria-label": "Copied text" });
    field.value = text;
    button.after(field);
    field.select();
    done = document.execCommand("copy");
    field.remove();
    button.focus({ preventScroll: true });
  }
  button.textContent = done ? "Copied" : "Not copied";
  setTimeout(() => { button.textContent = label; }, 1600);
};

const save = (blob, name) => {
  const link = h("a", { download: name });
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};

const fileName = (title, ending) => `${title.replace(/[^\p{L}\p{N}._-]+/gu, "-")}.${ending}`;

const LOOKS = ["color", "fill", "fill-opacity", "font-family", "font-size", "font-weight", "paint-order", "stroke",
  "stroke-dasharray", "stroke-opacity", "stroke-width"];

// A figure as it is drawn here, as a file that needs no page: it says its looks itself, and names its series below.
const standalone = (figure) => {
  const drawn = [...figure.children].find((each) => each.localName === "svg" && each.getClientRects().length);
  const copy = drawn.cloneNode(true);
  const [there, here] = [drawn, copy].map((each) => [each, ...each.querySelectorAll("*")]);
  there.forEach((each, row) => {
    const looks = getComputedStyle(each);
    for (const name of LOOKS) here[row].setAttribute(name, looks.getPropertyValue(name));
    for (const name of ["class", "href"]) here[row].removeAttribute(name);
  });
  const add = (name, attributes, text = "") => {
    const made = document.createElementNS(copy.namespaceURI, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.textContent = text;
    return made;
  };
  const legend = [...figure.querySelectorAll(".legend li")].filter((each) => each.getClientRects().length);
  const [, , width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
  const whole = height + 18 * legend.length + (legend.length ? 8 : 0);
  for (const [name, value] of Object.entries({ width, height: whole, viewBox: `0 0 ${width} ${whole}` })) {
    copy.setAttribute(name, value);
  }
  copy.prepend(add("rect", { width: "100%", height: "100%", fill: getComputedStyle(figure).backgroundColor }));
  legend.forEach((each, row) => {
    const fill = getComputedStyle(each.querySelector("svg")).color;
    copy.append(add("text", { x: 16, y: height + 18 * (row + 1), fill, "font-size": "12px" }, `■ ${each.textContent.trim()}`));
  });
  return new XMLSerializer().serializeToString(copy);
};

const figures = () => {
  for (const figure of document.querySelectorAll(".exhibits figure")) {
    const button = h("button", { type: "button" }, "Save figure");
    button.addEventListener("click", () => {
      const title = figure.parentElement.querySelector("h2, h3, h4").textContent;
      save(new Blob([standalone(figure)], { type: "image/svg+xml" }), fileName(title, "svg"));
    });
    figure.append(button);
  }
};

const share = () => {
  figures();
  const svg = new XMLSerializer().serializeToString(document.querySelector("#card svg"));
  const named = (ending) => fileName(document.title.split(":")[0], ending);
  byId("share-svg").addEventListener("click", () => save(new Blob([svg], { type: "image/svg+xml" }), named("svg")));
  byId("share-png").addEventListener("click", async () => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    const canvas = h("canvas", { width: image.width, height: image.height });
    canvas.getContext("2d").drawImage(image, 0, 0);
    canvas.toBlob((blob) => save(blob, named("png")), "image/png");
  });
  for (const [id, all] of [["print", false], ["print-all", true]]) {
    byId(id).addEventListener("click", () => {
      document.documentElement.classList.toggle("print-all", all);
      print();
      document.documentElement.classList.remove("print-all");
    });
  }
  byId("share-markdown").addEventListener("click", (event) => copied(event.target, byId("card-markdown").textContent));
};
