#include "generator/core/formats/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <vector>

#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"

namespace primer {
namespace {
constexpr std::string_view pair_hint =
    "a line of YAML is \"key: value\"; indent continuation lines below the key";

std::string_view content_of(std::string_view line) {
  const std::string_view content = trim(line);
  return content.starts_with('#') ? std::string_view() : content;
}

int indent_of(std::string_view line) {
  return static_cast<int>(std::min(line.find_first_not_of(" \t"), line.size()));
}

bool has_key(std::string_view content) {
  return content.ends_with(':') || content.find(": ") != content.npos || content == "-" ||
         content.starts_with("- ");
}

// The first line between the last value and the failure that is neither a key nor a list item.
std::optional<int> keyless_line(const std::vector<std::string_view>& lines, int first, int last) {
  for (int i = std::max(0, first); i <= last && i < static_cast<int>(lines.size()); ++i) {
    const auto content = content_of(lines[static_cast<std::size_t>(i)]);
    if (!content.empty() && !has_key(content)) return i;
  }
  return std::nullopt;
}

YamlError about_line(const std::vector<std::string_view>& lines, int line, std::string message,
                     std::string_view hint) {
  const auto index = static_cast<std::size_t>(line);
  const int column = index < lines.size() ? indent_of(lines[index]) : 0;
  return {line, column, std::move(message), std::string(hint)};
}

YamlError bad_pair(const std::vector<std::string_view>& lines, const YamlFailure& failure) {
  if (failure.last_line == failure.line) {
    return {failure.line, failure.column, "a value that contains \": \" needs quotation marks",
            "write key: \"value: with a colon\""};
  }
  const auto keyless = keyless_line(lines, failure.last_line + 1, failure.line);
  if (!keyless) {
    return about_line(lines, failure.line, "this line is indented differently from the keys above",
                      pair_hint);
  }
  const auto content = content_of(lines[static_cast<std::size_t>(*keyless)]);
  const std::size_t colon = content.find(':');
  if (colon == content.npos) return about_line(lines, *keyless, "this line has no key", pair_hint);
  YamlError error = about_line(lines, *keyless, "missing space after the colon", "");
  error.column += static_cast<int>(colon);
  return error;
}

YamlError bad_indent(const std::vector<std::string_view>& lines, const YamlFailure& failure) {
  if (failure.last_quoted && failure.last_line == failure.line) {
    return {failure.line, failure.column, "there is text after the closing quotation mark",
            "inside '…', write a quotation mark twice; inside \"…\", write \\\""};
  }
  return about_line(lines, failure.line, "this line is indented differently from those above",
                    "keys of one map and items of one list must begin in the same column");
}

}  // namespace

YamlError explain_yaml(std::string_view text, const YamlFailure& failure) {
  const auto lines = split_lines(text);
  const std::string_view message = failure.message;
  const auto says = [&](std::string_view part) { return message.find(part) != message.npos; };
  const auto here = [&](std::string words, std::string_view hint = {}) {
    return YamlError{failure.line, failure.column, std::move(words), std::string(hint)};
  };
  const auto index = static_cast<std::size_t>(std::max(0, failure.line));
  const std::string_view line = index < lines.size() ? lines[index] : std::string_view();
  const auto tab = line.substr(0, line.find_first_not_of(" \t")).find('\t');
  if (tab != line.npos) {
    return {failure.line, static_cast<int>(tab), "YAML is indented with spaces, not with tabs", ""};
  }
  if (says("flow not found") && failure.bracket) {
    const bool kernel = line.find('{') != line.npos && line.find('"') == line.npos;
    return {failure.bracket->line, failure.bracket->column, "this bracket is never closed",
            kernel ? "in a list, a value that contains { needs quotation marks: [\"a{n=1}\"]" : ""};
  }
  if (says("illegal map value")) return bad_pair(lines, failure);
  if (says("end of map not found") || says("end of sequence not found")) {
    return bad_indent(lines, failure);
  }
  if (says("unknown token")) {
    return here("a value that begins with this character needs quotation marks");
  }
  if (says("illegal block entry")) {
    return here("a list must begin on the line below its key, or be written [a, b]",
                "a value that begins with \"- \" needs quotation marks");
  }
  if (says("illegal flow end")) return here("this bracket has no opening bracket");
  if (says("unknown escape character")) {
    return here("invalid escape in double quotation marks",
                "write \\\\ for a backslash, or put the text in single quotation marks");
  }
  if (says("anchor is not defined")) {
    return here("aliases are not allowed", "a value that begins with * needs quotation marks");
  }
  return here("this is not valid YAML: " + std::string(message));
}

std::size_t quoted_length(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return i + 1 - at;
      ++i;
    }
  }
  return 0;
}

