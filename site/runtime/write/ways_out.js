// The ways in which a draft leaves the browser: as a file, a link or a patch for the repository.
// The author sends it; this page sends nothing.
import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { download } from "../page/download.js";
import { patch_of } from "./patch.js";
import { address_of } from "./shared_draft.js";

const licence = "Text and figures under CC BY 4.0, code under MIT.";

const type_of = (file) => (file.endsWith(".json") ? "application/json" : "text/markdown");

const field = (name, type, text, autocomplete) => {
  const input = make("input", { name, type, autocomplete, required: true });
  return [input, make("label", {}, text, " ", input)];
};

/** Returns the disclosure element with them, for below the editor. */
export function ways_out(desk) {
  const status = make("output", { className: "write-state" });
  const [name, name_label] = field("name", "text", word("Your name"), "name");
  const [address, address_label] = field("address", "email", word("Your e-mail address"), "email");
  const [subject, subject_label] = field(
    "subject",
    "text",
    word("What you changed, in one line"),
    "off",
  );
  const save = make("button", { type: "button", textContent: word("Save this file") });
  save.addEventListener("click", () =>
    download(desk.editor.text(), type_of(desk.file), desk.file.split("/").at(-1)),
  );
  const link = make("button", { type: "button", textContent: word("Copy a link to this text") });
  link.addEventListener("click", () =>
    copy_link(desk).then(
      () => (status.textContent = word("Copied. Whoever opens the link is asked first.")),
      ({ message }) =>
        (status.textContent = word("Unavailable, because {why}.", { why: heard(message) })),
    ),
  );
  const patch = make("button", { textContent: word("Save a patch") });
  const form = make("form", {}, name_label, address_label, subject_label, patch);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await save_patch(desk, { name: name.value, address: address.value, subject: subject.value });
      status.textContent = word("Saved. The steps below say what to do with it.");
    } catch ({ message }) {
      status.textContent = word("Unavailable, because {why}.", { why: heard(message) });
    }
  });
  const steps = [
    word("In a clone of the repository, on a new branch: git am correction.patch"),
    word("Check it: scripts/test --quick"),
    word("Push the branch and open a pull request."),
  ].map((textContent) => make("li", { textContent }));
  return make(
    "details",
    { className: "write-out" },
    make("summary", { textContent: word("Send it") }),
    make("p", {
      textContent: word("By sending it, you offer it under the book’s licence: {licence}", {
        licence,
      }),
    }),
    make("p", {}, save, " ", link),
    form,
    status,
    make("ol", {}, ...steps),
  );
}

async function save_patch(desk, { name, address, subject }) {
  const files = await desk.changes();
  if (files.length === 0) throw new Error("nothing has been changed yet");
  const patch = patch_of(files, { name, address, date: new Date(), subject, licence });
  download(patch, "text/x-patch", "correction.patch");
}

async function copy_link(desk) {
  const address = await address_of({ file: desk.file, text: desk.editor.text() });
  if (!navigator.clipboard) throw new Error("this browser does not allow copying");
  await navigator.clipboard.writeText(address).catch(() => {
    throw new Error("this browser does not allow copying");
  });
}
