// The reading options: single-key shortcuts and a switch for them (WCAG 2.1.4), the book offline,
// and the reading history. head.js loads this when it is first opened.

import { button, make } from "../base/element.js";
import { frame_heard, frame_word } from "../base/frame_language.js";
import { can_keep, keep_nothing, keep_whole, state } from "./offline.js";
import { once } from "../base/once.js";
import { load_style, make_dialog } from "../page/dialog.js";
import { forget_records } from "./record.js";
import { forget, refuse_in_frame, set_stored, stored } from "../base/storage.js";

const keys_name = "keys"; // "off": single keys do nothing
const tips_name = "tips"; // "off": the Tab key skips tooltips

const has_problems = document.querySelector(".problems") !== null;
const described = {
  c: frame_word("open the contents"),
  n: frame_word(has_problems ? "the next question" : "the next chapter"),
  p: frame_word(has_problems ? "the previous question" : "the previous chapter"),
  "?": frame_word("these options"),
};

const status_line = () => {
  const status = make("p", { className: "panel-status" });
  status.setAttribute("role", "status");
  return status;
};

function keys_part() {
  const has_search = document.querySelector(".search-open") !== null;
  const words = has_search ? { "/": frame_word("search the book"), ...described } : described;
  const list = Object.entries(words).flatMap(([key, does]) => [
    make("dt", {}, make("kbd", { textContent: key })),
    make("dd", { textContent: does }),
  ]);
  const arrows = make("p", {
    textContent: frame_word(
      "The Tab key stops once per group (a paragraph’s explained words, choices, a figure’s " +
        "tools). Use ← and → within the group.",
    ),
  });
  const keys = switch_of(keys_name, frame_word("Single-key shortcuts (outside text fields)"));
  const tips = switch_of(
    tips_name,
    frame_word("The Tab key stops at numbers and terms with an explanation"),
    stop_at_tips,
  );
  const heading = make("h2", { textContent: frame_word("Keyboard") });
  return [heading, make("dl", { className: "keys" }, ...list), keys, tips, arrows];
}

/** A checkbox that is checked unless the storage says "off". */
function switch_of(name, words, act = () => {}) {
  const box = make("input", { type: "checkbox" });
  box.checked = stored(name) !== "off";
  box.addEventListener("change", () => {
    try {
      if (box.checked) forget(name);
      else set_stored(name, "off");
      act(box.checked);
    } catch {
      box.checked = true; // storage is denied, so all options stay on
    }
  });
  return make("p", {}, make("label", {}, box, words));
}

/** As page/tools.js does on the next page. */
function stop_at_tips(is_on) {
  for (const tipped of document.querySelectorAll(".tipped[tabindex]"))
    tipped.tabIndex = is_on ? 0 : -1;
}

const kept_words = (kept, whole) => {
  if (!kept) return "Nothing is saved for offline reading. The whole book takes {size}.";
  return whole
    ? "The whole book is saved in this browser ({size})."
    : "The text and the parts that you opened are saved in this browser ({size}).";
};

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

function offline_part() {
  const status = status_line();
  const tools = make("div", { className: "contents-tools" });
  const show = async () => {
    try {
      const { kept, whole, bytes, whole_bytes } = await state();
      const size = megabytes(kept ? bytes : whole_bytes);
      status.textContent = frame_word(kept_words(kept, whole), { size });
      const keep_all = frame_word("Save the whole book ({size})", { size: megabytes(whole_bytes) });
      const all = button(keep_all, keep);
      const none = button(frame_word("Delete the saved book"), remove);
      tools.replaceChildren(...(whole ? [] : [all]), ...(kept ? [none] : []));
    } catch (error) {
      status.textContent = frame_word("Unavailable, because {why}.", {
        why: frame_heard(error.message),
      });
    }
  };
  const working = async (work) => {
    for (const button of tools.children) button.disabled = true;
    try {
      await work();
      await show();
    } catch (error) {
      status.textContent = frame_word("Not saved: {why}.", { why: frame_heard(error.message) });
      for (const button of tools.children) button.disabled = false;
    }
  };
  const keep = () =>
    working(() => {
      status.textContent = frame_word("Saving the book …");
      return keep_whole(({ done, of }) => {
        const share = { done: megabytes(done), of: megabytes(of) };
        tools.firstChild.textContent = frame_word("{done} of {of}", share);
      });
    });
  const remove = () => working(keep_nothing);
  return {
    show,
    parts: [make("h2", { textContent: frame_word("Offline reading") }), status, tools],
  };
}

function memory_part() {
  const status = status_line();
  const forget_all = button(frame_word("Clear my reading progress"), () => {
    try {
      refuse_in_frame();
      forget_records();
      status.textContent = frame_word("Cleared.");
    } catch (error) {
      status.textContent = frame_word("Unavailable, because {why}.", {
        why: frame_heard(error.message),
      });
    }
  });
  return [
    make("h2", { textContent: frame_word("Reading progress") }),
    make("p", {
      textContent: frame_word("Your reading progress stays in this browser."),
    }),
    forget_all,
    status,
  ];
}

const panel = once(async () => {
  await load_style();
  const offline = can_keep() ? offline_part() : null;
  const dialog = make_dialog(
    frame_word("Reading options"),
    ...keys_part(),
    ...(offline?.parts ?? []),
    ...memory_part(),
  );
  return { dialog, offline };
});

export async function open_options() {
  const { dialog, offline } = await panel();
  if (!dialog.open) dialog.showModal();
  await offline?.show();
}
