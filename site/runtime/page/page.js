// The page's context: the address of its assets, its data, and the C++ that draws and evaluates.
// Everything is loaded once, on the reader's first request.

import { connect, with_named } from "./page_module.js";
import { part_of_page } from "../base/first_words.js";
import { once } from "../base/once.js";
import { stored } from "../base/storage.js";
import { ProfileStore } from "../profile/profile.js";

const root = document.documentElement;
export const assets = new URL(root.dataset.assets ?? "./", document.baseURI);
export const store = new ProfileStore();

/** The storage entry for the choice to see the reference machine's numbers. */
export const choice = "numbers";
/**
 * Whether the reader chose the reference machine. The page of their own machine always shows their
 * own.
 */
export const shows_reference = () =>
  !store.is_viewing && stored(choice) === "reference" && !document.getElementById("bench-machine");

const gone = "the book was updated: reload the page";

export async function fetch_ok(url) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error("you are offline");
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

/**
 * On /write/, a block of another page is shown with that page's data, until this is called with
 * null.
 */
export function lend_data(data) {
  lent = data && { ...empty_page, ...data };
}

const own_data = once(async () => {
  const name = root.dataset.page;
  if (!name) return empty_page;
  return { ...empty_page, ...(await (await fetch_ok(new URL(name, document.baseURI))).json()) };
});

/** The page's JSON (figure specs, expressions, runs), which is next to its HTML. */
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

/**
 * The C++ in one of the assets' modules: call({op, …}) → object; throws Error with the module's
 * message.
 */
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

// page-plots.wasm draws these (figures/kinds/plot_kinds.cpp), page.wasm all others.
const plot_kinds = ["curves", "sweep"];

/** The profile whose numbers the page shows, or null for the reference machine's. */
export const shown_profile = () => (shows_reference() ? null : store.load().profile);

/**
 * Sends a request to the module that draws the request's figure. Both modules answer all other
 * requests, so those go to the module that the page's first figure needs.
 */
export async function ask(request, reader = shown_profile()) {
  const { facts, figures } = await page_data();
  const { spec } = { ...Object.values(figures)[0], ...request };
  const [call, reference, kernels, speech] = await Promise.all([
    module_of(plot_kinds.includes(spec?.kind) ? "page-plots.wasm" : "page.wasm"),
    reference_profile(),
    registry(),
    request.spec && part_of_page(() => import("./drawing_words.js")),
  ]);
  const words = await speech?.drawing_words();
  const whole = with_named(request, { facts, registry: kernels, reference, reader });
  if (!words) return call(whole);
  const drawing = call({ ...whole, words: words.labels });
  return { ...drawing, svg: speech.localized(words, drawing) };
}
