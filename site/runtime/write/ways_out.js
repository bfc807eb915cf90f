// The ways to send or save a draft: the repository's editor, a report, a file, a link or a patch.
// The author sends it; this page sends nothing. Addresses and the licence come from the page, which
// has them from book.yaml, --repository and --base-url.
import { button, make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { download } from "../page/download.js";
import { differences_of, patch_of } from "./patch.js";
import { editor_of, report_of } from "./repository.js";
import { address_of } from "./shared_draft.js";

const type_of = (file) => (file.endsWith(".json") ? "application/json" : "text/markdown");

const licence = () => document.documentElement.dataset.license ?? "";

const field = (name, type, text, autocomplete) => {
  const input = make("input", { name, type, autocomplete, required: true });
  return [input, make("label", {}, text, " ", input)];
};

async function copy(text) {
  if (!navigator.clipboard) throw new Error("this browser does not allow copying");
  await navigator.clipboard.writeText(text).catch(() => {
    throw new Error("this browser does not allow copying");
  });
}

/** Opens another site's page, which gets no access to this one. */
const open_page = (address) => open(address, "_blank", "noopener");

/** How a build will judge the draft that was just sent; empty if there are no errors. */
const warned = ({ errors }) =>
  errors > 0
    ? ` ${word("Errors in it: {n}. The build refuses it until they are fixed.", { n: errors })}`
    : "";

/** Returns a button whose `act()` returns what to say afterwards, or throws why it cannot. */
function way_out(text, status, desk, act) {
  return button(text, async () => {
    try {
      status.textContent = (await act()) + warned(desk);
    } catch ({ message }) {
      status.textContent = word("Unavailable, because {why}.", { why: heard(message) });
    }
  });
}

/** The ways that need no installation. */
function without_git(desk, status) {
  const edit = way_out(word("Open in the repository’s editor"), status, desk, async () => {
    if (desk.published === null) throw new Error("the repository has no such file yet");
    const address = editor_of(desk.file);
    await copy(desk.editor.text());
    open_page(address);
    return word("Copied. In the editor that opened, select all and paste.");
  });
  const report = way_out(word("Report it"), status, desk, async () => {
    const change = await differences_of(await changed_files(desk));
    const { address, is_whole } = report_of(change);
    if (!is_whole) await copy(change);
    open_page(address);
    return is_whole
      ? word("A report with your change has been opened. It is not sent yet.")
      : word("Your change is too long for an address, so it was copied: paste it into the report.");
  });
  const save = way_out(word("Save this file"), status, desk, async () => {
    download(desk.editor.text(), type_of(desk.file), desk.file.split("/").at(-1));
    return word("Saved.");
  });
  const link = way_out(word("Copy a link to this text"), status, desk, async () => {
    await copy(await address_of(desk));
    return word("Copied. Whoever opens the link is asked first.");
  });
  return [
    make("p", { textContent: word("Without git, with an account at the repository:") }),
    make("p", { className: "write-buttons" }, edit, report),
    make("p", { className: "write-buttons" }, save, link),
  ];
}

/** The patch, and the commands that apply it. */
function with_git(desk, status) {
  const [name, name_label] = field("name", "text", word("Your name"), "name");
  const [address, address_label] = field("address", "email", word("Your e-mail address"), "email");
  const [subject, subject_label] = field(
    "subject",
    "text",
    word("What you changed, in one line"),
    "off",
  );
  const patch = make("button", { textContent: word("Save a patch") });
  const form = make("form", {}, name_label, address_label, subject_label, patch);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await save_patch(desk, { name: name.value, address: address.value, subject: subject.value });
      status.textContent = word("Saved. The steps below say what to do with it.") + warned(desk);
    } catch ({ message }) {
      status.textContent = word("Unavailable, because {why}.", { why: heard(message) });
    }
  });
  const steps = [
    word("In a clone of the repository, on a new branch: git am -3 correction.patch"),
    word("Check it: scripts/test --quick"),
    word("Push the branch and open a pull request."),
  ].map((textContent) => make("li", { textContent }));
  return [make("p", { textContent: word("With git:") }), form, status, make("ol", {}, ...steps)];
}

/** Returns the disclosure element with them, for below the editor. */
export function ways_out(desk) {
  const status = make("output", { className: "write-state" });
  return make(
    "details",
    { className: "write-out" },
    make("summary", { textContent: word("Send it") }),
    make("p", {
      textContent: word("By sending it, you offer it under the book’s license: {licence}", {
        licence: licence(),
      }),
    }),
    ...without_git(desk, status),
    ...with_git(desk, status),
  );
}

async function changed_files(desk) {
  const files = await desk.changes();
  if (files.length === 0) throw new Error("nothing has been changed yet");
  return files;
}

async function save_patch(desk, { name, address, subject }) {
  const about = { name, address, date: new Date(), subject, licence: licence() };
  const patch = await patch_of(await changed_files(desk), about);
  download(patch, "text/x-patch", "correction.patch");
}
