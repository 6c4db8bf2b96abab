// What is saved of a page: its figures, each as a file that needs no page.

const save = (blob, name) => {
  const link = document.createElement("a");
  link.download = name;
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

const saveFigures = () => {
  for (const figure of document.querySelectorAll(".exhibits figure")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Save figure";
    button.addEventListener("click", () => {
      const title = figure.parentElement.querySelector("h2, h3, h4").textContent;
      save(new Blob([standalone(figure)], { type: "image/svg+xml" }), fileName(title, "svg"));
    });
    figure.append(button);
  }
};
