// Facts found by their words, put into the text as links that the build checks.
import { button, make } from "../base/element.js";
import { word } from "../base/language.js";
import { id_in } from "./new_entry.js";

const pause_ms = 150;

/**
 * A fold with a field and what it finds; a press on a fact calls `insert(text)`. `find(words)` is a promise of [{name, detail, about}].
 * `enter(id, back)` asks for a fact that is not there yet; `back(id)` hears of it, or of none.
 */
export function fact_search(find, insert, enter) {
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
  const back = (id) => {
    if (id) input.value = id;
    input.focus();
    show();
  };
  const fresh = button(word("New fact …"), () => enter(id_in(input.value.trim()), back));
  return make(
    "details",
    { className: "write-out" },
    make("summary", { textContent: word("Find a fact") }),
    make("label", {}, word("Words of it"), " ", input),
    make("p", {}, count, " ", fresh),
    list,
  );
}

function item_of({ name, detail }, insert) {
  const press = button(detail, () => insert(`[${detail}](fact:${name})`));
  return make("li", {}, press, " ", make("code", { textContent: name }));
}
