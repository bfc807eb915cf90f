#include "figures/quantities/quantity.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/base/nearest.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/base/result.hpp"

namespace figures {
namespace {

enum Prefixes : std::uint8_t { no_prefix, large = 1, small = 2, any = 3, binary = 4 };

struct Atom {
  const char* name;
  double scale;
  Dimension dimension;
  std::uint8_t prefixes;
};

constexpr Dimension flop_{1, 0, 0, 0, 0, 0}, byte_{0, 1, 0, 0, 0, 0}, second_{0, 0, 1, 0, 0, 0},
    joule_{0, 0, 0, 1, 0, 0}, dollar_{0, 0, 0, 0, 1, 0}, metre_{0, 0, 0, 0, 0, 1}, count_{},
    watt_{0, 0, -1, 1, 0, 0}, hertz_{0, 0, -1, 0, 0, 0}, area_{0, 0, 0, 0, 0, 2};

constexpr Atom atoms[] = {
    {"FLOP", 1, flop_, large},
    {"op", 1, flop_, large},
    {"MAC", 2, flop_, large},
    {"B", 1, byte_, large | binary},
    {"byte", 1, byte_, no_prefix},
    {"bytes", 1, byte_, no_prefix},
    {"bit", 0.125, byte_, large},
    {"bits", 0.125, byte_, no_prefix},
    {"s", 1, second_, small},
    {"min", 60, second_, no_prefix},
    {"h", 3600, second_, no_prefix},
    {"hour", 3600, second_, no_prefix},
    {"hours", 3600, second_, no_prefix},
    {"day", 86400, second_, no_prefix},
    {"days", 86400, second_, no_prefix},
    {"year", 31557600, second_, no_prefix},
    {"years", 31557600, second_, no_prefix},
    {"J", 1, joule_, any},
    {"W", 1, watt_, any},
    {"Wh", 3600, joule_, large},
    {"Hz", 1, hertz_, large},
    {"$", 1, dollar_, no_prefix},
    {"m", 1, metre_, small},
    {"mm²", 1e-6, area_, no_prefix},
    {"mm2", 1e-6, area_, no_prefix},
    {"%", 0.01, count_, no_prefix},
    {"×", 1, count_, no_prefix},
    {"thousand", 1e3, count_, no_prefix},
    {"million", 1e6, count_, no_prefix},
    {"billion", 1e9, count_, no_prefix},
    {"trillion", 1e12, count_, no_prefix},
};

// Units of Spanish chapters and their readers' answers. Thousands are digits there: "37 000
// millones" is "37 billion".
constexpr Atom spanish_atoms[] = {
    {"millón", 1e6, count_, no_prefix},    {"millones", 1e6, count_, no_prefix},
    {"billón", 1e12, count_, no_prefix},   {"billones", 1e12, count_, no_prefix},
    {"día", 86400, second_, no_prefix},    {"días", 86400, second_, no_prefix},
    {"año", 31557600, second_, no_prefix}, {"años", 31557600, second_, no_prefix},
};

// Counted things: plain numbers with a name. The plural adds an s.
constexpr const char* counted[] = {
    "cycle", "token",  "tok",     "row",    "column", "value",   "element",   "vector", "core",
    "chip",  "GPU",    "lane",    "layer",  "head",   "image",   "parameter", "param",  "line",
    "step",  "sample", "machine", "thread", "warp",   "chain",   "register",  "load",   "store",
    "miss",  "time",   "page",    "kernel", "matmul", "GEMM",    "weight",    "user",   "request",
    "level", "rung",   "tile",    "pass",   "port",   "channel", "pixel",
};

struct Prefix {
  const char* text;
  double scale;
  std::uint8_t kind;
};

constexpr Prefix prefixes[] = {
    {"Ki", 1024.0, binary},
    {"Mi", 1048576.0, binary},
    {"Gi", 1073741824.0, binary},
    {"Ti", 1099511627776.0, binary},
    {"k", 1e3, large},
    {"M", 1e6, large},
    {"G", 1e9, large},
    {"T", 1e12, large},
    {"P", 1e15, large},
    {"E", 1e18, large},
    {"Z", 1e21, large},
    {"Y", 1e24, large},
    {"m", 1e-3, small},
    {"µ", 1e-6, small},
    {"μ", 1e-6, small},
    {"u", 1e-6, small},
    {"n", 1e-9, small},
    {"p", 1e-12, small},
    {"f", 1e-15, small},
};

// The noun of which the text is the singular or plural; empty if there is none.
std::string_view counted_word(std::string_view text) {
  for (const std::string_view word : counted) {
    if (text == word) return word;
    if (text.size() == word.size() + 1 && text.substr(0, word.size()) == word && text.back() == 's')
      return word;
    if (word.back() == 's' && text.size() == word.size() + 2 &&
        text.substr(0, word.size()) == word && text.substr(word.size()) == "es")
      return word;
  }
  // In Spanish the noun follows the link of a number, except in a rate: "35 imágenes/s".
  return text == "imágenes" ? "image" : std::string_view();
}

// The unit of the text, with or without a prefix; null if there is none.
const Atom* match_atom(std::string_view text, double& scale) {
  for (const Atom& atom : atoms) {
    const std::string_view name = atom.name;
    scale = atom.scale;
    if (text == name) return &atom;
    if (atom.prefixes == no_prefix || text.size() <= name.size() ||
        text.substr(text.size() - name.size()) != name)
      continue;
    const std::string_view front = text.substr(0, text.size() - name.size());
    for (const Prefix& prefix : prefixes) {
      if ((prefix.kind & atom.prefixes) == 0 || front != prefix.text) continue;
      scale = atom.scale * prefix.scale;
      return &atom;
    }
  }
  for (const Atom& atom : spanish_atoms) {
    scale = atom.scale;
    if (text == atom.name) return &atom;
  }
  return nullptr;
}

bool find_atom(std::string_view text, Unit& unit) {
  double scale = 1;
  if (const Atom* atom = match_atom(text, scale)) {
    unit = {scale, atom->dimension};
    return true;
  }
  if (counted_word(text).empty()) return false;
  unit = {};
  return true;
}

// Common misspellings that edit distance would miss; otherwise the nearest unit.
std::string suggest_unit(std::string_view text) {
  if constexpr (!tells_authors) return {};
  const auto ends = [&](std::string_view tail) {
    return text.size() > tail.size() && text.substr(text.size() - tail.size()) == tail;
  };
  if (ends("FLOPS") || ends("FLOPs")) return std::string(text.substr(0, text.size() - 1)) + "/s";
  if (ends("OPS")) return std::string(text.substr(0, text.size() - 3)) + "op/s";
  if (ends("ops")) return std::string(text.substr(0, text.size() - 1));
  if (ends("Bps")) return std::string(text.substr(0, text.size() - 2)) + "/s";
  if (ends("bps")) return std::string(text.substr(0, text.size() - 3)) + "bit/s";
  if (text == "x") return "×";
  if (ends("b")) return std::string(text) + "it";
  Nearest nearest(text);
  for (const char* unit :
       {"FLOP", "GFLOP", "TFLOP", "B",   "GB", "TB", "KiB", "MiB", "GiB", "byte",    "ns",
        "µs",   "ms",    "GHz",   "MHz", "W",  "pJ", "Gop", "Top", "bit", "billion", "million"})
    nearest.offer(unit);
  for (const char* word : counted) nearest.offer(word);
  return std::string(nearest.best());
}

// A no-break space, narrow or not, counts as a space.
std::size_t space_at(std::string_view text, std::size_t at) {
  if (at < text.size() && text[at] == ' ') return 1;
  if (text.substr(at, 2) == "\u00A0") return 2;
  if (text.substr(at, 3) == "\u202F") return 3;
  return 0;
}

// Removes the spaces around a unit. The first one may be a no-break space.
std::string_view trim_unit(std::string_view text, std::size_t& offset) {
  while (const std::size_t n = space_at(text, 0)) {
    text.remove_prefix(n);
    offset += n;
  }
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Error at(std::size_t offset, std::size_t length, std::string_view message,
         std::string_view suggestion = {}) {
  return {message, offset, length, suggestion};
}

bool starts(std::string_view text, std::string_view head) {
  return text.substr(0, head.size()) == head;
}

// Whether a unit follows its number without a space: only "36×".
bool is_tight(std::string_view unit) { return unit == "×"; }

// For prose: digits beyond the requested ones become zeros, "27,000". A count has no decimals: "4",
// not "4.00".
std::string round_and_write(double number, int digits, bool is_count) {
  const double size = std::fabs(number);
  if (is_count && size < 1e15 && number == std::floor(number) && size < power_of_ten(digits))
    return write_fixed(number, 0);
  const int spare = size > 0 ? decade_of(size) + 1 - digits : 0;
  if (spare > 0 && size < 1e15) {
    const double step = power_of_ten(spare);
    number = (number < 0 ? -1 : 1) * std::floor(size / step + 0.5) * step;
  }
  return group_thousands(write_significant(number, digits));
}

std::string join(std::string number, std::string_view unit, bool spaced, bool dollar) {
  if (dollar) {
    const bool negative = starts(number, "-");
    number.insert(negative ? 1 : 0, "$");
    return number + std::string(unit.substr(1));
  }
  if (unit.empty()) return number;
  return number + (spaced ? " " : "") + std::string(unit);
}

}  // namespace

Dimension operator+(Dimension a, Dimension b) {
  const auto sum = [](int x, int y) {
    return static_cast<std::int8_t>(std::clamp(x + y, -100, 100));
  };
  return {sum(a.flop, b.flop),   sum(a.byte, b.byte),     sum(a.second, b.second),
          sum(a.joule, b.joule), sum(a.dollar, b.dollar), sum(a.metre, b.metre)};
}

Dimension operator-(Dimension a, Dimension b) {
  const auto minus = [](std::int8_t x) { return static_cast<std::int8_t>(-x); };
  return a + Dimension{minus(b.flop),  minus(b.byte),   minus(b.second),
                       minus(b.joule), minus(b.dollar), minus(b.metre)};
}

std::string describe(Dimension dimension) {
  if (dimension.is_number()) return "number";
  if (dimension == watt_) return "W";
  if (dimension == hertz_) return "Hz";
  const struct {
    const char* name;
    int exponent;
  } parts[] = {{"FLOP", dimension.flop}, {"B", dimension.byte},  {"J", dimension.joule},
               {"$", dimension.dollar},  {"m", dimension.metre}, {"s", dimension.second}};
  std::string above, below;
  for (const auto& part : parts) {
    std::string& side = part.exponent > 0 ? above : below;
    if (part.exponent == 0) continue;
    const int size = std::abs(part.exponent);
    if (part.exponent > 0 && !above.empty()) above += "·";
    if (part.exponent < 0) below += "/";
    side += part.name;
    if (size > 1) side += "^" + fixed(size, 0);
  }
  return (above.empty() ? "1" : above) + below;
}

Result<Unit> parse_unit(std::string_view text) {
  Unit unit;
  if (text.empty()) return unit;
  if (text.size() > 60) return at(0, text.size(), "this unit is too long");
  std::size_t begin = 0;
  for (int n = 0; begin <= text.size(); ++n) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    std::size_t offset = begin;
    std::string_view rest = trim_unit(text.substr(begin, end - begin), offset);
    // "million parameters": adjacent words multiply.
    do {
      const std::size_t space = std::min(rest.find(' '), rest.size());
      const std::string_view word = rest.substr(0, space);
      Unit atom;
      if (word.empty()) return at(offset, 1, "missing unit next to '/'");
      if (!find_atom(word, atom))
        return at(offset, word.size(), "unknown unit '" + std::string(word) + "'",
                  suggest_unit(word))
            .as(Code::unknown_unit);
      unit.scale = n == 0 ? unit.scale * atom.scale : unit.scale / atom.scale;
      unit.dimension = n == 0 ? unit.dimension + atom.dimension : unit.dimension - atom.dimension;
      rest.remove_prefix(space);
      offset += space;
      rest = trim_unit(rest, offset);
    } while (!rest.empty());
    begin = end + 1;
  }
  return unit;
}

std::string_view counted_noun(std::string_view word) {
  double scale = 1;
  if (const Atom* atom = match_atom(word, scale)) {
    const std::string_view name = atom->name;
    if (name == "%") return "×";
    return name == "FLOP" || name == "op" || name == "×" ? name : "";
  }
  const std::string_view noun = counted_word(word);
  return noun == "tok" ? "token" : noun == "param" ? "parameter" : noun == "time" ? "×" : noun;
}

Result<Literal> parse_literal(std::string_view source) {
  Literal literal;
  std::size_t offset = 0;
  std::string_view text = trim_unit(source, offset);
  const std::size_t minus = starts(text, "\u2212") ? 3 : starts(text, "-") ? 1 : 0;
  text.remove_prefix(minus);
  offset += minus;
  literal.dollar = starts(text, "$");
  if (literal.dollar) {
    text.remove_prefix(1);
    ++offset;
  }
  Decimal decimal = read_decimal(text);
  // Few keyboards have a narrow space, so accept an ordinary one.
  if (const Decimal typed = read_decimal(text, " "); typed.length > decimal.length) decimal = typed;
  if (decimal.length == 0 || !std::isfinite(decimal.value))
    return at(0, source.size(),
              "'" + std::string(source.substr(0, 60)) + "' does not start with a number");
  if constexpr (tells_authors) {
    // Two different numbers with more digits may be the same double
    constexpr int most_digits = 15;
    if (decimal.significant > most_digits)
      return at(offset, decimal.length,
                "a number has at most 15 digits here, because more cannot be compared");
  }
  literal.number = minus > 0 ? -decimal.value : decimal.value;
  literal.decimals = decimal.decimals;
  literal.significant = decimal.significant;
  literal.grouping = decimal.grouping;
  if (decimal.grouping == narrow_space && decimal.decimals == 0 && !decimal.scientific &&
      text.substr(0, decimal.length).ends_with("000")) {
    literal.decimals -= 3;
    literal.significant -= 3;
  }
  if (decimal.scientific)
    literal.decimals = decimal.significant - 1 - (decimal.value > 0 ? decade_of(decimal.value) : 0);
  text.remove_prefix(decimal.length);
  offset += decimal.length;
  const std::size_t space = space_at(text, 0);
  literal.spaced = space > 0;
  text = trim_unit(text, offset);
  literal.unit = (literal.dollar ? std::string("$") : std::string()).append(text);
  const Result<Unit> unit = parse_unit(literal.unit);
  if (!unit) {
    return Error(unit.error()).moved(literal.dollar ? offset - 1 : offset);
  }
  literal.scale = unit->scale;
  literal.quantity = {literal.number * unit->scale, unit->dimension};
  return literal;
}

bool agrees(const Literal& literal, const Quantity& exact) {
  if (literal.quantity.dimension != exact.dimension || !std::isfinite(exact.value)) return false;
  // A zero stands only for an exact zero without a sign, so nothing is rounded to zero.
  if (literal.number == 0) return exact.value == 0 && !std::signbit(literal.number);
  const double number = exact.value / literal.scale;
  const double half_digit = 0.5 / power_of_ten(literal.decimals);
  // Tolerates exact halves and the rounding error of the division.
  const double slack = std::max(half_digit, std::fabs(number)) * 4e-15 + half_digit * 1e-9;
  return std::fabs(number - literal.number) <= half_digit + slack;
}

std::string rewrite(const Literal& literal, const Quantity& exact) {
  const double number = exact.value / literal.scale;
  const auto written = [&](double said) {
    const bool is_whole = literal.decimals <= 0 && said == std::floor(said);
    std::string text =
        is_whole ? write_fixed(said, 0) : write_significant(said, literal.significant);
    // An author who wrote "2,048" groups four digits as well.
    if (!literal.grouping.empty())
      text = group_thousands(text, literal.grouping, std::fabs(literal.number) < 1e4 ? 4 : 5);
    return join(std::move(text), literal.unit, literal.spaced, literal.dollar);
  };
  const auto is_right = [&](const std::string& text) {
    const auto again = parse_literal(text);
    return again && agrees(*again, exact);
  };
  const double step = power_of_ten(-literal.decimals);
  std::string text =
      written(literal.decimals < 0 ? std::floor(number / step + 0.5) * step : number);
  if (is_right(text)) return text;
  text = written(number);  // "12" for "12 000"
  return is_right(text) ? text : format(exact);
}

Result<std::string> format(const Quantity& quantity, std::string_view text, int digits) {
  const Result<Unit> unit = parse_unit(text);
  if (!unit) return unit.error();
  if (unit->dimension != quantity.dimension)
    return at(0, text.size(),
              for_author(
                  "the value is in ", [&] { return describe(quantity.dimension); }, ", not in '",
                  text, "'"));
  std::string number =
      round_and_write(quantity.value / unit->scale, digits, unit->dimension.is_number());
  return join(std::move(number), text, !is_tight(text), starts(text, "$"));
}

std::string format(const Quantity& quantity, int digits) {
  static constexpr Prefix steps[] = {{"E", 1e18, 0}, {"P", 1e15, 0}, {"T", 1e12, 0}, {"G", 1e9, 0},
                                     {"M", 1e6, 0},  {"k", 1e3, 0},  {"", 1, 0},     {"m", 1e-3, 0},
                                     {"µ", 1e-6, 0}, {"n", 1e-9, 0}, {"p", 1e-12, 0}};
  const Dimension dimension = quantity.dimension;
  const std::string base = describe(dimension);
  const double size = std::fabs(quantity.value);
  double scale = 1;
  std::string prefix;
  const bool rate = dimension.flop > 0 || dimension.byte > 0 || dimension == hertz_;
  const bool ratio = dimension.flop > 0 && dimension.byte < 0;
  const bool tiny = dimension == second_ || dimension.joule > 0;
  if (!dimension.is_number() && dimension.dollar == 0 && dimension.metre == 0 && !ratio) {
    for (const Prefix& step : steps) {
      const bool usable = step.scale == 1 || (step.scale > 1 ? rate || dimension.joule > 0 : tiny);
      if (!usable || size < step.scale) continue;
      scale = step.scale;
      prefix = step.text;
      break;
    }
  }
  const std::string number = round_and_write(quantity.value / scale, digits, dimension.is_number());
  return dimension.is_number() ? number : number + " " + prefix + base;
}

}  // namespace figures
