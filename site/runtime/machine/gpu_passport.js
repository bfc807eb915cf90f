// The GPU's part of /machine/: what the browser reports about the GPU, its limits, its roofs next
// to the CPU's, and what the measured curves show. machine.js loads this once there are GPU
// results.

import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { plain } from "../profile/machine_name.js";
import { crossing, crossing_spec, parts_of } from "../gpu/crossing.js";
import { gpu_of, gpu_sentences, roofline_spec } from "../gpu/sentences.js";
import { ask } from "../page/page.js";
import { parse_svg } from "../page/refresh.js";

const mebibytes = (bytes) => `${digits(bytes / 2 ** 20)} MiB`;

/**
 * Returns the elements to show. The figure is left out unless both the CPU and the GPU have
 * measured roofs.
 */
export async function passport(profile) {
  const sentences = gpu_sentences(profile).map((textContent) => make("p", { textContent }));
  const device = gpu_of(profile);
  if (!device) return sentences;
  const figure = await picture_of(roofline_spec(profile)).catch(() => null);
  const where = await where_it_wins(profile);
  return [...sentences, ...(figure ? [figure] : []), ...where, limits_table(device)];
}

function limits_table({ name, vendor, architecture, features = [], limits = {} }) {
  const rows = [
    [
      word("name"),
      name || [vendor, architecture].filter(Boolean).join(" ") || word("not reported"),
    ],
    [
      word("vendor, architecture"),
      [vendor, architecture].filter(Boolean).join(", ") || word("not reported"),
    ],
    [word("largest buffer"), mebibytes(limits.maxBufferSize)],
    [word("largest buffer that a kernel sees"), mebibytes(limits.maxStorageBufferBindingSize)],
    [word("largest buffer used here"), mebibytes(limits.largest)],
    [word("workgroup memory"), `${digits(limits.maxComputeWorkgroupStorageSize / 1024)} KiB`],
    [word("lanes in a workgroup"), String(limits.maxComputeInvocationsPerWorkgroup)],
    [word("features used"), features.filter((one) => !/_/.test(one)).join(", ") || word("none")],
  ];
  const body = make(
    "tbody",
    {},
    ...rows.map(([head, text]) =>
      make(
        "tr",
        {},
        make("th", { scope: "row", textContent: head }),
        make("td", { textContent: plain(text, 200) }),
      ),
    ),
  );
  const frame = { className: "table", tabIndex: 0, role: "group", ariaLabel: word("Your GPU") };
  return make("div", frame, make("table", {}, body));
}

const microseconds = (seconds) => `${digits(seconds * 1e6)} µs`;

/** The size at which a matmul becomes faster on the GPU, in words and as curves. */
async function where_it_wins(profile) {
  const parts = parts_of(profile);
  if (!parts) return [];
  const [copied, there] = [true, false].map((with_copies) => crossing(parts, with_copies));
  const said = [
    copied
      ? word(
          "If A and B are copied to the GPU and C back, the GPU multiplies faster than one core from about {n} rows on. There, copies take {copies} and the program {kernel}.",
          { n: copied.n, copies: microseconds(copied.copies), kernel: microseconds(copied.kernel) },
        )
      : word("With copies, the GPU multiplies no faster than one core up to 2,048 rows."),
    there
      ? word("If the matrices stay on the GPU, it is faster from about {n} rows on.", there)
      : word("Even without copies, it is no faster up to 2,048 rows."),
  ];
  const figure = await picture_of(crossing_spec(parts)).catch(() => null);
  return [make("p", { textContent: said.join(" ") }), ...(figure ? [figure] : [])];
}

async function picture_of(spec) {
  if (!spec) return null;
  const lang = document.documentElement.lang;
  const frames = [];
  for (const width of ["wide", "narrow"]) {
    const options = { width, theme: "css", lang };
    const { svg } = await ask({ op: "render", spec, options });
    frames.push(make("div", { className: `plot-${width}` }, parse_svg(svg)));
  }
  const figure = make("figure", { className: "plot" }, ...frames);
  figure.dataset.from = "reader";
  return figure;
}
