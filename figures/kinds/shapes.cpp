#include "figures/kinds/shapes.hpp"

namespace figures {
namespace {

// Short names, of their own beside those of the folder's other sources.
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

// Members that several kinds have.

constexpr Member kind{
    .name = "kind", .form = Form::text, .says = "this kind's name", .required = true};
constexpr Member title = needed(text("title", "what the picture is, a few words"));
constexpr Member finding =
    needed(text("finding",
                "the sentence that describes the picture; numbers are expressions in braces: "
                "\"a peak is {x / y | % | 2} out of reach\""));
constexpr Member given{.name = "given",
                       .form = Form::given,
                       .says = "values that other expressions, and each other, may use by name"};
constexpr Member label = needed(text("label", "its name in the picture"));
constexpr Member optional_label = text("label", "its name in the picture; none without");

constexpr std::string_view hues[] = {"ink", "compute", "bandwidth", "teal", "ochre", "context"};
constexpr Member hue = choice("role", hues, "whose colour it has");

constexpr Member kernel = needed(text("kernel", "the kernel that was measured"));
constexpr Member variant = text("variant", "its variant");
constexpr Member parameters{
    .name = "params",
    .form = Form::parameters,
    .says = "parameters that the result has at least, numbers or texts with a unit: \"64 MiB\""};
constexpr Member threads = number("threads", "of the result, 1 if not said");

constexpr Member peak = needed(expression("peak", "FLOP/s"));
constexpr Member bandwidth = needed(expression("bandwidth", "B/s"));
constexpr Member machine_members[] = {label, peak, bandwidth};
constexpr Shape machine{"machine", "A machine", machine_members};

constexpr std::string_view scales[] = {"linear", "log"};
constexpr Member axis_members[] = {
    text("name", "of the swept variable, for expressions"),
    needed(text("title", "what is along it")),
    text("unit", "its unit; none for a number"),
    choice("scale", scales, "how it is divided"),
    expression("from", "where it begins; the data says without"),
    expression("to", "where it ends; the data says without"),
};
constexpr Shape axis{"axis", "An axis", axis_members};

// roofline

constexpr std::string_view slope_choices[] = {"main", "all"};
constexpr std::string_view level_choices[] = {"outermost", "innermost"};
constexpr std::string_view classes[] = {"fma", "simd", "scalar", "i8dot"};
constexpr Member roofline_profile_members[] = {
    choice("slopes", slope_choices, "of which levels of memory"),
    choice("level", level_choices,
           "of the main slope; innermost where bytes are counted at the core"),
    {.name = "ceilings",
     .form = Form::choice_list,
     .says = "classes of arithmetic beside the highest",
     .choices = classes},
    flag("threads", "also the ceiling of all threads"),
    flag("slot", "dashed until the reader has measured"),
    flag("gpu",
         "the reader's GPU in its place where one was measured; points of gpu.* kernels belong "
         "to it and are left out without it"),
};
constexpr Shape roofline_profile{"roofline.profile", "The measured machine",
                                 roofline_profile_members};

constexpr std::string_view machine_roles[] = {"subject", "context"};
constexpr Member roofline_machine_members[] = {
    optional_label, choice("role", machine_roles, "context is grey"), peak, bandwidth};
constexpr Shape roofline_machine{"roofline.machines", "A machine, from facts",
                                 roofline_machine_members};

constexpr Member optional_kernel = text("kernel", "a measured point: the kernel");
constexpr Member roofline_point_members[] = {
    label,
    optional_kernel,
    with(variant, "kernel"),
    with(parameters, "kernel"),
    with(threads, "kernel"),
    unless(expression("intensity", "FLOP/B; of a measured point the result's own if not said"),
           "kernel"),
    without(expression("rate", "FLOP/s; on the roof of the first machine if not said"), "kernel"),
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
     .says = "the measured machine, if and how it is drawn",
     .of = &roofline_profile},
    list("points", roofline_point, "what runs under the roofs"),
    {.name = "x",
     .form = Form::range,
     .says = "low and high in FLOP/B; widened until every ridge and point is inside"},
    number("base", "of the ticks along x: 2 if not said, or 10"),
    {.name = "shares",
     .form = Form::flag_or_choice,
     .says =
         "points say their share of the ceiling instead of their rate; \"roof\": of what the roof "
         "allows at their intensity",
     .choices = share_choices},
    choice("unit", unit_choices, "op: integer operations on both axes"),
    flag(
        "guess",
        "a roof that the reader drags by its ridge, and ranges for its two rates below; half as wide"),
};

// ladder and bars

constexpr Member rung_members[] = {label, kernel, variant, parameters, threads};
constexpr Shape rung{"ladder.rungs", "A step of the optimisation", rung_members};
constexpr Member ladder_members[] = {kind, title, list("rungs", rung, "a bar each")};

constexpr std::string_view part_roles[] = {"compute", "bandwidth", "teal", "ochre", "other"};
constexpr Member part_members[] = {label, choice("role", part_roles, "whose colour it has")};
constexpr Shape bars_part{"bars.parts", "A part of every bar", part_members};
constexpr Member bar_members[] = {
    label,
    unless(expressions("flops", "FLOP of each part"), "bytes"),
    unless(
        expressions("bytes", "bytes of each part; with flops too, a part counts the longer time"),
        "flops"),
    with(flag("profile", "the times of the measured machine"), "flops", "bytes"),
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
    flag("dashed", "its line"),
    flag("steps", "evaluated at whole numbers"),
    number("label_at", "where its name stands, from 0 to 1"),
    needed(expression("y", "over the swept variable")),
};
constexpr Shape curve{"curves.curves", "A closed form", curve_members};
constexpr Member band_members[] = {optional_label, hue,
                                   needed(expression("upper", "over the swept variable")),
                                   needed(expression("lower", "over the swept variable"))};
constexpr Shape band{"curves.bands", "What is between two closed forms", band_members};
constexpr std::string_view axes[] = {"x", "y"};
constexpr Member rule_members[] = {optional_label, hue, choice("axis", axes, "which it crosses"),
                                   needed(expression("at", "where"))};
constexpr Shape rule{"curves.rules", "A limit: a line across", rule_members};
constexpr std::string_view badges[] = {"shipping", "measured", "announced"};
constexpr Member point_x = needed(expression("x", "along the x axis"));
constexpr Member point_y = needed(expression("y", "along the y axis"));
constexpr Member curves_point_members[] = {
    label,   text("note", "words below its name"),
    hue,     choice("badge", badges, "what sort of number it is"),
    point_x, point_y};
constexpr Shape curves_point{"curves.points",
                             "A point; one that names kernels or roofs is drawn for the reference "
                             "machine and for the reader's",
                             curves_point_members};
constexpr Member stop_members[] = {
    optional_label, point_x, point_y,
    expression("rate", "bytes per second, the area of a disc around its dot")};
constexpr Shape stop{"curves.trails.stops", "A step of a trail", stop_members};
constexpr Member trail_members[] = {
    label,
    hue,
    flag("dots",
         "a dot at each stop, true if not said; false draws a line, such as a machine's own "
         "level"),
    number("label_at", "where its name stands, from 0 to 1"),
    list("stops", stop, "in their order"),
};
constexpr Shape trail{"curves.trails", "Where one thing goes, step by step", trail_members};
constexpr Member curves_members[] = {
    kind,
    title,
    finding,
    needed(object("x", axis, "the swept variable's, which has its name")),
    needed(object("y", axis, "the values'")),
    list("bands", band, "areas between two curves"),
    list("curves", curve, "lines"),
    list("trails", trail, "ways"),
    list("points", curves_point, "dots"),
    list("rules", rule, "limits"),
};

constexpr std::string_view along[] = {"w", "threads"};
constexpr Member panel_members[] = {needed(text("title", "of the y axis")),
                                    needed(text("says", "what the kernel does: \"a loop reads\"")),
                                    kernel,
                                    variant,
                                    parameters,
                                    threads};
constexpr Shape panel{"sweep.panels", "A kernel", panel_members};
constexpr Member sweep_members[] = {
    kind, title, choice("along", along, "what x is: the working set, or the number of threads"),
    list("panels", panel, "a plot each", 1)};

// lengths and formats

constexpr Member length_members[] = {
    label,
    hue,
    without(unless(expression("value", "its length"), "factor"), "factor"),
    expression("factor", "instead of a value: goes on from the row above"),
    expression("to", "the end of a range that begins at the value"),
    expression("of", "the whole that it is a part of"),
};
constexpr Shape length{"lengths.rows", "A row", length_members};
constexpr std::string_view length_marks[] = {"bars", "dots"};
constexpr Member lengths_members[] = {
    kind,
    title,
    finding,
    needed(object("x", axis, "that all rows share")),
    choice("marks", length_marks, "bars if not said; on a logarithmic axis only dots are true"),
    list("rows", length, "a bar or a dot each", 1)};

constexpr std::string_view span_roles[] = {"ink",   "compute", "bandwidth", "teal",
                                           "ochre", "context", "idle"};
constexpr Member span_members[] = {
    optional_label,
    choice("role", span_roles, "whose colour it has; idle is an outline"),
    needed(expression("from", "when it begins")),
    needed(expression("to", "when it ends, after it began")),
};
constexpr Shape span{"lanes.lanes.spans", "What a part does for a while", span_members};
constexpr Member lane_members[] = {label, list("spans", span, "one after another", 1)};
constexpr Shape lane{"lanes.lanes", "A part of a machine", lane_members};
constexpr Member lanes_members[] = {kind,
                                    title,
                                    finding,
                                    given,
                                    needed(object("x", axis, "time, linear")),
                                    list("lanes", lane, "a lane each", 1)};

constexpr Member across = number("x", "columns from the panel's left edge, 0 if not said");
constexpr Member down = number("y", "rows from the panel's top, 0 if not said");
constexpr Member cells_part_members[] = {
    optional_label, hue,
    expression("cells",
               "how many, in the order of reading; what is left of the block if not said")};
constexpr Shape cells_part{"cells.panels.blocks.parts", "Cells of one colour", cells_part_members};
constexpr Member block_members[] = {
    text("label", "above it; none without"),
    across,
    down,
    number("columns", "a whole number, 1 if not said"),
    number("rows", "a whole number, 1 if not said"),
    list("parts", cells_part, "what fills it; what they leave is empty")};
constexpr Shape block{"cells.panels.blocks", "A rectangle of cells", block_members};
constexpr Member cells_arrow_members[] = {hue,
                                          across,
                                          down,
                                          number("to_x", "where its head is"),
                                          number("to_y", "where its head is"),
                                          flag("both", "a head at each end")};
constexpr Shape cells_arrow{"cells.panels.arrows", "What goes from cell to cell",
                            cells_arrow_members};
constexpr Member cells_panel_members[] = {
    label,
    text("says", "words below it, in lines"),
    needed(number("columns", "its width in cells, at most 64")),
    needed(number("rows", "its height in cells, at most 64")),
    list("blocks", block, "a later one covers an earlier one", 1),
    list("arrows", cells_arrow, "above all blocks"),
};
constexpr Shape cells_panel{"cells.panels", "One picture of several, all on one scale",
                            cells_panel_members};
constexpr Member cells_members[] = {kind,
                                    title,
                                    finding,
                                    given,
                                    text("cell", "what one cell stands for: \"GiB\""),
                                    list("panels", cells_panel, "side by side", 1, 6)};

constexpr std::string_view codes[] = {"ieee", "one-nan", "finite"};
constexpr Member format_members[] = {
    label,
    number("sign", "bits, 1 if not said"),
    number("exponent", "bits, at most 11; 0 for whole numbers"),
    number("mantissa", "bits, at most 52"),
    choice("codes", codes,
           "what the highest exponent is kept for: infinities, one code that is not a "
           "number, nothing"),
};
constexpr Shape format{"formats.formats", "A number format", format_members};
constexpr Member formats_members[] = {kind, title, finding,
                                      list("formats", format, "a strip of bits each", 1)};

// layers, split, tiles and hierarchy

constexpr std::string_view does[] = {"product", "elementwise", "reduction"};
constexpr Member layer_kernel_members[] = {label, choice("does", does, "its shape in the picture"),
                                           needed(expression("flops", "FLOP")),
                                           needed(expression("bytes", "bytes"))};
constexpr Shape layer_kernel{"layers.layers.kernels", "A kernel", layer_kernel_members};
constexpr Member layer_members[] = {
    label, list("kernels", layer_kernel, "in their order, 24 at most in all layers", 1)};
constexpr Shape layer{"layers.layers", "A layer", layer_members};
constexpr Member layers_members[] = {
    kind,
    given,
    title,
    finding,
    object("machine", machine, "draws its ridge, and says which kernels wait for bytes"),
    list("layers", layer, "of the network", 1)};

constexpr Member work_members[] = {
    label,
    flag("overlap", "bytes and arithmetic at once, true if not said"),
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
    choice("scale", split_scales, "every row as long as the others, or all on one scale"),
    object("machine", machine, "whose rates flops and bytes take"),
    list("rows", work, "two lanes each", 1)};

constexpr std::string_view dimensions[] = {"m", "n", "k"};
constexpr std::string_view matrices[] = {"A", "B", "C"};
constexpr std::string_view kept_roles[] = {"bandwidth", "compute", "context"};
constexpr Member kept_members[] = {needed(choice("of", matrices, "which matrix")),
                                   needed(text("in", "where: \"L2\"")),
                                   choice("role", kept_roles, "whose colour it has")};
constexpr Shape kept{"tiles.loops.keeps", "A piece that stays while the loop runs", kept_members};
constexpr Member loop_members[] = {needed(choice("over", dimensions, "which dimension")),
                                   needed(expression("by", "how many at a time")),
                                   list("keeps", kept, "what stays where")};
constexpr Shape loop{"tiles.loops", "A loop", loop_members};
constexpr Member tiles_members[] = {
    kind,
    given,
    title,
    finding,
    needed(expression("m", "rows of A and C")),
    needed(expression("n", "columns of B and C")),
    needed(expression("k", "columns of A, rows of B")),
    needed(expression("element", "bytes of a number")),
    list("loops", loop, "outermost first; sizes and uses of the pieces follow from them", 1, 8)};

constexpr Member level_members[] = {label, text("note", "words in its box"),
                                    expression("holds", "bytes of one of them"),
                                    expression("count", "how many there are, 1 if not said"),
                                    needed(expression("delivers", "B/s, all of them together"))};
constexpr Shape level{"hierarchy.levels", "A level of memory", level_members};
constexpr Member hierarchy_members[] = {kind,
                                        given,
                                        title,
                                        finding,
                                        needed(text("units", "what does the arithmetic")),
                                        needed(expression("peak", "FLOP/s that it reaches")),
                                        list("levels", level, "outermost first", 2, 6)};

// squares and machine

constexpr Member square_members[] = {label, hue, needed(expression("value", "its amount"))};
constexpr Shape square{"squares.rows", "An amount", square_members};
constexpr Member squares_members[] = {
    kind,
    given,
    title,
    finding,
    needed(text("unit", "of all amounts")),
    list("rows", square, "from small to large; the last is the whole drawing", 2, 8)};

constexpr Member zoomed_members[] = {
    needed(text("name", "its heading; here and below numbers may stand in braces")),
    needed(text("says", "a line under it")), text("more", "a second line"),
    text("below", "a line under the drawing"), text("below_more", "a second one")};
constexpr Shape zoomed{"machine.step", "A step of the zoom", zoomed_members};
constexpr Member machine_kind_members[] = {
    kind,
    given,
    title,
    finding,
    needed(object("chip", zoomed, "all of it")),
    needed(object("unit", zoomed, "one of its units, enlarged")),
    needed(object("part", zoomed, "one of four parts of that")),
    needed(expression("units", "how many there are")),
    needed(expression("lanes", "of a part")),
    needed(expression("matrix_units", "multiply-adds a cycle of a part's matrix unit")),
    needed(expression("registers", "bytes of a part")),
    needed(expression("shared", "bytes that the parts share")),
    needed(text("cache", "words in the chip's cache")),
    needed(text("file_name", "words in a small part's registers")),
    needed(text("shared_name", "words in the shared memory")),
    needed(text("shared_says", "a second line there")),
    needed(text("scheduler", "words in a part's scheduler")),
    needed(text("registers_say", "words in a part's registers")),
    needed(text("lanes_say", "words under its lanes")),
    needed(text("matrix_name", "words in a small part's matrix unit")),
    needed(text("matrix_say", "words in a part's matrix unit")),
};

constexpr Shape all[] = {
    {"roofline", "Attainable rate against arithmetic intensity, both logarithmic",
     roofline_members},
    {"ladder",
     "A bar for each step of an optimisation, as a share of its machine's highest ceiling",
     ladder_members},
    {"bars", "Stacked bars, each cut into the same parts: shares of a whole", bars_members},
    {"curves",
     "Closed forms over a swept variable, with points and limits; what names a "
     "measurement that nobody has is left out",
     curves_members},
    {"sweep", "The memory mountain: kernels against their working set, or against threads",
     sweep_members},
    {"lengths", "A row each on one scale", lengths_members},
    {"cells", "Things counted in equal squares, and what goes between them", cells_members},
    {"lanes", "What the parts of a machine do at once, over time", lanes_members},
    {"formats", "Number formats as strips of bits", formats_members},
    {"layers",
     "A network as the kernels that a machine runs, each with arithmetic, bytes and intensity",
     layers_members},
    {"split", "Where time goes: bytes and arithmetic move at once, so the longer counts",
     split_members},
    {"tiles", "A loop nest over C = A · B, and what stays where while a loop runs", tiles_members},
    {"hierarchy",
     "A machine from its memory to its arithmetic, pipes as thick as what they deliver",
     hierarchy_members},
    {"squares", "Amounts as areas on one linear scale", squares_members},
    {"machine", "A chip in three steps, from all of it to a part of one unit",
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