namespace {
constexpr std::string_view white_space = " \t\r\n";

// Thrown by the event handler to leave yaml-cpp's parser; parse_yaml() catches it.
struct Refused {
  YAML::Mark mark;
  std::string message;
  std::string hint = {};
};

// Builds the tree from yaml-cpp's events and throws Refused for YAML outside our subset.
class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const Extract& extract) : extract_(extract) {}

  Yaml result;

  // What is known if the parser fails at `mark`.
  YamlFailure failure(std::string_view message, const YAML::Mark& mark) const {
    YamlFailure known{message, mark.line, mark.column, last_line_, last_quoted_, std::nullopt};
    for (const auto& open : open_) {
      if (open.bracket) known.bracket = open.bracket;
    }
    return known;
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check(mark, "", anchor);
    Yaml missing = node(Yaml::Kind::null, mark);
    if (const auto dash = dash_before(mark)) missing.offset = extract_.place(*dash);
    if (!open_.empty() && open_.back().key)
      missing.comment = comment_after(extract_.text.find(':', open_.back().key_end) + 1);
    leaf(std::move(missing));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Refused{mark, "aliases are not allowed",
                  "a value that begins with * needs quotation marks"};
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check(mark, tag, anchor);
    // An escape such as "\0" must not bring in what the file itself must not contain.
    if (!is_utf8(value)) throw Refused{mark, "control characters are not allowed"};
    Yaml scalar = node(Yaml::Kind::scalar, mark);
    scalar.text = value;
    scalar.plain = tag != "!";  // the tag of quoted and block scalars in yaml-cpp
    scalar.length = written_length(mark, value);
    if (scalar.plain) scalar.comment = comment_after(end_of_plain(mark, value));
    last_line_ = mark.line;
    last_quoted_ = !scalar.plain;
    leaf(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    check(mark, tag, anchor);
    open(Yaml::Kind::list, mark, bracket(style, '[', mark));
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    check(mark, tag, anchor);
    open(Yaml::Kind::map, mark, bracket(style, '{', mark));
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    Yaml node;
    std::size_t column = 0;  // where it starts in its line
    std::optional<YamlFailure::Bracket> bracket;
    std::optional<Yaml> key = std::nullopt;
    std::size_t key_end = 0;  // offset in the text
    std::set<std::string> keys = {};
  };

  void open(Yaml::Kind kind, const YAML::Mark& mark, std::optional<YamlFailure::Bracket> bracket) {
    open_.push_back({node(kind, mark), static_cast<std::size_t>(mark.column), bracket});
  }

  std::size_t start_of(const YAML::Mark& mark) const {
    return std::min(extract_.line_start(mark.line) + static_cast<std::size_t>(mark.column),
                    extract_.text.size());
  }

  // The position of the "-" of an empty list item, because yaml-cpp reports the position of
  // whatever comes next. Nothing if the item is a written null.
  std::optional<std::size_t> dash_before(const YAML::Mark& mark) const {
    const std::string_view text = extract_.text;
    const bool is_item =
        !open_.empty() && open_.back().node.kind == Yaml::Kind::list && !open_.back().bracket;
    if (!is_item || text.substr(start_of(mark), 1).find_first_of("~nN") == 0) return std::nullopt;
    for (int line = mark.line; line >= 0; --line) {
      const std::size_t begin = extract_.line_start(line);
      const std::size_t end = line == mark.line ? start_of(mark) : extract_.line_start(line + 1);
      const std::string_view marks = text.substr(begin, end - begin);
      const auto last = marks.substr(0, marks.find_first_not_of("- \t")).rfind('-');
      if (last != marks.npos) return begin + last;
    }
    return std::nullopt;
  }

  // Where a plain scalar ends in the text. Folding changes only its white space, so this skips
  // white space and counts the rest.
  std::size_t end_of_plain(const YAML::Mark& mark, std::string_view value) const {
    std::size_t at = start_of(mark);
    for (const char c : value) {
      if (white_space.find(c) != white_space.npos) continue;
      at = std::min(extract_.text.find_first_not_of(white_space, at), extract_.text.size() - 1) + 1;
    }
    return at;
  }

  // File offset of a comment where a text that ends at `end` would continue: after it on the same
  // line, or on the next line that is not empty if that is indented deeper than the text's parent.
  // 0: none.
  std::size_t comment_after(std::size_t end) const {
    const std::string_view text = extract_.text;
    const std::size_t at = std::min(text.find_first_not_of(white_space, end), text.size());
    if (at == end || at == text.size() || text[at] != '#') return 0;
    const auto line = text.rfind('\n', at);
    const bool is_below = line != text.npos && line >= end;
    const bool can_go_on =
        !open_.empty() && !open_.back().bracket && at - line - 1 > open_.back().column;
    return is_below && !can_go_on ? 0 : extract_.place(at);
  }

  // Length of a scalar on its first line. A quotation mark must be closed on that line, because
  // yaml-cpp would read the rest of the file as text.
  std::size_t written_length(const YAML::Mark& mark, const std::string& value) const {
    const std::string_view text = extract_.text;
    const std::size_t at = start_of(mark);
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.starts_with('"') || line.starts_with('\'')) {
      if (const std::size_t length = quoted_length(text, at)) return length;
      throw Refused{mark, "this quotation mark is not closed on its line",
                    "for text of several lines, write >- and indent the text below it"};
    }
    const bool block = line.starts_with('|') || line.starts_with('>');
    return std::max<std::size_t>(1,
                                 block ? trim(line).size() : std::min(value.size(), line.size()));
  }

  // The position of a collection's bracket. yaml-cpp reports a position at or after it.
  std::optional<YamlFailure::Bracket> bracket(YAML::EmitterStyle::value style, char open,
                                              const YAML::Mark& mark) const {
    if (style != YAML::EmitterStyle::Flow) return std::nullopt;
    const std::size_t start = extract_.line_start(mark.line);
    const auto at = extract_.text.rfind(open, start + static_cast<std::size_t>(mark.column));
    if (at == extract_.text.npos || at < start) return std::nullopt;
    return YamlFailure::Bracket{mark.line, static_cast<int>(at - start)};
  }

  void check(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) const {
    if (anchor != 0) {
      throw Refused{mark, "anchors are not allowed",
                    "a value that begins with & needs quotation marks"};
    }
    // yaml-cpp reports the tag "!" for quoted and block scalars without a written tag.
    const bool is_written = tag == "!" && extract_.text.substr(start_of(mark), 1) == "!";
    if (is_written || (!tag.empty() && tag != "?" && tag != "!")) {
      throw Refused{mark, "tags are not allowed",
                    "a value that begins with ! needs quotation marks"};
    }
  }

  Yaml node(Yaml::Kind kind, const YAML::Mark& mark) const {
    Yaml made;
    made.kind = kind;
    made.offset = extract_.offset(mark.line, mark.column);
    made.length = 1;
    mark_ = mark;
    return made;
  }

  void close() {
    Yaml done = std::move(open_.back().node);
    open_.pop_back();
    leaf(std::move(done));
  }

  void leaf(Yaml made) {
    if (open_.empty()) {
      result = std::move(made);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Yaml::Kind::list) {
      parent.node.items.push_back(std::move(made));
    } else if (parent.key) {
      // yaml-cpp places a missing value after its line; use the key instead.
      if (made.kind == Yaml::Kind::null) {
        made.offset = parent.key->offset;
        made.length = parent.key->length;
      }
      parent.node.entries.push_back({std::move(*parent.key), std::move(made)});
      parent.key.reset();
    } else {
      if (made.kind != Yaml::Kind::scalar) throw Refused{mark_, "a key must be plain text"};
      if (!parent.keys.insert(made.text).second) {
        throw Refused{mark_, "duplicate key " + in_quotes(made.text)};
      }
      parent.key_end = start_of(mark_) + made.length;
      parent.key = std::move(made);
    }
  }

  const Extract& extract_;
  std::vector<Open> open_;
  mutable YAML::Mark mark_;
  int last_line_ = -1;
  bool last_quoted_ = false;
};

