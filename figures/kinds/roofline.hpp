// The roofline: its contents (Roofline), worked out from a spec and the profiles, and functions
// that draw and describe it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/draw/rendering.hpp"
#include "figures/draw/scale.hpp"

namespace figures {

// Determines the colors of a machine. `subject` has the hues of bandwidth and compute, `reader` has
// the reader's hue, and `context` (other chips, and the reference machine once the reader has
// measured) is gray.
enum class Role { subject, reader, context };

// The name of the measured machine when the figure also shows other machines.
inline constexpr const char* reference_name = "reference machine";
inline constexpr const char* reader_name = "your machine";
inline constexpr const char* gpu_name = "your GPU";

// Where the roof starts when the reader is to guess it: between a core and an accelerator, so that
// it gives no hint, and above the labels of the reference machine's roof.
inline constexpr double guessed_rate = 1e12;       // FLOP/s
inline constexpr double guessed_bandwidth = 2e11;  // B/s

struct RoofLine {
  std::string name;  // "L2", "FMA", "FMA, 8 threads"; empty: the machine has only this one
  double value = 0;  // B/s or FLOP/s
  bool ops = false;  // counts integer operations: "Gop/s"
};

struct Machine {
  std::string name;
  Role role = Role::subject;
  bool dashed = false;             // a placeholder: the reader has not measured yet
  std::vector<RoofLine> slopes;    // the first is the main one
  std::vector<RoofLine> ceilings;  // the first is the main one
  double ridge() const { return ceilings.front().value / slopes.front().value; }
  double steepest() const;
};

struct Mark {
  std::string label;  // empty: the point of an earlier run, small and without a label
  Role role = Role::subject;
  double intensity = 0, rate = 0, spread = 0;  // FLOP/B, FLOP/s, FLOP/s in either direction
  double ridge = 0, ceiling = 0;               // of the machine that ran it: FLOP/B, FLOP/s
  double of_roof() const { return rate / (ceiling * (intensity < ridge ? intensity / ridge : 1)); }
};

struct Roofline {
  std::string title;
  std::vector<Machine> machines;    // in drawing order: context first, the reader last
  std::vector<Mark> marks;          // in the same order
  std::vector<std::string> absent;  // labels of points that no profile contains
  std::string description;          // empty: use describe_roofline()
  double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
  int base = 2;
  // The number next to a point
  enum class Said { rate, share_of_peak, share_of_roof } said = Said::rate;
  bool ops = false;    // integer operations on both axes
  bool guess = false;  // with a roof that the reader drags by its ridge point
  Meaning rate() const { return ops ? Meaning::op_rate : Meaning::flop_rate; }
  Meaning intensity() const { return ops ? Meaning::op_intensity : Meaning::intensity; }

  // The machine that the figure is about: the reader's, otherwise the first subject; null: none.
  const Machine* subject() const;
};

Result<Roofline> read_roofline(const nlohmann::json& spec, const Inputs& inputs);
Rendering draw_roofline(const Roofline& roofline, const Options& options);

Result<Rendering> render_roofline(const nlohmann::json& spec, const Inputs& inputs,
                                  const Options& options);

// The finding in sentences, followed by the numbers.
std::string describe_roofline(const Roofline& roofline);
Table tabulate_roofline(const Roofline& roofline);

}  // namespace figures
