// What a page's scripts need to bring it alive: the JSON file beside the page.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "figures/quantities/expression.hpp"
#include "figures/quantities/facts.hpp"

namespace primer {

struct PageData {
  using Json = nlohmann::ordered_json;
  Json figures = Json::object();
  Json live = Json::array();
  Json verdicts = Json::array();
  Json models = Json::object();
  Json worked = Json::array();
  Json predictions = Json::array();
  Json benches = Json::array();
  std::set<std::string> facts;  // ids that any of them needs

  bool empty() const;
  // Notes which of an expression's names are facts.
  void need(const std::vector<figures::Name>& names, const figures::Facts& all);
  // The same for every text in a figure's specification that is an expression.
  void need(const Json& specification, const figures::Facts& all);
  std::string to_text(const figures::Facts& all) const;
};

}  // namespace primer
