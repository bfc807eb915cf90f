// /your-model/: loads the rest on the first touch of a setting, if the address or the form has
// settings, or if the reader's machine has been measured, whose times the bill then shows.

import { part_of_page } from "../base/first_words.js";
import { complain_in, on_demand } from "../base/on_demand.js";
import { stored } from "../base/storage.js";
import { has_settings } from "./settings.js";

export const largest_file = 1_000_000;

export function wake(place) {
  const form = place.querySelector(".costs-form");
  const problem = place.querySelector(".costs-problem");
  const start = () =>
    on_demand(
      () => part_of_page(() => import("./costs.js")),
      ({ start_bill }) => start_bill(place),
      complain_in(problem),
    );
  const kinds = ["input", "drop"];
  const touched = async (event) => {
    if (event.type !== "input") event.preventDefault();
    for (const kind of kinds) form.removeEventListener(kind, touched);
    const [file] = event.dataTransfer?.files ?? [];
    if (file && file.size <= largest_file) form.elements.config.value = await file.text();
    await start();
  };
  // Without this, the browser would open a dropped file instead of the page.
  form.addEventListener("dragover", (event) => event.preventDefault());
  const is_filled = form.elements.config.value !== ""; // before this script was there
  if (has_settings() || is_filled || stored("profile.v1") !== null) return start();
  for (const kind of kinds) form.addEventListener(kind, touched);
}
