// What a page knows about itself: where its assets are, its data, and the C++ that draws and
// evaluates. Everything is fetched on the reader's first request and once.

import { connect, with_named } from "./page_module.js";
import { once } from "../base/once.js";
import { stored } from "../base/storage.js";
import { ProfileStore } from "../profile/profile.js";

const root = document.documentElement;
export const assets = new URL(root.dataset.assets ?? "./", document.baseURI);
export const store = new ProfileStore();

/** The name under which a reader keeps that numbers are to be the reference machine's. */
export const choice = "numbers";
/** Did the reader choose so? Their own machine's page shows their own. */
export const shows_reference = () =>
  !store.is_viewing && stored(choice) === "reference" && !document.getElementById("bench-machine");

const gone = "the book was updated: reload the page";

export async function fetch_ok(url) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error("the network is not there");
  }
  if (!response.ok) throw new Error(gone);
  return response;
}

const empty_page = {
  facts: {},
  figures: {},
  live: [],
  verdicts: [],
  worked: [],
  predictions: [],
  benches: [],
};

let lent = null;

/** On /write/, a block of another page is shown with the data of that, until this is null. */
export function lend_data(data) {
  lent = data && { ...empty_page, ...data };
}

const own_data = once(async () => {
  const name = root.dataset.page;
  if (!name) return empty_page;
  return { ...empty_page, ...(await (await fetch_ok(new URL(name, document.baseURI))).json()) };
});

/** The page's own JSON (figures' specs, expressions, runs), beside its HTML. */
export const page_data = async () => lent ?? own_data();

export const reference_profile = once(async () =>
  (await fetch_ok(new URL("reference.json", assets))).json(),
);
export const recorded_machines = once(async () =>
  (await fetch_ok(new URL("machines.json", assets))).json(),
);
export const chips = once(async () => (await fetch_ok(new URL("chips.json", assets))).json());
export const registry = once(async () => (await fetch_ok(new URL("registry.json", assets))).json());

const modules = new Map();

/** The C++ in one of the assets' modules: call({op, …}) → object; throws Error with its own words. */
export function module_of(name) {
  if (!modules.has(name))
    modules.set(
      name,
      once(async () => {
        const bytes = await (await fetch_ok(new URL(name, assets))).arrayBuffer();
        return connect(await WebAssembly.compile(bytes));
      }),
    );
  return modules.get(name)();
}

// What page-plots.wasm draws (figures/kinds/plot_kinds.cpp); page.wasm draws what else can be redrawn.
const plot_kinds = ["curves", "sweep"];

/**
 * The answer to one request, of the module that draws the request's figure; both answer everything
 * else, so that whatever the page's first figure needs is asked.
 */
export async function ask(request) {
  const { facts, figures } = await page_data();
  const { spec } = { ...Object.values(figures)[0], ...request };
  const [call, reference, kernels, speech] = await Promise.all([
    module_of(plot_kinds.includes(spec?.kind) ? "page-plots.wasm" : "page.wasm"),
    reference_profile(),
    registry(),
    request.spec && import("./drawing_words.js"),
  ]);
  const words = await speech?.drawing_words();
  const reader = shows_reference() ? null : store.load().profile;
  const whole = with_named(request, { facts, registry: kernels, reference, reader });
  if (!words) return call(whole);
  const drawing = call({ ...whole, words: words.labels });
  return { ...drawing, svg: speech.localized(words, drawing) };
}
