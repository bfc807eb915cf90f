#include "generator/core/formats/json.hpp"

#include <algorithm>
#include <cctype>

#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/text_check.hpp"
#include "generator/core/formats/yaml.hpp"

namespace primer {
namespace {

using nlohmann::json;

constexpr std::string_view json_space = " \t\r\n";

// The first syntax error of a text.
struct Fault {
  std::size_t offset = 0, length = 1;
  std::string message;
};

// Builds the value and the position tree in parallel. A callback that returns false ends the parse
// and has set `fault`.
class Handler {
 public:
  explicit Handler(std::string_view text) : text_(text) {}

  json value;
  Yaml tree;
  std::optional<Fault> fault;

  // Callbacks of the parser, one per token.

  bool null() { return word(nullptr, Yaml::Kind::null); }
  bool boolean(bool flag) { return word(flag, Yaml::Kind::scalar); }
  bool number_integer(std::int64_t number) { return word(number, Yaml::Kind::scalar); }
  bool number_unsigned(std::uint64_t number) { return word(number, Yaml::Kind::scalar); }
  bool number_float(double number, const std::string&) { return word(number, Yaml::Kind::scalar); }

  bool string(std::string& text) {
    Yaml node = quoted(text);
    end_ = node.offset + node.length;
    return add(std::move(text), std::move(node));
  }

  bool key(std::string& name) {
    Yaml node = quoted(name);
    end_ = node.offset + node.length;
    if (node.length - 2 > longest_json_name)
      return fail(node.offset, 1,
                  "a key has more than " + std::to_string(longest_json_name) + " bytes");
    if (open_.back().value->contains(name))
      return fail(node.offset, node.length, "duplicate key " + in_quotes(name));
    key_ = std::move(node);
    return true;
  }

