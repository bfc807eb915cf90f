#include "generator/formats/json_limits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace primer {
namespace {

constexpr std::string_view blank = " \t\r\n";

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  JsonScan run() {
    while (at_ < text_.size() && !found_) {
      const char c = text_[at_];
      if (c == '"') {
        string();
      } else if (c == '{' || c == '[') {
        open();
      } else if (c == '-' || (c >= '0' && c <= '9')) {
        number();
      } else {
        if ((c == '}' || c == ']') && depth_ > 0) --depth_;
        // A comma closes a value, so that words ("null") need not be read.
        if (c == ',') count(at_);
        ++at_;
      }
    }
    return {std::move(found_), names_};
  }

 private:
  void fault(std::size_t offset, std::string message) {
    if (!found_) found_ = JsonSyntaxError{offset, std::move(message)};
  }

  void count(std::size_t offset) {
    if (++values_ <= most_json_values) return;
    fault(offset, "the JSON holds more than " + std::to_string(most_json_values) + " values");
  }

  void open() {
    count(at_);
    if (++depth_ > deepest_json) {
      fault(at_, "the JSON nests more than " + std::to_string(deepest_json) + " deep");
    }
    ++at_;
  }

  // A text, or the name of a member when a colon follows.
  void string() {
    const std::size_t from = at_;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    const std::size_t length = std::min(at_, text_.size()) - from - 1;
    at_ = std::min(at_ + 1, text_.size());
    const std::size_t next = text_.find_first_not_of(blank, at_);
    if (next == text_.npos || text_[next] != ':') return;
    ++names_;
    if (length <= longest_json_name) return;
    fault(from,
          "the name of a member has more than " + std::to_string(longest_json_name) + " bytes");
  }

  void number() {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    const std::string written(text_.substr(at_, end - at_));
    // Only such a one can be too large: the program knows no locale but "C".
    const bool may_be = written.size() > 300 || written.find_first_of("eE") != written.npos;
    if (may_be && std::isinf(std::strtod(written.c_str(), nullptr))) {
      fault(at_, "the number " + (written.size() > 40 ? "here" : written) + " is too large");
    }
    at_ = end;
  }

  std::string_view text_;
  std::size_t at_ = 0, depth_ = 0, values_ = 0, names_ = 0;
  std::optional<JsonSyntaxError> found_;
};

}  // namespace

JsonScan scan_json(std::string_view text) { return Scan(text).run(); }

}  // namespace primer
