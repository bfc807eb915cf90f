// Translates text into postfix steps by recursive descent, with one function per precedence level.
// The nesting limit bounds the recursion (only a parenthesis goes deeper), and the step limit
// bounds the output.
#include <algorithm>
#include <cmath>
#include <optional>

#include "figures/base/ascii.hpp"
#include "figures/base/decimal_text.hpp"
#include "figures/base/nearest.hpp"
#include "figures/quantities/expression.hpp"

namespace figures {
namespace {

constexpr std::size_t longest_source = 2000;
constexpr int deepest_parentheses = 40;
constexpr std::size_t most_steps = 200;
constexpr std::size_t most_arguments = 16;

using Op = Expression::Op;

bool begins_word(char c) { return is_letter(c) || c == '_'; }
bool is_word(char c) { return begins_word(c) || is_digit(c); }

bool one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

struct Function {
  std::string_view name;
  Op op;
  bool many;  // one or more arguments instead of exactly one
};

constexpr Function functions[] = {
    {"min", Op::minimum, true},   {"max", Op::maximum, true},   {"sqrt", Op::square_root, false},
    {"log2", Op::log2, false},    {"abs", Op::absolute, false}, {"round", Op::round, false},
    {"ceil", Op::ceiling, false}, {"floor", Op::floor, false},
};
constexpr std::string_view name_functions[] = {"beta", "I", "F", "Q", "measured"};

struct Comparison {
  std::string_view text;
  Op op;
};

constexpr Comparison comparisons[] = {
    {"<=", Op::less_equal}, {">=", Op::greater_equal}, {"==", Op::equal},
    {"!=", Op::not_equal},  {"≤", Op::less_equal},     {"≥", Op::greater_equal},
    {"≠", Op::not_equal},   {"<", Op::less},           {">", Op::greater},
};

}  // namespace

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view source) { out_.source_ = source; }

  Result<Expression> run() {
    if (text().size() > longest_source)
      return Error{for_author("an expression has at most 2,000 bytes"), 0, text().size()};
    skip_space();
    if (at_end()) return Error{for_author("an expression is missing"), 0, text().size()};
    disjunction();
    if (!error_ && !at_end()) fail(at_, 1, unexpected());
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  // Reading ---------------------------------------------------------------------------------------

  std::string_view text() const { return out_.source_; }
  bool at_end() const { return at_ >= text().size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text().size() ? text()[at_ + ahead] : '\0';
  }
  bool ahead(std::string_view token) const { return text().substr(at_, token.size()) == token; }
  void skip_space() {
    while (!at_end() && is_space(peek())) ++at_;
  }
  bool take(std::string_view token) {
    if (!ahead(token)) return false;
    at_ += token.size();
    end_ = at_;
    skip_space();
    return true;
  }
  // Matches "and" but not "and-more" or "android".
  bool take_keyword(std::string_view word) {
    if (!ahead(word) || is_word(peek(word.size()))) return false;
    return take(word);
  }

  // A name: words joined by dots and hyphens, each of which is followed by another word.
  std::string_view name_ahead() const {
    if (!begins_word(peek())) return {};
    std::size_t end = at_ + 1;
    const auto word_at = [&](std::size_t i) { return i < text().size() && is_word(text()[i]); };
    while (word_at(end) ||
           (end < text().size() && (text()[end] == '.' || text()[end] == '-') && word_at(end + 1)))
      ++end;
    return text().substr(at_, end - at_);
  }

  void fail(std::size_t offset, std::size_t length, std::string_view message,
            std::string_view suggestion = {}, Code code = Code::other) {
    if (error_) return;
    error_ = Error{for_author(message), offset, length, suggestion}.as(code);
    at_ = text().size();  // stop reading
  }

  std::string unexpected() const {
    if constexpr (!tells_authors) return {};
    if (at_end()) return "the expression ends too early";
    const unsigned char c = static_cast<unsigned char>(peek());
    if (c < 0x20 || c >= 0x7f) return "unexpected character";
    if (c == '(') return "expected an operator such as * before '('";
    if (c == '*' && at_ > 0 && text()[at_ - 1] == '*') return "expected ^ for a power, not **";
    return std::string("unexpected '") + peek() + "'";
  }

  void emit(Op op, std::size_t begin, std::size_t index = 0) {
    if (out_.steps_.size() >= most_steps) {
      fail(begin, end_ - std::min(begin, end_),
           "this expression has more than 200 terms and operators");
      return;
    }
    out_.steps_.push_back({op, static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(begin),
                           static_cast<std::uint32_t>(end_ - begin)});
  }

  // Grammar, weakest operator first ---------------------------------------------------------------

  void disjunction() {
    const std::size_t begin = at_;
    conjunction();
    while (!error_ && take_keyword("or")) {
      conjunction();
      emit(Op::logical_or, begin);
    }
  }

  void conjunction() {
    const std::size_t begin = at_;
    negation();
    while (!error_ && take_keyword("and")) {
      negation();
      emit(Op::logical_and, begin);
    }
  }

  void negation() {
    const std::size_t begin = at_;
    int count = 0;
    while (take_keyword("not")) ++count;
    comparison();
    // Two of them cancel out, but the value must still become 1 or 0.
    for (int n = 0; n < (count > 2 ? 2 - count % 2 : count) && !error_; ++n)
      emit(Op::logical_not, begin);
  }

  const Comparison* take_comparison() {
    for (const Comparison& one : comparisons)
      if (take(one.text)) return &one;
    return nullptr;
  }

  // a < b < c means a < b and b < c, so the steps of b are copied.
  void comparison() {
    std::size_t begin = at_;
    const std::size_t whole = at_;
    sum();
    bool chained = false;
    while (!error_) {
      const Comparison* found = take_comparison();
      if (found == nullptr) return;
      const std::size_t middle = at_, first = out_.steps_.size();
      sum();
      const std::size_t last = out_.steps_.size();
      emit(found->op, begin);
      if (chained) emit(Op::logical_and, whole);
      if (error_ || !comparison_ahead()) return;
      chained = true;
      begin = middle;
      for (std::size_t i = first; i < last && !error_; ++i) {
        const Expression::Step step = out_.steps_[i];
        emit(step.op, step.offset, step.index);
        if (!error_) out_.steps_.back().length = step.length;
      }
    }
  }

  bool comparison_ahead() const {
    return std::any_of(std::begin(comparisons), std::end(comparisons),
                       [&](const Comparison& one) { return ahead(one.text); });
  }

  void sum() {
    const std::size_t begin = at_;
    product();
    while (!error_) {
      const Op op = ahead("+") ? Op::add : Op::subtract;
      if (!take("+") && !take("-") && !take("−")) return;
      product();
      emit(op, begin);
    }
  }

  void product() {
    const std::size_t begin = at_;
    signed_power();
    while (!error_) {
      const Op op = ahead("/") ? Op::divide : Op::multiply;
      if (!take("*") && !take("/") && !take("×") && !take("·")) return;
      signed_power();
      emit(op, begin);
    }
  }

  void signed_power() {
    const std::size_t begin = at_;
    int minus = 0;
    while (take("-") || take("−")) ++minus;
    primary();
    if (!error_ && take("^")) {
      const std::size_t exponent = at_;
      const bool negative = take("-");
      primary();
      if (negative) emit(Op::negate, exponent);
      emit(Op::power, begin);
      // Ambiguous: some languages read 2^3^2 as (2^3)^2, mathematics as 2^(3^2).
      if (!error_ && ahead("^")) return fail(at_, 1, "write parentheses: (a^b)^c or a^(b^c)");
    }
    if (minus % 2 != 0 && !error_) emit(Op::negate, begin);
  }

  void primary() {
    if (error_) return;
    const std::size_t begin = at_;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return number();
    if (begins_word(peek())) return word();
    if (!take("(")) return fail(at_, at_end() ? 0 : 1, unexpected());
    if (++depth_ > deepest_parentheses)
      return fail(begin, 1, "parentheses are nested more than 40 deep");
    disjunction();
    --depth_;
    if (!error_ && !take(")")) fail(begin, 1, "this '(' is not closed");
  }

  // Numbers with units ----------------------------------------------------------------------------

  // The longest run of characters that could be a unit.
  std::string_view unit_word(std::size_t from) const {
    std::size_t end = from;
    while (end < text().size()) {
      const unsigned char c = static_cast<unsigned char>(text()[end]);
      // Accept the bytes of µ, ² and similar characters, but not the operators that are written in
      // UTF-8.
      if (c < 0x80 ? !(is_word(text()[end]) || c == '%' || c == '$') : is_operator_at(end)) break;
      ++end;
    }
    return text().substr(from, end - from);
  }

  bool is_operator_at(std::size_t at) const {
    for (const std::string_view token : {"−", "×", "·", "≤", "≥", "≠"})
      if (text().substr(at, token.size()) == token) return true;
    return false;
  }

  // The unit that follows a number: words separated by single spaces, then words joined by '/'
  // without spaces.
  std::string_view unit_ahead() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    for (std::size_t from = begin;;) {
      const std::string_view word = unit_word(from);
      if (word.empty() || one_of(word, {"and", "or", "not"})) break;
      const std::size_t after = from + word.size();
      if (!parse_unit(word)) {
        if (from == begin) {
          const Error error = parse_unit(word).error();
          fail(from, word.size(), for_author(error.message), error.suggestion, error.code);
        }
        break;
      }
      end = after;
      from = after;
      const bool joined = from < text().size() && text()[from] == '/';
      if (!joined &&
          !(from + 1 < text().size() && text()[from] == ' ' && begins_word(text()[from + 1])))
        break;
      ++from;
      // "4 B/P.fma" divides by a name that is not a unit.
      if (joined && !divides_unit(from)) break;
    }
    return text().substr(begin, end - begin);
  }

  bool divides_unit(std::size_t from) const {
    const std::string_view word = unit_word(from);
    if (word.empty() || !parse_unit(word)) return false;
    const std::size_t after = from + word.size();
    const char next = after < text().size() ? text()[after] : '\0';
    const bool name_goes_on =
        (next == '.' || next == '-') && after + 1 < text().size() && is_word(text()[after + 1]);
    return !name_goes_on && next != '(' && next != '{';
  }

  bool read_number(Quantity& quantity) {
    const std::size_t begin = at_;
    const Decimal decimal = read_decimal(text().substr(at_));
    at_ += decimal.length;
    end_ = at_;
    if (!std::isfinite(decimal.value)) {
      fail(begin, decimal.length, "this number is too large");
      return false;
    }
    std::size_t space = 0;
    while (peek(space) == ' ') ++space;
    at_ += space;
    const std::string_view unit = unit_ahead();
    if (error_) return false;
    if (!unit.empty()) {
      at_ += unit.size();
      end_ = at_;
    }
    const Result<Unit> parsed = parse_unit(unit);
    if (!parsed) {  // each word is a unit, but together they are too many
      fail(at_ - unit.size(), unit.size(), for_author(parsed.error().message),
           parsed.error().suggestion, parsed.error().code);
      return false;
    }
    quantity = {decimal.value * parsed->scale, parsed->dimension};
    skip_space();
    return true;
  }

  void number() {
    const std::size_t begin = at_;
    Quantity quantity;
    if (!read_number(quantity)) return;
    out_.numbers_.push_back(quantity);
    emit(Op::number, begin, out_.numbers_.size() - 1);
  }

  // Names and functions ---------------------------------------------------------------------------

  void word() {
    const std::size_t begin = at_;
    const std::string_view name = name_ahead();
    if (one_of(name, {"and", "or", "not"}))
      return fail(begin, name.size(), for_author("unexpected '", name, "'"));
    if (peek(name.size()) == '(') return call(name);
    Name out;
    if (read_name(out)) push_name(std::move(out), begin);
  }

  void push_name(Name name, std::size_t begin) {
    name.offset = begin;
    name.length = end_ - begin;
    out_.names_.push_back(std::move(name));
    emit(Op::name, begin, out_.names_.size() - 1);
  }

  void call(std::string_view function) {
    const std::size_t begin = at_;
    if (++depth_ > deepest_parentheses)
      return fail(begin, function.size(), "calls are nested more than 40 deep");
    at_ += function.size() + 1;
    end_ = at_;
    skip_space();
    for (const std::string_view known : name_functions)
      if (function == known) return call_with_name(function, begin);
    for (const Function& known : functions)
      if (function == known.name) return call_with_values(known, begin);
    Nearest nearest(function);
    for (const std::string_view known : name_functions) nearest.offer(known);
    for (const Function& known : functions) nearest.offer(known.name);
    const auto expected = [&] {
      std::string names;
      for (const Function& known : functions)
        names += names.empty() ? "" : ", ", names += known.name;
      return nearest.best().empty() ? "; expected one of " + names : std::string();
    };
    fail(begin, function.size(), for_author("unknown function '", function, "'", expected),
         nearest.best());
  }

  void call_with_name(std::string_view function, std::size_t begin) {
    Name name;
    if (!begins_word(peek()))
      return fail(at_, at_end() ? 0 : 1, for_author("'", function, "' needs the name of a kernel"));
    if (!read_name(name)) return;
    name.function = function;
    if (!take(")")) return fail(begin, function.size() + 1, "this '(' is not closed");
    --depth_;
    push_name(std::move(name), begin);
  }

  void call_with_values(const Function& function, std::size_t begin) {
    std::size_t count = 0;
    do {
      disjunction();
      ++count;
    } while (!error_ && take(","));
    if (error_) return;
    if (!take(")")) return fail(begin, function.name.size() + 1, "this '(' is not closed");
    --depth_;
    if (count > 1 && !function.many)
      return fail(begin, end_ - begin, for_author(function.name, " takes one value"));
    emit(function.op, begin, count);
  }

  // Reads id, statistic and arguments, and sets end_ to the end of the term.
  bool read_name(Name& name) {
    const std::string_view whole = name_ahead();
    const std::size_t begin = at_, dot = whole.rfind('.');
    const std::string_view tail = dot == whole.npos ? "" : whole.substr(dot + 1);
    const bool statistic = one_of(tail, {"best", "median", "p90", "p99"});
    name.id = statistic ? whole.substr(0, dot) : whole;
    if (statistic) name.statistic = tail;
    at_ += whole.size();
    end_ = at_;
    if (peek() != '{') {
      skip_space();
      return true;
    }
    take("{");
    do {
      if (name.arguments.size() >= most_arguments || !argument(name))
        fail(at_, at_end() ? 0 : 1, "expected a parameter (name=value) here");
    } while (!error_ && take(","));
    if (!error_ && !take("}")) fail(begin, whole.size() + 1, "this '{' is not closed");
    return !error_;
  }

  bool argument(Name& name) {
    Argument out;
    out.offset = at_;
    const std::string_view key = name_ahead();
    if (key.empty()) return false;
    out.name = key;
    for (const Argument& other : name.arguments) {
      if (other.name != out.name) continue;
      fail(at_, key.size(), for_author("duplicate parameter '", key, "'"));
      return true;
    }
    take(key);
    if (!take("=")) return false;
    if (is_digit(peek())) {
      if (!read_number(out.number)) return true;  // the error is already stored
    } else {
      out.word = name_ahead();
      if (out.word.empty()) return false;
      take(name_ahead());
    }
    name.arguments.push_back(std::move(out));
    return true;
  }

  Expression out_;
  std::optional<Error> error_;
  std::size_t at_ = 0;   // next byte to read
  std::size_t end_ = 0;  // end of the last token, because spans exclude trailing spaces
  int depth_ = 0;
};

Result<Expression> Expression::parse(std::string_view source) {
  return ExpressionParser(source).run();
}

}  // namespace figures
