// The page /class/: a student's class link, the machines of a class in one figure, and a link that
// sets an exercise. Everything happens in this browser: links and files travel as the class sends
// them. The parts are added at the end of the text, where they move nothing.

import { button, make } from "../base/element.js";
import { heard, language, word } from "../base/language.js";
import { refuse_in_frame } from "../base/storage.js";
import { download } from "../page/download.js";
import { reference_profile, registry, store } from "../page/page.js";
import { csv_of } from "../profile/csv.js";
import { plain, system_of } from "../profile/machine_name.js";
import { draw_class } from "./class_figure.js";
import { class_link, class_mark } from "./class_link.js";
import { ClassList } from "./class_list.js";
import {
  device_of,
  devices,
  in_order,
  longest_name,
  machine_of,
  ridge_of,
} from "./class_machine.js";
import { questions_of, spread_words } from "./class_questions.js";
import {
  exercise_link,
  exercise_mark,
  exercise_of_link,
  longest_title,
  path_of,
} from "./exercise.js";
import { digits } from "../base/digits.js";

const here = () => location.href.split("#")[0];
const root = () => new URL(document.documentElement.dataset.root ?? "./", document.baseURI);

/** A section of the page, with its heading. */
const section = (id, title, ...content) =>
  make("section", { className: "class-part" }, make("h2", { id, textContent: title }), ...content);

function field(label, control) {
  return make("label", {}, make("span", { textContent: label }), control);
}

function status() {
  const place = make("div", { className: "class-status" });
  place.setAttribute("role", "status");
  return place;
}

