// The book's figures: a spec and data in, an SVG, its words and its table out.
//
// One renderer serves the static pages, EPUB, cards, and (compiled to WebAssembly) the page that
// redraws a figure with the reader's measurements. It is a pure function: same input, same bytes,
// in both builds.
//
// A spec is a JSON object, kept in figures/specs/<name>.json. Every kind has
//   kind    "roofline" | "ladder" | "bars" | "sweep" | "curves" | "lengths" | "formats" | "layers" |
//           "split" | "tiles" | "hierarchy"
//   title   what the picture is, a few words (the SVG's title)
// Text that stands for a number is an expression (figures/quantities/expression.hpp) over facts: "1 TB/s",
// "h100-sxm.peak.bf16", "2 FLOP / (12 B)". An unknown member is an error that names the nearest
// one. A measurement is named like this, and matches results that have at least these parameters:
//   {"kernel": "matmul.packed", "variant": "", "params": {"n": 512, "w": "64 MiB"}, "threads": 1}
//
// roofline: attainable rate against arithmetic intensity, both logarithmic.
//   machines  [{label, peak, bandwidth, role: "subject" (default) | "context" (grey)}] from facts
//   profile   the measured machine: true, or an object of
//             slopes: "main" (default) | "all"      level: of the main slope, "outermost" (default)
//             or "innermost" (bytes counted at the core)      ceilings: some of ["fma", "simd",
//             "scalar", "i8dot"] beside the highest      threads: also the ceiling of all threads
//             (false)      slot: dashed until the reader has measured (false)
//             gpu: the reader's GPU in its place where one was measured (false); points of gpu.*
//             kernels belong to that GPU and are left out without it
//   points    [{label, intensity, rate}] rate may be missing: on the roof of the first machine; or
//             [{label, kernel, …, intensity}] measured; intensity may be missing when the result
//             carries its FLOP and bytes
//   x         [low, high] in FLOP/B; widened until every ridge and point is inside
//   base      2 (default) or 10: the ticks of the x axis
//   shares    true: points say their share of the ceiling instead of their rate; "roof": of what the
//             roof allows at their intensity
//   unit      "flop" (default) or "op": integer operations on both axes
//
// ladder: a bar for each step of an optimisation, as a share of its machine's highest ceiling.
//   rungs     [{label, kernel, …}]
//
// bars: stacked bars, each cut into the same parts and as long as the others: shares of a whole.
//   parts     [{label, role: "compute" | "bandwidth" | "other"}]
//   bars      [{label, flops: [expression for each part]}], {label, bytes: […]}, or a time: both of
//             them, with peak and bandwidth (or profile: true for the measured machine); a part
//             then counts max(FLOP / peak, bytes / bandwidth)
//
// sweep: the memory mountain, a panel for each kernel against its working set (parameter "w").
//   along     "w" (default) or "threads": against the number of threads instead
//   panels    [{title: of the y axis, says: "a loop reads", kernel, …}]
//
// The kinds below say their finding in a sentence of the spec whose numbers are expressions over
// facts and the reference machine: "finding": "a peak is {x / y | % | 2} out of reach". Axes are
// objects {title, unit, scale: "linear" | "log", from, to} (figures/spec/axis_spec.hpp).
//
// curves: closed forms over a swept variable, with points and limits.
//   x, y      axes; x has the variable's name: {"name": "n", …, "from": "1", "to": "600"}
//   curves    [{label, y: expression, role: "ink" | "compute" | "bandwidth" | "context", dashed,
//             steps: evaluated at whole numbers, label_at: 0 to 1}]
//   bands     [{label, upper, lower, role}]        rules [{label, axis: "x" | "y", at, role}]
//   points    [{label, note, x, y, role, badge: "shipping" | "measured" | "announced"}]; expressions
//             that name kernels or roofs are drawn for the reference machine and the reader's
//   trails    [{label, role, label_at, dots: true, stops: [{label, x, y}]}]: where one thing goes,
//             step by step; without dots a line, such as a machine's own level
// Curves, bands and trails that name what was not measured are left out.
//
// lengths: a row each on one scale.
//   x         the axis       rows [{label, role, value, to: end of a range, of: the whole} or {label,
//             role, factor: goes on from the row above}]
//
// formats: number formats as strips of bits.
//   formats   [{label, sign, exponent, mantissa, codes: "ieee" | "one-nan" | "finite"}]
//
// The kinds below also take "given": {"T": "8 * 1024", "w": "2 B * T"}, values that their other
// expressions (and each other) may use by name, and a machine {label, peak, bandwidth}.
//
// layers: a network as the kernels that a machine runs, each with arithmetic, bytes and intensity.
//   machine   optional: draws its ridge and says which kernels wait for bytes
//   layers    [{label, kernels: [{label, does: "product" (default) | "elementwise" | "reduction",
//             flops, bytes}]}], 24 kernels at most
//
// split: where time goes. Bytes and arithmetic move at once, so the longer of the two counts.
//   scale     "share" (default): every row as long as the others; "time": on one scale
//   rows      [{label, flops (needs machine) or compute: a time, bytes or memory, overhead,
//             overlap: true}]; without overlap arithmetic follows the bytes
//
// tiles: a loop nest over C = A · B and what stays where while a loop runs.
//   m, n, k   of A m×k and B k×n       element: bytes of a number
//   loops     outermost first: [{over: "m" | "n" | "k", by: how many at a time, keeps: [{of: "A" |
//             "B" | "C", in: "L2", role: "bandwidth" (default) | "compute" | "context"}]}]; how
//             large a piece is and how often its numbers are used follows from the loops
//
// hierarchy: a machine from its memory to its arithmetic, pipes as thick as what they deliver.
//   units     what does the arithmetic       peak: what it reaches
//   levels    outermost first: [{label, note, holds: one of them, count, delivers: all together}]
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "figures/draw/theme.hpp"
#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/facts.hpp"
#include "figures/quantities/profile.hpp"

namespace figures {

enum class Layout { wide, narrow };  // 720 and 358 px: a column of text, a phone of 390

struct Inputs {
  const Facts* facts = nullptr;          // null: no facts
  const Profile* reference = nullptr;    // null: no reference machine
  const Profile* reader = nullptr;       // null: nothing measured here yet
  const Catalogue* catalogue = nullptr;  // null: no kernel can be named in an expression
};

struct Options {
  Layout width = Layout::wide;
  Theme theme = Theme::css;
  std::string id_prefix = "figure-";  // of the ids of title and description
  std::string lang = "en";
};

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells each as there are columns

  // Out of line, and from views: every list of strings would be built and copied where it stands.
  void head(std::initializer_list<std::string_view> cells);
  void add(std::initializer_list<std::string_view> cells);
};

struct Rendering {
  std::string svg;
  double width = 0,
         height = 0;  // px; depend on spec and layout only, so that redrawing moves nothing
  std::string title;
  std::string description;  // the finding, in sentences, for who cannot see the picture
  Table table;              // the data, for the fold under the figure
  std::vector<std::string> omitted = {};  // labels that found no place; a test wants none
};

// Error: the spec is wrong (its message starts with the place: "points[1].intensity: …"), a fact is
// missing, or the picture would exceed its budget. What a profile lacks is never an error: it is
// left out of the picture and "not measured" in the table.
Result<Rendering> render(const nlohmann::json& spec, const Inputs& inputs, const Options& options);

}  // namespace figures
