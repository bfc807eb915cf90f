// Ordinary code: ```cpp marks=3-5,9
#include <cctype>
#include <charconv>

#include "generator/base/pack.hpp"
#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/code/highlight.hpp"
#include "generator/markdown/anchor_kind.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || stop != text.data() + text.size() || number < 1) return {};
  return number;
}

// "3-5,9" → {3, 4, 5, 9}; nothing when it is no such list, or longer than the code.
std::optional<std::set<int>> parse_marks(std::string_view text, int lines) {
  std::set<int> marks;
  for (const auto part : split(text, ',')) {
    const auto ends = split(part, '-');
    const auto first = whole_number(ends.front());
    const auto last = whole_number(ends.back());
    if (ends.size() > 2 || !first || !last || *last < *first || *last > lines) return std::nullopt;
    for (int line = *first; line <= *last; ++line) marks.insert(line);
  }
  return marks;
}

// Colouring is most of a build's work, so a block that is known is not parsed again, even in a
// chapter that changed.
std::vector<std::string> coloured_lines(const Emitter& emitter, std::size_t offset,
                                        const std::string& language, const std::string& code) {
  std::vector<std::string> lines;
  Cache* cache = emitter.shared.cache;
  const WordLanguage* own = emitter.shared.book.code_language(language);
  Packer described;
  if (own) own->pack(described);
  const std::string key = language + described.bytes + '\n' + code;
  if (const auto cached = cache ? cache->find(Cache::Kind::code, key) : std::nullopt) {
    Unpacker unpacker(*cached);
    unpacker.take(lines);
    if (unpacker.whole()) return lines;
    lines.clear();
  }
  auto coloured = own ? highlight(*own, code) : highlight(language, code);
  if (coloured) {
    Packer packer;
    packer.add(*coloured);
    if (cache) cache->store(Cache::Kind::code, key, std::move(packer.bytes));
    return std::move(coloured).value();
  }
  if (own) {
    emitter.diagnostics.warning(Rule::bad_code_block, emitter.source, offset, 1,
                                coloured.error().message);
  }
  for (const auto line : split_lines(code)) lines.push_back(escape(line));
  return lines;
}

// What is nearly an own block is meant to be one; what is no language of ours is shown without colours,
// and true is returned.
bool unknown_language(Emitter& emitter, const std::string& language, std::size_t offset) {
  if (language.starts_with('{')) {
    emitter.error(Rule::foreign_syntax, offset, language.size(),
                  "this is MyST's or Quarto's, and would be printed as it is");
    emitter.diagnostics.hint(
        "a callout is a quote whose first line is > [!NOTE]; a block of code has its language alone");
    return false;
  }
  if (!std::isalpha(static_cast<unsigned char>(language.front())) ||
      language.find_first_of(",={") != language.npos) {
    emitter.error(Rule::bad_code_block, offset, language.size(),
                  "code has its language, and then marks=3-5,9, and no more");
    return false;
  }
  auto blocks = own_block_names();
  blocks.emplace_back("math");
  const std::string block = nearest(language, blocks);
  const std::string message = "there is no language or block " + in_quotes(language);
  if (!block.empty()) {
    emitter.error(Rule::bad_code_block, offset, language.size(), message, block);
    return false;
  }
  emitter.diagnostics.warning(Rule::bad_code_block, emitter.source, offset, language.size(),
                              message + ", so it has no colours",
                              nearest(language, highlighted_languages()));
  emitter.diagnostics.hint(
      "\"text\" says that there are none; book.yaml can describe a language by its words (code:)");
  return true;
}

}  // namespace

void emit_code(Emitter& emitter, std::size_t offset, const std::string& language,
               const std::string& code, const std::set<int>& marks) {
  Html& out = emitter.out;
  out.open("div", {{"class", "code"}});
  out.open("pre", {{"tabindex", "0"}}).open("code", {{"class", "language-" + language}});
  const std::vector<std::string> lines = coloured_lines(emitter, offset, language, code);
  int number = 0;
  for (const auto& line : lines) {
    if (marks.contains(++number)) {
      out.open("mark").raw(line).close();
    } else {
      out.raw(line);
    }
    out.line();
  }
  out.close().close().close().line();
}

void code_block(Emitter& emitter, const Node& node) {
  const auto words = split(trim(node.info), ' ');
  const std::string language(words.front().empty() ? "text" : words.front());
  const std::size_t info_offset = emitter.source.text().find(language, node.offset);
  const bool is_known = emitter.knows_language(language);
  if (!is_known && !unknown_language(emitter, language, info_offset))
    return emit_code(emitter, info_offset, "text", node.text, {});
  std::set<int> marks;
  const int lines = static_cast<int>(split_lines(node.text).size());
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].empty()) continue;
    const auto parsed =
        words[i].starts_with("marks=") ? parse_marks(words[i].substr(6), lines) : std::nullopt;
    if (parsed) {
      marks = *parsed;
      continue;
    }
    emitter.error(Rule::bad_code_block, emitter.source.text().find(words[i], info_offset),
                  words[i].size(), "code takes marks=3-5,9 with lines that it has, and no more");
  }
  emit_code(emitter, info_offset, is_known ? language : "text", node.text, marks);
}

}  // namespace primer