/** A form of fields with a button; `send` runs on it and on Enter. */
function form_of(fields, label, send) {
  const submit = make("button", { type: "submit", textContent: label });
  const form = make("form", { className: "class-form" }, ...fields, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  return form;
}

/** Shows a link to copy in `place`. */
function show_link(place, label, url) {
  const input = make("input", {
    readOnly: true,
    value: url,
    className: "class-link",
    ariaLabel: label,
  });
  const copy = button(word("Copy the link"), async () => {
    try {
      await navigator.clipboard.writeText(url);
      copy.textContent = word("Copied");
    } catch {
      copy.textContent = word("Not copied: select it and copy by hand");
    }
  });
  place.replaceChildren(input, copy);
  input.select();
}

const device_words = () =>
  new Map([
    ["phone", word("phone")],
    ["tablet", word("tablet")],
    ["laptop", word("laptop")],
    ["desktop", word("desktop")],
    ["server", word("server")],
  ]);

function student_part() {
  const name = make("input", { maxLength: longest_name, autocomplete: "off", spellcheck: false });
  const device = make(
    "select",
    {},
    ...devices.map((value) => new Option(device_words().get(value), value)),
  );
  device.value = device_of(system_of(store.load().profile?.os));
  const said = status();
  const send = async () => {
    const { profile } = store.load();
    if (!profile) {
      said.textContent = word("Press Measure above first.");
      return;
    }
    const { machine, error } = machine_of(profile, { name: name.value, device: device.value });
    if (error)
      said.textContent = word("There is no link yet, because {why}.", { why: heard(error) });
    else show_link(said, word("Your class link"), await class_link(machine, here()));
  };
  const fields = [field(word("Name or initials"), name), field(word("Device"), device)];
  return section(
    "your-class-link",
    word("Your class link"),
    form_of(fields, word("Make my link"), send),
    said,
  );
}

const columns = ["name", "device", "browser", "system", "date", "gflops", "gbs", "ridge"];

function save_csv(machines) {
  const rows = machines.map((one) => [
    ...[one.name, one.device, one.browser, one.system, one.date],
    ...[one.compute, one.memory, ridge_of(one)],
  ]);
  download(csv_of([columns, ...rows]), "text/csv", "my-class.csv");
}

/** The machines of the class: what was pasted, the figure, the table and the questions. */
class ClassPart {
  #list = new ClassList(async () => {
    const [kernels, reference] = await Promise.all([registry(), reference_profile()]);
    return { registry: kernels, reference };
  });
  #paste = make("textarea", { rows: 4, spellcheck: false });
  #said = status();
  #refused = make("ul", { className: "class-refused" });
  #shown = make("div", { className: "class-shown-machines" });
  #width = 0;
  #queue = Promise.resolve();

  /** The section, with what this browser stores of the class. */
  async section() {
    await this.#list.load();
    const files = make("input", { type: "file", multiple: true, accept: ".json,application/json" });
    files.addEventListener("change", () => {
      this.#add((list) => list.add_files([...files.files]));
      files.value = "";
    });
    const fields = [
      field(word("Class links, in any text"), this.#paste),
      field(word("Or saved profiles"), files),
    ];
    const form = form_of(fields, word("Add to the class"), () => this.#add_pasted());
    this.#take_drops(form);
    const title = word("The machines of your class");
    const part = section("class-machines", title, form, this.#said, this.#refused, this.#shown);
    new ResizeObserver(() => this.#draw_again()).observe(this.#shown);
    this.#show();
    return part;
  }

  /** Puts a link into the field, so that the reader decides whether to add it. */
  offer(link) {
    this.#paste.value = link;
  }

  async #add_pasted() {
    const text = this.#paste.value;
    const { added } = await this.#add((list) => list.add_text(text));
    if (added > 0 && this.#paste.value === text) this.#paste.value = "";
  }

  #take_drops(form) {
    form.addEventListener("dragover", (event) => event.preventDefault());
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      const { files } = event.dataTransfer;
      const text =
        event.dataTransfer.getData("text/uri-list") || event.dataTransfer.getData("text");
      this.#add((list) => (files.length > 0 ? list.add_files([...files]) : list.add_text(text)));
    });
  }

  /** Adds with `read(list)`, one after the other, and says what was added and what was refused. */
  #add(read) {
    return this.#in_turn(async () => {
      await this.#list.load();
      const { added, refused } = await read(this.#list);
      const stays = await this.#list.store();
      this.#said.textContent = [
        word("{n} added, {refused} refused.", { n: added, refused: refused.length }),
        stays ? "" : word("This browser stores nothing, so the list ends with this page."),
      ].join(" ");
      this.#refused.replaceChildren(
        ...refused.map(({ what, why }) => make("li", { textContent: `${what}: ${heard(why)}` })),
      );
      this.#show();
      return { added };
    });
  }

  /** Runs `act` after all earlier ones, because each of them loads, changes and stores the list. */
  #in_turn(act) {
    const done = this.#queue.then(act);
    this.#queue = done.catch(() => {});
    return done;
  }

  #remove(machine) {
    return this.#in_turn(async () => {
      await this.#list.load();
      this.#list.remove(machine);
      await this.#list.store();
      this.#said.textContent = word("{name} was removed.", { name: machine.name });
      this.#show();
      this.#paste.focus();
    });
  }

  #clear() {
    try {
      refuse_in_frame();
    } catch ({ message }) {
      this.#said.textContent = word("Not cleared, because {why}.", { why: heard(message) });
      return;
    }
    this.#in_turn(async () => {
      this.#list.machines = [];
      await this.#list.store();
      this.#refused.replaceChildren();
      this.#said.textContent = word("The class is empty.");
      this.#show();
    });
  }

  #draw_again() {
    const width = this.#shown.clientWidth;
    if (width > 0 && Math.abs(width - this.#width) > 20) this.#show();
  }

  #show() {
    const all = this.#list.machines;
    const machines = in_order(all);
    this.#width = this.#shown.clientWidth;
    if (machines.length === 0) {
      this.#shown.replaceChildren();
      return;
    }
    const words = spread_words(machines);
    const width = Math.min(760, Math.max(300, this.#width || 640));
    const { svg, point_at } = draw_class(machines, width, words);
    const caption = make("figcaption", {
      textContent: word(
        "FLOP/s against FLOPs per byte of one core of each machine, with a dot at each ridge. Phones " +
          "and tablets are dashed, and the bold line has the median of each speed.",
      ),
    });
    const tools = make(
      "p",
      { className: "class-tools" },
      button(word("Save as CSV"), () => save_csv(machines)),
      button(word("Print"), () => print()),
      button(word("Clear the class"), () => this.#clear()),
    );
    this.#shown.replaceChildren(
      make("p", { className: "class-spread", textContent: words }),
      make("figure", { className: "class-figure" }, svg, caption),
      table_of(machines, point_at, (one) => this.#remove(one)),
      tools,
      ...question_parts(machines),
    );
  }
}

function table_of(machines, point_at, remove) {
  const heads = [
    ...[word("machine"), word("device"), word("browser"), word("date"), word("compute")],
    ...[word("memory"), word("ridge")],
  ];
  const head = make(
    "tr",
    {},
    ...heads.map((textContent) => make("th", { scope: "col", textContent })),
    make("td"), // above the buttons
  );
  const body = make("tbody", {}, ...machines.map((one, i) => row_of(one, i, point_at, remove)));
  const table = make("table", {}, make("thead", {}, head), body);
  table.addEventListener("mouseleave", () => point_at(-1));
  const frame = make(
    "div",
    { className: "table", tabIndex: 0, ariaLabel: word("Machines of the class") },
    table,
  );
  frame.setAttribute("role", "group");
  return frame;
}

function row_of(machine, at, point_at, remove) {
  const { name, device, browser, system, date, compute, memory } = machine;
  const cell = (textContent) => make("td", { textContent });
  const out = button(word("Remove"), () => remove(machine));
  out.ariaLabel = word("Remove {name}", { name });
  const row = make(
    "tr",
    {},
    make("th", { scope: "row", textContent: name }),
    ...[device_words().get(device), [browser, system].filter(Boolean).join(", "), date].map(cell),
    ...[`${digits(compute)} GFLOP/s`, `${digits(memory)} GB/s`].map(cell),
    cell(`${digits(ridge_of(machine), 2)} FLOP/B`),
    make("td", {}, out),
  );
  for (const kind of ["mouseenter", "focusin"])
    row.addEventListener(kind, () => point_at(at, name));
  return row;
}

function question_parts(machines) {
  const questions = questions_of(machines);
  if (questions.length === 0) return [];
  const items = questions.map(({ ask, answer }) =>
    make(
      "li",
      {},
      make("p", { textContent: ask }),
      make(
        "details",
        {},
        make("summary", { textContent: word("Answer") }),
        make("p", { textContent: answer }),
      ),
    ),
  );
  const heading = make("h3", {
    id: "class-questions",
    textContent: word("Questions for this class"),
  });
  return [heading, make("ol", { className: "class-questions" }, ...items)];
}

/** The pages of the book, from its contents: [{path, title}]. */
function book_pages() {
  const links = [...document.querySelectorAll(".contents-list a")];
  const pages = links.map((link) => ({
    path: path_of(link.href, root()),
    title: link.textContent,
  }));
  return pages.filter(({ path }) => path);
}

function teacher_part() {
  const title = make("input", { maxLength: longest_title, autocomplete: "off", required: true });
  const pages = make(
    "datalist",
    { id: "class-pages" },
    ...book_pages().map(({ path, title: label }) => make("option", { value: path, label })),
  );
  const own = path_of(here(), root()) ?? "";
  const place = make("input", {
    value: `${own}#bench-class`,
    autocomplete: "off",
    spellcheck: false,
  });
  place.setAttribute("list", pages.id);
  const said = status();
  const send = async () => {
    const path = path_of(place.value, root());
    place.ariaInvalid = String(path === null);
    if (path === null) {
      said.textContent = word(
        "That is not an address in this book. Copy the address of a chapter, a section or a measurement.",
      );
      return;
    }
    const exercise = { path, title: plain(title.value, longest_title) };
    show_link(said, word("Link to the exercise"), await exercise_link(exercise, here()));
  };
  const fields = [
    field(word("Title"), title),
    field(word("Chapter, section or measurement"), place),
    pages,
  ];
  return section(
    "set-an-exercise",
    word("Set an exercise"),
    form_of(fields, word("Make the exercise link"), send),
    said,
  );
}

/** The exercise of the page's address, as a notice at the bottom of the window. */
async function show_exercise() {
  const { path, title, error } = await exercise_of_link(location.hash);
  const notice = make("p", { className: "visit", lang: language });
  notice.setAttribute("role", "status");
  if (error)
    notice.textContent = word("The exercise cannot be shown, because {why}.", {
      why: heard(error),
    });
  else
    notice.append(
      word("Your exercise: {title}", { title: title || word("measure your machine") }),
      " · ",
      make("a", { href: new URL(path, root()).href, textContent: word("Read and measure") }),
      " · ",
      make("a", { href: "#your-class-link", textContent: word("Then make your class link") }),
    );
  document.documentElement.dataset.visit = "";
  document.body.append(notice);
}

/** Adds the parts to the page. */
export async function show(main) {
  const parts = new ClassPart();
  main.append(student_part(), await parts.section(), teacher_part());
  if (location.hash.startsWith(class_mark)) parts.offer(location.href);
  if (location.hash.startsWith(exercise_mark)) await show_exercise();
}
