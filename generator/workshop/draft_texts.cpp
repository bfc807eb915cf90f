#include "generator/workshop/draft_texts.hpp"

#include <nlohmann/json.hpp>

namespace primer {

std::optional<std::string> redraft(EditedFiles& files, const std::string& path, std::string text) {
  if (text != files.published(path) && files.write(path, text)) return text;
  files.revert(path);
  return std::nullopt;
}

nlohmann::json json_of(const DraftTexts& drafts) {
  auto texts = nlohmann::json::object();
  for (const auto& [path, text] : drafts) texts[path] = text ? nlohmann::json(*text) : nullptr;
  return texts;
}

}  // namespace primer
