// What tooltips need beside CSS: Escape puts one away, Enter and the space bar too and show it again, none leaves the
// window or is cut by its table, and what is explained keeps its name while the explanation lies inside it. main.js loads
// this when the first one is about to show.

const margin = 8;

const is_right_to_left = (element) => getComputedStyle(element).direction === "rtl";

/** A table scrolls, and cuts what hangs out of it. */
function hang_in_window(tipped, tip) {
  Object.assign(tip.style, { position: "", left: "", right: "", top: "" });
  if (getComputedStyle(tip).position !== "absolute") return; // on a phone it is at the window's foot
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
  const room = [left - margin, width - margin - right]; // before its beginning, after its end
  const is_mirrored = is_right_to_left(tipped);
  if (is_mirrored) room.reverse();
  const shift = Math.min(Math.max(0, -room[1]), Math.max(0, room[0]));
  if (shift > 0) tip.style.translate = `${is_mirrored ? shift : -shift}px 0`;
}

/** The words themselves, without those that explain them. */
function name_of(tipped) {
  const words = [...tipped.childNodes].filter((one) => !one.classList?.contains("tip"));
  return words
    .map(({ textContent }) => textContent)
    .join("")
    .trim();
}

export function show(tipped) {
  delete tipped.dataset.dismissed;
  if (tipped.role === "button") tipped.ariaLabel = name_of(tipped);
  place(tipped);
}

function dismiss(event) {
  if (event.key !== "Escape") return;
  for (const tipped of document.querySelectorAll(".tipped:hover, .tipped:focus-within"))
    tipped.dataset.dismissed = "";
}

/** A button is pressed: what it says goes, or comes again. */
function press(event) {
  const { key, target } = event;
  if (!target.matches?.(".tipped[role=button]") || (key !== "Enter" && key !== " ")) return;
  event.preventDefault();
  if ("dismissed" in target.dataset) show(target);
  else target.dataset.dismissed = "";
}

addEventListener("keydown", dismiss);
addEventListener("keydown", press);
