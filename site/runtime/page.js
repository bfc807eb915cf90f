// What a page knows about itself: where its assets are, its data, and the C++ that draws and
// evaluates. Everything is fetched on the reader's first request and once.

import { ProfileStore } from "./profile.js";

const root = document.documentElement;
export const assets = new URL(root.dataset.assets ?? "./", document.baseURI);
export const store = new ProfileStore();

const gone = "unavailable, because the book was updated: reload the page";

export async function fetch_ok(url) {
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw new Error("unavailable, because the network is not there");
  }
  if (!response.ok) throw new Error(gone);
  return response;
}

/**
 * `make()` once, its promise for everybody; a failure is forgotten, so that a later click tries
 * again.
 */
export function once(make) {
  let made = null;
  return () => {
    made ??= make().catch((error) => {
      made = null;
      throw error;
    });
    return made;
  };
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

/** The page's own JSON (figures' specs, expressions, runs), beside its HTML. */
export const page_data = once(async () => {
  const name = root.dataset.page;
  if (!name) return empty_page;
  return { ...empty_page, ...(await (await fetch_ok(new URL(name, document.baseURI))).json()) };
});

export const reference_profile = once(async () =>
  (await fetch_ok(new URL("reference.json", assets))).json(),
);
export const recorded_machines = once(async () =>
  (await fetch_ok(new URL("machines.json", assets))).json(),
);
export const registry = once(async () => (await fetch_ok(new URL("registry.json", assets))).json());

// What page.wasm can draw (figures/kinds_live.cpp); page-all.wasm, half as large again, draws every kind.
const common_kinds = ["roofline", "ladder", "bars"];

/** The C++ side: call({op, …}) → object; throws Error with the module's own words. */
export const page_module = once(async () => {
  const figures = Object.values((await page_data()).figures);
  const is_common = figures.every(({ spec }) => common_kinds.includes(spec.kind));
  const url = new URL(is_common ? "page.wasm" : "page-all.wasm", assets);
  const bytes = await (await fetch_ok(url)).arrayBuffer();
  const { connect } = await import("./page_module.js");
  return connect(await WebAssembly.compile(bytes));
});

/** page_module's call with what every operation needs beside its own members. */
export async function ask(request) {
  const [call, data, reference, kernels] = await Promise.all([
    page_module(),
    page_data(),
    reference_profile(),
    registry(),
  ]);
  const reader = store.load().profile;
  return call({
    facts: data.facts,
    reference: lean(reference),
    registry: kernels,
    reader: lean(reader),
    ...request,
  });
}

/** A profile without the single samples, which no expression and no figure uses. */
function lean(profile) {
  return (
    profile && {
      ...profile,
      results: (profile.results ?? []).map(({ values, ...result }) => result),
    }
  );
}
