// Tags as text: where they end, what their attributes say.
#include <cctype>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/rewriter.hpp"

namespace primer {
namespace {

std::string with_entities(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> entities[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [entity, sign] : entities) text = replace_all(std::move(text), entity, sign);
  return text;
}

}  // namespace

std::size_t tag_end(std::string_view text) {
  std::size_t at = text.starts_with("</") ? 2 : 1;
  if (at >= text.size() || !std::isalpha(static_cast<unsigned char>(text[at]))) return text.npos;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if ((c == '"' || c == '\'') && text[at - 1] == '=') {
      quote = c;
    } else if (c == '>') {
      return at + 1;
    } else if (c == '<' || (c == '\n' && at + 1 < text.size() && text[at + 1] == '\n')) {
      return text.npos;
    }
  }
  return text.npos;
}

std::string attribute_of(std::string_view tag, std::string_view name) {
  for (auto at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
    const std::string_view behind = tag.substr(at + name.size());
    const bool begins = at > 0 && std::isspace(static_cast<unsigned char>(tag[at - 1])) != 0;
    if (!begins || !behind.starts_with('=') || behind.size() < 2) continue;
    const char quote = behind[1];
    if (quote != '"' && quote != '\'')
      return std::string(behind.substr(1, behind.find_first_of(" \n/>", 1) - 1));
    return with_entities(std::string(behind.substr(2, behind.find(quote, 2) - 2)));
  }
  return {};
}

}  // namespace primer
