// The reader's own kernel in an address. "#k=4e9,2e9,0.2,fp32,1,h100-sxm" has its operations,
// bytes, seconds, type, cores, and the machine with the roofs ("machine": the machine of whoever
// opens the link). A link is untrusted, so only numbers within limits and names from lists are
// accepted.

import { bounded } from "./amounts.js";
import { word } from "../base/language.js";
import { types } from "./own_kernel.js";

export const kernel_mark = "#k=";
export const own_machine = "machine";
const longest = 160; // in characters
const kind_of = { flop: "work", bytes: "bytes", seconds: "seconds", cores: "cores" };
const number = /^\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,3})?$/;
const name = /^[a-z][a-z0-9-]{0,40}$/;

function short(value) {
  const rounded = Number(value.toPrecision(6));
  const [plain, power] = [String(rounded), rounded.toExponential()].map((t) =>
    t.replace("e+", "e"),
  );
  return power.length < plain.length ? power : plain;
}

/** "#k=…" for a kernel and a machine. */
export function link_of_kernel({ flop, bytes, seconds, type, cores }, under = own_machine) {
  return kernel_mark + [short(flop), short(bytes), short(seconds), type, cores, under].join(",");
}

/** {kernel, under} from the fragment of an address, or {error} in words. */
export function kernel_of_link(hash) {
  if (hash.length > longest) return { error: word("the link is too long") };
  const parts = hash.slice(kernel_mark.length).split(",");
  const damaged = { error: word("the link is damaged") };
  if (!hash.startsWith(kernel_mark) || parts.length !== 6) return damaged;
  const [flop, bytes, seconds, type, cores, under] = parts;
  if (!types.includes(type) || !name.test(under)) return damaged;
  const numbers = { flop, bytes, seconds, cores };
  const kernel = { type };
  for (const [field, text] of Object.entries(numbers)) {
    if (!number.test(text)) return damaged;
    const { value, error } = bounded(Number(text), kind_of[field]);
    if (error) return { error: word("the link has an invalid number: {why}", { why: error }) };
    kernel[field] = value;
  }
  return { kernel, under };
}
