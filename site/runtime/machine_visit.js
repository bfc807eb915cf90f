// Somebody else's machine on /machine/, from a link: figures and sentences show it, a notice says so,
// and nothing is stored.

import { reference_profile, registry, store } from "./page.js";
import { profile_of_link } from "./permalink.js";
import { refresh } from "./refresh.js";

/** Shows the machine of the page's address. Throws Error with words when there is none in it. */
export async function open_visit() {
  const known = await Promise.all([registry(), reference_profile()]);
  const { profile, error } = await profile_of_link(location.hash, ...known);
  if (error) throw new Error(error);
  store.view(profile);
  document.body.append(notice_of(profile));
  document.documentElement.dataset.visit = "";
  await refresh();
}

function notice_of({ name }) {
  const notice = Object.assign(document.createElement("p"), { className: "visit" });
  notice.setAttribute("role", "status");
  const back = document.createElement("a");
  back.href = location.pathname + location.search;
  back.textContent = "Back to your own";
  notice.append(
    `You are looking at ${name}. “Your” on this page means theirs; nothing of it is kept here. `,
    back,
  );
  return notice;
}
