// Members shared by several kinds of specs: named values and a machine.
#pragma once

#include <optional>
#include <string>

#include "figures/draw/rendering.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/spec/spec_reader.hpp"

namespace figures {

// Reads the optional member "given", which names values for the other expressions of the spec:
//   {"T": "8 * 1024", "w": "2 B * T"}   in any order; one may use the others
// The values are found before `names` but must not hide any of them. Error: one of the values is
// wrong. A value that was not measured is an unmeasured value wherever its name is used.
void read_given(Fields& fields, const Names& names, Given& scope);

// Reads a spec whose expressions name facts, kernels, the reference machine and given values.
class GivenReader {
 protected:
  GivenReader(const nlohmann::json& spec, const Inputs& inputs)
      : fields_(spec, "", error_),
        names_({inputs.facts, inputs.catalogue, nullptr, inputs.reference}),
        scope_(&names_) {}

  std::optional<Error> error_;
  Fields fields_;
  Names names_;
  Given scope_;
};

// A required expression. Nothing if it is wrong (an error in `fields`) or names something that was
// not measured (no error).
std::optional<double> measured_quantity(Fields& fields, std::string_view name, Scope& scope,
                                        Dimension dimension);

// {"label": "H100", "peak": "h100-sxm.peak.bf16", "bandwidth": "h100-sxm.bandwidth"}
struct SpecMachine {
  std::string label;
  double peak = 0, bandwidth = 0;  // FLOP/s, B/s; 0: not measured
  bool known() const { return peak > 0 && bandwidth > 0; }
  double ridge() const { return peak / bandwidth; }
};

// The three members of the object; all are required.
SpecMachine read_machine(Fields& fields, Scope& scope);

inline constexpr Dimension flop_dimension{1, 0, 0, 0, 0, 0};
inline constexpr Dimension byte_dimension{0, 1, 0, 0, 0, 0};
inline constexpr Dimension second_dimension{0, 0, 1, 0, 0, 0};

}  // namespace figures
