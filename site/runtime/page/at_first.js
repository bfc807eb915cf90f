// How the page said something before a reader's machine took its place. What is shown of a machine goes when
// the next profile, perhaps another machine's, has nothing for its place.

const at_first = new WeakMap();

/** Before the first change of an element by a profile. */
export function keep_first(element) {
  if (at_first.has(element)) return;
  const { textContent: text, value, title, dataset } = element;
  at_first.set(element, { text, value, title, from: dataset.from });
}

/** The element as it was; nothing where no profile has changed it. */
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
