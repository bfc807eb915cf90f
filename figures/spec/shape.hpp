// The schema of a spec: its members, their types, and which members may occur together.
//
// Each kind has one Shape (figures/kinds/shapes.cpp). The native build validates every spec against
// it before a kind reads the spec. The JSON Schema for editors and docs/reference/figure-specs.md
// are generated from it. Meanings of expressions and limits of space are checked by the kinds.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "figures/base/result.hpp"

namespace figures {

inline constexpr std::size_t longest_list = 64;
inline constexpr std::size_t longest_text = 600;  // characters
inline constexpr std::size_t most_given = 64, most_parameters = 16;

enum class Form : std::uint8_t {
  text,
  expression,      // over facts, in a string; never empty
  choice,          // one of `choices`
  flag,            // true or false
  number,          // finite
  range,           // two numbers
  expressions,     // a list of `least` to `most`
  choice_list,     // a list of `choices`
  list,            // a list of `least` to `most` objects of `of`
  object,          // an object of `of`
  flag_or_object,  // true, false or an object of `of`
  flag_or_choice,  // true, false or one of `choices`
  given,           // expressions by name, as read_given() reads them
  parameters,      // numbers, or strings with a unit, by name
};

struct Shape;

struct Member {
  std::string_view name;
  Form form = Form::text;
  std::string_view says;  // a short description for authors
  bool required = false;
  std::span<const std::string_view> choices = {};  // the first one is the default
  const Shape* of = nullptr;
  std::size_t least = 0, most = longest_list;
  // A member is set if it is present and not false. This member requires all of `with` and excludes
  // `without`; it is required unless `instead` is set.
  std::array<std::string_view, 2> with = {};
  std::string_view without = {}, instead = {};
};

struct Shape {
  std::string_view name;  // "roofline", "roofline.points"
  std::string_view says;
  std::span<const Member> members;
};

// The first error in the object, or nothing. `where` is its path for messages; empty for the spec
// itself.
std::optional<Error> misshapen(const nlohmann::json& object, const Shape& shape,
                               std::string_view where = {});

}  // namespace figures