// Returns false and reports if a double-quoted text has an escape ("\u202e") for a character that
// the file itself must not contain.
bool check_escapes(const Yaml& node, const Source& source, Diagnostics& diagnostics) {
  bool good = true;
  const bool quoted = node.kind == Yaml::Kind::scalar && node.offset < source.text().size() &&
                      source.text()[node.offset] == '"';
  if (quoted) {
    const TextKind kind = prose_of(source.path());
    const auto hidden = first_hidden_character(node.text, kind);
    if (hidden) refuse_hidden(source, node.offset, node.length, *hidden, kind, diagnostics);
    good = !hidden;
  }
  for (const auto& item : node.items) good = check_escapes(item, source, diagnostics) && good;
  for (const auto& [key, value] : node.entries) {
    good = check_escapes(key, source, diagnostics) && good;
    good = check_escapes(value, source, diagnostics) && good;
  }
  return good;
}

}  // namespace

const Yaml* Yaml::find(std::string_view key) const {
  for (const auto& [name, value] : entries) {
    if (name.text == key) return &value;
  }
  return nullptr;
}

std::optional<Yaml> parse_yaml(const Extract& extract, Diagnostics& diagnostics) {
  const auto refuse = [&](int line, int column, std::string message, std::string hint) {
    diagnostics.error(Rule::bad_yaml, *extract.source, extract.offset(line, column), 1,
                      std::move(message));
    if (!hint.empty()) diagnostics.hint(std::move(hint));
    return std::nullopt;
  };
  Builder builder(extract);
  try {
    std::istringstream stream(extract.text);
    YAML::Parser parser(stream);
    parser.HandleNextDocument(builder);
    Builder second(extract);
    if (parser.HandleNextDocument(second)) {
      const auto at = std::min(extract.text.find("\n---"), extract.text.find("\n..."));
      const auto line = std::count(
          extract.text.begin(),
          extract.text.begin() + static_cast<std::ptrdiff_t>(at == extract.text.npos ? 0 : at + 1),
          '\n');
      return refuse(static_cast<int>(line), 0, "a second YAML document is not allowed",
                    "remove the line --- or ...");
    }
    if (builder.result.kind == Yaml::Kind::null) builder.result.offset = extract.begin();
    const bool escapes = extract.text.find('\\') != std::string::npos;
    if (escapes && !check_escapes(builder.result, *extract.source, diagnostics))
      return std::nullopt;
    return std::move(builder.result);
  } catch (const Refused& refused) {
    return refuse(refused.mark.line, refused.mark.column, refused.message, refused.hint);
  } catch (const YAML::Exception& exception) {
    const auto error = explain_yaml(extract.text, builder.failure(exception.msg, exception.mark));
    return refuse(error.line, error.column, error.message, error.hint);
  }
}

