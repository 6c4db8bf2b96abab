// What leaves the page beside its figures: texts that are copied, and paper.

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
  for (const [id, all] of [["print", false], ["print-all", true]]) {
    byId(id).addEventListener("click", () => {
      document.documentElement.classList.toggle("print-all", all);
      print();
      document.documentElement.classList.remove("print-all");
    });
  }
};
