// The parts of tooltips that CSS cannot do. Escape closes one, Enter and the space bar toggle it,
// none leaves the window or is clipped by its table, and the element keeps its accessible name
// while the tooltip is inside it. tools.js loads this when the first tooltip is about to show.

const margin = 8;

const is_right_to_left = (element) => getComputedStyle(element).direction === "rtl";

/** A table scrolls, so it would clip its tooltips. */
function hang_in_window(tipped, tip) {
  Object.assign(tip.style, { position: "", left: "", right: "", top: "" });
  // On a phone it is at the bottom of the window
  if (getComputedStyle(tip).position !== "absolute") return;
  const { left, right, bottom } = tipped.getBoundingClientRect();
  const is_mirrored = is_right_to_left(tipped);
  Object.assign(tip.style, {
    position: "fixed",
    left: is_mirrored ? "auto" : `${left}px`,
    right: is_mirrored ? `${document.documentElement.clientWidth - right}px` : "auto",
    top: `${bottom}px`,
  });
}

function place(tipped) {
  const tip = tipped.querySelector(".tip");
  tip.style.translate = "";
  if (tipped.closest(".table, .bench-table")) hang_in_window(tipped, tip);
  const { left, right } = tip.getBoundingClientRect();
  const width = document.documentElement.clientWidth;
  const room = [left - margin, width - margin - right]; // before its start, after its end
  const is_mirrored = is_right_to_left(tipped);
  if (is_mirrored) room.reverse();
  const shift = Math.min(Math.max(0, -room[1]), Math.max(0, room[0]));
  if (shift > 0) tip.style.translate = `${is_mirrored ? shift : -shift}px 0`;
}

/** The text of the element without its tooltip. */
function name_of(tipped) {
  const words = [...tipped.childNodes].filter((one) => !one.classList?.contains("tip"));
  return words
    .map(({ textContent }) => textContent)
    .join("")
    .trim();
}

/** Shows the tooltip of an element, or the preview of a link, which touch has not. */
export async function show(tipped, pointer_type) {
  if (!tipped.matches(".tipped")) {
    if (pointer_type !== "touch") (await import("./link_preview.js")).preview(tipped);
    return;
  }
  delete tipped.dataset.dismissed;
  if (tipped.role === "button") tipped.ariaLabel = name_of(tipped);
  place(tipped);
}

function dismiss(event) {
  if (event.key !== "Escape") return;
  for (const tipped of document.querySelectorAll(".tipped:hover, .tipped:focus-within"))
    tipped.dataset.dismissed = "";
}

/** Toggles the tooltip. */
function press(event) {
  const { key, target } = event;
  if (!target.matches?.(".tipped[role=button]") || (key !== "Enter" && key !== " ")) return;
  event.preventDefault();
  if ("dismissed" in target.dataset) show(target);
  else target.dataset.dismissed = "";
}

addEventListener("keydown", dismiss);
addEventListener("keydown", press);
