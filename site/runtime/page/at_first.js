// Snapshots of elements as the build wrote them. Values of a machine are removed if the next
// profile, perhaps of another machine, does not have them.

const at_first = new WeakMap();

/** Call before a profile changes an element for the first time. */
export function keep_first(element) {
  if (at_first.has(element)) return;
  const { textContent: text, value, title, dataset } = element;
  at_first.set(element, { text, value, title, from: dataset.from });
}

/** Restores the element; does nothing if no profile has changed it. */
export function restore(element) {
  const first = at_first.get(element);
  if (!first) return;
  at_first.delete(element);
  const { text, value, title, from } = first;
  element.textContent = text;
  if (value !== undefined) element.value = value;
  if (title !== undefined) element.title = title;
  if (from === undefined) delete element.dataset.from;
  else element.dataset.from = from;
}
