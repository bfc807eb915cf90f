// Temml for the worker: the same converter that `primer` runs in Node. scripts/minify.mjs bundles
// it into this file.
export { convert } from "primer:maths";
