#include "generator/core/formats/text_pattern.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "generator/core/base/text.hpp"

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

bool is_continued(char c) { return (index(c) & 0xc0U) == 0x80; }

// The set of bytes for "\d", "\w", "\s" or an escaped special character.
std::optional<Bytes> escape(char c) {
  if (c == 'd') return range('0', '9');
  if (c == 'w') return range('0', '9') | range('a', 'z') | range('A', 'Z') | range('_', '_');
  if (c == 's') return range(' ', ' ') | range('\t', '\t');
  if (special.find(c) != special.npos || c == '-') return range(c, c);
  return std::nullopt;
}

// Recursive descent parser. A Part is a list of steps with addresses relative to its own start, so
// append() must relocate them. The last step of a part leads to its end.
class Parser {
 public:
  using Part = std::vector<Step>;

  explicit Parser(std::string_view pattern) : whole_(pattern), rest_(pattern) {}

  figures::Result<Part> whole() {
    auto part = choice(0);
    if (part && !rest_.empty()) part = fails("no \"(\" before this");
    if (part && part->size() >= most_steps) part = too_long();
    if (!part) return *failure_;
    part->push_back({Kind::found});
    return std::move(*part);
  }

 private:
  // Records an error at the next character, or `before` characters earlier. The first error wins.
  std::nullopt_t fails(std::string message, std::size_t before = 0) {
    const std::size_t at = whole_.size() - rest_.size() - before;
    const std::size_t bytes = at < whole_.size() ? std::max<std::size_t>(before, 1) : 0;
    if (!failure_) failure_.emplace(message, at, bytes);
    return std::nullopt;
  }

  std::nullopt_t too_long() {
    if (!failure_)
      failure_.emplace("the pattern is too long with its repetitions", 0, whole_.size());
    return std::nullopt;
  }

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
      if (!second) return std::nullopt;
      if (first->size() + second->size() > most_steps) return too_long();
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
      if (!item) return std::nullopt;
      if (part.size() + item->size() > most_steps) return too_long();
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
      return fails("an anchor cannot be repeated");
    }
    if (take('*')) return times(*item, 0, -1);
    if (take('+')) return times(*item, 1, -1);
    if (take('?')) return times(*item, 0, 1);
    if (!take('{')) return item;
    const auto least = number();
    if (!least) return std::nullopt;
    auto most = least;
    if (take(',')) most = next() == '}' ? std::optional(-1) : number();
    if (!most) return std::nullopt;
    if (*most >= 0 && *most < *least) return fails("the second number is below the first", 1);
    if (!take('}')) return fails("expected {2}, {2,} or {2,5}");
    return times(*item, *least, *most);
  }

  std::optional<int> number() {
    int value = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failure != std::errc() || value < 0 || value > most_repeats)
      return fails("expected {2}, {2,} or {2,5}, of at most 1000");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  // `most` < 0: unlimited.
  std::optional<Part> times(const Part& item, int least, int most) {
    const std::size_t copies = static_cast<std::size_t>(std::max({least, most, 1}));
    if (copies * (item.size() + 1) + 1 > most_steps) return too_long();
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
    if (c == '(') return group(depth);
    if (c == '[') return byte_class();
    if (c == '.') return any_of(~range('\n', '\n'));
    if (c == '\\') {
      const auto bytes = escaped();
      return bytes ? std::optional(Part{one(Kind::bytes, *bytes)}) : std::nullopt;
    }
    if (special.find(c) != special.npos) return misplaced(c);
    Part part{one(Kind::bytes, range(c, c))};
    while (!rest_.empty() && is_continued(next())) {
      const char more = take();
      append(part, Part{one(Kind::bytes, range(more, more))});
    }
    return part;
  }

  // After a backslash.
  std::optional<Bytes> escaped() {
    const std::size_t written = rest_.empty() ? 1 : 2;
    auto bytes = rest_.empty() ? std::nullopt : escape(take());
    if (!bytes)
      fails("expected d, w, s or one of - " + std::string(special) + " after a backslash", written);
    return bytes;
  }

  std::nullopt_t misplaced(char c) {
    if (c == ']' || c == '}')
      return fails("this closes nothing; to match the character, write \\" + std::string(1, c), 1);
    return fails(
        "nothing to repeat before this; to match the character, write \\" + std::string(1, c), 1);
  }

  // After the "(".
  std::optional<Part> group(int depth) {
    if (depth >= deepest) return fails("groups are nested at most 16 deep", 1);
    if (next() == '?') return fails("a group begins with its first alternative: (a|b)");
    auto inside = choice(depth + 1);
    if (inside && !take(')')) return fails("missing \")\"");
    return inside;
  }

  // One character of a set that contains either all characters beyond ASCII or none.
  static Part any_of(const Bytes& bytes) {
    if (!bytes[0xff]) return Part{one(Kind::bytes, bytes)};
    Part part{fork(1, 3), {Kind::bytes, bytes & range('\0', '\x7f'), 2, 0}, fork(6, 6)};
    part.push_back({Kind::bytes, range('\xc0', '\xff'), 4, 0});
    part.push_back(fork(5, 6));
    part.push_back({Kind::bytes, range('\x80', '\xbf'), 4, 0});
    return part;
  }

  // After the "[" of a class, through its "]".
  std::optional<Part> byte_class() {
    Bytes bytes;
    const bool others = take('^');
    while (!rest_.empty() && next() != ']') {
      const char c = take();
      if (c == '^' || c == '[') return fails("in a class, write \\" + std::string(1, c), 1);
      if (index(c) >= 0x80) return fails("a class can contain only ASCII characters", 1);
      if (c == '\\') {
        const auto more = escaped();
        if (!more) return std::nullopt;
        bytes |= *more;
      } else if (rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']') {
        if (rest_[1] == '\\' || index(rest_[1]) < index(c) || index(rest_[1]) >= 0x80)
          return fails("a range must go up, such as a-z");
        bytes |= range(c, rest_[1]);
        rest_.remove_prefix(2);
      } else {
        bytes |= range(c, c);
      }
    }
    if (!take(']')) return fails("missing \"]\"");
    return any_of(others ? ~bytes : bytes);
  }

  std::string_view whole_;
  std::string_view rest_;
  std::optional<figures::Error> failure_;
};

