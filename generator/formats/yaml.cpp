#include "generator/formats/yaml.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "generator/base/text.hpp"
#include "generator/diagnostic/text_check.hpp"
#include "generator/formats/yaml_error.hpp"

namespace primer {
namespace {

constexpr std::string_view white_space = " \t\r\n";

// Thrown by the handler to leave yaml-cpp's parser; never leaves this file.
struct Refused {
  YAML::Mark mark;
  std::string message;
  std::string hint = {};
};

class Builder : public YAML::EventHandler {
 public:
  explicit Builder(const Extract& extract) : extract_(extract) {}

  Yaml result;

  // What is known when the parser fails at `mark`.
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
    // What the file itself may not hold must not come in by way of "\0".
    if (!is_utf8(value)) throw Refused{mark, "control characters are not allowed"};
    Yaml scalar = node(Yaml::Kind::scalar, mark);
    scalar.text = value;
    scalar.plain = tag != "!";  // yaml-cpp gives quoted and block scalars this tag
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
    std::size_t column = 0;  // where it begins in its line
    std::optional<YamlFailure::Bracket> bracket;
    std::optional<Yaml> key = std::nullopt;
    std::size_t key_end = 0;  // in the text
    std::set<std::string> keys = {};
  };

  void open(Yaml::Kind kind, const YAML::Mark& mark, std::optional<YamlFailure::Bracket> bracket) {
    open_.push_back({node(kind, mark), static_cast<std::size_t>(mark.column), bracket});
  }

  std::size_t start_of(const YAML::Mark& mark) const {
    return std::min(extract_.line_start(mark.line) + static_cast<std::size_t>(mark.column),
                    extract_.text.size());
  }

  // Where the "-" of an empty item is: the parser marks whatever follows the item. Nothing for an
  // item that says null.
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

  // Where in the text a plain scalar ends: folding changes nothing but its white space.
  std::size_t end_of_plain(const YAML::Mark& mark, std::string_view value) const {
    std::size_t at = start_of(mark);
    for (const char c : value) {
      if (white_space.find(c) != white_space.npos) continue;
      at = std::min(extract_.text.find_first_not_of(white_space, at), extract_.text.size() - 1) + 1;
    }
    return at;
  }

  // File offset of a comment where a text that ends at `end` would go on: behind it in its line, or
  // in the next one that is not empty, farther to the right than what the text belongs to. 0: none.
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

  // Bytes of a scalar in its first line. A quotation mark must be closed there: yaml-cpp would take
  // the rest of the file for the text.
  std::size_t written_length(const YAML::Mark& mark, const std::string& value) const {
    const std::string_view text = extract_.text;
    const std::size_t at = start_of(mark);
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.starts_with('"') || line.starts_with('\'')) {
      if (const std::size_t length = quoted_length(text, at)) return length;
      throw Refused{mark, "this quotation mark is not closed in its line",
                    "for a text of several lines write >- and indent the text below it"};
    }
    const bool block = line.starts_with('|') || line.starts_with('>');
    return std::max<std::size_t>(1,
                                 block ? trim(line).size() : std::min(value.size(), line.size()));
  }

  // Where a collection's bracket stands; the parser marks a place at or after it.
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
    // Quoted and block scalars have the tag "!" without its being written.
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
      // The parser puts a value that is not there after its line.
      if (made.kind == Yaml::Kind::null) {
        made.offset = parent.key->offset;
        made.length = parent.key->length;
      }
      parent.node.entries.push_back({std::move(*parent.key), std::move(made)});
      parent.key.reset();
    } else {
      if (made.kind != Yaml::Kind::scalar) throw Refused{mark_, "a key must be plain text"};
      if (!parent.keys.insert(made.text).second) {
        throw Refused{mark_, "the key " + in_quotes(made.text) + " is there twice"};
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

// Whether no text in double quotes holds what the file itself may not, written as "\u202e".
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
                    "no line inside is --- or ...");
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

}  // namespace primer
