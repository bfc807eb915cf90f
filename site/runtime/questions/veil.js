// Hides results in a table of measurements that would reveal the answer to a question above it
// (site/styles/measurements.css), as long as the row names the question.

/** Question `id` is answered: shows the reference of all rows that no other question hides. */
export function unveil(id) {
  for (const row of document.querySelectorAll("[data-after]")) {
    const left = row.dataset.after.split(" ").filter((other) => other !== id);
    if (left.length > 0) row.dataset.after = left.join(" ");
    else row.removeAttribute("data-after");
  }
}
