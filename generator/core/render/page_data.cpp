#include "generator/core/render/page_data.hpp"

#include "figures/quantities/verdict.hpp"

namespace primer {

bool PageData::empty() const {
  return figures.empty() && models.empty() && live.empty() && verdicts.empty() && worked.empty() &&
         predictions.empty() && benches.empty() && costs.is_null();
}

void PageData::need(const std::vector<figures::Name>& names, const figures::Facts& all) {
  for (const auto& name : names) {
    if (all.find(name.id)) facts.insert(name.id);
  }
}

void PageData::need(const Json& specification, const figures::Facts& all) {
  if (specification.is_string()) {
    const std::string text = specification.get<std::string>();
    if (const auto expression = figures::Expression::parse(text)) need(expression->names(), all);
    else if (const auto finding = figures::Sentence::parse(text)) need(finding->names(), all);
  }
  if (!specification.is_structured()) return;
  for (const auto& member : specification) need(member, all);
}

std::string PageData::to_text(const figures::Facts& all) const {
  Json needed = Json::object();
  for (const auto& id : facts) {
    const figures::Fact* fact = all.find(id);
    needed[id] = {{"value", fact->quantity.value}, {"unit", fact->unit}};
  }
  Json page = {{"facts", needed},
               {"figures", figures},
               {"live", live},
               {"verdicts", verdicts},
               {"models", models},
               {"worked", worked},
               {"predictions", predictions},
               {"benches", benches}};
  if (!costs.is_null()) page["costs"] = costs;
  return page.dump() + '\n';
}

}  // namespace primer
