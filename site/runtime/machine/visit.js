// Somebody else's machine on /machine/, from a link ("#m=…") or from the gallery ("#with=name"): figures
// and sentences show it, a notice says so, and nothing is stored.

import { make } from "../base/element.js";
import { language, word } from "../base/language.js";
import { reference_profile, registry, store } from "../page/page.js";
import { link_mark, profile_of_link } from "../profile/permalink.js";
import { parse_profile } from "../profile/profile.js";
import { refresh } from "../page/refresh.js";
import { machine_words } from "../profile/result_text.js";

/** Shows the machine of the page's address. Throws Error with words when there is none in it. */
export async function open_visit() {
  const { profile, error } = await (location.hash.startsWith(link_mark) ? of_link() : of_gallery());
  if (error) throw new Error(error);
  store.view(profile);
  document.body.append(notice_of(profile));
  document.documentElement.dataset.visit = "";
  await refresh();
}

async function of_link() {
  return profile_of_link(location.hash, await registry(), await reference_profile());
}

async function of_gallery() {
  const [, name] = location.hash.match(/^#with=([a-z][a-z0-9-]*)$/) ?? [];
  const root = new URL(document.documentElement.dataset.root, document.baseURI);
  const response = name && (await fetch(new URL(`machines/${name}.json`, root)).catch(() => null));
  if (!response?.ok) return { error: "the gallery has no machine of that name" };
  return parse_profile(await response.text());
}

function notice_of(profile) {
  const name = machine_words(profile);
  const notice = make("p", { className: "visit", lang: language });
  notice.setAttribute("role", "status");
  const back = document.createElement("a");
  back.href = location.pathname + location.search;
  back.textContent = word("Back to your own");
  notice.append(
    word(
      "You are looking at {name}. “Your” on this page means theirs; nothing of it is kept here.",
      { name },
    ),
    " ",
    back,
  );
  return notice;
}
