// What leaves the page beside its figures: texts that are copied, and the card to pass on.

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

const share = () => {
  saveFigures();
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
