// Folded sections: a link into one opens it, and each stays as the reader left it. Without this
// script, a click on the heading still opens a section.

import { forget, set_stored, stored } from "../base/storage.js";

const key = `folds.${location.pathname.replace(/index\.html$/, "")}`;
const id_of = (fold) => fold.querySelector("summary [id]")?.id;

function open_target(folds) {
  const target =
    location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  const around = folds.filter((fold) => fold.contains(target) && !fold.open);
  for (const fold of around) fold.open = true;
  if (around.length > 0) target.scrollIntoView();
}

function store_open(folds) {
  const open = folds.filter((fold) => fold.open).map(id_of);
  if (open.length === 0) return forget(key);
  try {
    set_stored(key, open.join(" "));
  } catch {
    /* storage refused: this visit only */
  }
}

/** Opens the sections that an earlier visit and the address require, and stores changes. */
export function keep_folds() {
  const folds = [...document.querySelectorAll("details.fold")];
  const opened = new Set((stored(key) ?? "").split(" "));
  for (const fold of folds) {
    if (opened.has(id_of(fold))) fold.open = true;
    fold.addEventListener("toggle", () => store_open(folds));
  }
  addEventListener("hashchange", () => open_target(folds));
  open_target(folds);
  // The browser may have opened the target's section before this script ran.
  if (folds.some((fold) => fold.open)) store_open(folds);
}
