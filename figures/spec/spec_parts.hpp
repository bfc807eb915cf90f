// Members that several kinds of specs share: named values and a machine.
#pragma once

#include <optional>
#include <string>

#include "figures/draw/rendering.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/spec/spec_reader.hpp"

namespace figures {

// The optional member "given", named values for the spec's other expressions:
//   {"T": "8 * 1024", "w": "2 B * T"}   in any order; one may use the others
// They stand before `names`, none of which they may hide. Error: what is wrong with one of them. What was not measured
// stays so wherever the name is used.
void read_given(Fields& fields, const Names& names, Given& scope);

// What reads a spec whose expressions name facts, kernels, the reference machine and given values.
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

// A required expression. Nothing when it is wrong (an error in `fields`) or when something that it
// names was not measured (no error).
std::optional<double> measured_quantity(Fields& fields, std::string_view name, Scope& scope,
                                        Dimension dimension);

// {"label": "H100", "peak": "h100-sxm.peak.bf16", "bandwidth": "h100-sxm.bandwidth"}
struct SpecMachine {
  std::string label;
  double peak = 0, bandwidth = 0;  // FLOP/s, B/s; 0: not measured
  bool known() const { return peak > 0 && bandwidth > 0; }
  double ridge() const { return peak / bandwidth; }
};

// The object's three members, each required.
SpecMachine read_machine(Fields& fields, Scope& scope);

inline constexpr Dimension flop_dimension{1, 0, 0, 0, 0, 0};
inline constexpr Dimension byte_dimension{0, 1, 0, 0, 0, 0};
inline constexpr Dimension second_dimension{0, 0, 1, 0, 0, 0};

}  // namespace figures
