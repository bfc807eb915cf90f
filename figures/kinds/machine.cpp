#include "figures/kinds/machine.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "figures/base/portable_math.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

struct Panel {
  std::string name, says, more, below, below_more;
};

struct Chip {
  std::string title, description;
  std::array<Panel, 3> panels;
  std::string cache, file, shared, shared_says, scheduler, registers, lanes_say, matrix,
      matrix_says;
  int units = 1, lanes = 1, rows = 1;  // rows of the matrix unit, each as long as the lanes
  double shared_to_file = 1;           // ratio of the two capacities, drawn as areas
};

class ChipReader : private GivenReader {
 public:
  ChipReader(const nlohmann::json& spec, const Inputs& inputs) : GivenReader(spec, inputs) {}

  Result<Chip> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    constexpr const char* steps[] = {"chip", "unit", "part"};
    for (std::size_t i = 0; i < 3; ++i) read_panel(steps[i], out_.panels[i]);
    out_.units = count("units", 400);
    out_.lanes = count("lanes", 64);
    out_.rows = std::max(1, count("matrix_units", 4096) / out_.lanes);
    const double file = fields_.quantity("registers", scope_, byte_dimension);
    const double shared = fields_.quantity("shared", scope_, byte_dimension);
    if (!error_ && !(file > 0 && shared > 0 && shared <= 8 * file))
      fields_.fail("shared", "is not at most eight times a part's registers");
    if (!error_) out_.shared_to_file = shared / file;
    out_.cache = said("cache"), out_.file = said("file_name"), out_.shared = said("shared_name");
    out_.shared_says = said("shared_says"), out_.scheduler = said("scheduler");
    out_.registers = said("registers_say"), out_.lanes_say = said("lanes_say");
    out_.matrix = said("matrix_name"), out_.matrix_says = said("matrix_say");
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  std::string said(const char* member) { return sentence_of(fields_, member, scope_); }

  int count(const char* member, int most) {
    const double value = fields_.quantity(member, scope_, {});
    if (!error_ && !(value >= 1 && value <= most)) fields_.fail(member, "is not a count");
    return error_ ? 1 : static_cast<int>(value + 0.5);
  }

  void read_panel(const char* member, Panel& panel) {
    const nlohmann::json* object = fields_.member(member);
    if (object == nullptr) return;
    Fields one(*object, member, error_);
    panel = {sentence_of(one, "name", scope_), sentence_of(one, "says", scope_),
             sentence_of(one, "more", scope_), sentence_of(one, "below", scope_),
             sentence_of(one, "below_more", scope_)};
  }

  Chip out_;
};

// Draws three steps, next to each other (wide) or below each other (narrow). Each step is drawn
// from the corner of its frame.
class ChipDrawing {
 public:
  ChipDrawing(const Chip& chip, const Options& options)
      : chip_(chip),
        sheet_(options, 500, 1345, chip.title, chip.description),
        colors_(sheet_.colors()),
        lead_(sheet_.narrow() ? 16 : 18.5) {}

  Rendering draw() {
    const bool narrow = sheet_.narrow();
    const Box one = draw_chip(narrow ? Point{56, 74} : Point{48, 92});
    const Box frame = draw_unit(narrow ? Point{55, 530} : Point{356, 92});
    const Box part = part_;
    const Box last = draw_part(narrow ? Point{44, 976} : Point{648, 92});
    // In the narrow layout, text would overlap the zoom lines, so each step has a name instead.
    if (!narrow) sheet_.zoom(one, frame), sheet_.zoom(part, last);
    return sheet_.finish(table());
  }

 private:
  static constexpr double pitch = 19, cell = 16;
  static constexpr int columns = 11;

  Table table() const {
    Table table{{"Step", "What it is"}, {}};
    for (const Panel& panel : chip_.panels)
      table.add({panel.name, panel.says + (panel.more.empty() ? "" : " " + panel.more)});
    return table;
  }

  void heading(const Panel& panel, Point corner) {
    const double lines = panel.more.empty() ? 2 : 3;
    double y = corner.y - 8 - lead_ * (lines - 1);
    sheet_.name(panel.name, {corner.x, y});
    for (const std::string* text : {&panel.says, &panel.more})
      if (!text->empty()) sheet_.note(*text, {corner.x, y += lead_});
  }

  void footing(const Panel& panel, double x, double y, std::string_view fill = {}) {
    for (const std::string* text : {&panel.below, &panel.below_more})
      if (!text->empty()) sheet_.note(*text, {x, y += lead_}, -1, fill);
  }

  // Draws units in rows around a cache, with memory on both sides. Returns the box of one unit,
  // which the next step enlarges.
  Box draw_chip(Point corner) {
    const Panel& panel = chip_.panels[0];
    const int rows = (chip_.units + columns - 1) / columns, above = rows / 2;
    const double wide = columns * pitch - (pitch - cell) + 16, cache = 42;
    const double tall = rows * pitch + cache + 18;
    heading(panel, {sheet_.narrow() ? corner.x : 8.0, corner.y});
    const Box die{corner.x, corner.y, corner.x + wide, corner.y + tall};
    sheet_.box(die, colors_.grid, colors_.reference);
    for (const double x : {die.left - 40, die.right + 10}) {
      sheet_.boxes({{x, die.top + 8, x + 30, die.bottom - 8}}, colors_.bandwidth, "0.2");
      sheet_.box({x, die.top + 8, x + 30, die.bottom - 8}, {}, colors_.bandwidth);
    }
    std::vector<Box> all;
    for (int i = 0; i < chip_.units; ++i) {
      const int row = i / columns;
      const double x = die.left + 8 + i % columns * pitch;
      const double y = die.top + 8 + row * pitch + (row >= above ? cache + 4 : 0);
      all.push_back({x, y, x + cell, y + cell});
    }
    const std::size_t chosen = std::min(all.size() - 1, std::size_t{2} * columns - 2);
    const Box one = all[chosen];
    sheet_.boxes(all, colors_.compute, "0.5");
    sheet_.boxes({one}, colors_.compute);
    sheet_.outlines({{one.left - 2, one.top - 2, one.right + 2, one.bottom + 2}}, colors_.ink, 2);
    const double top = die.top + 8 + above * pitch;
    sheet_.boxes({{die.left + 8, top, die.right - 8, top + cache}}, colors_.bandwidth);
    sheet_.name(chip_.cache, {die.left + wide / 2, top + cache / 2 + 5}, 0, colors_.paper);
    footing(panel, sheet_.narrow() ? corner.x : 8, die.bottom + 2, colors_.bandwidth);
    return {one.left - 2, one.top - 2, one.right + 2, one.bottom + 2};
  }

