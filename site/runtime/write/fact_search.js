// Facts found by their words, put into the text as links that the build checks.
import { make } from "../base/element.js";
import { word } from "../base/language.js";

const pause_ms = 150;

/** A fold with a field and what it finds; a press on a fact calls `insert(text)`. `find(words)` is a promise of [{name, detail, about}]. */
export function fact_search(find, insert) {
  const input = make("input", { type: "search", name: "facts", autocomplete: "off" });
  const list = make("ul", { className: "write-facts" });
  const count = make("output", { className: "write-state" });
  let timer = 0;
  const show = async () => {
    const words = input.value.trim();
    const found = words ? await find(words) : [];
    if (words !== input.value.trim()) return;
    count.textContent = words ? word("Facts found: {n}", { n: found.length }) : "";
    list.replaceChildren(...found.map((fact) => item_of(fact, insert)));
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(show, pause_ms);
  });
  return make(
    "details",
    { className: "write-out" },
    make("summary", { textContent: word("Find a fact") }),
    make("label", {}, word("Words of it"), " ", input),
    make("p", {}, count),
    list,
  );
}

function item_of({ name, detail }, insert) {
  const button = make("button", { type: "button", textContent: detail });
  button.addEventListener("click", () => insert(`[${detail}](fact:${name})`));
  return make("li", {}, button, " ", make("code", { textContent: name }));
}
