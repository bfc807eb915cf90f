#include "figures/kinds/shapes.hpp"

namespace figures {
namespace {

// A namespace for short names, because other sources of this folder are compiled into the same
// unit.
namespace shape_table {

constexpr Member text(std::string_view name, std::string_view says) {
  return {.name = name, .form = Form::text, .says = says};
}
constexpr Member expression(std::string_view name, std::string_view says) {
  return {.name = name, .form = Form::expression, .says = says};
}
constexpr Member flag(std::string_view name, std::string_view says) {
  return {.name = name, .form = Form::flag, .says = says};
}
constexpr Member number(std::string_view name, std::string_view says) {
  return {.name = name, .form = Form::number, .says = says};
}
constexpr Member choice(std::string_view name, std::span<const std::string_view> choices,
                        std::string_view says) {
  return {.name = name, .form = Form::choice, .says = says, .choices = choices};
}
constexpr Member object(std::string_view name, const Shape& of, std::string_view says) {
  return {.name = name, .form = Form::object, .says = says, .of = &of};
}
constexpr Member list(std::string_view name, const Shape& of, std::string_view says,
                      std::size_t least = 0, std::size_t most = longest_list) {
  return {.name = name,
          .form = Form::list,
          .says = says,
          .required = least > 0,
          .of = &of,
          .least = least,
          .most = most};
}
constexpr Member expressions(std::string_view name, std::string_view says) {
  return {.name = name, .form = Form::expressions, .says = says};
}

constexpr Member needed(Member member) {
  member.required = true;
  return member;
}
constexpr Member with(Member member, std::string_view other, std::string_view another = {}) {
  member.with = {other, another};
  return member;
}
constexpr Member without(Member member, std::string_view other) {
  member.without = other;
  return member;
}
constexpr Member unless(Member member, std::string_view other) {
  member.instead = other;
  return member;
}

// Members shared by several kinds.

constexpr Member kind{
    .name = "kind", .form = Form::text, .says = "this kind's name", .required = true};
constexpr Member title = needed(text("title", "what the figure shows, in a few words"));
constexpr Member finding = needed(text(
    "finding",
    "the sentence that describes the figure; numbers are expressions in braces: \"a peak is {x / y | % | 2} out of reach\""));
constexpr Member given{
    .name = "given", .form = Form::given, .says = "named values for use in other expressions"};
constexpr Member label = needed(text("label", "label in the figure"));
constexpr Member optional_label = text("label", "label in the figure (default: none)");

constexpr std::string_view hues[] = {"ink", "compute", "bandwidth", "teal", "ochre", "context"};
constexpr Member hue = choice("role", hues, "color");

constexpr Member kernel = needed(text("kernel", "the kernel that was measured"));
constexpr Member variant = text("variant", "its variant");
constexpr Member parameters{
    .name = "params",
    .form = Form::parameters,
    .says = "parameters that the result must have, numbers or texts with a unit: \"64 MiB\""};
constexpr Member threads = number("threads", "threads of the result (default: 1)");

constexpr Member peak = needed(expression("peak", "FLOP/s"));
constexpr Member bandwidth = needed(expression("bandwidth", "B/s"));
constexpr Member machine_members[] = {label, peak, bandwidth};
constexpr Shape machine{"machine", "A machine", machine_members};

constexpr std::string_view scales[] = {"linear", "log"};
constexpr Member axis_members[] = {
    text("name", "name of the swept variable, for expressions"),
    needed(text("title", "title of the axis")),
    text("unit", "unit (default: a plain number)"),
    choice("scale", scales, "scale of the axis"),
    expression("from", "start of the axis (default: from the data)"),
    expression("to", "end of the axis (default: from the data)"),
};
constexpr Shape axis{"axis", "An axis", axis_members};

// roofline

constexpr std::string_view slope_choices[] = {"main", "all"};
constexpr std::string_view level_choices[] = {"outermost", "innermost"};
constexpr std::string_view classes[] = {"fma", "simd", "scalar", "i8dot"};
constexpr Member roofline_profile_members[] = {
    choice("slopes", slope_choices, "which levels of memory have a slope"),
    choice("level", level_choices,
           "level of the main slope; innermost if bytes are counted at the core"),
    {.name = "ceilings",
     .form = Form::choice_list,
     .says = "further compute ceilings",
     .choices = classes},
    flag("threads", "also draws the ceiling of all threads"),
    flag("slot", "draws dashed lines until the reader has measured"),
    flag(
        "gpu",
        "draws the reader's GPU instead if it was measured; points of gpu.* kernels belong to it and are left out without it"),
};
constexpr Shape roofline_profile{"roofline.profile", "The measured machine",
                                 roofline_profile_members};

constexpr std::string_view machine_roles[] = {"subject", "context"};
constexpr Member roofline_machine_members[] = {
    optional_label, choice("role", machine_roles, "context is gray"), peak, bandwidth};
constexpr Shape roofline_machine{"roofline.machines", "A machine, from facts",
                                 roofline_machine_members};

constexpr Member optional_kernel = text("kernel", "kernel of a measured point");
constexpr Member roofline_point_members[] = {
    label,
    optional_kernel,
    with(variant, "kernel"),
    with(parameters, "kernel"),
    with(threads, "kernel"),
    unless(expression("intensity", "FLOP/B (default: the result's own)"), "kernel"),
    without(expression("rate", "FLOP/s (default: on the roof of the first machine)"), "kernel"),
};
constexpr Shape roofline_point{"roofline.points", "A point, measured or from facts",
                               roofline_point_members};

constexpr std::string_view share_choices[] = {"roof"};
constexpr std::string_view unit_choices[] = {"flop", "op"};
constexpr Member roofline_members[] = {
    kind,
    title,
    list("machines", roofline_machine, "roofs from facts", 0, 12),
    {.name = "profile",
     .form = Form::flag_or_object,
     .says = "whether and how the measured machine is drawn",
     .of = &roofline_profile},
    list("points", roofline_point, "points under the roofs"),
    {.name = "x",
     .form = Form::range,
     .says = "low and high in FLOP/B; widened until every ridge and point is inside"},
    number("base", "base of the ticks along x, 2 or 10 (default: 2)"),
    {.name = "shares",
     .form = Form::flag_or_choice,
     .says =
         "points show their share of the ceiling instead of their rate; \"roof\": share of the roof at their intensity",
     .choices = share_choices},
    choice("unit", unit_choices, "op counts integer operations on both axes"),
    flag("guess", "adds a roof that the reader drags by its ridge, with two sliders below"),
};

// ladder and bars

constexpr Member rung_members[] = {label, kernel, variant, parameters, threads};
constexpr Shape rung{"ladder.rungs", "A step of the optimization", rung_members};
constexpr Member ladder_members[] = {kind, title, list("rungs", rung, "one bar each")};

constexpr std::string_view part_roles[] = {"compute", "bandwidth", "teal", "ochre", "other"};
constexpr Member part_members[] = {label, choice("role", part_roles, "color")};
constexpr Shape bars_part{"bars.parts", "A part of every bar", part_members};
constexpr Member bar_members[] = {
    label,
    unless(expressions("flops", "FLOP of each part"), "bytes"),
    unless(expressions("bytes", "bytes of each part; with flops, the longer time counts"), "flops"),
    with(flag("profile", "uses the measured machine's rates"), "flops", "bytes"),
    without(with(peak, "flops", "bytes"), "profile"),
    without(with(bandwidth, "flops", "bytes"), "profile"),
};
constexpr Shape bar{"bars.bars", "A bar, as long as the others", bar_members};
constexpr Member bars_members[] = {kind, title, list("parts", bars_part, "what is cut", 1, 6),
                                   list("bars", bar, "what it is cut from", 1)};

// curves and sweep

constexpr Member curve_members[] = {
    optional_label,
    hue,
    flag("dashed", "dashed line"),
    flag("steps", "evaluated at whole numbers"),
    number("label_at", "position of its label, from 0 to 1"),
    needed(expression("y", "expression over the swept variable")),
};
constexpr Shape curve{"curves.curves", "A closed form", curve_members};
constexpr Member band_members[] = {
    optional_label, hue, needed(expression("upper", "expression over the swept variable")),
    needed(expression("lower", "expression over the swept variable"))};
constexpr Shape band{"curves.bands", "The area between two closed forms", band_members};
constexpr std::string_view axes[] = {"x", "y"};
constexpr Member rule_members[] = {optional_label, hue,
                                   choice("axis", axes, "axis that the line crosses"),
                                   needed(expression("at", "position on the axis"))};
constexpr Shape rule{"curves.rules", "A limit: a line across", rule_members};
constexpr std::string_view badges[] = {"shipping", "measured", "announced"};
constexpr Member point_x = needed(expression("x", "along the x axis"));
constexpr Member point_y = needed(expression("y", "along the y axis"));
constexpr Member curves_point_members[] = {label,
                                           text("note", "text below its label"),
                                           hue,
                                           choice("badge", badges, "badge of the number"),
                                           flag("unnamed", "has its label only in the table"),
                                           point_x,
                                           point_y};
constexpr Shape curves_point{
    "curves.points",
    "A point; if it names kernels or roofs, it is drawn for the reference machine and for the reader's",
    curves_point_members};
constexpr Member stop_members[] = {
    optional_label, point_x, point_y,
    expression("rate", "bytes per second, drawn as the area of a disc")};
constexpr Shape stop{"curves.trails.stops", "A step of a trail", stop_members};
constexpr Member trail_members[] = {
    label,
    hue,
    flag("dots",
         "a dot at each stop (default: true); false draws a line, such as a machine's own level"),
    number("label_at", "position of its label, from 0 to 1"),
    list("stops", stop, "in order"),
};
constexpr Shape trail{"curves.trails", "The path of one thing, step by step", trail_members};
constexpr Member curves_members[] = {
    kind,
    title,
    finding,
    needed(object("x", axis, "axis of the swept variable, with its name")),
    needed(object("y", axis, "axis of the values")),
    list("bands", band, "areas between two curves"),
    list("curves", curve, "lines"),
    list("trails", trail, "paths"),
    list("points", curves_point, "dots"),
    list("rules", rule, "limits"),
};

constexpr std::string_view along[] = {"w", "threads"};
constexpr Member panel_members[] = {needed(text("title", "title of the y axis")),
                                    needed(text("says", "what the kernel does: \"a loop reads\"")),
                                    kernel,
                                    variant,
                                    parameters,
                                    threads};
constexpr Shape panel{"sweep.panels", "A kernel", panel_members};
constexpr Member sweep_members[] = {
    kind, title, choice("along", along, "x axis: the working set or the number of threads"),
    list("panels", panel, "one plot each", 1)};

// lengths and formats

constexpr Member length_members[] = {
    label,
    hue,
    without(unless(expression("value", "its length"), "factor"), "factor"),
    expression("factor", "factor on the row above, instead of a value"),
    expression("to", "the end of a range that begins at the value"),
    expression("of", "the whole, of which the value is a part"),
};
constexpr Shape length{"lengths.rows", "A row", length_members};
constexpr std::string_view length_marks[] = {"bars", "dots"};
constexpr Member lengths_members[] = {
    kind,
    title,
    finding,
    needed(object("x", axis, "the axis of all rows")),
    choice("marks", length_marks, "bars or dots (default: bars); a logarithmic axis needs dots"),
    list("rows", length, "one bar or dot each", 1)};

constexpr std::string_view span_roles[] = {"ink",   "compute", "bandwidth", "teal",
                                           "ochre", "context", "idle"};
constexpr Member span_members[] = {
    optional_label,
    choice("role", span_roles, "color; idle draws an outline"),
    needed(expression("from", "when it begins")),
    needed(expression("to", "when it ends")),
};
constexpr Shape span{"lanes.lanes.spans", "What a part does for a while", span_members};
constexpr Member lane_members[] = {label, list("spans", span, "one after another", 1)};
constexpr Shape lane{"lanes.lanes", "A part of a machine", lane_members};
constexpr Member lanes_members[] = {kind,
                                    title,
                                    finding,
                                    given,
                                    needed(object("x", axis, "time, linear")),
                                    list("lanes", lane, "one lane each", 1)};

constexpr Member across = number("x", "columns from the panel's left edge (default: 0)");
constexpr Member down = number("y", "rows from the panel's top (default: 0)");
constexpr Member cells_part_members[] = {
    optional_label, hue,
    expression("cells", "number of cells, in reading order (default: the rest of the block)")};
constexpr Shape cells_part{"cells.panels.blocks.parts", "Cells of one colour", cells_part_members};
constexpr Member block_members[] = {
    text("label", "label above the block (default: none)"),
    across,
    down,
    number("columns", "whole number (default: 1)"),
    number("rows", "whole number (default: 1)"),
    list("parts", cells_part, "what fills the block; the rest stays empty")};
constexpr Shape block{"cells.panels.blocks", "A rectangle of cells", block_members};
constexpr Member cells_arrow_members[] = {hue,
                                          across,
                                          down,
                                          number("to_x", "position of its head"),
                                          number("to_y", "position of its head"),
                                          flag("both", "head at both ends")};
constexpr Shape cells_arrow{"cells.panels.arrows", "An arrow from cell to cell",
                            cells_arrow_members};
constexpr Member cells_panel_members[] = {
    label,
    text("says", "text below it, one string per line"),
    needed(number("columns", "its width in cells, at most 64")),
    needed(number("rows", "its height in cells, at most 64")),
    list("blocks", block, "a later one covers an earlier one", 1),
    list("arrows", cells_arrow, "arrows, drawn above all blocks"),
};
constexpr Shape cells_panel{"cells.panels", "One panel of several, all on one scale",
                            cells_panel_members};
constexpr Member cells_members[] = {kind,
                                    title,
                                    finding,
                                    given,
                                    text("cell", "unit of one cell: \"GiB\""),
                                    list("panels", cells_panel, "side by side", 1, 6)};

constexpr std::string_view codes[] = {"ieee", "one-nan", "finite"};
constexpr Member format_members[] = {
    label,
    number("sign", "bits (default: 1)"),
    number("exponent", "bits, at most 11; 0 for whole numbers"),
    number("mantissa", "bits, at most 52"),
    choice("codes", codes, "what the highest exponent encodes: infinities, one NaN, or numbers"),
};
constexpr Shape format{"formats.formats", "A number format", format_members};
constexpr Member formats_members[] = {kind, title, finding,
                                      list("formats", format, "one strip of bits each", 1)};

// layers, split, tiles and hierarchy

constexpr std::string_view does[] = {"product", "elementwise", "reduction"};
constexpr Member layer_kernel_members[] = {label, choice("does", does, "shape in the figure"),
                                           needed(expression("flops", "FLOP")),
                                           needed(expression("bytes", "bytes"))};
constexpr Shape layer_kernel{"layers.layers.kernels", "A kernel", layer_kernel_members};
constexpr Member layer_members[] = {
    label, list("kernels", layer_kernel, "in order, at most 24 in all layers", 1)};
constexpr Shape layer{"layers.layers", "A layer", layer_members};
constexpr Member layers_members[] = {
    kind,
    given,
    title,
    finding,
    object("machine", machine, "draws the machine's ridge and marks memory-bound kernels"),
    list("layers", layer, "layers of the network", 1)};

constexpr Member work_members[] = {
    label,
    flag("overlap", "bytes and arithmetic overlap (default: true)"),
    without(expression("compute", "seconds"), "flops"),
    expression("flops", "FLOP, on the spec's machine"),
    without(expression("memory", "seconds"), "bytes"),
    expression("bytes", "bytes, on the spec's machine"),
    expression("overhead", "seconds before either begins"),
};
constexpr Shape work{"split.rows", "A piece of work", work_members};
constexpr std::string_view split_scales[] = {"share", "time"};
constexpr Member split_members[] = {
    kind,
    given,
    title,
    finding,
    choice("scale", split_scales, "share: every row has the same length; time: one scale for all"),
    object("machine", machine, "machine whose rates apply to flops and bytes"),
    list("rows", work, "two bars each", 1)};

constexpr std::string_view dimensions[] = {"m", "n", "k"};
constexpr std::string_view matrices[] = {"A", "B", "C"};
constexpr std::string_view kept_roles[] = {"bandwidth", "compute", "context"};
constexpr Member kept_members[] = {needed(choice("of", matrices, "which matrix")),
                                   needed(text("in", "memory that holds it: \"L2\"")),
                                   choice("role", kept_roles, "color")};
constexpr Shape kept{"tiles.loops.keeps", "A piece that stays while the loop runs", kept_members};
constexpr Member loop_members[] = {needed(choice("over", dimensions, "dimension of the loop")),
                                   needed(expression("by", "step of the loop")),
                                   list("keeps", kept, "pieces that stay while the loop runs")};
constexpr Shape loop{"tiles.loops", "A loop", loop_members};
constexpr Member tiles_members[] = {
    kind,
    given,
    title,
    finding,
    needed(expression("m", "rows of A and C")),
    needed(expression("n", "columns of B and C")),
    needed(expression("k", "columns of A, rows of B")),
    needed(expression("element", "bytes per number")),
    list("loops", loop, "outermost first; sizes and uses of the pieces follow from them", 1, 8)};

constexpr Member level_members[] = {label, text("note", "text in its box"),
                                    expression("holds", "bytes of one of them"),
                                    expression("count", "how many there are (default: 1)"),
                                    needed(expression("delivers", "B/s of all of them together"))};
constexpr Shape level{"hierarchy.levels", "A level of memory", level_members};
constexpr Member hierarchy_members[] = {kind,
                                        given,
                                        title,
                                        finding,
                                        needed(text("units", "name of the compute units")),
                                        needed(expression("peak", "FLOP/s that it reaches")),
                                        list("levels", level, "outermost first", 2, 6)};

// squares, wall and machine

constexpr Member square_members[] = {label, hue, needed(expression("value", "amount"))};
constexpr Shape square{"squares.rows", "An amount", square_members};
constexpr Member squares_members[] = {
    kind,
    given,
    title,
    finding,
    needed(text("unit", "unit of all amounts")),
    list("rows", square, "from small to large; the last is the whole drawing", 2, 8)};

constexpr Member wall_mark_members[] = {label, needed(expression("value", "the rate"))};
constexpr Shape wall_mark{"wall.columns.marks", "A rate on a wall", wall_mark_members};
constexpr Member wall_column_members[] = {
    label, hue, needed(text("unit", "unit of the rates in this column")),
    needed(expression("pixel", "the rate that is one px tall")),
    list("marks", wall_mark, "in ascending order; the wall ends at the last one", 1)};
constexpr Shape wall_column{"wall.columns", "A wall", wall_column_members};
constexpr Member wall_members[] = {kind, given, title, finding,
                                   list("columns", wall_column, "side by side", 1, 2)};

constexpr Member zoomed_members[] = {
    needed(text("name", "heading; here and below, numbers may be expressions in braces")),
    needed(text("says", "a line under it")), text("more", "a second line"),
    text("below", "a line under the drawing"), text("below_more", "a second one")};
constexpr Shape zoomed{"machine.step", "A step of the zoom", zoomed_members};
constexpr Member machine_kind_members[] = {
    kind,
    given,
    title,
    finding,
    needed(object("chip", zoomed, "the whole chip")),
    needed(object("unit", zoomed, "one unit of the chip, enlarged")),
    needed(object("part", zoomed, "one of four parts of the unit")),
    needed(expression("units", "how many there are")),
    needed(expression("lanes", "lanes per part")),
    needed(expression("matrix_units", "multiply-adds a cycle of a part's matrix unit")),
    needed(expression("registers", "bytes of registers per part")),
    needed(expression("shared", "bytes that the parts share")),
    needed(text("cache", "text in the chip's cache")),
    needed(text("file_name", "text in a small part's registers")),
    needed(text("shared_name", "text in the shared memory")),
    needed(text("shared_says", "a second line there")),
    needed(text("scheduler", "text in a part's scheduler")),
    needed(text("registers_say", "text in a part's registers")),
    needed(text("lanes_say", "text below the lanes")),
    needed(text("matrix_name", "text in a small part's matrix unit")),
    needed(text("matrix_say", "text in a part's matrix unit")),
};

constexpr Shape all[] = {
    {"roofline", "Attainable rate against arithmetic intensity, both logarithmic",
     roofline_members},
    {"ladder", "One bar per step of an optimization, as a share of the machine's highest ceiling",
     ladder_members},
    {"bars", "Stacked bars, each cut into the same parts: shares of a whole", bars_members},
    {"curves",
     "Closed forms over a swept variable, with points and limits; anything that needs a missing measurement is left out",
     curves_members},
    {"sweep", "The memory mountain: rates of kernels by working set or by threads", sweep_members},
    {"lengths", "One row each, on one scale", lengths_members},
    {"cells", "Things counted in equal squares, and arrows between them", cells_members},
    {"lanes", "What the parts of a machine do at the same time", lanes_members},
    {"formats", "Number formats as strips of bits", formats_members},
    {"layers",
     "A network as the kernels that a machine runs, each with arithmetic, bytes and intensity",
     layers_members},
    {"split", "Where time goes: bytes and arithmetic overlap, so the longer counts", split_members},
    {"tiles", "A loop nest over C = A · B, and what stays where while a loop runs", tiles_members},
    {"hierarchy",
     "A machine from its memory to its compute units, with pipes as wide as their bandwidth",
     hierarchy_members},
    {"squares", "Amounts as areas on one linear scale", squares_members},
    {"wall", "Rates as bars that hang from one line, with a given rate per px", wall_members},
    {"machine", "A chip in three steps, from the whole to a part of one unit",
     machine_kind_members},
};

}  // namespace shape_table

}  // namespace

std::span<const Shape> shapes() { return shape_table::all; }

const Shape* shape_of(std::string_view kind) {
  for (const Shape& shape : shape_table::all)
    if (shape.name == kind) return &shape;
  return nullptr;
}

}  // namespace figures