// The set of steps that accept a byte next.
class Waiting {
 public:
  explicit Waiting(const std::vector<Step>& steps) : steps_(steps), seen_(steps.size(), 0) {}

  void forget() {
    waiting.clear();
    ++round_;
  }

  // Adds all steps that are reachable from `from` without consuming a byte. Returns true if the end
  // of the pattern is among them.
  bool reach(std::uint32_t from, bool at_begin, bool at_end) {
    open_.assign(1, from);
    bool is_found = false;
    while (!open_.empty()) {
      const std::uint32_t at = open_.back();
      open_.pop_back();
      if (std::exchange(seen_[at], round_) == round_) continue;
      const Step& step = steps_[at];
      is_found = is_found || step.kind == Kind::found;
      if (step.kind == Kind::bytes) waiting.push_back(at);
      if (step.kind == Kind::fork) open_.push_back(step.other);
      const bool passes = step.kind == Kind::fork || (step.kind == Kind::begin && at_begin) ||
                          (step.kind == Kind::end && at_end);
      if (passes) open_.push_back(step.next);
    }
    return is_found;
  }

  std::vector<std::uint32_t> waiting;

 private:
  const std::vector<Step>& steps_;
  std::vector<std::uint32_t> seen_;  // the last round in which each step was reached
  std::vector<std::uint32_t> open_;
  std::uint32_t round_ = 1;
};

}  // namespace

figures::Result<TextPattern> TextPattern::parse(std::string_view pattern) {
  auto steps = Parser(pattern).whole();
  if (!steps) return steps.error();
  TextPattern parsed;
  parsed.steps_ = std::move(steps).value();
  Waiting anywhere(parsed.steps_);
  anywhere.reach(0, true, true);
  for (const std::uint32_t number : anywhere.waiting) parsed.starts_ |= parsed.steps_[number].bytes;
  Waiting beginning(parsed.steps_);
  const bool from_start = parsed.steps_.front().kind == Kind::begin;
  if (from_start && !beginning.reach(0, true, false)) {
    Bytes& first = parsed.first_.emplace();
    for (const std::uint32_t number : beginning.waiting) first |= parsed.steps_[number].bytes;
  }
  return parsed;
}

bool TextPattern::found_in(std::string_view text) const {
  // Most identifiers of a program fail here, before anything is allocated.
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

std::size_t TextPattern::length_at(std::string_view text, std::size_t from,
                                   const std::function<bool(std::size_t end)>& may_end,
                                   std::size_t& effort) const {
  if (from == text.size() || !starts_[index(text[from])]) return 0;
  Waiting one(steps_), other(steps_);
  Waiting* now = &one;
  Waiting* then = &other;
  now->reach(0, from == 0, false);
  std::size_t longest = 0;
  for (std::size_t at = from; at < text.size() && !now->waiting.empty(); ++at) {
    if (effort < now->waiting.size()) return effort = 0;
    effort -= now->waiting.size();
    then->forget();
    const bool last = at + 1 == text.size();
    const bool whole = last || !is_continued(text[at + 1]);
    bool found = false;
    for (const std::uint32_t number : now->waiting) {
      const Step& step = steps_[number];
      if (step.bytes[index(text[at])]) found = then->reach(step.next, false, last) || found;
    }
    if (found && whole && may_end(at + 1)) longest = at + 1 - from;
    std::swap(now, then);
  }
  return longest;
}

}  // namespace primer
