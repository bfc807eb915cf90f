// Drafts in an address. Such a draft may come from anybody, so it is opened only after the author
// agrees.
import { heard, word } from "../base/language.js";
import { draft_in, link_of } from "./draft_link.js";
import { question } from "./question.js";

/** Returns an address with the open text of a desk. Throws Error if it would be too long. */
export async function address_of({ file, editor, published }) {
  const address = new URL(location.href);
  address.search = `?file=${encodeURIComponent(file).replaceAll("%2F", "/")}`;
  address.hash = await link_of({ file, text: editor.text(), published });
  return address.href;
}

async function question_of(desk, draft) {
  const lines = draft.text.split("\n").length;
  const words = [word("This address holds a text of {file}, {lines} lines.", { ...draft, lines })];
  if (await desk.drafts.load(draft.file)) words.push(word("It would replace your own draft."));
  return words.join(" ");
}

/** Asks at the top of `tool` if the fragment has a draft. Resolves once the question is shown. */
export async function ask_about_shared(tool, desk, hash) {
  try {
    const published = async (file) =>
      desk.pages.has(file) ? (await desk.taken(file)).published : null;
    const draft = await draft_in(hash, published);
    if (!draft) return;
    if (!desk.pages.has(draft.file)) throw new Error("the book has no such page");
    const take = async () => {
      await desk.drafts.keep(draft.file, draft.text);
      await desk.open(draft.file);
    };
    const answers = [
      [word("Open it"), take],
      [word("Leave it"), () => {}],
    ];
    tool.prepend(question(desk.editor, await question_of(desk, draft), answers));
  } catch ({ message }) {
    const why = word("Unavailable, because {why}.", { why: heard(message) });
    tool.prepend(question(desk.editor, why, []));
  }
}
