#include "generator/workshop/entry_call.hpp"

#include "generator/forms/entry_form.hpp"
#include "generator/workshop/entered_entries.hpp"
#include "generator/workshop/form_call.hpp"

namespace primer {
namespace {

using Json = nlohmann::json;

Json as_json(const FieldFault& fault) {
  Diagnostics one;
  one.add(fault.diagnostic);
  Json told = Json::parse(to_text(one, Format::json)).front();
  told["field"] = fault.field;
  return told;
}

}  // namespace

Json entry_of(const EditedFiles& files, const std::string& kind, const std::string& id) {
  Json fields = Json::array();
  for (const auto& field : entry_form(files, kind, id)) fields.push_back(as_json(field));
  return {{"fields", std::move(fields)}};
}

Json enter(EditedFiles& files, const Json& request) {
  const Json kind = request.value("kind", Json());
  std::vector<FieldFault> faults;
  const auto made = enter_entry(files, kind.is_string() ? kind.get<std::string>() : "",
                                request.value("values", Json()), faults);
  Json told = Json::array();
  for (const auto& fault : faults) told.push_back(as_json(fault));
  Json answer = {{"faults", std::move(told)}, {"drafts", nullptr}};
  if (made && files.write(made->path, made->text))
    answer["drafts"] = json_of(DraftTexts{{made->path, made->text}});
  return answer;
}

Json entered_in(const EditedFiles& files) {
  Json list = Json::array();
  for (const auto& [file, id] : entered_entries(files))
    list.push_back({{"file", file}, {"id", id}});
  return {{"entries", std::move(list)}};
}

}  // namespace primer
