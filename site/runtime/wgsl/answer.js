// What the page says about a run: the problems with their lines, or the rate, its place on the
// roofline, its rung of the ladder and the exercises that it solves.

import { digits } from "../base/digits.js";
import { button, make } from "../base/element.js";
import { language, word } from "../base/language.js";
import { parse_svg } from "../page/refresh.js";
import { ask, store } from "../page/page.js";
import { allowed, gpu_roof, roofline_spec, rungs_of, solved_by } from "./judge.js";

const percent = (share) => `${digits(100 * share, 2)} %`;
const gflops = (rate) => `${digits(rate / 1e9)} GFLOP/s`;

const problem_line = ({ line, column, text }, select) =>
  make(
    "li",
    {},
    button(word("line {line}, column {column}", { line, column }), () => select(line)),
    text ? ` ${text}` : "",
  );

function ladder_of(profile, result, roof) {
  const rungs = rungs_of(profile, result);
  const most = roof?.peak ?? Math.max(...rungs.map(({ rate }) => rate));
  const rows = rungs.map(({ label, rate, is_own }) => {
    const bar = make("meter", { value: rate / most });
    bar.ariaHidden = "true";
    return make(
      "tr",
      { className: is_own ? "wgsl-own" : "" },
      make("th", { scope: "row", textContent: is_own ? word(label) : label }),
      make("td", { textContent: gflops(rate) }),
      make("td", {}, bar, roof ? percent(rate / roof.peak) : ""),
    );
  });
  const caption = roof
    ? word("The ladder of matmuls with {n} rows, and their shares of your fp32 roof", result)
    : word("The ladder of matmuls with {n} rows", result);
  return make("table", {}, make("caption", { textContent: caption }), make("tbody", {}, ...rows));
}

async function picture_of(result, profile) {
  const frames = [];
  for (const width of ["wide", "narrow"]) {
    const options = { width, theme: "css", lang: language };
    const { svg } = await ask({ op: "render", spec: roofline_spec(result), options }, profile);
    frames.push(make("div", { className: `plot-${width}` }, parse_svg(svg)));
  }
  return make("figure", { className: "plot" }, ...frames);
}

function sentences_of(result, roof, is_software) {
  const { n, rate, flops, bytes } = result;
  const said = [word("It multiplies {n} rows at {rate}.", { n, rate: gflops(rate) })];
  if (is_software)
    said.push(word("Your GPU is a program on your CPU, so this time says nothing about a GPU."));
  else if (!roof)
    said.push(word("Measure your GPU below to see its roof and judge the exercises."));
  else {
    const share = percent(rate / allowed(roof, { flops, bytes }));
    said.push(
      word("That is {share} of what your roof allows at {intensity} FLOPs per byte.", {
        share,
        intensity: digits(flops / bytes),
      }),
    );
  }
  return said;
}

/**
 * Fills `place`; the reason of a refusal is in the status. `select(line)` shows a line. Resolves to
 * the ids of the exercises that the program solves.
 */
export async function show_outcome(place, { result, reason, problems, device }, select) {
  if (reason) {
    const lines = problems.map((problem) => problem_line(problem, select));
    place.replaceChildren(...(lines.length > 0 ? [make("ol", {}, ...lines)] : []));
    return [];
  }
  const { profile } = store.load();
  const roof = gpu_roof(profile);
  const is_software = device.state === "software";
  const parts = sentences_of(result, roof, is_software).map((textContent) =>
    make("p", { textContent }),
  );
  place.replaceChildren(...parts, ladder_of(profile, result, roof));
  if (roof) {
    const picture = await picture_of(result, profile).catch(() => null);
    if (picture) place.append(picture);
  }
  return is_software ? [] : solved_by(result, roof);
}
