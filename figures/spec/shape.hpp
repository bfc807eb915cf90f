// What a specification may look like: its members, what each holds, and which may stand beside which.
//
// A kind's Shape (figures/kinds/shapes.cpp) says it once. The native build holds every specification
// against it before a reader sees it, and the JSON Schema for editors and docs/figure_specs.md are
// made of it. What expressions mean, and what a picture has room for, the readers say themselves.
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
  expression,      // over facts, as a text; never empty
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
  given,           // expressions by name
  parameters,      // numbers, or texts with a unit, by name
};

struct Shape;

struct Member {
  std::string_view name;
  Form form = Form::text;
  std::string_view says;  // for authors, a few words
  bool required = false;
  std::span<const std::string_view> choices = {};  // the first stands for none
  const Shape* of = nullptr;
  std::size_t least = 0, most = longest_list;
  // Members are set when they are there and not false. This one may stand only beside all of `with`,
  // and not beside `without`; it is required unless `instead` is set.
  std::array<std::string_view, 2> with = {};
  std::string_view without = {}, instead = {};
};

struct Shape {
  std::string_view name;  // "roofline", "roofline.points"
  std::string_view says;
  std::span<const Member> members;
};

// What is wrong with the object, or nothing. `where` is its path for messages; empty at the top.
std::optional<Error> misshapen(const nlohmann::json& object, const Shape& shape,
                               std::string_view where = {});

}  // namespace figures
