#include "generator/formats/text_pattern.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace primer {
namespace {

using Bytes = TextPattern::Bytes;
using Step = TextPattern::Step;
using Kind = Step::Kind;

constexpr std::string_view special = "\\^$.|?*+()[]{}";
constexpr int deepest = 16;
constexpr std::size_t most_steps = 4000;
constexpr int most_repeats = 1000;

std::size_t index(char c) { return static_cast<unsigned char>(c); }

Bytes range(char first, char last) {
  Bytes bytes;
  for (std::size_t byte = index(first); byte <= index(last); ++byte) bytes.set(byte);
  return bytes;
}

// The bytes that "\d", "\w" or an escaped special character stand for.
std::optional<Bytes> escape(char c) {
  if (c == 'd') return range('0', '9');
  if (c == 'w') return range('0', '9') | range('a', 'z') | range('A', 'Z') | range('_', '_');
  if (special.find(c) != special.npos || c == '-') return range(c, c);
  return std::nullopt;
}

// Recursive descent into steps. A part is a list of steps whose addresses count from its own
// beginning; whoever puts it somewhere moves them. Its last step leads to its end.
class Parser {
 public:
  using Part = std::vector<Step>;

  explicit Parser(std::string_view pattern) : rest_(pattern) {}

  std::optional<Part> whole() {
    auto part = choice(0);
    if (!part || !rest_.empty() || part->size() >= most_steps) return std::nullopt;
    part->push_back({Kind::found});
    return part;
  }

 private:
  static void append(Part& part, const Part& more) {
    const auto by = static_cast<std::uint32_t>(part.size());
    for (Step step : more) {
      step.next += by;
      step.other += by;
      part.push_back(step);
    }
  }

  static Step fork(std::size_t next, std::size_t other) {
    return {Kind::fork, {}, static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(other)};
  }

  static Step one(Kind kind, const Bytes& bytes = {}) { return {kind, bytes, 1, 0}; }

  char next() const { return rest_.empty() ? '\0' : rest_.front(); }

  char take() {
    const char first = rest_.front();
    rest_.remove_prefix(1);
    return first;
  }

  bool take(char wanted) {
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::optional<Part> choice(int depth) {
    auto first = sequence(depth);
    while (first && take('|')) {
      const auto second = sequence(depth);
      if (!second || first->size() + second->size() > most_steps) return std::nullopt;
      Part both{fork(1, first->size() + 2)};
      append(both, *first);
      both.push_back(fork(both.size() + 1 + second->size(), both.size() + 1 + second->size()));
      append(both, *second);
      first = std::move(both);
    }
    return first;
  }

  std::optional<Part> sequence(int depth) {
    Part part;
    while (!rest_.empty() && next() != '|' && next() != ')') {
      const auto item = repeated(depth);
      if (!item || part.size() + item->size() > most_steps) return std::nullopt;
      append(part, *item);
    }
    return part;
  }

  std::optional<Part> repeated(int depth) {
    auto item = atom(depth);
    if (!item) return std::nullopt;
    const bool is_place = item->size() == 1 && item->front().kind != Kind::bytes;
    if (is_place && std::string_view("*+?{").find(next()) != std::string_view::npos &&
        !rest_.empty()) {
      return std::nullopt;
    }
    if (take('*')) return times(*item, 0, -1);
    if (take('+')) return times(*item, 1, -1);
    if (take('?')) return times(*item, 0, 1);
    if (!take('{')) return item;
    const auto least = number();
    if (!least) return std::nullopt;
    auto most = least;
    if (take(',')) most = next() == '}' ? std::optional(-1) : number();
    if (!most || (*most >= 0 && *most < *least) || !take('}')) return std::nullopt;
    return times(*item, *least, *most);
  }

  std::optional<int> number() {
    int value = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failure != std::errc() || value < 0 || value > most_repeats) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  // `most` below 0: without end.
  static std::optional<Part> times(const Part& item, int least, int most) {
    const std::size_t copies = static_cast<std::size_t>(std::max({least, most, 1}));
    if (copies * (item.size() + 1) + 1 > most_steps) return std::nullopt;
    Part part;
    for (int i = 0; i < least; ++i) append(part, item);
    if (most < 0) {
      const std::size_t loop = part.size();
      part.push_back(fork(loop + 1, loop + item.size() + 2));
      append(part, item);
      part.push_back(fork(loop, loop));
    }
    const std::size_t end =
        part.size() + static_cast<std::size_t>(std::max(0, most - least)) * (item.size() + 1);
    for (int i = least; i < most; ++i) {
      part.push_back(fork(part.size() + 1, end));
      append(part, item);
    }
    return part;
  }

  std::optional<Part> atom(int depth) {
    const char c = take();
    if (c == '^') return Part{one(Kind::begin)};
    if (c == '$') return Part{one(Kind::end)};
    if (c == '(') {
      auto inside = depth < deepest && next() != '?' ? choice(depth + 1) : std::nullopt;
      return take(')') ? inside : std::nullopt;
    }
    std::optional<Bytes> bytes;
    if (c == '[') {
      bytes = byte_class();
    } else if (c == '\\') {
      bytes = rest_.empty() ? std::nullopt : escape(take());
    } else if (c == '.') {
      bytes = ~range('\n', '\n');
    } else if (special.find(c) == special.npos) {
      bytes = range(c, c);
    }
    if (!bytes) return std::nullopt;
    return Part{one(Kind::bytes, *bytes)};
  }

  // Behind the "[" of a class, up to and with its "]".
  std::optional<Bytes> byte_class() {
    Bytes bytes;
    const bool others = take('^');
    while (!rest_.empty() && next() != ']') {
      const char c = take();
      if (c == '^' || c == '[') return std::nullopt;
      if (c == '\\') {
        const auto escaped = rest_.empty() ? std::nullopt : escape(take());
        if (!escaped) return std::nullopt;
        bytes |= *escaped;
      } else if (rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']') {
        if (rest_[1] == '\\' || index(rest_[1]) < index(c)) return std::nullopt;
        bytes |= range(c, rest_[1]);
        rest_.remove_prefix(2);
      } else {
        bytes |= range(c, c);
      }
    }
    if (!take(']')) return std::nullopt;
    return others ? ~bytes : bytes;
  }

  std::string_view rest_;
};

// The steps that wait for a byte, each once.
class Waiting {
 public:
  explicit Waiting(const std::vector<Step>& steps) : steps_(steps), seen_(steps.size(), 0) {}

