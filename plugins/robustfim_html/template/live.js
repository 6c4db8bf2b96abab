// The texts at the head: a click on a changed word shows what else was tried there, and how the label turns.

const enliven = (card) => {
  const variants = [...card.querySelectorAll(".variant")];
  const choices = [...card.querySelectorAll(".tried input")];
  const show = (place) => variants.forEach((each, i) => each.classList.toggle("current", i === place));
  choices.forEach((choice, place) => choice.addEventListener("change", () => show(place)));
  card.addEventListener("click", (event) => {
    if (!event.target.closest(".variant del, .variant ins")) return;
    card.querySelector(".tried").open = true;
    const next = (choices.findIndex((choice) => choice.checked) + 1) % choices.length;
    choices[next].checked = true;
    show(next);
  });
};
