#include "generator/formats/json_place.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "figures/base/ascii.hpp"

namespace primer {
namespace {

using figures::is_space;

// Moves over valid JSON without building it. Reads nothing after the end.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) { skip_space(); }

  std::size_t offset() const { return at_; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  std::string_view from(std::size_t start) const { return text_.substr(start, at_ - start); }

  // Steps over one bracket, comma or colon and the space after it.
  void step() {
    if (at_ < text_.size()) ++at_;
    skip_space();
  }

  // Steps over a whole value, leaving the cursor right after it.
  void skip_value() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        skip_string();
      } else if (c == '{' || c == '[') {
        ++depth, ++at_;
      } else if (c == '}' || c == ']') {
        --depth, ++at_;
      } else if (c == ',' || c == ':' || is_space(c)) {
        ++at_;
      } else {
        while (at_ < text_.size() && !is_end(text_[at_])) ++at_;
      }
    } while (depth > 0 && at_ < text_.size());
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

 private:
  static bool is_end(char c) { return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':'; }

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

JsonPlace place_of(Cursor cursor) {
  const std::size_t start = cursor.offset();
  const bool is_whole = cursor.peek() == '{' || cursor.peek() == '[';
  if (!is_whole) cursor.skip_value();
  const std::size_t length = is_whole ? 1 : std::max<std::size_t>(1, cursor.offset() - start);
  return {start, length, start, length};
}

bool is_name(std::string_view quoted, const std::string& name) {
  if (quoted.find('\\') == std::string_view::npos)
    return quoted.size() == name.size() + 2 && quoted.substr(1, name.size()) == name;
  const auto text = nlohmann::json::parse(quoted.begin(), quoted.end(), nullptr, false);
  return text.is_string() && text.get_ref<const std::string&>() == name;
}

// The element that `step` names, below the array or object at `cursor`; moves the cursor to it.
std::optional<JsonPlace> enter(Cursor& cursor, const std::string& step) {
  const bool is_object = cursor.peek() == '{';
  if (!is_object && cursor.peek() != '[') return std::nullopt;
  std::optional<JsonPlace> found;
  Cursor there = cursor;
  cursor.step();
  for (std::size_t index = 0; cursor.peek() != '}' && cursor.peek() != ']'; ++index) {
    const std::size_t key = cursor.offset();
    bool wanted = !is_object && std::to_string(index) == step;
    std::size_t key_length = 0;
    if (is_object) {
      cursor.skip_value();
      key_length = cursor.offset() - key;
      wanted = is_name(cursor.from(key), step);
      cursor.skip_space();
      cursor.step();
    }
    if (wanted) {
      there = cursor;
      found = place_of(cursor);
      if (is_object) found->key_offset = key, found->key_length = key_length;
    }
    const std::size_t before = cursor.offset();
    cursor.skip_value();
    cursor.skip_space();
    if (cursor.peek() == ',') cursor.step();
    if (cursor.offset() == before) break;  // only in text that is not JSON
  }
  cursor = there;
  return found;
}

}  // namespace

JsonPlace find_value(std::string_view text, const JsonPath& path) {
  Cursor cursor(text);
  JsonPlace place = place_of(cursor);
  for (const std::string& step : path) {
    const auto next = enter(cursor, step);
    if (!next) break;
    place = *next;
  }
  return place;
}

}  // namespace primer
