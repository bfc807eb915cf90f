// /machines/ of a book with many machines: ranks the reader's machine among all, and adds a search.
// The list of machines is fetched when the search is first used.

import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { later_word } from "../base/first_words.js";
import { fetch_ok, store } from "../page/page.js";
import { core_of, found_in, share_below } from "./find.js";

const most_found = 50;

const percentiles_in = (text) => text.split(",").map(Number);

async function say_where_yours_lies(place) {
  const { profile } = store.load();
  if (!profile) return;
  const { arithmetic, memory } = core_of(profile);
  const { machines: n, arithmetic: rates, memory: reads } = place.dataset;
  const parts = [];
  if (memory > 0) {
    const share = share_below(memory, percentiles_in(reads));
    parts.push(
      await later_word("Your core moves bytes faster than {share} % of {n} machines.", {
        share,
        n,
      }),
    );
  }
  if (arithmetic > 0) {
    const share = share_below(arithmetic, percentiles_in(rates));
    parts.push(await later_word("It computes faster than {share} % of them.", { share }));
  }
  if (parts.length) place.prepend(make("p", { id: "gallery-yours", textContent: parts.join(" ") }));
}

function row_of([file, name, browser, day, cores, arithmetic, memory], compare) {
  const cell = (textContent) => make("td", { textContent });
  const links = make("td", {}, make("a", { href: `${file}.json`, textContent: "JSON" }));
  if (compare) {
    const href = `../machine/#with=${encodeURIComponent(file)}`;
    links.prepend(make("a", { href, textContent: compare }), " ");
  }
  return make(
    "tr",
    {},
    make("th", { scope: "row", textContent: name }),
    cell(browser),
    cell(day),
    cell(cores || ""),
    cell(`${digits(arithmetic / 1e9)} GFLOP/s`),
    cell(`${digits(memory / 1e9)} GB/s`),
    cell(`${digits(arithmetic / memory, 2)} FLOP/B`),
    links,
  );
}

/** Adds the search above the table. The search selects the rows of the table. */
async function add_search(place, table) {
  const input = make("input", { type: "search", autocomplete: "off", spellcheck: false });
  const label = await later_word("Search {n} machines", { n: place.dataset.listed });
  const said = make("output", {});
  const form = make("form", { role: "search" }, make("label", {}, label, " ", input), " ", said);
  form.addEventListener("submit", (event) => event.preventDefault());
  place.append(form);
  const body = table.tBodies[0];
  const first = [...body.children];
  const compare =
    body.querySelector('a[href^="../machine/"]') !== null && (await later_word("Compare"));
  let list = null;
  input.addEventListener("input", async () => {
    try {
      list ??= fetch_ok(new URL(place.dataset.list, location.href)).then((got) => got.json());
      const machines = await list;
      const query = input.value.trim();
      const found = query ? found_in(machines, query) : null;
      const shown = found?.slice(0, most_found).map((one) => row_of(one, compare));
      body.replaceChildren(...(shown ?? first));
      said.textContent = found ? await later_word("{n} found", { n: found.length }) : "";
    } catch {
      list = null;
      said.textContent = await later_word("The list of machines could not be fetched.");
    }
  });
}

export async function show(place) {
  const table = place.dataset.list && document.querySelector(".table.machines table");
  await Promise.all([say_where_yours_lies(place), table && add_search(place, table)]);
}
