#include "figures/spec/shape.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "figures/base/decimal_text.hpp"
#include "figures/base/nearest.hpp"

namespace figures {
namespace {

using nlohmann::json;

std::string joined(std::string_view where, std::string_view name) {
  std::string path(where);
  if (!path.empty() && !name.empty()) path += '.';
  return path.append(name);
}

Error fault(std::string_view path, std::string_view message, std::string_view suggestion = {}) {
  std::string text(path.empty() ? "spec" : path);
  return Error{text.append(": ").append(message), 0, 0, suggestion}.of(path);
}

bool is_set(const json& object, std::string_view name) {
  const auto found = object.find(name);
  return found != object.end() && *found != false;
}

std::string count_word(std::size_t count) {
  constexpr std::string_view words[] = {"none", "one", "two",   "three", "four",
                                        "five", "six", "seven", "eight"};
  return count < std::size(words) ? std::string(words[count]) : write_whole(count);
}

// Number of characters as JSON Schema counts them: code points.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

bool is_finite(const json& value) {
  return value.is_number() && std::isfinite(value.get<double>());
}

class MemberCheck {
 public:
  MemberCheck(const Member& member, std::string path) : member_(member), path_(std::move(path)) {}

  std::optional<Error> check(const json& value) const {
    switch (member_.form) {
      case Form::text:
      case Form::expression: return text(value);
      case Form::choice: return value.is_string() ? choice(value) : wrong("is not text");
      case Form::flag: return value.is_boolean() ? fine() : wrong("is neither true nor false");
      case Form::number: return is_finite(value) ? fine() : wrong("is not a number");
      case Form::range: return range(value);
      case Form::expressions:
      case Form::choice_list: return texts(value);
      case Form::list: return list(value);
      case Form::object: return misshapen(value, *member_.of, path_);
      case Form::flag_or_object:
        return value.is_boolean() ? fine() : misshapen(value, *member_.of, path_);
      case Form::flag_or_choice: return flag_or_choice(value);
      case Form::given: return given(value);
      case Form::parameters: return parameters(value);
    }
    return fine();
  }

  // "rows: are missing", "levels: are two to six".
  std::optional<Error> count(std::size_t size) const {
    if (size >= member_.least && (size <= member_.most || member_.least == 0)) return fine();
    if (member_.most < longest_list)
      return wrong("are " + count_word(member_.least) + " to " + count_word(member_.most));
    return wrong("are missing");
  }

 private:
  static std::optional<Error> fine() { return std::nullopt; }
  std::optional<Error> wrong(std::string_view message, std::string_view suggestion = {}) const {
    return fault(path_, message, suggestion);
  }

  std::optional<Error> text(const json& value) const {
    const auto* text = value.get_ptr<const std::string*>();
    if (text == nullptr) return wrong("is not text");
    if (length_of(*text) > longest_text) return wrong("is longer than 600 characters");
    const bool wanted = member_.required || member_.form == Form::expression;
    return wanted && text->empty() ? wrong("is missing") : fine();
  }

  // `value` is a string.
  std::optional<Error> choice(const json& value) const {
    const std::string& text = value.get_ref<const std::string&>();
    if (std::find(member_.choices.begin(), member_.choices.end(), text) != member_.choices.end())
      return fine();
    Nearest nearest(text);
    for (const std::string_view one : member_.choices) nearest.offer(one);
    return wrong("unknown value '" + text.substr(0, 64) + "'", nearest.best());
  }

  std::optional<Error> flag_or_choice(const json& value) const {
    if (value.is_boolean()) return fine();
    if (value.is_string()) return choice(value);
    std::string words = "is neither true, false nor";
    for (const std::string_view one : member_.choices) words.append(" \"").append(one) += '"';
    return wrong(words);
  }

  std::optional<Error> range(const json& value) const {
    const bool two = value.is_array() && value.size() == 2;
    return two && is_finite(value[0]) && is_finite(value[1]) ? fine() : wrong("is not [low, high]");
  }

