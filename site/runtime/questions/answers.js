// The reader's earlier answers: guesses and choices, stored only in this browser. Stored data is
// untrusted, like the profile.

import { set_stored, stored } from "../base/storage.js";

const name = "answers.v1";
const longest = 64 * 1024;
const most = 500;
let kept = null; // fallback if storage is denied; lasts as long as the page

/**
 * The path of the page without the site's address and the language, so that a book finds its
 * answers wherever it is served and in whichever language it is read. A chapter's problem page has
 * the path of the chapter.
 */
function page_name() {
  const { lang, dataset } = document.documentElement;
  const here = new URL(document.baseURI);
  const root = new URL(dataset.root ?? "./", here);
  const name = here.pathname.slice(root.pathname.length).replace(/\/problems\/$/, "/");
  return name.startsWith(`${lang}/`) ? name.slice(lang.length + 1) : name;
}

function read_all() {
  if (kept) return kept;
  try {
    const text = stored(name);
    if (text === null || text.length > longest) return new Map();
    const entries = Object.entries(JSON.parse(text));
    return new Map(entries.filter(([, value]) => typeof value === "string" && value.length < 200));
  } catch {
    return new Map();
  }
}

function write_all(answers) {
  try {
    set_stored(name, JSON.stringify(Object.fromEntries([...answers].slice(-most))));
  } catch {
    kept = answers;
  }
  document.dispatchEvent(new Event("primer-answers"));
}

/** The name of a question of this page in the whole book: "roofline/#p-int4". */
export const name_of = (id) => `${page_name()}#${id}`;

/** The answer to the question with this id, or null. */
export const recall = (id) => read_all().get(name_of(id)) ?? null;

export function remember(id, answer) {
  const answers = read_all();
  answers.set(name_of(id), answer);
  write_all(answers);
}

export function forget(id) {
  const answers = read_all();
  answers.delete(name_of(id));
  write_all(answers);
}

/** Removes the answers with these names, of any page, and returns them for put_back(). */
export function take_out(names) {
  const answers = read_all();
  const taken = Object.fromEntries([...answers].filter(([name]) => names.includes(name)));
  for (const name of Object.keys(taken)) answers.delete(name);
  write_all(answers);
  return taken;
}

/** Restores what take_out() returned. Answers given since then stay. */
export function put_back(taken) {
  if (typeof taken !== "object" || taken === null) return;
  write_all(new Map(Object.entries({ ...taken, ...Object.fromEntries(read_all()) })));
}
