// Reads the machines of a class from what a teacher pastes or drops: any text with links in it,
// and profiles as files. Each link and each file is read alone, so a bad one costs only itself. The
// list is stored in this browser as class links, which are read back with the same checks.

import { set_stored, stored } from "../base/storage.js";
import { plain } from "../profile/machine_name.js";
import { profile_of_link } from "../profile/permalink.js";
import { parse_profile } from "../profile/profile.js";
import { class_link, class_mark, machine_of_link } from "./class_link.js";
import { machine_of } from "./class_machine.js";
import { stored_name } from "./wake.js";

export const most_machines = 500;
const longest_text = 2_000_000; // in characters
const longest_file = 4 * 2 ** 20; // in bytes

const looks_like_link = /:\/\/|#[a-z]=/i;
const its_fragment = /#[cm]=[\w-]+/;

/** The words of a text that look like links. */
const links_in = (text) => text.split(/[\s<>"]+/).filter((each) => looks_like_link.test(each));

/** {machine} of one link, or {error} in words. `book()` resolves to {registry, reference}. */
async function machine_at(link, book) {
  const [fragment] = link.match(its_fragment) ?? [];
  if (!fragment) return { error: "it is not a link to a machine" };
  if (fragment.startsWith(class_mark)) return machine_of_link(fragment);
  const { registry, reference } = await book();
  const { profile, error } = await profile_of_link(fragment, registry, reference);
  return error ? { error } : machine_of(profile, { name: "" });
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The machines of a class, and what was refused: [{what, why}], both in words. */
export class ClassList {
  machines = [];
  #book;

  /** `book()` resolves to {registry, reference}; only links from /machine/ need them. */
  constructor(book) {
    this.#book = book;
  }

  /** Adds {machine}, or returns why not, in words. */
  #add({ machine, error }) {
    if (error) return error;
    if (this.machines.some((one) => same(one, machine))) return "it is in the list already";
    if (this.machines.length === most_machines) return "the list has 500 machines";
    this.machines.push(machine);
    return "";
  }

  /** Adds the machines of all links in a text. Resolves to {added, refused}. */
  async add_text(text) {
    if (text.length > longest_text) {
      const what = `${text.slice(0, 40)}…`;
      return { added: 0, refused: [{ what, why: "the text is longer than 2,000,000 characters" }] };
    }
    return this.#add_each(
      links_in(text),
      (link) => link,
      (link) => machine_at(link, this.#book),
    );
  }

  /** Adds the machines of profiles saved as files. Resolves to {added, refused}. */
  add_files(files) {
    return this.#add_each(
      files,
      ({ name }) => name,
      async (file) => {
        if (file.size > longest_file) return { error: "the file is longer than 4 MiB" };
        const { profile, error } = parse_profile(await file.text());
        return error ? { error } : machine_of(profile);
      },
    );
  }

  async #add_each(sources, name_of, read) {
    const refused = [];
    for (const source of sources) {
      const found = await read(source).catch(({ message }) => ({ error: message }));
      const why = this.#add(found);
      if (why) refused.push({ what: plain(name_of(source), 60), why });
    }
    return { added: sources.length - refused.length, refused };
  }

  remove(machine) {
    this.machines = this.machines.filter((one) => !same(one, machine));
  }

  /** Stores the list. False if the browser refuses; then the list lasts as long as the page. */
  async store() {
    const links = await Promise.all(this.machines.map((machine) => class_link(machine, "")));
    try {
      set_stored(stored_name, links.join("\n"));
      return true;
    } catch {
      return false;
    }
  }

  /** Replaces the list with the stored one, which another tab may have changed, if there is one. */
  async load() {
    const text = stored(stored_name);
    if (text === null) return;
    this.machines = [];
    await this.add_text(text);
  }
}
