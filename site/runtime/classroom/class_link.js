// A machine of a class in an address of /class/, short enough for a chat message. All of it is in
// the fragment, which browsers do not send:
//
//   #c=…  packed JSON [version, name, device, browser, system, date, GFLOP/s, GB/s]

import { pack, unpack } from "../profile/permalink.js";
import { checked } from "./class_machine.js";

export const class_mark = "#c=";
export const longest_link = 300; // in characters, with the address

const version = 1;

/** The link for a machine, at an address without a fragment. The name is cut to fit the limit. */
export async function class_link(machine, address) {
  const { name, device, browser, system, date, compute, memory } = machine;
  const letters = [...name];
  for (;;) {
    const kept = letters.join("").trim();
    const values = [version, kept, device, browser, system, date, compute, memory];
    const link = address + class_mark + (await pack(JSON.stringify(values)));
    if (link.length <= longest_link || letters.length === 0) return link;
    letters.pop();
  }
}

/** {machine} from the fragment "#c=…", or {error} in words. */
export async function machine_of_link(fragment) {
  if (fragment.length > longest_link) return { error: "it is longer than 300 characters" };
  let values;
  try {
    values = JSON.parse(await unpack(fragment.slice(class_mark.length)));
  } catch {
    return { error: "the link is damaged" };
  }
  if (!Array.isArray(values)) return { error: "the link does not describe a machine" };
  const [its_version, name, device, browser, system, date, compute, memory] = values;
  if (its_version !== version) return { error: "another version of the book made it" };
  return checked({ name, device, browser, system, date, compute, memory });
}
