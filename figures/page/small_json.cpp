#include "figures/page/small_json.hpp"

#include <algorithm>

namespace figures {

class SmallJsonParser {
 public:
  explicit SmallJsonParser(std::string_view text) : text_(text) {}

  SmallJson document() {
    SmallJson value;
    const bool good = read(value, 0) && (skip_space(), at_ == text_.size());
    if (good) return value;
    SmallJson discarded;
    discarded.type_ = SmallJson::Type::discarded;
    return discarded;
  }

 private:
  using Type = SmallJson::Type;
  static constexpr int deepest = 64;

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  void skip_space() {
    while (peek() == ' ' || peek() == '\n' || peek() == '\r' || peek() == '\t') ++at_;
  }

  bool read(SmallJson& out, int depth) {
    skip_space();
    switch (peek()) {
      case '{': return depth < deepest && read_items(out, depth, Type::object, '}');
      case '[': return depth < deepest && read_items(out, depth, Type::array, ']');
      case '"': out.type_ = Type::text; return read_text(out.text_);
      case 'n': return take("null");
      case 't':
        out.type_ = Type::boolean;
        out.number_ = 1;
        return take("true");
      case 'f': out.type_ = Type::boolean; return take("false");
      default: return read_number(out);
    }
  }

  bool read_items(SmallJson& out, int depth, Type type, char close) {
    ++at_;
    out.type_ = type;
    skip_space();
    if (take(close)) return true;
    do {
      SmallJson item;
      if (type == Type::object) {
        skip_space();
        if (peek() != '"' || !read_text(item.name_)) return false;
        skip_space();
        if (!take(':')) return false;
      }
      if (!read(item, depth + 1)) return false;
      insert(out, std::move(item));
      skip_space();
    } while (take(','));
    return take(close);
  }

  static void insert(SmallJson& out, SmallJson item) {
    std::vector<SmallJson>& items = out.items_;
    auto place = items.end();
    if (out.type_ == Type::object)
      place =
          std::lower_bound(items.begin(), items.end(), item.name_,
                           [](const SmallJson& a, const std::string& b) { return a.name_ < b; });
    if (place != items.end() && place->name_ == item.name_) *place = std::move(item);
    else items.insert(place, std::move(item));
  }

  static bool is_plain(char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
  }

  bool read_text(std::string& out) {
    ++at_;
    while (at_ < text_.size()) {
      const std::size_t start = at_;
      while (is_plain(peek())) ++at_;
      out += text_.substr(start, at_ - start);
      if (take('"')) return true;
      if (!take('\\') || !read_escape(out)) return false;
    }
    return false;
  }

  bool read_escape(std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const char c = peek();
    ++at_;
    if (const std::size_t found = names.find(c); found != names.npos) {
      out += meanings[found];
      return true;
    }
    std::uint32_t point = 0, low = 0;
    if (c != 'u' || !read_hex(point)) return false;
    if (point >= 0xDC00 && point <= 0xDFFF) return false;
    if (point >= 0xD800 && point <= 0xDBFF) {
      if (!take("\\u") || !read_hex(low) || low < 0xDC00 || low > 0xDFFF) return false;
      point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(out, point);
    return true;
  }

  bool read_hex(std::uint32_t& out) {
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      out = out * 16 + static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  static void append_utf8(std::string& out, std::uint32_t point) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) return put(point);
    if (point < 0x800) {
      put(0xC0 | point >> 6);
    } else {
      if (point < 0x10000) {
        put(0xE0 | point >> 12);
      } else {
        put(0xF0 | point >> 18);
        put(0x80 | (point >> 12 & 0x3F));
      }
      put(0x80 | (point >> 6 & 0x3F));
    }
    put(0x80 | (point & 0x3F));
  }

  // Up to 19 digits count; further digits only move the point.
  bool read_digits(std::uint64_t& digits, int& exponent, int step) {
    const std::size_t start = at_;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      if (digits < std::uint64_t{1'000'000'000'000'000'000}) {
        digits = digits * 10 + static_cast<std::uint64_t>(peek() - '0');
        exponent += step;
      } else {
        exponent += step + 1;
      }
    }
    return at_ > start;
  }

  bool read_number(SmallJson& out) {
    const bool negative = take('-');
    std::uint64_t digits = 0;
    int exponent = 0;
    const bool zero = peek() == '0';
    const std::size_t start = at_;
    if (!read_digits(digits, exponent, 0) || (zero && at_ > start + 1)) return false;
    out.type_ = Type::integer;
    if (take('.')) {
      out.type_ = Type::number;
      if (!read_digits(digits, exponent, -1)) return false;
    }
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      out.type_ = Type::number;
      const bool down = peek() == '-';
      if (down || peek() == '+') ++at_;
      std::uint64_t power = 0;
      int ignored = 0;
      if (!read_digits(power, ignored, 0)) return false;
      const int shift = static_cast<int>(std::min<std::uint64_t>(power, 100'000));
      exponent += down ? -shift : shift;
    }
    out.number_ = nearest_double(digits, exponent);
    if (out.number_ > 1.7976931348623157e308) return false;
    if (negative) out.number_ = -out.number_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

SmallJson SmallJson::parse(std::string_view text, std::nullptr_t, bool) {
  return SmallJsonParser(text).document();
}

SmallJson SmallJson::object() {
  SmallJson out;
  out.type_ = Type::object;
  return out;
}

SmallJson::const_iterator SmallJson::find(std::string_view name) const {
  if (!is_object()) return end();
  const auto found = std::lower_bound(
      begin(), end(), name, [](const SmallJson& a, std::string_view b) { return a.name_ < b; });
  return found != end() && found->name_ == name ? found : end();
}

}  // namespace figures
