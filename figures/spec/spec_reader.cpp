#include "figures/spec/spec_reader.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/base/nearest.hpp"

namespace figures {
namespace {

constexpr std::size_t longest_list = 64;
constexpr std::size_t longest_text = 600;

const nlohmann::json& no_object() {
  static const nlohmann::json empty = nlohmann::json::object();
  return empty;
}

}  // namespace

Fields::Fields(const nlohmann::json& object, std::string where, std::optional<Error>& error)
    : object_(object.is_object() ? object : no_object()), where_(std::move(where)), error_(error) {
  if (!object.is_object()) fail("", "is not an object");
}

std::string Fields::path_of(std::string_view name) const {
  std::string path = where_;
  if (!path.empty() && !name.empty()) path += '.';
  return path.append(name);
}

void Fields::tell(std::string_view name, std::string_view message, std::string_view suggestion) {
  if (error_) return;
  const std::string path = path_of(name);
  error_ = Error{path.empty() ? "spec" : path, 0, 0, suggestion}.of(path);
  error_->message.append(": ").append(message);
}

const nlohmann::json* Fields::member(std::string_view name) {
  if constexpr (tells_authors) known_.emplace_back(name);
  const auto found = object_.find(std::string(name));
  return found == object_.end() ? nullptr : &*found;
}

bool Fields::has(std::string_view name) { return member(name) != nullptr; }

std::string Fields::text(std::string_view name, std::string_view fallback) {
  const nlohmann::json* value = member(name);
  if (value == nullptr) return std::string(fallback);
  const auto* string = value->get_ptr<const std::string*>();
  if (string == nullptr) {
    fail(name, "is not text");
  } else if (string->size() > longest_text) {
    fail(name, "is longer than 600 bytes");
  } else {
    return *string;
  }
  return std::string(fallback);
}

std::string Fields::required_text(std::string_view name) {
  std::string value = text(name, "");
  if (value.empty()) fail(name, "is missing");
  return value;
}

std::string Fields::choice(std::string_view name, std::initializer_list<std::string_view> choices) {
  const std::string value = text(name, *choices.begin());
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
  Nearest nearest(value);
  for (const std::string_view one : choices) nearest.offer(one);
  fail(name, for_author("unknown value '", value, "'"), nearest.best());
  return std::string(*choices.begin());
}

bool Fields::flag(std::string_view name, bool fallback) {
  const nlohmann::json* value = member(name);
  if (value == nullptr) return fallback;
  if (!value->is_boolean()) fail(name, "is neither true nor false");
  return value->is_boolean() ? value->get<bool>() : fallback;
}

double Fields::number(std::string_view name, double fallback) {
  const nlohmann::json* value = member(name);
  if (value == nullptr) return fallback;
  if (!value->is_number() || !std::isfinite(value->get<double>())) {
    fail(name, "is not a number");
    return fallback;
  }
  return value->get<double>();
}

std::vector<std::string> Fields::texts(std::string_view name) {
  std::vector<std::string> out;
  const nlohmann::json* value = member(name);
  if (value == nullptr) return out;
  if (!value->is_array() || value->size() > longest_list) {
    fail(name, "is not a list of at most 64 texts");
    return out;
  }
  for (const nlohmann::json& item : *value) {
    const auto* string = item.get_ptr<const std::string*>();
    if (string == nullptr || string->size() > longest_text) {
      fail(name, "holds something that is not a short text");
      return out;
    }
    out.push_back(*string);
  }
  return out;
}

void Fields::each(std::string_view name, const ReadObject& read) {
  const nlohmann::json* value = member(name);
  if (value == nullptr) return;
  if (!value->is_array() || value->size() > longest_list) {
    fail(name, "is not a list of at most 64 objects");
    return;
  }
  for (std::size_t i = 0; i < value->size() && !error_; ++i) {
    std::string place;
    if constexpr (tells_authors)
      place = (where_.empty() ? "" : where_ + ".") + std::string(name) + "[" + write_whole(i) + "]";
    Fields item((*value)[i], std::move(place), error_);
    read(item);
    item.finish();
  }
}

double Fields::quantity(std::string_view name, Scope& scope, Dimension dimension) {
  const std::string source = required_text(name);
  if (error_) return 0;
  const Result<double> value = evaluate(source, scope, dimension);
  if (value) return *value;
  fail(name, value.error());
  return 0;
}

void Fields::reject_unknown() {
  if (error_) return;
  for (const auto& [name, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    Nearest nearest(name);
    for (const std::string& candidate : known_) nearest.offer(candidate);
    tell("", "unknown member '" + name.substr(0, 64) + "'", nearest.best());
    error_ = std::move(*error_).as(Code::unknown_member).of(path_of(name));
    return;
  }
}

Result<double> evaluate(std::string_view source, Scope& scope, Dimension dimension) {
  const Result<Expression> expression = Expression::parse(source);
  if (!expression) return expression.error();
  const Result<Quantity> value = expression->evaluate(scope);
  if (!value) return value.error();
  if (!(value->dimension == dimension))
    return Error{for_author(
                     "'", source, "' is in ", [&] { return describe(value->dimension); },
                     ", not in ", [&] { return describe(dimension); }),
                 0, source.size()};
  return value->value;
}

}  // namespace figures
