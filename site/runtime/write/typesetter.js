// Temml for the worker, with all that it needs in one file (scripts/minify.mjs): the same as beside `primer`.
export { convert } from "primer:maths";