  bool start_object(std::size_t) { return open(json::object(), Yaml::Kind::map); }
  bool start_array(std::size_t) { return open(json::array(), Yaml::Kind::list); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  // `position` is the number of bytes that the parser has read, including the first one it
  // rejected.
  bool parse_error(std::size_t position, const std::string&, const json::exception& error) {
    constexpr int out_of_range = 406;
    const std::size_t start = next();
    if (error.id == out_of_range) {
      const std::string_view number = text_.substr(start, word_end(start) - start);
      const std::string name = number.size() > 40 ? "here" : std::string(number);
      return fail(start, 1, "the number " + name + " is too large");
    }
    const std::size_t offset = std::min(position > 0 ? position - 1 : 0, text_.size());
    return explain(std::min(start, offset), offset);
  }

  bool binary(json::binary_t&) { return false; }  // JSON has no binary values

 private:
  // An object or array that is not closed yet.
  struct Open {
    json* value;
    Yaml* node;
  };

  bool fail(std::size_t offset, std::size_t length, std::string message) {
    fault = Fault{offset, length, std::move(message)};
    return false;
  }

  // Where the next token starts.
  std::size_t next() const {
    return std::min(text_.find_first_not_of(" \t\r\n,:", end_), text_.size());
  }

  std::size_t word_end(std::size_t start) const {
    return std::min(text_.find_first_of(" \t\r\n,:]}", start), text_.size());
  }

  Yaml quoted(const std::string& text) const {
    Yaml node;
    node.kind = Yaml::Kind::scalar;
    node.offset = next();
    node.length = std::max<std::size_t>(2, quoted_length(text_, node.offset));
    node.text = text;
    node.plain = false;
    return node;
  }

  bool word(json value_of_it, Yaml::Kind kind) {
    Yaml node;
    node.kind = kind;
    node.offset = next();
    end_ = word_end(node.offset);
    node.length = end_ - node.offset;
    node.text = text_.substr(node.offset, node.length);
    return add(std::move(value_of_it), std::move(node));
  }

  bool add(json part, Yaml node) {
    if (++values_ > most_json_values)
      return fail(node.offset, 1,
                  "the JSON holds more than " + std::to_string(most_json_values) + " values");
    if (open_.empty()) {
      value = std::move(part);
      tree = std::move(node);
      last_ = {&value, &tree};
    } else if (const auto [whole, place] = open_.back(); whole->is_array()) {
      whole->push_back(std::move(part));
      place->items.push_back(std::move(node));
      last_ = {&whole->back(), &place->items.back()};
    } else {
      json& member = (*whole)[key_.text];
      member = std::move(part);
      place->entries.push_back({std::move(key_), std::move(node)});
      last_ = {&member, &place->entries.back().value};
    }
    return true;
  }

  bool open(json part, Yaml::Kind kind) {
    Yaml node;
    node.kind = kind;
    node.offset = next();
    node.length = 1;
    const std::size_t offset = node.offset;
    end_ = offset + 1;
    if (!add(std::move(part), std::move(node))) return false;
    open_.push_back(last_);
    if (open_.size() <= deepest_json) return true;
    return fail(offset, 1, "the JSON nests more than " + std::to_string(deepest_json) + " deep");
  }

  bool close() {
    open_.pop_back();
    end_ = next() + 1;
    return true;
  }

  // Sets a message for the token at `start` that the parser rejected at byte `offset`.
  bool explain(std::size_t start, std::size_t offset) {
    if (trim(text_).empty()) return fail(0, 1, "the file is empty; an empty JSON file is {}");
    if (start < text_.size() && text_[start] == '"') {
      const std::size_t length = quoted_length(text_, start);
      if (length == 0) return fail(start, 1, "this quotation mark is not closed on its line");
      // The parser stops at the last byte of a string that is right but in the wrong place.
      if (offset + 1 < start + length)
        return fail(offset, 1, "invalid escape in JSON; write a backslash as \\\\");
    }
    if (start >= text_.size() && !open_.empty())
      return fail(open_.back().node->offset, 1, "this bracket is never closed");
    const std::size_t before =
        start == 0 ? text_.npos : text_.find_last_not_of(json_space, start - 1);
    if (before == text_.npos) return fail(start, 1, "expected { or [ at the start of the JSON");
    if (open_.empty()) return fail(start, 1, "unexpected text after the end of the JSON");
    return misplaced(before, start);
  }

  // Sets a message for the token at `start` that cannot follow `before`, the last byte in front of
  // it.
  bool misplaced(std::size_t before, std::size_t start) {
    const char last = text_[before];
    const char next = text_[start];
    const bool closes = next == '}' || next == ']';
    if (closes && last == ',')
      return fail(before, 1, std::string("trailing comma before \"") + next + '"');
    if (next == '\'') return fail(start, 1, "JSON allows only double quotation marks");
    if (next == '/' || next == '#') return fail(start, 1, "JSON has no comments");
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    const bool ended = last == '"' || last == '}' || last == ']' || is_word(last);
    const bool begins = next == '"' || next == '{' || next == '[' || is_word(next);
    if (ended && begins) {
      const bool same_line = text_.substr(before, start - before).find('\n') == text_.npos;
      return fail(before, 1,
                  same_line ? "missing comma or colon after this"
                            : "missing comma at the end of this line");
    }
    return fail(start, 1,
                closes ? "this bracket has no opening bracket" : "this is not valid JSON");
  }

  std::string_view text_;
  std::size_t end_ = 0;  // end of the last token
  std::size_t values_ = 0;
  std::vector<Open> open_;
  Open last_{};  // the value that was added last
  Yaml key_;     // key of the member whose value comes next
};

// Reports hidden characters that were written as escapes ("\u202e"), because check_text() sees only
// raw text.
void check_escapes(const Yaml& node, const Source& source, TextKind kind,
                   Diagnostics& diagnostics) {
  const auto check = [&](const Yaml& text) {
    if (text.plain) return;
    if (const auto hidden = first_hidden_character(text.text, kind))
      refuse_hidden(source, text.offset, text.length, *hidden, kind, diagnostics);
  };
  if (node.kind == Yaml::Kind::scalar) check(node);
  for (const auto& item : node.items) check_escapes(item, source, kind, diagnostics);
  for (const auto& [key, value] : node.entries) {
    check(key);
    check_escapes(value, source, kind, diagnostics);
  }
}

// The item or member that one step of a path leads to; null: there is none.
struct Found {
  const Yaml* key = nullptr;
  const Yaml* value = nullptr;
};

Found item_at(const Yaml& list, std::string_view index) {
  const bool fits =
      !index.empty() && index.size() < 7 && index.find_first_not_of("0123456789") == index.npos;
  const std::size_t at = fits ? std::stoul(std::string(index)) : list.items.size();
  return at < list.items.size() ? Found{nullptr, &list.items[at]} : Found{};
}

// A key may contain periods, so this takes the longest member name that the path starts with,
// followed by its end, '.' or '['.
Found take_step(const Yaml& node, std::string_view& path) {
  if (path.front() == '.') path.remove_prefix(1);
  Found step;
  std::size_t length = 0;
  if (path.starts_with('[') && node.kind == Yaml::Kind::list) {
    length = std::min(path.find(']'), path.size() - 1) + 1;
    step = item_at(node, path.substr(1, length - 2));
  }
  for (const auto& [key, value] : node.entries) {
    const std::string_view name = key.text;
    const char after = path.size() > name.size() ? path[name.size()] : '.';
    const bool fits = path.starts_with(name) && (after == '.' || after == '[');
    if (!fits || name.size() <= length) continue;
    step = {&key, &value};
    length = name.size();
  }
  path.remove_prefix(length);
  return step;
}

JsonPlace place_of(const Found& step) {
  const Yaml& key = step.key ? *step.key : *step.value;
  return {step.value->offset, step.value->length, key.offset, key.length};
}

}  // namespace

std::optional<JsonFile> read_json(const FileSystem& files, const std::string& path,
                                  Diagnostics& diagnostics) {
  auto text = files.read(path);
  if (text) return parse_json(path, std::move(*text), diagnostics);
  report_unreadable(files, path, diagnostics);
  return std::nullopt;
}

std::optional<JsonFile> parse_json(const std::string& path, std::string text,
                                   Diagnostics& diagnostics) {
  // Spaces replace the byte order mark, so that all offsets stay valid.
  if (text.starts_with(byte_order_mark))
    text.replace(0, byte_order_mark.size(), byte_order_mark.size(), ' ');
  Source source(path, std::move(text));
  if (!check_text(source, prose_of(path), diagnostics)) return std::nullopt;
  Handler handler(source.text());
  if (!json::sax_parse(source.text(), &handler)) {
    const Fault& fault = handler.fault.value();
    diagnostics.error(Rule::bad_json, source, fault.offset, fault.length, fault.message);
    return std::nullopt;
  }
  Diagnostics hidden;
  if (source.text().find("\\u") != std::string_view::npos)
    check_escapes(handler.tree, source, prose_of(path), hidden);
  const bool good = hidden.empty();
  diagnostics.append(std::move(hidden));
  if (!good) return std::nullopt;
  return JsonFile{std::move(source), std::move(handler.value), std::move(handler.tree)};
}

Yaml json_tree(std::string_view text) {
  Handler handler(text);
  return json::sax_parse(text, &handler) ? std::move(handler.tree) : Yaml();
}

JsonPlace json_place(const JsonFile& file, std::string_view path) {
  Found at{nullptr, &file.tree};
  while (!path.empty()) {
    const Found next = take_step(*at.value, path);
    if (!next.value) break;
    at = next;
  }
  return place_of(at);
}

JsonPlace json_place(const JsonFile& file, const JsonPath& path) {
  Found at{nullptr, &file.tree};
  for (const std::string& name : path) {
    Found next;
    if (at.value->kind == Yaml::Kind::list) next = item_at(*at.value, name);
    for (const auto& [key, value] : at.value->entries)
      if (key.text == name) next = {&key, &value};
    if (!next.value) break;
    at = next;
  }
  return place_of(at);
}

Diagnostic& json_error(const JsonFile& file, std::string_view path, std::string message,
                       Diagnostics& diagnostics) {
  const JsonPlace place = json_place(file, path);
  const char first = file.source.text()[place.offset];
  const bool whole = first == '{' || first == '[';
  return diagnostics.error(Rule::bad_json, file.source, whole ? place.key_offset : place.offset,
                           whole ? place.key_length : place.length, std::move(message));
}

}  // namespace primer
