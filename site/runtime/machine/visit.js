// Shows another machine on /machine/, from a link ("#m=…") or from the gallery ("#with=name").
// Figures and sentences use its profile, a notice names it, and nothing is stored.

import { make } from "../base/element.js";
import { language, word } from "../base/language.js";
import { reference_profile, registry, store } from "../page/page.js";
import { link_mark, profile_of_link } from "../profile/permalink.js";
import { parse_profile } from "../profile/profile.js";
import { refresh } from "../page/refresh.js";
import { machine_words } from "../profile/result_text.js";

/**
 * Shows the machine in the page's address. Throws Error with a message for the reader if there is
 * none.
 */
export async function open_visit() {
  const { profile, error } = await (location.hash.startsWith(link_mark) ? of_link() : of_gallery());
  if (error) throw new Error(error);
  store.view(profile);
  document.body.append(notice_of(profile));
  // The page's own title says "Your machine". A machine's name may wrap and shift the page, so the
  // title becomes "Another machine", and only the notice shows the name.
  const heading = document.querySelector("main h1");
  if (heading) heading.textContent = word("Another machine");
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
  const link = (href, textContent) => make("a", { href, textContent });
  const home = document.querySelector(".page-head .book");
  const guess = home ? [link(home.href, word("Guess yours")), " · "] : [];
  const back = link(location.pathname + location.search, word("Back to your machine"));
  notice.append(
    word(
      "You are looking at {name}. On this page, “your machine” is that machine. Nothing about " +
        "it is saved here.",
      { name },
    ),
    " ",
    ...guess,
    back,
  );
  return notice;
}