  std::optional<Error> texts(const json& value) const {
    if (!value.is_array() || value.size() > member_.most)
      return wrong("is not a list of at most " + write_whole(member_.most) + " texts");
    for (const json& item : value) {
      const auto* text = item.get_ptr<const std::string*>();
      if (text == nullptr || text->empty() || length_of(*text) > longest_text)
        return wrong("holds something that is not a short text");
      if (member_.form != Form::choice_list) continue;
      if (auto error = choice(item)) return error;
    }
    return fine();
  }

  std::optional<Error> list(const json& value) const {
    if (!value.is_array() || (value.size() > member_.most && member_.least == 0) ||
        value.size() > longest_list)
      return wrong("is not a list of at most " + write_whole(member_.most) + " objects");
    if (auto error = count(value.size())) return error;
    for (std::size_t i = 0; i < value.size(); ++i)
      if (auto error = misshapen(value[i], *member_.of, path_ + "[" + write_whole(i) + "]"))
        return error;
    return fine();
  }

  std::optional<Error> given(const json& value) const {
    if (!value.is_object() || value.size() > most_given)
      return wrong("is not an object of at most 64 expressions");
    for (const auto& [name, source] : value.items())
      if (!source.is_string()) return fault(joined(path_, name), "is not an expression in quotes");
    return fine();
  }

  std::optional<Error> parameters(const json& value) const {
    if (!value.is_object() || value.size() > most_parameters)
      return wrong("is not an object of at most 16 parameters");
    for (const auto& [name, parameter] : value.items())
      if (!parameter.is_string() && !is_finite(parameter))
        return fault(joined(path_, name), "is neither a number nor a number with a unit");
    return fine();
  }

  const Member& member_;
  std::string path_;
};

// The error if `with` or `without` forbids this member next to the others of the object.
std::optional<Error> out_of_place(const json& object, const Member& member,
                                  const std::string& path) {
  if (!member.without.empty() && is_set(object, member.without))
    return fault(path, "is given, and " + std::string(member.without) + " too");
  for (const std::string_view other : member.with)
    if (!other.empty() && !is_set(object, other)) return fault(path, "needs " + std::string(other));
  return std::nullopt;
}

// The error if the member must not be missing.
std::optional<Error> absent(const json& object, const Member& member, const std::string& path) {
  if (!member.instead.empty() && is_set(object, member.instead)) return std::nullopt;
  if (out_of_place(object, member, path)) return std::nullopt;
  if (member.form == Form::list) return MemberCheck(member, path).count(0);
  if (member.required || !member.instead.empty()) return fault(path, "is missing");
  return std::nullopt;
}

std::optional<Error> unknown(const json& object, const Shape& shape, std::string_view where) {
  for (const auto& [name, value] : object.items()) {
    Nearest nearest(name);
    bool known = false;
    for (const Member& member : shape.members) {
      known = known || member.name == name;
      nearest.offer(member.name);
    }
    if (known) continue;
    return fault(where, "unknown member '" + name.substr(0, 64) + "'", nearest.best())
        .as(Code::unknown_member)
        .of(joined(where, name));
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> misshapen(const json& object, const Shape& shape, std::string_view where) {
  if (!object.is_object()) return fault(where, "is not an object");
  std::optional<Error> error;
  for (const Member& member : shape.members) {
    const std::string path = joined(where, member.name);
    const auto found = object.find(member.name);
    if (found == object.end()) error = absent(object, member, path);
    else if (!(error = out_of_place(object, member, path)))
      error = MemberCheck(member, path).check(*found);
    if (!error) continue;
    if (found != object.end()) return error;
    break;
  }
  // A missing member may be a misspelled one, whose message names the right one.
  if (auto misspelled = unknown(object, shape, where)) return misspelled;
  return error;
}

}  // namespace figures
