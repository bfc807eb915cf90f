#include "generator/core/assemble/template.hpp"

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <mutex>

#include "generator/core/base/language_rules.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"

namespace primer {
namespace mustache = kainjow::mustache;

namespace {

constexpr std::string_view frame_mark = "{{word ", text_mark = "{{text ";

// Replaces each UI string by a name, "{{word_0}}", and adds its translation to `values`.
std::string with_words(std::string text, std::string_view mark, const Messages& words,
                       TemplateValues& values) {
  for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at)) {
    const auto end = text.find("}}", at);
    if (end == text.npos) break;
    const auto begin = at + mark.size();
    const std::string name = "word_" + std::to_string(values.size());
    values.emplace(name, words(text.substr(begin, end - begin)));
    const std::string value = "{{" + name + "}}";
    text.replace(at, end + 2 - at, value);
    at += value.size();
  }
  return text;
}

}  // namespace

// Parsing costs more than rendering, but only one thread at a time can use a parsed template.
struct Template::Parsed {
  std::string text;
  TemplateValues words;
  Digest version;
  std::mutex mutex;
  std::vector<std::unique_ptr<mustache::mustache>> idle;

  std::unique_ptr<mustache::mustache> take() {
    const std::lock_guard lock(mutex);
    if (idle.empty()) return std::make_unique<mustache::mustache>(text);
    auto one = std::move(idle.back());
    idle.pop_back();
    return one;
  }
  void give_back(std::unique_ptr<mustache::mustache> one) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(one));
  }
};

std::optional<Template> Template::load(const FileSystem& site, const std::string& path,
                                       const std::vector<std::string>& names, const Messages& frame,
                                       const Messages& words_of_text, Diagnostics& diagnostics) {
  auto text = site.read(path);
  if (!text) {
    if (!report_unreadable(site, path, diagnostics, "site/")) {
      diagnostics.error(Rule::template_error, "site/" + path, "the template is missing");
    }
    return std::nullopt;
  }
  const Source source("site/" + path, std::move(*text));
  const std::string_view all = source.text();
  bool good = true;
  for (auto at = all.find("{{"); at != all.npos; at = all.find("{{", at + 2)) {
    const auto first = all.find_first_not_of("{#^/& \t", at);
    const auto last = all.find_first_of("} \t\n", first);
    if (first == all.npos || last == all.npos || all[first] == '!') continue;
    const std::string_view name = all.substr(first, last - first);
    const std::string_view mark = all.substr(at, frame_mark.size());
    if (mark == frame_mark || mark == text_mark) continue;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    diagnostics.error(Rule::template_error, source, first, name.size(),
                      "unknown template value " + in_quotes(name), nearest(name, names));
    good = false;
  }
  TemplateValues words;
  std::string filled = with_words(std::string(all), frame_mark, frame, words);
  filled = with_words(std::move(filled), text_mark, words_of_text, words);
  auto parsed = std::make_unique<mustache::mustache>(filled);
  if (!parsed->is_valid()) {
    diagnostics.error(Rule::template_error, source, 0, 1,
                      "the template does not parse: " + parsed->error_message());
    good = false;
  }
  if (!good) return std::nullopt;
  Template made(std::move(filled), std::move(words));
  made.parsed_->give_back(std::move(parsed));
  return made;
}

Template::Template(std::string text, TemplateValues words) : parsed_(std::make_shared<Parsed>()) {
  parsed_->version = digest(pack(text, words));
  parsed_->text = std::move(text);
  parsed_->words = std::move(words);
}

const Digest& Template::version() const { return parsed_->version; }

std::string Template::render(const TemplateValues& values) const {
  mustache::data data;
  std::size_t size = parsed_->text.size();
  for (const auto& [name, word] : parsed_->words) data.set(name, word);
  for (const auto& [name, value] : values) {
    size += value.size();
    if (value.empty()) {
      data.set(name, mustache::data(false));
    } else {
      data.set(name, value);
    }
  }
  auto parsed = parsed_->take();
  std::string text;
  text.reserve(size);  // escaping adds little
  parsed->render(data, [&](const std::string& part) { text += part; });
  parsed_->give_back(std::move(parsed));
  return with_directions(std::move(text));
}

}  // namespace primer
