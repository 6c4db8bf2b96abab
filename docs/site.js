// The theme puts a nav of buttons into every block of code, and names none of them.
const named = () => {
  document.querySelectorAll(".md-code__nav").forEach((nav, i) => {
    if (!nav.hasAttribute("aria-label")) nav.setAttribute("aria-label", `Block of code ${i + 1}`);
  });
};
new MutationObserver(named).observe(document.documentElement, { childList: true, subtree: true });
