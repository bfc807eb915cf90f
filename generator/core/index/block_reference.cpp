#include "generator/core/index/block_reference.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>

#include "generator/core/base/text.hpp"
#include "generator/core/formats/yaml.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/markdown/quote_marker.hpp"

namespace primer {
namespace {
constexpr std::string_view link_mark = "link ";

// Keys of fenced blocks whose values are prose. All other values are the same in all languages.
constexpr std::array<std::string_view, 8> prose_keys = {"alt",  "ask",  "caption", "say",
                                                        "then", "trap", "try",     "why"};

std::string with_single_spaces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return std::string(trim(out));
}

// Whether TeX ends with the opening of a text command, such as "\text{".
bool begins_words(std::string_view tex) {
  if (!tex.ends_with('{')) return false;
  const auto name = tex.rfind('\\');
  if (name == tex.npos) return false;
  const std::string_view command = tex.substr(name + 1, tex.size() - name - 2);
  const bool is_text =
      command.starts_with("text") &&
      std::ranges::all_of(command, [](unsigned char c) { return std::isalpha(c) != 0; });
  return is_text || command == "mathrm" || command == "operatorname";
}

// Removes each language's separators from numbers: "1{,}024", "1\,024" and "1.024" become 1024,
// "3{,}5" becomes 3.5.
std::string with_plain_numbers(std::string_view tex) {
  const auto is_digit = [&](std::size_t at) {
    return at < tex.size() && tex[at] >= '0' && tex[at] <= '9';
  };
  std::string out;
  for (std::size_t at = 0; at < tex.size();) {
    std::size_t length = 0;
    for (const std::string_view sign : {"{,}", "\\,", "."})
      if (tex.substr(at).starts_with(sign)) length = sign.size();
    if (length == 0 || at == 0 || !is_digit(at - 1) || !is_digit(at + length)) {
      out += tex[at++];
      continue;
    }
    at += length;
    const bool is_group = is_digit(at + 1) && is_digit(at + 2) && !is_digit(at + 3);
    if (!is_group) out += '.';
  }
  return out;
}

// A formula without its words, white space and number separators, which a translation may change.
std::string formula_reference(std::string_view tex) {
  std::string out;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    out += tex[at];
    if (!begins_words(out)) continue;
    for (int depth = 1; depth > 0 && at + 1 < tex.size();) {
      const char c = tex[++at];
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    }
    out += '}';
  }
  return "formula " + with_single_spaces(with_plain_numbers(out));
}

// Collects the references of one block into `found`, in document order.
class ReferenceCollector {
 public:
  explicit ReferenceCollector(const Source& source) : source_(source) {}

  std::vector<std::string> found;

  void collect(const Node& node) {
    if (node.kind == NodeKind::link) found.push_back(address(node.url));
    if (node.kind == NodeKind::image) found.push_back("image " + inside_language(node.url));
    if (node.kind == NodeKind::citation) found.push_back(with_single_spaces(node.text));
    if (const auto caption = caption_of(node)) {
      const bool table = caption->kind == AnchorKind::table;
      found.push_back((table ? "table " : "figure ") + caption->id + caption->width);
    }
    // How often a sentence mentions a symbol depends on its grammar, so inline formulas do not
    // count.
    if (node.kind == NodeKind::maths && is_display(node.form))
      found.push_back(formula_reference(node.text));
    if (node.kind == NodeKind::quote) callout(node);
    if (node.kind == NodeKind::code_block) code_block(node);
    for (const auto& child : node.children) collect(child);
  }

  void markdown(const std::string& text) {
    if (text.find_first_of("[<:@$") == text.npos) return;
    const Source line(source_.path(), text);
    Diagnostics reported_when_rendered;
    const auto document =
        parse_markdown(extract_lines(line, 1, line.line_count()), reported_when_rendered);
    if (document) collect(*document);
  }

 private:
  std::string inside_language(std::string_view path) const {
    const auto hash = std::min(path.find('#'), path.size());
    std::string file =
        hash == 0 ? "" : resolve_path(source_.path(), path.substr(0, hash)).value_or("");
    constexpr std::string_view chapters = "chapters/";
    const auto language_end = file.find('/', chapters.size());
    if (file.starts_with(chapters) && language_end != file.npos) file.erase(0, language_end + 1);
    return file + std::string(path.substr(hash));
  }

  std::string address(const std::string& url) const {
    const auto end = url.find_first_of(":/?#");
    const bool scheme = end != url.npos && url[end] == ':';
    if (!scheme) return "link to " + inside_language(url);
    const bool value = !url.starts_with("http") && !url.starts_with("mailto");
    if (!value) return std::string(link_mark) + url;
    return url.substr(0, end + 1) + with_single_spaces(url.substr(end + 1));
  }

  // "> [!NOTE]"
  void callout(const Node& quote) {
    if (const auto marker = marker_of_quote(quote))
      found.push_back("callout [!" + marker->name + ']');
  }

