/**
 * The direction of a text in this language, on a page with a right-to-left language: the page's or
 * the text's direction, as the generator wrote it. Undefined on other pages.
 */
function direction_of(lang) {
  const texts = [document.documentElement, document.querySelector("main")];
  if (!texts.some((text) => text?.dir === "rtl")) return "";
  return texts.find((text) => text?.lang === lang)?.dir || "ltr";
}

/** Creates an element with these members (not attributes) and children. */
export const make = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members);
  if (members.lang) element.dir = direction_of(members.lang);
  element.append(...children);
  return element;
};

/** Creates a button; `press` is called on each click. */
export const button = (textContent, press) => {
  const element = make("button", { type: "button", textContent });
  element.addEventListener("click", press);
  return element;
};

/** The label above an element of the page: "Question 1.4". */
export const label_of = (element) => element.querySelector(".label")?.textContent;

/** Distinguishes elements with the same text for screen readers: "Check, Question 1.4". */
export function tell_apart(element, owner) {
  const label = label_of(owner);
  if (!label) return element;
  const name = () => (element.ariaLabel = `${element.textContent}, ${label}`);
  new MutationObserver(name).observe(element, { childList: true });
  name();
  return element;
}

export const named_button = (textContent, owner, members = {}) =>
  tell_apart(make("button", { type: "button", textContent, ...members }), owner);
