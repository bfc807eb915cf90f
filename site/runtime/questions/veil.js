// What a table of measurements would give away of a question above it is veiled (site/styles/measurements.css) as long as
// its row names the question.

/** The question `id` is answered: rows that no other question veils show their reference. */
export function unveil(id) {
  for (const row of document.querySelectorAll("[data-after]")) {
    const left = row.dataset.after.split(" ").filter((other) => other !== id);
    if (left.length > 0) row.dataset.after = left.join(" ");
    else row.removeAttribute("data-after");
  }
}
