// An exercise that a teacher sets: a title, and the page or measurement of this book where students
// measure. It travels in the fragment of an address of /class/: "#e=" + packed JSON [path, title].

import { plain } from "../profile/machine_name.js";
import { pack, unpack } from "../profile/permalink.js";

export const exercise_mark = "#e=";
export const longest_title = 80;
const longest_link = 600; // in characters
// Below the root of the book: "matmul/", "matmul/#bench-ladder". An exercise leads to no other
// site.
const path_form = /^(?:[a-z0-9-]+\/)*(?:#[a-z0-9-]+)?$/;

/**
 * The path of an address below `root`, as teachers paste it: "https://…/matmul/#bench-ladder" or
 * "matmul/". Null if it is not an address of this book.
 */
export function path_of(text, root) {
  const given = text.trim();
  if (path_form.test(given)) return given;
  if (!given.startsWith(root.href)) return null;
  const path = given.slice(root.href.length);
  return path_form.test(path) ? path : null;
}

export async function exercise_link({ path, title }, address) {
  const text = JSON.stringify([path, plain(title, longest_title)]);
  return address + exercise_mark + (await pack(text));
}

/** {path, title} from the fragment "#e=…", or {error} in words. */
export async function exercise_of_link(fragment) {
  if (fragment.length > longest_link) return { error: "the link is too long" };
  let values;
  try {
    values = JSON.parse(await unpack(fragment.slice(exercise_mark.length)));
  } catch {
    return { error: "the link is damaged" };
  }
  const [path, title] = Array.isArray(values) ? values : [];
  if (typeof path !== "string" || !path_form.test(path))
    return { error: "it does not name a page of this book" };
  return { path, title: plain(title, longest_title) };
}
