// Shared by the tests that compare the book's facts and models with numbers published by others.
#pragma once

#include <map>

#include "figures/models/render.hpp"
#include "support.hpp"

namespace published {

inline const figures::Facts& book() {
  static const figures::Facts facts = [] {
    figures::Facts all;
    for (const char* name :
         {"assumptions", "chips", "claims", "energy", "links", "models", "races", "runs"})
      REQUIRE(all.load(nlohmann::json::parse(
          support::read_source(std::string("chapters/facts/") + name + ".json"))));
    return all;
  }();
  return facts;
}

// In base units.
inline double fact(const std::string& id) {
  const figures::Fact* found = book().find(id);
  INFO(id);
  REQUIRE(found);
  return found->quantity.value;
}

// An expression over the facts, in base units; a multiply-add is two operations.
inline double value(const std::string& source) {
  class Scope : public figures::Scope {
   public:
    figures::Result<figures::Quantity> lookup(const figures::Name& name) override {
      if (const figures::Fact* fact = book().find(name.id)) return fact->quantity;
      return figures::Error{"unknown fact '" + name.id + "'"};
    }
  } scope;
  const auto parsed = figures::Expression::parse(source);
  REQUIRE(parsed);
  const auto result = parsed->evaluate(scope);
  INFO(source << (result ? std::string() : ": " + result.error().message));
  REQUIRE(result);
  return result->value;
}

// The counts of a whole run of a model, by name.
inline std::map<std::string, double> run(std::string_view name, const nlohmann::json& params) {
  using namespace figures::models;
  const auto model = make_model(name);
  REQUIRE(model);
  const auto settings = read_settings(model->controls(), params);
  REQUIRE(settings);
  CHECK(settings->notices.empty());
  Numbers numbers;
  for (const std::string& id : model->facts()) numbers.facts[id] = fact(id);
  CHECK(model->reset(settings->values, numbers).empty());
  model->advance(model->length());
  CHECK(model->broken() == "");
  std::map<std::string, double> counts;
  for (const Count& count : model->counts()) counts[count.name] = count.counted;
  return counts;
}

}  // namespace published
