// What the scripts of a page need: the JSON file next to its HTML, page.<hash>.json. Blocks and
// links fill it in while the page is rendered; site/runtime/page/ reads it.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "figures/quantities/expression.hpp"
#include "figures/quantities/facts.hpp"

namespace primer {

struct PageData {
  using Json = nlohmann::ordered_json;
  Json figures = Json::object();     // {figure id: {spec, needs}}
  Json live = Json::array();         // live numbers: {id, expression, unit, digits, literal}
  Json verdicts = Json::array();     // {id, on, cases: [{when, say}]}
  Json models = Json::object();      // {figure id: {model}}
  Json worked = Json::array();       // worked questions
  Json predictions = Json::array();  // {id, and measured, unit if a run answers it}
  Json benches = Json::array();      // {id, runs, roofs, quick, seconds}
  Json costs;                        // {presets, chips, sources}; null: no such block
  std::set<std::string> facts;       // ids of the facts that any of them uses

  bool empty() const;
  // Adds the names that are facts.
  void need(const std::vector<figures::Name>& names, const figures::Facts& all);
  // The same for every expression in the specification of a figure, including its finding.
  void need(const Json& specification, const figures::Facts& all);
  // The JSON text with the values of `facts`.
  std::string to_text(const figures::Facts& all) const;
};

}  // namespace primer
