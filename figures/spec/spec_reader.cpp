#include "figures/spec/spec_reader.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/spec/shape.hpp"

namespace figures {
namespace {

const nlohmann::json& no_object() {
  static const nlohmann::json empty = nlohmann::json::object();
  return empty;
}

}  // namespace

Fields::Fields(const nlohmann::json& object, std::string where, std::optional<Error>& error)
    : object_(object.is_object() ? object : no_object()), where_(std::move(where)), error_(error) {}

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

const nlohmann::json* Fields::member(std::string_view name) const {
  const auto found = object_.find(std::string(name));
  return found == object_.end() ? nullptr : &*found;
}

std::string Fields::text(std::string_view name, std::string_view fallback) const {
  const nlohmann::json* value = member(name);
  const auto* string = value == nullptr ? nullptr : value->get_ptr<const std::string*>();
  return string == nullptr ? std::string(fallback) : *string;
}

bool Fields::flag(std::string_view name, bool fallback) const {
  const nlohmann::json* value = member(name);
  return value != nullptr && value->is_boolean() ? value->get<bool>() : fallback;
}

double Fields::number(std::string_view name, double fallback) const {
  const nlohmann::json* value = member(name);
  const bool good = value != nullptr && value->is_number() && std::isfinite(value->get<double>());
  return good ? value->get<double>() : fallback;
}

std::vector<std::string> Fields::texts(std::string_view name) const {
  std::vector<std::string> out;
  const nlohmann::json* value = member(name);
  if (value == nullptr || !value->is_array()) return out;
  for (const nlohmann::json& item : *value)
    if (const auto* string = item.get_ptr<const std::string*>()) out.push_back(*string);
  return out;
}

void Fields::each(std::string_view name, const ReadObject& read) {
  const nlohmann::json* value = member(name);
  if (value == nullptr || !value->is_array()) return;
  for (std::size_t i = 0; i < std::min(value->size(), longest_list) && !error_; ++i) {
    std::string place;
    if constexpr (tells_authors)
      place = (where_.empty() ? "" : where_ + ".") + std::string(name) + "[" + write_whole(i) + "]";
    Fields item((*value)[i], std::move(place), error_);
    read(item);
  }
}

double Fields::quantity(std::string_view name, Scope& scope, Dimension dimension) {
  const std::string source = text(name);
  if (error_) return 0;
  const Result<double> value = evaluate(source, scope, dimension);
  if (value) return *value;
  fail(name, value.error());
  return 0;
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