  void forget() {
    waiting.clear();
    ++round_;
  }

  // Adds what can be reached from a step without a byte. True when that is the pattern's end.
  bool reach(std::uint32_t from, bool at_begin, bool at_end) {
    open_.assign(1, from);
    while (!open_.empty()) {
      const std::uint32_t at = open_.back();
      open_.pop_back();
      if (std::exchange(seen_[at], round_) == round_) continue;
      const Step& step = steps_[at];
      if (step.kind == Kind::found) return true;
      if (step.kind == Kind::bytes) waiting.push_back(at);
      if (step.kind == Kind::fork) open_.push_back(step.other);
      const bool passes = step.kind == Kind::fork || (step.kind == Kind::begin && at_begin) ||
                          (step.kind == Kind::end && at_end);
      if (passes) open_.push_back(step.next);
    }
    return false;
  }

  std::vector<std::uint32_t> waiting;

 private:
  const std::vector<Step>& steps_;
  std::vector<std::uint32_t> seen_;  // the round in which a step was reached last
  std::vector<std::uint32_t> open_;
  std::uint32_t round_ = 1;
};

}  // namespace

std::optional<TextPattern> TextPattern::parse(std::string_view pattern) {
  auto steps = Parser(pattern).whole();
  if (!steps) return std::nullopt;
  TextPattern parsed;
  parsed.steps_ = std::move(*steps);
  Waiting beginning(parsed.steps_);
  const bool from_start = parsed.steps_.front().kind == Kind::begin;
  if (from_start && !beginning.reach(0, true, false)) {
    Bytes& first = parsed.first_.emplace();
    for (const std::uint32_t number : beginning.waiting) first |= parsed.steps_[number].bytes;
  }
  return parsed;
}

bool TextPattern::found_in(std::string_view text) const {
  // Most names of a program fail here, before anything is allocated.
  if (first_ && !text.empty() && !(*first_)[index(text.front())]) return false;
  const bool from_start = steps_.front().kind == Kind::begin;
  Waiting one(steps_), other(steps_);
  Waiting* now = &one;
  Waiting* then = &other;
  for (std::size_t at = 0;; ++at) {
    const bool may_begin = at == 0 || !from_start;
    if (may_begin && now->reach(0, at == 0, at == text.size())) return true;
    if (at == text.size() || (now->waiting.empty() && from_start)) return false;
    then->forget();
    const bool last = at + 1 == text.size();
    for (const std::uint32_t number : now->waiting) {
      const Step& step = steps_[number];
      if (step.bytes[index(text[at])] && then->reach(step.next, false, last)) return true;
    }
    std::swap(now, then);
  }
}

}  // namespace primer
