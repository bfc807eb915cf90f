// Inputs for the fields that the program describes: {name, help, kind, required, options, value}. A
// value is a list of strings; an empty list means that the field is missing.
import { make } from "../base/element.js";
import { word } from "../base/language.js";

let count = 0;

const texts_in = (text) => text.split("\n").flatMap((line) => line.trim() || []);

function choice_of(options, chosen) {
  const select = make("select", {}, make("option", { value: "", textContent: "–" }));
  select.append(...options.map((value) => make("option", { value, textContent: value })));
  select.value = chosen;
  return select;
}

const lines_of = ({ value }) => texts_in(value);

/** How each kind creates its input from a value and options, and how it reads the value back. */
const kinds = new Map([
  [
    "text",
    {
      make: ([first = ""]) =>
        make("textarea", { value: first, rows: Math.min(6, 1 + Math.floor(first.length / 50)) }),
      read: ({ value }) => (value.trim() ? [value.trim()] : []),
    },
  ],
  [
    "texts",
    {
      make: (all) =>
        make("textarea", { value: all.join("\n"), rows: Math.min(8, Math.max(2, all.length)) }),
      read: lines_of,
    },
  ],
  [
    "flag",
    {
      make: ([first]) => make("input", { type: "checkbox", checked: first === "true" }),
      read: ({ checked }) => (checked ? ["true"] : []),
    },
  ],
  [
    "number",
    {
      make: ([first = ""]) => make("input", { value: first, inputMode: "decimal" }),
      read: lines_of,
    },
  ],
  ["choice", { make: ([first = ""], options) => choice_of(options, first), read: lines_of }],
]);

const help_of = ({ help, kind }) =>
  [help, kind === "texts" ? word("one on each line") : ""].filter(Boolean).join("; ");

/**
 * Returns {element, read(), tell(words)}: the field with its name, its help and a place for errors.
 * Calls `changed(value)` on each change. Not for the kind "elsewhere", which has no input.
 */
export function field_of(field, changed) {
  const kind = kinds.get(field.kind);
  const input = kind.make(field.value, field.options);
  const [help, wrong] = [make("small"), make("output", { className: "write-wrong" })];
  const id = `field-${++count}`;
  Object.assign(input, { id, name: field.name, required: field.required, spellcheck: false });
  help.textContent = help_of(field);
  [help.id, wrong.id] = [`${id}-help`, `${id}-wrong`];
  input.setAttribute("aria-describedby", `${help.id} ${wrong.id}`);
  const read = () => kind.read(input);
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