  void code_block(const Node& node) {
    const auto words = split(trim(node.info), ' ');
    const std::string name(words.front());
    if (name == "math") found.push_back(formula_reference(node.text));
    if (name == "math" && words.size() > 1) found.push_back("math " + std::string(words[1]));
    if (!own_block(node.info) || !node.body) return;
    Diagnostics reported_when_rendered;
    const auto yaml = parse_yaml(*node.body, reported_when_rendered);
    if (yaml) value(*yaml, name, name == "verdict", false);
  }

  void value(const Yaml& yaml, const std::string& path, bool expressions, bool prose) {
    // By position, because a translation must not change which choice is right.
    for (std::size_t i = 0; i < yaml.items.size(); ++i) {
      value(yaml.items[i], path + ' ' + std::to_string(i + 1), expressions, prose);
    }
    if (!yaml.items.empty())
      found.push_back(path + ": " + std::to_string(yaml.items.size()) + " entries");
    for (const auto& [key, inside] : yaml.entries) {
      const bool is_prose = std::ranges::find(prose_keys, key.text) != prose_keys.end();
      value(inside, path + ' ' + key.text, expressions, is_prose);
    }
    if (yaml.kind != Yaml::Kind::scalar) return;
    if (!prose) {
      found.push_back(path + ": " + with_single_spaces(yaml.text));
      return;
    }
    markdown(yaml.text);
    if (expressions) braces(yaml.text);
  }

  // Collects expressions in braces: "{stream.add{w=64MiB} | GFLOP/s}". Nested ones belong to the
  // outer one.
  void braces(std::string_view text) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '{' && depth++ == 0) begin = at;
      if (text[at] == '}' && depth > 0 && --depth == 0) {
        found.push_back(with_single_spaces(text.substr(begin, at + 1 - begin)));
      }
    }
  }

  const Source& source_;
};

std::vector<std::string> references_of(const FrontMatter& front, const Source& source) {
  ReferenceCollector collector(source);
  if (!front.figure.empty()) collector.found.push_back("figure: " + front.figure);
  for (const auto* lines : {&front.prerequisites, &front.d2l}) {
    for (const auto& line : *lines) collector.markdown(line);
  }
  collector.markdown(front.mental_model);
  for (const auto* lines : {&front.outcomes, &front.takeaway}) {
    for (const auto& line : *lines) collector.markdown(line);
  }
  return std::move(collector.found);
}

bool leads_out(const std::string& reference) {
  return reference.starts_with(link_mark) && reference.find(':') != reference.npos;
}

}  // namespace

void add_references(const Node& document, const Source& source, const FrontMatter& front,
                    std::vector<TextBlock>& blocks) {
  if (blocks.empty()) return;
  blocks.front().references = references_of(front, source);
  for (const auto& node : document.children) {
    const auto behind = std::upper_bound(
        blocks.begin() + 1, blocks.end(), node.offset,
        [](std::size_t offset, const TextBlock& block) { return offset < block.offset; });
    ReferenceCollector collector(source);
    collector.collect(node);
    auto& references = std::prev(behind)->references;
    references.insert(references.end(), collector.found.begin(), collector.found.end());
  }
  for (auto& block : blocks) std::ranges::sort(block.references);
}

void compare_references(const ChapterIndex& translation, const ChapterIndex& original,
                        const std::vector<int>& paired, const std::vector<bool>& current,
                        const LateSource& text, Diagnostics& diagnostics) {
  std::set<std::string_view> known;
  for (const auto& block : original.blocks)
    known.insert(block.references.begin(), block.references.end());
  for (std::size_t i = 0; i < translation.blocks.size(); ++i) {
    const TextBlock& block = translation.blocks[i];
    const auto report = [&](std::string message, const TextBlock* translated) {
      const Source* source = text.get();
      if (!source) return;
      diagnostics.error(Rule::unlike_original, *source, source->line_start(block.line),
                        source->line(block.line).size(), std::move(message));
      if (translated) {
        diagnostics.hint("it translates " + original.entry->file + ':' +
                         std::to_string(translated->line));
      }
    };
    const bool is_stale = !current[i] && !block.hash.empty();
    if (paired[i] < 0 || is_stale) {
      for (const auto& reference : block.references) {
        if (!leads_out(reference) || known.contains(reference)) continue;
        report("this block has " + in_quotes(reference) + ", which is nowhere in the original",
               nullptr);
      }
      continue;
    }
    const TextBlock& translated = original.blocks[static_cast<std::size_t>(paired[i])];
    std::vector<std::string> more, less;
    std::ranges::set_difference(block.references, translated.references, std::back_inserter(more));
    std::ranges::set_difference(translated.references, block.references, std::back_inserter(less));
    if (more.empty() && less.empty()) continue;
    std::string message = "this block ";
    if (!more.empty())
      message += "has " + in_quotes(more.front()) + ", which its original does not have";
    if (!more.empty() && !less.empty()) message += ", and ";
    if (!less.empty()) message += "lacks " + in_quotes(less.front());
    report(std::move(message), &translated);
  }
}

}  // namespace primer
