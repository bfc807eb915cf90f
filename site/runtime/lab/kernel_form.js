// The form for the reader's own kernel on /machine/, and its answer: the roof that bounds the
// kernel, what limits it, its point in the roofline, and a link. Without a measurement it uses the
// reference machine's roofs.

import { make } from "../base/element.js";
import { language, word } from "../base/language.js";
import { own } from "../base/own.js";
import { plain } from "../profile/machine_name.js";
import { machine_words } from "../profile/result_text.js";
import { ask, chips, reference_profile, store } from "../page/page.js";
import { parse_svg } from "../page/refresh.js";
import { parse_amount } from "./amounts.js";
import { kernel_mark, kernel_of_link, link_of_kernel, own_machine } from "./kernel_link.js";
import { kernel_sentences, kernel_spec } from "./kernel_words.js";
import { judge, roofs_of_chip, roofs_of_profile, types } from "./own_kernel.js";

const fields = [
  ["flop", "work", "Operations (a multiply-add is two)", "4 GFLOP"],
  ["bytes", "bytes", "Bytes that it must move", "2 GB"],
  ["seconds", "seconds", "Time", "0.2 s"],
  ["cores", "cores", "Cores", "1"],
];

/**
 * The form as an element. `hash` is the fragment of an address that may contain a kernel ("#k=…").
 */
export function kernel_form(hash = "") {
  const inputs = Object.fromEntries(
    fields.map(([name, , , value]) => [name, make("input", { name, value, autocomplete: "off" })]),
  );
  for (const input of Object.values(inputs)) input.spellcheck = false;
  const type = make("select", { name: "type" }, ...types.map((name) => option(name, name)));
  type.value = "fp32";
  const under = make("select", { name: "under" }, option(own_machine, word("this machine")));
  const answer = make("div", { className: "lab-answer" });
  answer.setAttribute("role", "status");
  const form = make(
    "form",
    { className: "lab-form", noValidate: true },
    ...fields.map(([name, , label]) => labelled(word(label), inputs[name])),
    labelled(word("Computed in"), type),
    labelled(word("Under the roofs of"), under),
    make("button", { type: "submit", textContent: word("Place it") }),
  );
  const controls = { inputs, type, under, answer };
  const listed = list_chips(under);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    listed.then(() => place(controls));
  });
  if (hash.startsWith(kernel_mark)) listed.then(() => open_link(hash, controls));
  return make("div", { lang: language }, form, answer);
}

const option = (value, textContent) => make("option", { value, textContent });
const labelled = (words, control) => make("label", {}, words, " ", control);

async function list_chips(select) {
  const all = await chips().catch(() => []);
  select.append(...all.map(({ id, title }) => option(id, title)));
}

/** Fills in the kernel of a link, or reports what is wrong with the link. */
function open_link(hash, controls) {
  const { kernel, under, error } = kernel_of_link(hash);
  if (error) {
    refuse(controls, word("The kernel of this link cannot be shown: {why}.", { why: error }));
    return;
  }
  for (const [name, input] of Object.entries(controls.inputs)) input.value = String(kernel[name]);
  controls.type.value = kernel.type;
  controls.under.value = under;
  if (controls.under.value !== under) {
    controls.under.value = own_machine;
    refuse(
      controls,
      word("The kernel of this link cannot be shown: its chip is not in this book."),
    );
    return;
  }
  place(controls);
}

const refuse = ({ answer }, words) => answer.replaceChildren(make("p", { textContent: words }));

/** {kernel}, or {error, name} for the first invalid field. */
function read({ inputs, type }) {
  const kernel = { type: type.value };
  for (const [name, kind, label] of fields) {
    const { value, error } = parse_amount(inputs[name].value, kind);
    inputs[name].setAttribute("aria-invalid", String(Boolean(error)));
    if (error)
      return {
        name,
        error: word("“{field}” cannot be read: {why}.", { field: word(label), why: error }),
      };
    kernel[name] = value;
  }
  return { kernel };
}

/** {roofs, name} of the chosen machine, or {error}. */
async function roofs_for(kernel, id) {
  if (id !== own_machine) {
    const all = Object.fromEntries((await chips()).map((chip) => [chip.id, chip]));
    const chip = own(all, id);
    const roofs = chip && roofs_of_chip(chip, kernel);
    const title = plain(chip?.title ?? id);
    return roofs
      ? { roofs, name: title }
      : {
          error: word("The facts have no peak of {type} for {name}.", {
            type: kernel.type,
            name: title,
          }),
        };
  }
  const { profile } = store.load();
  const measured = profile && roofs_of_profile(profile, kernel);
  if (measured) return { roofs: measured, name: machine_words(profile) };
  const roofs = roofs_of_profile(await reference_profile(), kernel);
  if (!roofs) return { error: word("There are no roofs of that type yet: measure first.") };
  return { roofs, name: word("the reference machine") };
}

async function place(controls) {
  const { kernel, error, name: field } = read(controls);
  if (error) {
    refuse(controls, error);
    controls.inputs[field].focus();
    return;
  }
  try {
    const under = controls.under.value;
    const { roofs, name, error: none } = await roofs_for(kernel, under);
    if (none) {
      refuse(controls, none);
      return;
    }
    const seen = judge(kernel, roofs);
    const sentences = kernel_sentences(seen, roofs, name);
    const parts = sentences.map((textContent) => make("p", { textContent }));
    const picture = await figure(kernel_spec(seen, roofs, name)).catch(() => null);
    controls.answer.replaceChildren(...parts, ...(picture ? [picture] : []), link(kernel, under));
  } catch ({ message }) {
    refuse(controls, word("Unavailable, because {why}.", { why: message }));
  }
}

async function figure(spec) {
  if (!spec) return null;
  const frames = [];
  for (const width of ["wide", "narrow"]) {
    const options = { width, theme: "css", lang: language };
    const { svg } = await ask({ op: "render", spec, options, reader: null });
    frames.push(make("div", { className: `plot-${width}` }, parse_svg(svg)));
  }
  return make("figure", { className: "plot" }, ...frames);
}

function link(kernel, under) {
  const value = new URL(link_of_kernel(kernel, under), location.href.split("#")[0]).href;
  const field = make("input", { readOnly: true, value, className: "machine-link" });
  return make("p", {}, labelled(word("Link to this kernel"), field));
}
