/**
 * The direction of a text in this language on a page that has one from right to left: its own or that
 * of its text, as the generator wrote them. On other pages none is named.
 */
function direction_of(lang) {
  const texts = [document.documentElement, document.querySelector("main")];
  if (!texts.some((text) => text?.dir === "rtl")) return "";
  return texts.find((text) => text?.lang === lang)?.dir || "ltr";
}

/** A new element with these members (not attributes) and children. */
export const make = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members);
  if (members.lang) element.dir = direction_of(members.lang);
  element.append(...children);
  return element;
};

/** A button; `press` hears of each click. */
export const button = (textContent, press) => {
  const element = make("button", { type: "button", textContent });
  element.addEventListener("click", press);
  return element;
};
