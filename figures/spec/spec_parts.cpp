#include "figures/spec/spec_parts.hpp"

#include <algorithm>
#include <vector>

namespace figures {
namespace {

Result<Quantity> value_of(const nlohmann::json& source, Scope& scope) {
  const auto* text = source.get_ptr<const std::string*>();
  if (text == nullptr) return Error{"is not an expression in quotes", 0, 0, ""};
  const Result<Expression> expression = Expression::parse(*text);
  if (!expression) return expression.error();
  return expression->evaluate(scope);
}

// The unknown name in the expression; empty if something else is wrong.
std::string unknown_name(const nlohmann::json& source, const Error& error) {
  const auto* text = source.get_ptr<const std::string*>();
  if (text == nullptr || error.code != Code::unknown_name || error.offset > text->size()) return {};
  return text->substr(error.offset, error.length);
}

// Reports one of the values that could not be evaluated, preferably one that does not only wait for
// another one.
void report(Fields& fields, const nlohmann::json& object, const std::vector<std::string>& left,
            Scope& scope) {
  std::optional<Error> wrong;
  std::string which;
  for (const std::string& name : left) {
    const nlohmann::json& source = *object.find(name);
    const Result<Quantity> value = value_of(source, scope);
    if (value) continue;
    const std::string unknown = unknown_name(source, value.error());
    const bool waits =
        unknown != name && std::find(left.begin(), left.end(), unknown) != left.end();
    if (!wrong || !waits) wrong = value.error(), which = name;
    if (!waits) break;
  }
  if (wrong) fields.fail("given." + which, *wrong);
}

}  // namespace

void read_given(Fields& fields, [[maybe_unused]] const Names& names, Given& scope) {
  const nlohmann::json* object = fields.member("given");
  if (object == nullptr || !object->is_object()) return;
  std::vector<std::string> left;
  for (const auto& [name, source] : object->items()) {
    if constexpr (tells_authors)
      if (names.knows(name))
        return fields.fail("given." + name,
                           "is the name of something else, which it would stand for");
    left.push_back(name);
  }
  // Repeat as long as a pass finds a new value, because a value may precede the values that it
  // uses.
  for (bool found = true; found;) {
    found = false;
    std::vector<std::string> still;
    for (const std::string& name : left) {
      const Result<Quantity> value = value_of(*object->find(name), scope);
      const bool wrong = !value && value.error().cause == Cause::invalid;
      if (wrong) still.push_back(name);
      else scope.set(name, value), found = true;
    }
    left = std::move(still);
  }
  report(fields, *object, left, scope);
}

std::optional<double> measured_quantity(Fields& fields, std::string_view name, Scope& scope,
                                        Dimension dimension) {
  const std::string source = fields.text(name);
  if (fields.error()) return std::nullopt;
  const Result<double> value = evaluate(source, scope, dimension);
  if (value) return *value;
  if (value.error().cause == Cause::invalid) fields.fail(name, value.error());
  return std::nullopt;
}

SpecMachine read_machine(Fields& fields, Scope& scope) {
  SpecMachine machine;
  machine.label = fields.text("label");
  machine.peak = measured_quantity(fields, "peak", scope, flop_rate_dimension).value_or(0);
  machine.bandwidth =
      measured_quantity(fields, "bandwidth", scope, byte_rate_dimension).value_or(0);
  return machine;
}

}  // namespace figures
