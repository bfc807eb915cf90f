// A text that came with the page's address is somebody's: it is opened when the author says so, not before.
import { make } from "../base/element.js";
import { heard, word } from "../base/language.js";
import { draft_in, link_of } from "./draft_link.js";

/** The address of the text that is open; throws where it is too long for one. */
export async function address_of({ file, text }) {
  const address = new URL(location.href);
  address.search = `?file=${encodeURIComponent(file).replaceAll("%2F", "/")}`;
  address.hash = await link_of({ file, text });
  return address.href;
}

async function question_of(desk, draft) {
  const lines = draft.text.split("\n").length;
  const words = [word("This address holds a text of {file}, {lines} lines.", { ...draft, lines })];
  if (await desk.drafts.load(draft.file)) words.push(word("It would replace your own draft."));
  return words.join(" ");
}

/** Asks at the head of `tool`; resolves when it has asked. */
export async function ask_about_shared(tool, desk, hash) {
  const says = make("p", { className: "write-says" });
  says.setAttribute("role", "status");
  try {
    const draft = await draft_in(hash);
    if (!draft) return;
    if (!desk.pages.has(draft.file)) throw new Error("the book has no such page");
    const button = (textContent, then) => {
      const element = make("button", { type: "button", textContent });
      element.addEventListener("click", async () => {
        says.remove();
        await then();
        desk.editor.focus();
      });
      return element;
    };
    const take = async () => {
      await desk.drafts.keep(draft.file, draft.text);
      await desk.open(draft.file);
    };
    const leave = () => {};
    const question = await question_of(desk, draft);
    says.append(question, " ", button(word("Open it"), take), " ", button(word("Leave it"), leave));
  } catch ({ message }) {
    says.textContent = word("Unavailable, because {why}.", { why: heard(message) });
  }
  tool.prepend(says);
}
