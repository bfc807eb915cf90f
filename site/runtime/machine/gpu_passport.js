// The GPU's part of /machine/: what the browser reports about the GPU, its limits, its roofs next
// to the CPU's, and what the measured curves show. machine.js loads this once there are GPU
// results.

import { digits } from "../base/digits.js";
import { make } from "../base/element.js";
import { word } from "../base/language.js";
import { plain } from "../profile/machine_name.js";
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
  const figure = await roofline(profile).catch(() => null);
  return [...sentences, ...(figure ? [figure] : []), limits_table(device)];
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

async function roofline(profile) {
  const spec = roofline_spec(profile);
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