Record::Record(const Yaml& node, const Source& source, Diagnostics& diagnostics)
    : node_(node), source_(source), diagnostics_(diagnostics) {}

void Record::error(Rule rule, const Yaml& node, std::string message, std::string suggestion) {
  diagnostics_.error(rule, source_, node.offset, node.length, std::move(message),
                     std::move(suggestion));
}

const Yaml& Record::at(std::string_view key) const {
  const Yaml* value = node_.find(key);
  return value ? *value : node_;
}

const Yaml* Record::any(std::string_view key) const { return node_.find(key); }

const Yaml* Record::typed(std::string_view key, Yaml::Kind kind) const {
  const Yaml* value = node_.find(key);
  return value && value->kind == kind ? value : nullptr;
}

std::optional<std::string> Record::text(std::string_view key) const {
  const Yaml* value = typed(key, Yaml::Kind::scalar);
  return value ? std::optional(value->text) : std::nullopt;
}

std::string Record::required_text(std::string_view key) const { return text(key).value_or(""); }

std::optional<bool> Record::flag(std::string_view key) const {
  const auto value = text(key);
  return value ? std::optional(*value == "true") : std::nullopt;
}

std::optional<int> Record::integer(std::string_view key) const {
  const auto value = text(key);
  int number = 0;
  if (!value) return std::nullopt;
  const auto result = std::from_chars(value->data(), value->data() + value->size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

const Yaml* Record::list(std::string_view key) const { return typed(key, Yaml::Kind::list); }

const Yaml* Record::map(std::string_view key) const { return typed(key, Yaml::Kind::map); }

std::vector<std::string> Record::texts(std::string_view key) const {
  std::vector<std::string> all;
  const Yaml* value = list(key);
  if (!value) return all;
  for (const auto& item : value->items) all.push_back(item.text);
  return all;
}

std::vector<std::string> Record::one_or_more(std::string_view key) const {
  if (const auto one = text(key)) return {*one};
  return texts(key);
}

std::optional<Yaml> parse_yaml(const Source& source, Diagnostics& diagnostics) {
  return parse_yaml(extract_lines(source, 1, source.line_count()), diagnostics);
}

}  // namespace primer
