#include "figures/kinds/hierarchy.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

struct HierarchyLevel {
  std::string label, note;
  double bytes = 0, count = 1;  // capacity of one (0: none given), and their number
  double bandwidth = 0;         // towards the compute units, all together; 0: not measured
};

struct Hierarchy {
  std::string title, description;
  std::vector<HierarchyLevel> levels;
  std::string units;  // name of the compute units
  double peak = 0;
  Table table;
};

// Memory is sold in GB, caches are specified in KiB and MiB.
std::string size_of(const HierarchyLevel& level) {
  if (!(level.bytes > 0)) return "";
  const bool decimal = level.bytes >= 1e9 && std::fmod(level.bytes, 1e9) == 0;
  const std::string one = decimal ? significant(level.bytes / 1e9, 9) + " GB"
                                  : quantity_text(level.bytes, Meaning::bytes);
  return level.count == 1 ? one : significant(level.count, 9) + " × " + one;
}

std::string bandwidth_of(const HierarchyLevel& level) {
  return level.bandwidth > 0 ? quantity_text(level.bandwidth, Meaning::byte_rate) : "not measured";
}

class HierarchyReader : private GivenReader {
 public:
  HierarchyReader(const nlohmann::json& spec, const Inputs& inputs) : GivenReader(spec, inputs) {}

  Result<Hierarchy> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    out_.units = fields_.text("units");
    out_.peak = measured_quantity(fields_, "peak", scope_, flop_rate_dimension).value_or(0);
    out_.table.columns = {"", "Holds", "Delivers", "FLOP/B to keep the lanes busy"};
    fields_.each("levels", [&](Fields& one) { read_level(one); });
    if (error_) return *error_;
    for (const HierarchyLevel& level : out_.levels)
      out_.table.add({level.label, size_of(level), bandwidth_of(level), ridge_of(level)});
    out_.table.add({out_.units, "",
                    out_.peak > 0 ? quantity_text(out_.peak, Meaning::flop_rate) : "not measured",
                    ""});
    return std::move(out_);
  }

 private:
  std::string ridge_of(const HierarchyLevel& level) const {
    if (!(level.bandwidth > 0) || !(out_.peak > 0)) return "";
    return significant(out_.peak / level.bandwidth, 3);
  }

  void read_level(Fields& one) {
    HierarchyLevel level;
    level.label = one.text("label");
    level.note = one.text("note");
    if (one.has("holds"))
      level.bytes = measured_quantity(one, "holds", scope_, byte_dimension).value_or(0);
    if (one.has("count")) level.count = measured_quantity(one, "count", scope_, {}).value_or(1);
    if (!error_ && !(level.count >= 1 && level.count < 1e6)) one.fail("count", "is not a count");
    level.bandwidth = measured_quantity(one, "delivers", scope_, byte_rate_dimension).value_or(0);
    if (!error_ && !(level.bandwidth >= 0 && level.bandwidth < 1e18))
      one.fail("delivers", "is not a rate");
    out_.levels.push_back(std::move(level));
  }

  Hierarchy out_;
};

// Draws the levels from top to bottom, from the compute units to memory. The text of a level is
// inside its box, the text of a pipe is next to it.
class HierarchyDrawing {
 public:
  HierarchyDrawing(const Hierarchy& machine, const Options& options)
      : machine_(machine),
        sheet_(options, height(machine), height(machine), machine.title, machine.description),
        colors_(sheet_.colors()) {
    for (const HierarchyLevel& level : machine.levels) widest_ = std::max(widest_, level.bandwidth);
  }

  Rendering draw() {
    const double margin = sheet_.narrow() ? 8 : 12, words = sheet_.narrow() ? 132 : 210;
    left_ = margin;
    right_ = sheet_.width() - words - (sheet_.narrow() ? 0 : 20);
    double y = 8;
    box_of(machine_.units,
           machine_.peak > 0 ? quantity_text(machine_.peak, Meaning::flop_rate) : "", "", y,
           colors_.compute, 1);
    for (auto level = machine_.levels.rbegin(); level != machine_.levels.rend(); ++level) {
      y += box;
      pipe(*level, y);
      y += gap;
      box_of(level->label, size_of(*level), level->note, y, colors_.bandwidth, level->count);
    }
    return sheet_.finish(machine_.table);
  }

 private:
  static constexpr double box = 46, gap = 46;

  static double height(const Hierarchy& machine) {
    return 16 + box + (box + gap) * static_cast<double>(machine.levels.size());
  }

  // Several units of a kind are drawn as a stack.
  void box_of(const std::string& label, const std::string& said, const std::string& note, double y,
              std::string_view color, double count) {
    const Box place{left_, y, right_ - 8, y + box};
    for (int behind = count > 1 ? 2 : 0; behind > 0; --behind)
      sheet_.box({place.left + 4 * behind, place.top + 3, place.right + 4 * behind,
                  place.bottom - 4 + 2 * behind},
                 colors_.paper, color);
    sheet_.box(place, colors_.paper, color);
    const double room = place.width() - 20;
    sheet_.name_in(room, label, {place.left + 10, y + 19}, -1, color);
    const double wide = sheet_.note_width(said);
    sheet_.note(said, {place.left + 10, y + 37}, -1, colors_.ink);
    if (!note.empty() && !sheet_.narrow())
      sheet_.note_in(room - wide - 16, note, {place.right - 10, y + 37}, 1);
  }

  void pipe(const HierarchyLevel& level, double y) {
    const double room = right_ - 8 - left_ - 20, middle = left_ + 10 + room / 2;
    if (level.bandwidth > 0) {
      const double wide = std::max(1.5, room * level.bandwidth / widest_);
      sheet_.boxes({{middle - wide / 2, y + 1, middle + wide / 2, y + gap - 1}}, colors_.bandwidth,
                   "0.45");
    }
    const double text = right_ + (sheet_.narrow() ? 6 : 14);
    sheet_.note(bandwidth_of(level), {text, y + 19}, -1, colors_.bandwidth);
    if (level.bandwidth > 0 && machine_.peak > 0)
      sheet_.note(significant(machine_.peak / level.bandwidth, 3) + " FLOP/B" +
                      (sheet_.narrow() ? "" : " to keep up"),
                  {text, y + 37});
  }

  const Hierarchy& machine_;
  models::Sheet sheet_;
  const Palette& colors_;
  double left_ = 0, right_ = 0, widest_ = 1e-300;
};

}  // namespace

Result<Rendering> render_hierarchy(const nlohmann::json& spec, const Inputs& inputs,
                                   const Options& options) {
  const Result<Hierarchy> machine = HierarchyReader(spec, inputs).read();
  if (!machine) return machine.error();
  return HierarchyDrawing(*machine, options).draw();
}

}  // namespace figures
