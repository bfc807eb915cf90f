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

// Lines of a text, from 1: from `first` up to, not including, `end`.
struct Lines {
  int first = 0, end = 0;
};

// As a form shows it.
struct FormField {
  SchemaField schema;
  Lines lines = {};                     // of the text that is it; none where it is not there
  std::vector<std::string> value = {};  // of a text one; none where it is not there
};

// The members of `schema`, an object's: those that it requires, in its order, then the others. Of one that has several forms
// (oneOf): the members of all, of which those are required that every form requires; a constant is one of the choices.
std::vector<SchemaField> schema_fields(const nlohmann::json& schema);

}  // namespace primer
