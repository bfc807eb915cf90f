// The browser editor of /write/: creates its elements, loads the program and the editor, and
// connects them. Nothing is sent anywhere.
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { keep_workshop } from "../reading/offline.js";
import { Desk } from "./desk.js";
import { open_drafts } from "./drafts.js";
import { fact_search } from "./fact_search.js";
import { begun_before, NewChapter } from "./new_chapter.js";
import { begin_profile } from "./new_profile.js";
import { make_frame } from "./preview.js";
import { start_program } from "./program.js";
import { ask_about_shared } from "./shared_draft.js";
import { ways_out } from "./ways_out.js";

const root = new URL(document.documentElement.dataset.root ?? "./", document.baseURI).href;
const first_file = "chapters/en/01-roofline.md";

/** The list of files, grouped by language. */
function file_choice(pages, chosen) {
  const select = make("select", { name: "file" });
  const label = make("label", {}, word("Chapter"), " ", select);
  for (const locale of new Set(pages.map((page) => page.locale))) {
    const group = make("optgroup", { label: locale || word("Machines") });
    for (const { file, title } of pages.filter((page) => page.locale === locale))
      group.append(make("option", { value: file, textContent: title, selected: file === chosen }));
    select.append(group);
  }
  return { label, select };
}

/** The switch between text and preview on narrow screens (write.css). */
function view_switch(tool) {
  const names = { text: word("Text"), page: word("Preview") };
  const buttons = Object.entries(names).map(([view, textContent]) => {
    const button = make("button", { type: "button", textContent });
    button.addEventListener("click", () => choose(view));
    button.dataset.view = view;
    return button;
  });
  const choose = (view) => {
    tool.dataset.view = view;
    for (const button of buttons)
      button.setAttribute("aria-pressed", String(button.dataset.view === view));
  };
  choose("text");
  return make("div", { className: "write-views" }, ...buttons);
}

/** Creates the elements and adds them to `place`. */
function laid_out(place, pages, chosen) {
  const tool = make("section", { className: "write" });
  const parts = {
    host: make("div", { className: "write-editor" }),
    frame: make_frame({ className: "write-preview", title: word("Preview of the page") }),
    problems: make("ol", { className: "write-problems" }),
    count: make("output", { className: "write-count" }),
    state: make("output", { className: "write-state" }),
    stale: make("output", { className: "write-stale" }),
  };
  const choice = file_choice(pages, chosen);
  const back = make("button", { type: "button", textContent: word("Undo all changes") });
  // A page has hundreds of tab stops, so Tab skips the frame, and a button leads into it.
  parts.frame.tabIndex = -1;
  const into = make("button", { type: "button", textContent: word("Go to the preview") });
  into.className = "write-into";
  into.addEventListener("click", () => parts.frame.focus());
  const bar = make("div", { className: "write-bar" }, choice.label, view_switch(tool), into, back);
  bar.append(parts.count);
  const says = make("p", { className: "write-says" }, parts.state, " ", parts.stale);
  tool.append(
    bar,
    make("div", { className: "write-both" }, parts.host, parts.frame),
    says,
    parts.problems,
  );
  place.append(tool);
  return { tool, parts, choice, back };
}

/**
 * Loads the program and the editor and adds the tool to `place`. Calls `say(text)` with the
 * progress. Rejects with a message for the author.
 */
export async function begin(place, say) {
  const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
  const address = new URL("write/", root).href;
  const report = (bytes) => say(word("Loading the book: {n} MB", { n: megabytes(bytes) }));
  const [program, { make_editor }, drafts] = await Promise.all([
    start_program(address, report),
    import("./editor.js"),
    open_drafts(),
  ]);
  const asked = new URLSearchParams(location.search).get("file") ?? "";
  await begin_profile(drafts, asked);
  const pages = await begun_before(program, drafts);
  const file = pages.some((page) => page.file === asked) ? asked : first_file;
  const { tool, parts, choice, back } = laid_out(place, pages, file);
  let desk = null;
  const editor = make_editor(parts.host, {
    label: word("The page’s source"),
    complete: (place) => desk.completions(place),
    on_change: (text) => desk?.edited(text),
    on_move: (line) => desk?.moved(line),
    blocks: {
      names: program.book.blocks,
      label: word("Fields of the block"),
      open: () => desk.form.show(true),
    },
  });
  desk = new Desk({ program, drafts, editor, tool, pages, parts, root });
  back.before(desk.form.toggle);
  parts.host.after(desk.form.panel);
  const begun = new NewChapter(desk, choice.select);
  back.before(desk.side.toggle);
  parts.host.before(desk.side.panel);
  choice.select.addEventListener("change", () => desk.open(choice.select.value));
  back.addEventListener("click", () =>
    begun.has_begun(desk.file) ? begun.ask_to_drop() : desk.take_back(),
  );
  const search = fact_search(
    (words) => desk.facts(words),
    (text) => editor.insert(text),
    (id, back) => desk.entries.open("fact", id, back),
  );
  await desk.entries.refresh();
  tool.append(begun.fold, search, desk.entries.fold, ways_out(desk));
  await desk.open(file);
  editor.focus();
  keep_workshop().catch(() => {}); // the editor then needs the network next time, too
  await ask_about_shared(tool, desk, location.hash);
}
