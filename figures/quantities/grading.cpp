#include "figures/quantities/grading.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "figures/base/ascii.hpp"
#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

struct Spelling {
  std::string_view from, to;
};

// In lower case, without spaces. The first entry that ends a factor of the unit is applied.
constexpr Spelling endings[] = {
    {"flops", "flop/s"}, {"ops", "op/s"},  {"bps", "b/s"},  {"bytes", "b"},
    {"byte", "b"},       {"seconds", "s"}, {"second", "s"}, {"sec", "s"},
    {"watts", "w"},      {"watt", "w"},    {"joules", "j"}, {"joule", "j"},
};
constexpr std::array<std::string_view, 17> graded_prefixes = {
    "", "k", "M", "G", "T", "P", "E", "m", "u", "n", "p", "f", "Ki", "Mi", "Gi", "Ti", "µ"};

std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (auto at = text.find(from); at != text.npos; at = text.find(from)) {
    out.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  out.append(text);
  return out;
}

std::string lower_without_spaces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ') out += lower(c);
  }
  return out;
}

std::string with_usual_ending(std::string factor) {
  for (const auto& [from, to] : endings) {
    if (factor.size() < from.size() || !std::string_view(factor).ends_with(from)) continue;
    return factor.substr(0, factor.size() - from.size()) + std::string(to);
  }
  return factor;
}

// Maps all spellings of a unit to one: "GFLOPS", "GFLOPs/sec", "gflop / s" → "gflop/s".
std::string canonical(std::string_view unit) {
  std::string text = lower_without_spaces(unit);
  if (text == "x" || text == "times" || text == "fold") return "×";
  if (text == "percent") return "%";
  text = replaced(replaced(replaced(text, "µ", "u"), "μ", "u"), "per", "/");
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    std::string factor = text.substr(begin, end - begin);
    // "FLOPs/s" and the "FLOPs" in "FLOPs/B" count operations; a bare "FLOPS" is a rate.
    const bool plural_count = end < text.size() && factor.ends_with("flops");
    if (plural_count) factor.pop_back();
    out += (begin > 0 ? "/" : "") + with_usual_ending(std::move(factor));
    begin = end + 1;
  }
  return out;
}

// "GB/s" → "B/s": removes the prefix of a unit, so that others can be tried.
std::string_view without_prefix(std::string_view unit) {
  const Result<Unit> whole = parse_unit(unit);
  std::string_view best = unit;
  for (const std::string_view prefix : graded_prefixes) {
    if (prefix.empty() || unit.size() <= prefix.size() || !unit.starts_with(prefix)) continue;
    const std::string_view rest = unit.substr(prefix.size());
    const Result<Unit> bare = parse_unit(rest);
    const bool same = whole && bare && bare->dimension == whole->dimension;
    if (same && rest.size() < best.size()) best = rest;
  }
  return best;
}

// The unit that `typed` stands for if the question asks for `asked`; `typed` itself if unknown.
std::string meant_unit(std::string_view typed, std::string_view asked) {
  const std::string wanted = canonical(typed);
  const Result<Unit> target = parse_unit(asked);
  std::string best(typed);
  double nearest = INFINITY;
  for (const std::string_view prefix : graded_prefixes) {
    const std::string candidate = std::string(prefix) + std::string(without_prefix(asked));
    const Result<Unit> unit = parse_unit(candidate);
    const bool prefix_alone = !prefix.empty() && typed == prefix;  // "210M" for MFLOP
    if (!unit || !target || !(prefix_alone || canonical(candidate) == wanted)) continue;
    // "mb" may be a millibyte or a megabyte: choose the one nearer to the unit of the question.
    const double away = std::fabs(log2_of(unit->scale / target->scale));
    if (away < nearest) {
      nearest = away;
      best = candidate;
    }
  }
  return best;
}

// Length of the number at the start: digits, signs, separators and an exponent.
std::size_t number_length(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && std::string_view("0123456789.,+-−$ ").find(text[end]) != text.npos)
    ++end;
  const bool exponent = end > 0 && end + 1 < text.size() &&
                        (text[end] == 'e' || text[end] == 'E') &&
                        std::string_view("0123456789+-").find(text[end + 1]) != text.npos;
  if (!exponent) return end;
  end += 2;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  return end;
}

std::string_view without_full_stop(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.remove_suffix(1);
  return text;
}

// "3,6" → "3.6". "1,024" is grouped, so it stays.
std::string with_point(std::string number) {
  const auto comma = number.find(',');
  const bool only = comma != number.npos && number.find(',', comma + 1) == number.npos &&
                    number.find('.') == number.npos;
  const std::size_t behind = only ? number.find_last_not_of(' ') - comma : 3;
  if (only && behind != 3) number[comma] = '.';
  return number;
}

}  // namespace

Result<Literal> parse_answer(std::string_view text, std::string_view unit) {
  text = without_full_stop(text);
  Result<Literal> literal = parse_literal(text);
  if (!literal || (literal->unit.empty() && !unit.empty())) {
    const std::size_t end = number_length(text);
    if (end == 0) return literal;
    const std::string_view typed = text.substr(end);
    const std::string meant = typed.empty() ? std::string(unit) : meant_unit(typed, unit);
    literal = parse_literal(with_point(std::string(text.substr(0, end))) + ' ' + meant);
  }
  if (!literal) return literal;
  const Result<Unit> asked = parse_unit(unit);
  if (asked && !unit.empty() && !(literal->quantity.dimension == asked->dimension))
    return Error{"the answer is in " + std::string(unit) + ", yours is in " +
                 (literal->unit.empty() ? describe(literal->quantity.dimension) : literal->unit)};
  return literal;
}

Result<Literal> parse_bare_answer(std::string_view text, std::string_view unit) {
  text = without_full_stop(text);
  if (text.empty() || number_length(text) < text.size())
    return Error{for_author("'", text, "' is not a number alone")};
  return parse_literal(with_point(std::string(text)) + ' ' + std::string(without_prefix(unit)));
}

}  // namespace figures
