// What a reader can do with the results on /machine/: share a card, link to them, save them as
// files, submit them to the gallery, and load another profile in their place. Nothing is sent: for
// the gallery, this opens a GitHub form that the reader can submit.

import { button, make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { slug_of } from "../base/slug.js";
import { download } from "../page/download.js";
import { ask, page_data, store } from "../page/page.js";
import { csv_of, result_rows } from "../profile/csv.js";
import { link_of } from "../profile/permalink.js";
import { range_of, size_words } from "../profile/level_size.js";
import { json_of, parse_profile } from "../profile/profile.js";
import { digits } from "../base/digits.js";
import { browser_of, plain } from "../profile/machine_name.js";
import { forget, refuse_in_frame, set_stored, stored } from "../base/storage.js";
import { badge_of, machine_words } from "../profile/result_text.js";
import { standing_of } from "../profile/standing.js";
import { more_menu } from "./more_menu.js";

// The profile that a loaded file replaced, until the tab is closed.
const before_name = "profile.before";
const session = () => sessionStorage;
const longest_file = 4 * 2 ** 20;

/**
 * Returns the row of buttons for a profile, with the less common ones in a menu, and the element
 * that shows what they report.
 */
export function tools(profile) {
  const place = make("div", { className: "machine-answer" });
  place.setAttribute("role", "status");
  const say = (...content) => place.replaceChildren(...content);
  const taken = store_before();
  const is_steady = standing_of(profile).state === "steady";
  const card = button(word("A card to share"), () =>
    import("./share.js")
      .then(({ share_card }) => share_card(profile))
      .catch(({ message }) => say(heard(message))),
  );
  const menu = [
    button(word("Save as JSON"), () => save_json(profile)),
    button(word("Save as CSV"), () => save_csv(profile)),
    button(word("Save the roofline as SVG"), () =>
      save_svg().catch(({ message }) => say(heard(message))),
    ),
    button(word("Send to the gallery"), () => show_entry(profile, say)),
    button(word("Load a saved profile"), () => choose_file(place)),
  ];
  const row = make(
    "div",
    { className: "machine-tools" },
    ...(is_steady ? [card] : []), // without both roofs there is nothing to draw
    button(word("Link to it"), () => show_link(profile, say)),
    ...(taken ? [button(word("Restore what the file replaced"), () => take_back(taken, say))] : []),
    more_menu(...menu),
  );
  return [row, place];
}

function save_json(profile) {
  download(json_of(profile), "application/json", "my-machine.json");
}

function save_csv(profile) {
  download(csv_of(result_rows(profile)), "text/csv", "my-machine.csv");
}

/** Saves the roofline with colors instead of CSS variables, for slides and posts. */
async function save_svg() {
  const { figures } = await page_data();
  const { spec } = Object.values(figures).find((figure) => figure.spec.kind === "roofline");
  const lang = document.documentElement.lang;
  const options = { width: "wide", theme: "light", lang };
  const { svg } = await ask({ op: "render", spec, options });
  download(svg, "image/svg+xml", "my-roofline.svg");
}

async function show_link(profile, say) {
  const url = new URL(await link_of(profile), location.href.split("#")[0]).href;
  const field = make("input", { readOnly: true, value: url, className: "machine-link" });
  field.setAttribute("aria-label", word("Link to this machine"));
  say(
    word(
      "The link contains only the name of your browser, your operating system and the numbers on " +
        "this page. Nothing is sent.",
    ),
    " ",
    field,
    copy_button(word("Copy the link"), () => url),
  );
  field.select();
}

function copy_button(label, text_of) {
  const copy = button(label, async () => {
    try {
      await navigator.clipboard.writeText(text_of());
      copy.textContent = word("Copied");
    } catch {
      copy.textContent = word("Not copied: select it and copy by hand");
    }
  });
  return copy;
}

/** Shows the whole entry for the gallery, so that the reader sees it before GitHub opens. */
function show_entry(profile, say) {
  const text = entry_of(profile);
  const area = make("textarea", {
    readOnly: true,
    value: text,
    rows: 12,
    className: "machine-entry",
  });
  area.setAttribute("aria-label", word("The text of the entry"));
  const repository = document.documentElement.dataset.repository;
  const parts = [word("This is the whole entry."), " ", area];
  if (repository) {
    const url = new URL(`${repository}/issues/new`);
    url.searchParams.set("title", `Machine: ${title_of(profile)}`);
    url.searchParams.set("body", text);
    const open = { href: url.href, target: "_blank", rel: "noopener" };
    parts.push(make("a", { ...open, textContent: word("Open it on GitHub") }), " ");
  } else {
    parts.push(
      word("This copy of the book does not name its repository: send the entry to its publisher."),
      " ",
    );
  }
  say(
    ...parts,
    copy_button(word("Copy the JSON to paste"), () => json_of(profile)),
    ...in_workshop(profile),
  );
}

/**
 * Returns a link that opens the profile as a new file on /write/ (write/new_profile.js), or nothing
 * if the site has no editor.
 */
function in_workshop(profile) {
  const edit = document.querySelector('a[href*="/write/?file="]');
  if (!edit) return [];
  const name = slug_of(`${title_of(profile)} ${plain(profile.created).slice(0, 10)}`);
  const url = new URL(edit.href);
  url.search = `?file=figures/profiles/${name}.json`;
  const link = { href: url.href, textContent: word("Open it as a file of the book") };
  return [" ", make("a", link)];
}

const title_of = ({ browser, os }) =>
  [browser, os]
    .map((text) => plain(text, 60).replaceAll("`", "'"))
    .filter(Boolean)
    .join(", ") || browser_of("");

/**
 * Returns the gallery entry as Markdown. Everything from the profile is inside a code block,
 * because profiles are untrusted.
 */
export function entry_of(profile) {
  const { results = [], roofs = [], levels = [], clock_ghz, cores, isolated } = profile;
  const measured = results.filter((r) => badge_of(r).kind !== "bad").length;
  const lines = [
    `Browser: ${title_of(profile)}${isolated ? ", isolated" : ""}`,
    clock_ghz > 0 ? `Clock: ${digits(clock_ghz)} GHz` : "",
    cores
      ? `Cores: ${cores.reported} reported${cores.usable ? `, ${cores.usable} usable` : ""}`
      : "",
    ...roofs.map((r) => {
      const { isa, type, level, threads } = r.class;
      return `Roof: ${r.device === "gpu" ? "GPU " : ""}${plain(isa ?? type ?? level, 20)}${threads > 1 ? `, ${threads} threads` : ""}: ${digits(r.value)} ${plain(r.unit, 20)}`;
    }),
    ...levels.filter(range_of).map((level) => {
      const { low, high } = range_of(level);
      return `Level: ${plain(level.name, 20)}: between ${size_words(low)} and ${size_words(high)}`;
    }),
    `Measurements: ${measured} checked and steady, of ${results.length}`,
  ];
  const ask_for =
    "Paste the JSON of the profile here (the page's button has copied it):\n\n```json\n\n```\n";
  const listed = lines.filter(Boolean).slice(0, 60).join("\n").replaceAll("`", "'");
  return `\`\`\`text\n${listed}\n\`\`\`\n\n${ask_for}`;
}

function take_back(profile, say) {
  try {
    refuse_in_frame();
  } catch ({ message }) {
    say(word("Not restored, because {why}.", { why: heard(message) }));
    return;
  }
  replace_by(profile, null);
}

function store_before() {
  const text = stored(before_name, session);
  return text === null ? null : (parse_profile(text).profile ?? null);
}

/** Opens a file picker and loads the file. Errors are shown in `place`. */
export function choose_file(place) {
  const input = make("input", { type: "file", accept: ".json,application/json" });
  input.addEventListener("change", () => load_file(input.files[0], place));
  input.click();
}

/**
 * Replaces the stored profile with the one in a file and reloads the page. If it is invalid, shows
 * the reason and changes nothing.
 */
export async function load_file(file, place) {
  const refuse = (why) =>
    place.replaceChildren(make("p", {}, word("Not loaded, because {why}.", { why: heard(why) })));
  try {
    refuse_in_frame();
  } catch ({ message }) {
    refuse(message);
    return;
  }
  if (file.size > longest_file) {
    refuse("the file is longer than 4 MiB");
    return;
  }
  const { profile, error } = parse_profile(await file.text());
  if (error) refuse(error);
  else if ((profile.results ?? []).length === 0) refuse("it holds no results");
  else if (replace_by({ ...profile, name: name_of(profile), loaded: true }, store.load().profile)) {
    refuse("this browser refuses to store it");
  }
}

/**
 * The machine's name as the file gives it. Without `loaded: false`, machine_words() would add that
 * it came from a file.
 */
const name_of = (profile) => plain(machine_words({ ...profile, loaded: false }));

/**
 * Stores a profile and reloads the page; `before` is stored for "Restore". Returns true if the
 * profile could not be stored.
 */
function replace_by(profile, before) {
  try {
    if (before) set_stored(before_name, JSON.stringify(before), session);
    else forget(before_name, session);
  } catch {
    // Then "Restore" is not offered.
  }
  if (store.save(profile)) return true;
  location.reload();
  return false;
}
