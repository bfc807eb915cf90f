#include "figures/page/request.hpp"

namespace figures {
namespace {

using nlohmann::json;

constexpr std::size_t longest_request = 4 << 20;

}  // namespace

Result<json> parse_request(std::string_view text) {
  if (text.size() > longest_request) return Error{for_author("the request is longer than 4 MiB")};
  json object = json::parse(text.begin(), text.end(), nullptr, false);
  if (!object.is_object()) return Error{for_author("the request is not a JSON object")};
  return object;
}

const json& member(const json& object, const char* name) {
  static const json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

std::string text(const json& object, const char* name, std::string_view fallback) {
  const auto* value = member(object, name).get_ptr<const std::string*>();
  return value == nullptr ? std::string(fallback) : *value;
}

double number(const json& object, const char* name, double fallback) {
  const json& value = member(object, name);
  return value.is_number() ? value.get<double>() : fallback;
}

Options read_options(const json& object, const Words* words) {
  Options options;
  options.words = words;
  const std::string width = text(object, "width");
  options.width = width == "narrow"   ? Layout::narrow
                  : width == "column" ? Layout::column
                                      : Layout::wide;
  if (text(object, "theme") == "light") options.theme = Theme::light;
  options.lang = text(object, "lang", options.lang);
  return options;
}

std::string reply_text(const Result<Reply>& answer) {
  if (answer) return answer->str();
  Reply error;
  error.text("message", answer.error().message).text("suggestion", answer.error().suggestion);
  return Reply().object("error", error).str();
}

}  // namespace figures
