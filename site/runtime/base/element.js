/** A new element with these members (not attributes) and children. */
export const make = (tag, members = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...children);
  return element;
};

/** A button; `press` hears of each click. */
export const button = (textContent, press) => {
  const element = make("button", { type: "button", textContent });
  element.addEventListener("click", press);
  return element;
};
