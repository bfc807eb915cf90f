// Search for facts by words. A fact is inserted into the text as a link, which the build checks.
import { button, make } from "../base/element.js";
import { word } from "../base/language.js";
import { id_in } from "./new_entry.js";

const pause_ms = 150;

/**
 * Returns a disclosure element with the search. `find(words)` returns a promise of [{name, detail,
 * about}], and `insert(text)` is called with a link. `enter(id, back)` opens the form for a new
 * fact; it calls back(id) with the new fact, or with "" if it was closed.
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
    make("label", {}, word("Words to search for"), " ", input),
    make("p", {}, count, " ", fresh),
    list,
  );
}

function item_of({ name, detail }, insert) {
  const press = button(detail, () => insert(`[${detail}](fact:${name})`));
  return make("li", {}, press, " ", make("code", { textContent: name }));
}
