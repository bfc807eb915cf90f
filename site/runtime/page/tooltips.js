// What tooltips need beside CSS: Escape puts one away, and none leaves the window. main.js loads
// this when the first one is about to show.

const margin = 8;

function place(tipped) {
  const tip = tipped.querySelector(".tip");
  tip.style.translate = "";
  const { left, right } = tip.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const over = Math.max(0, right - (width - margin));
  const shift = Math.min(over, Math.max(0, left - margin));
  if (shift > 0) tip.style.translate = `${-shift}px 0`;
}

export function show(tipped) {
  delete tipped.dataset.dismissed;
  place(tipped);
}

function dismiss(event) {
  if (event.key !== "Escape") return;
  for (const tipped of document.querySelectorAll(".tipped:hover, .tipped:focus-within"))
    tipped.dataset.dismissed = "";
}

addEventListener("keydown", dismiss);
