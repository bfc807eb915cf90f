// Fields of a form as the program describes them: {name, help, kind, required, options, value}. Values are lists of texts; an empty one
// is of a field that is not there.
import { make } from "../base/element.js";
import { word } from "../base/language.js";

let count = 0;

const texts_in = (text) => text.split("\n").flatMap((line) => line.trim() || []);

/** For each kind, an input: how it is made of a field and its first value, and what is read from it. */
const kinds = {
  text: {
    make: (first = "") =>
      make("textarea", { value: first, rows: Math.min(6, 1 + Math.floor(first.length / 50)) }),
    read: ({ value }) => (value.trim() ? [value.trim()] : []),
  },
  texts: {
    make: (...all) =>
      make("textarea", { value: all.join("\n"), rows: Math.min(8, Math.max(2, all.length)) }),
    read: ({ value }) => texts_in(value),
  },
  flag: {
    make: (first) => make("input", { type: "checkbox", checked: first === "true" }),
    read: ({ checked }) => (checked ? ["true"] : []),
  },
  number: {
    make: (first = "") => make("input", { value: first, inputMode: "decimal" }),
    read: ({ value }) => texts_in(value),
  },
};

function choice_of(options, first = "") {
  const select = make("select", {}, make("option", { value: "", textContent: "–" }));
  select.append(...options.map((value) => make("option", { value, textContent: value })));
  select.value = first;
  return select;
}

const input_of = ({ kind, options, value }) =>
  kind === "choice" ? choice_of(options, ...value) : kinds[kind].make(...value);

const help_of = ({ help, kind }) =>
  [help, kind === "texts" ? word("one on each line") : ""].filter(Boolean).join("; ");

/**
 * {element, read(), tell(words)}: the field with its name, its help and room for what is wrong. `changed(value)` hears of each
 * change. A field of the kind "elsewhere" has no such input.
 */
export function field_of(field, changed) {
  const input = input_of(field);
  const [help, wrong] = [make("small"), make("output", { className: "write-wrong" })];
  const id = `field-${++count}`;
  Object.assign(input, { id, name: field.name, required: field.required, spellcheck: false });
  help.textContent = help_of(field);
  [help.id, wrong.id] = [`${id}-help`, `${id}-wrong`];
  input.setAttribute("aria-describedby", `${help.id} ${wrong.id}`);
  const read = () => (kinds[field.kind] ?? kinds.number).read(input);
  input.addEventListener("input", () => changed(read()));
  const name = make("label", { htmlFor: id }, make("code", { textContent: field.name }));
  if (field.required) name.append(" ", word("required"));
  const tell = (words) => {
    wrong.textContent = words;
    input.setAttribute("aria-invalid", String(words !== ""));
  };
  return {
    element: make("div", { className: "write-field" }, name, help, input, wrong),
    read,
    tell,
  };
}
