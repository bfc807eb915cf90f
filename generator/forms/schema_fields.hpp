// What a form can ask for of an object's members, as a JSON Schema describes them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace primer {

struct SchemaField {
  // `elsewhere`: a form has nothing for it, because it has members of its own or is one of several kinds.
  enum class Kind { text, texts, flag, number, choice, elsewhere };
  std::string name, help;
  Kind kind = Kind::elsewhere;
  bool required = false;
  std::vector<std::string> options;  // of a choice
};

// The members of `schema`, an object's: those that it requires, in its order, then the others.
std::vector<SchemaField> schema_fields(const nlohmann::json& schema);

}  // namespace primer