  // Draws four parts above the memories that they share. The areas of the memories have one scale.
  Box draw_unit(Point corner) {
    constexpr double wide = 248, part_wide = 112, part_tall = 114, file_tall = 52;
    const double shared_wide = wide - 16, file_wide = part_wide - 12;
    const double shared_tall = file_wide * file_tall * chip_.shared_to_file / shared_wide;
    const double tall = 16 + 2 * (part_tall + 8) + shared_tall;
    heading(chip_.panels[1], {corner.x, corner.y});
    const Box frame{corner.x, corner.y, corner.x + wide, corner.y + tall};
    sheet_.box(frame, colors_.paper, colors_.ink);
    for (int i = 0; i < 4; ++i) {
      const double x = frame.left + 8 + i % 2 * (part_wide + 8);
      const double y = frame.top + 8 + i / 2 * (part_tall + 8);
      draw_small_part({x, y, x + part_wide, y + part_tall}, i == 1);
    }
    const double top = frame.top + 8 + 2 * (part_tall + 8);
    const Box shared{frame.left + 8, top, frame.right - 8, top + shared_tall};
    sheet_.boxes({shared}, colors_.bandwidth, "0.35");
    const double middle = (shared.left + shared.right) / 2, half = (shared.top + shared.bottom) / 2;
    sheet_.name(chip_.shared, {middle, half - 3}, 0);
    sheet_.note(chip_.shared_says, {middle, half + lead_ - 3}, 0, colors_.ink);
    footing(chip_.panels[1], frame.left, frame.bottom + 4);
    return frame;
  }

  void draw_small_part(const Box& box, bool chosen) {
    sheet_.outlines({box}, chosen ? colors_.ink : colors_.rule, chosen ? 2 : 1);
    if (chosen) part_ = box;
    const double left = box.left + 6, right = box.right - 6, middle = (left + right) / 2;
    sheet_.boxes({{left, box.top + 6, right, box.top + 12}}, colors_.ink);
    sheet_.boxes({{left, box.top + 17, right, box.top + 69}}, colors_.bandwidth, "0.35");
    sheet_.note(chip_.file, {middle, box.top + 48}, 0, colors_.ink);
    sheet_.cells({left, box.top + 73, right, box.top + 76}, chip_.lanes, 1, 1, colors_.compute);
    sheet_.boxes({{left, box.top + 80, right, box.bottom - 6}}, colors_.compute);
    sheet_.note(chip_.matrix, {middle, box.top + 99}, 0, colors_.paper);
  }

  // Text on a rectangle of paper, so that no cell is behind it.
  void plate(const std::string& text, double middle, double baseline) {
    const double half = sheet_.note_width(text) / 2 + 4, size = sheet_.note_size();
    sheet_.boxes({{middle - half, baseline - size, middle + half, baseline + size * 0.4}},
                 colors_.paper);
    sheet_.note(text, {middle, baseline}, 0, colors_.ink);
  }

  // Draws one part enlarged: a row of lanes, and the rows of the matrix unit.
  Box draw_part(Point corner) {
    constexpr double wide = 270, step = 8;
    heading(chip_.panels[2], {corner.x, corner.y});
    const double inside = step * chip_.lanes, left = corner.x + (wide - inside) / 2;
    const double tall = 172 + step * chip_.rows + 24, middle = corner.x + wide / 2;
    const Box frame{corner.x, corner.y, corner.x + wide, corner.y + tall};
    sheet_.box(frame, colors_.paper, colors_.ink);
    double y = corner.y + 10;
    sheet_.boxes({{left, y, left + inside, y + 26}}, colors_.ink);
    sheet_.note(chip_.scheduler, {middle, y + 18}, 0, colors_.paper);
    y += 34;
    sheet_.cells({left, y, left + inside, y + 96}, chip_.lanes, 12, 1, colors_.bandwidth, "0.35");
    plate(chip_.registers, middle, y + 53);
    y += 104;
    sheet_.cells({left, y, left + inside, y + step}, chip_.lanes, 1, 1.2, colors_.compute);
    sheet_.note(chip_.lanes_say, {middle, y + step + 16}, 0, colors_.ink);
    y += step + 24;
    sheet_.cells({left, y, left + inside, y + step * chip_.rows}, chip_.lanes, chip_.rows, 1.2,
                 colors_.compute);
    plate(chip_.matrix_says, middle, y + step * chip_.rows / 2 + 5);
    footing(chip_.panels[2], frame.left, frame.bottom + 4);
    return frame;
  }

  const Chip& chip_;
  models::Sheet sheet_;
  const Palette& colors_;
  double lead_;
  Box part_{};
};

}  // namespace

Result<Rendering> render_machine(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options) {
  const Result<Chip> chip = ChipReader(spec, inputs).read();
  if (!chip) return chip.error();
  return ChipDrawing(*chip, options).draw();
}

}  // namespace figures
