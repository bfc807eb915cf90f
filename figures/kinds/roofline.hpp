// The roofline: what a spec and the profiles say (Roofline), and how it is drawn and told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "figures/draw/rendering.hpp"
#include "figures/draw/scale.hpp"

namespace figures {

// Whose it is decides its colours: subject in the hues of bandwidth and compute, reader in the
// reader's, context (other chips, and the reference machine once there is a reader) in grey.
enum class Role { subject, reader, context };

// What the measured machines are called once there are others in the picture.
inline constexpr const char* reference_name = "reference machine";
inline constexpr const char* reader_name = "your machine";
inline constexpr const char* gpu_name = "your GPU";

// Where the roof of a reader's guess begins: between a core and an accelerator, so that it says nothing,
// and above the words at the reference machine's roof.
inline constexpr double guessed_rate = 1e12;       // FLOP/s
inline constexpr double guessed_bandwidth = 2e11;  // B/s

struct RoofLine {
  std::string name;  // "L2", "FMA", "FMA, 8 threads"; empty for a machine's only one
  double value = 0;  // B/s or FLOP/s
  bool ops = false;  // counts integer operations: "Gop/s"
};

struct Machine {
  std::string name;
  Role role = Role::subject;
  bool dashed = false;             // a slot: not the reader's yet
  std::vector<RoofLine> slopes;    // the first is the main one
  std::vector<RoofLine> ceilings;  // the first is the main one
  double ridge() const { return ceilings.front().value / slopes.front().value; }
  double steepest() const;
};

struct Mark {
  std::string label;  // empty: a footprint, small and without a name
  Role role = Role::subject;
  double intensity = 0, rate = 0, spread = 0;  // FLOP/B, FLOP/s, FLOP/s either way
  double ridge = 0, ceiling = 0;               // of its machine
  double of_roof() const { return rate / (ceiling * (intensity < ridge ? intensity / ridge : 1)); }
};

struct Roofline {
  std::string title;
  std::vector<Machine> machines;    // in drawing order: context first, the reader last
  std::vector<Mark> marks;          // likewise
  std::vector<std::string> absent;  // labels of points that no profile has
  std::string description;          // empty: describe_roofline() finds the words
  double x_low = 0, x_high = 0, y_low = 0, y_high = 0;
  int base = 2;
  enum class Said { rate, share_of_peak, share_of_roof } said = Said::rate;  // beside a point
  bool ops = false;    // integer operations on both axes
  bool guess = false;  // with a roof that the reader drags by its ridge
  Meaning rate() const { return ops ? Meaning::op_rate : Meaning::flop_rate; }
  Meaning intensity() const { return ops ? Meaning::op_intensity : Meaning::intensity; }

  // The machine that the picture is about: the reader's, else the first subject; null: none.
  const Machine* subject() const;
};

Result<Roofline> read_roofline(const nlohmann::json& spec, const Inputs& inputs);
Rendering draw_roofline(const Roofline& roofline, const Options& options);

Result<Rendering> render_roofline(const nlohmann::json& spec, const Inputs& inputs,
                                  const Options& options);

// The finding in sentences, and the data.
std::string describe_roofline(const Roofline& roofline);
Table tabulate_roofline(const Roofline& roofline);

}  // namespace figures
