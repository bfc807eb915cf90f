#include "figures/page_call.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "figures/answer.hpp"
#include "figures/nearest.hpp"
#include "figures/notation.hpp"
#include "figures/number.hpp"
#include "figures/numeric.hpp"
#include "figures/render.hpp"
#include "figures/verdict.hpp"

namespace figures {
namespace {

using nlohmann::json;

constexpr std::size_t longest_request = 4 << 20;
constexpr std::string_view default_tolerance = "2 %";

const json& member(const json& object, const char* name) {
  static const json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

std::string text(const json& object, const char* name, std::string_view fallback = "") {
  const auto* value = member(object, name).get_ptr<const std::string*>();
  return value == nullptr ? std::string(fallback) : *value;
}

// The answer as JSON text. Written by hand: a JSON library's writer would be a tenth of the module.
class Reply {
 public:
  Reply& text(std::string_view name, std::string_view value) {
    return key(name), quote(value), *this;
  }
  // Twelve significant digits.
  Reply& number(std::string_view name, double value) {
    key(name);
    if (value == 0 || !std::isfinite(value)) return out_ += '0', *this;
    const int decade = decade_of(std::abs(value));
    const double scaled = decade < 0 ? value * power_of_ten(-decade) : value / power_of_ten(decade);
    out_ += write_fixed(scaled, 11) + "e" + std::to_string(decade);
    return *this;
  }
  Reply& flag(std::string_view name, bool value) {
    return key(name), out_ += value ? "true" : "false", *this;
  }
  Reply& object(std::string_view name, const Reply& value) {
    return key(name), out_ += value.str(), *this;
  }
  Reply& texts(std::string_view name, const std::vector<std::string>& values) {
    return key(name), list(values), *this;
  }
  Reply& rows(std::string_view name, const std::vector<std::vector<std::string>>& rows) {
    key(name);
    out_ += '[';
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i > 0) out_ += ',';
      list(rows[i]);
    }
    return out_ += ']', *this;
  }
  std::string str() const { return (out_.empty() ? "{" : out_) + "}"; }

 private:
  void key(std::string_view name) {
    out_ += out_.empty() ? '{' : ',';
    quote(name);
    out_ += ':';
  }
  void list(const std::vector<std::string>& values) {
    out_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) out_ += ',';
      quote(values[i]);
    }
    out_ += ']';
  }
  void quote(std::string_view value) {
    out_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') out_ += '\\';
      out_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // no answer has a line break
    }
    out_ += '"';
  }
  std::string out_;
};

// What every operation works with.
struct Desk {
  Facts facts;
  Catalogue catalogue;
  std::optional<Profile> reference, reader;

  const Profile* reader_or_null() const { return reader ? &*reader : nullptr; }
  const Profile* reference_or_null() const { return reference ? &*reference : nullptr; }
  Sources sources() const { return {&facts, &catalogue, nullptr, reference_or_null()}; }
};

Status read_optional(const json& object, std::optional<Profile>& out) {
  if (object.is_null()) return ok();
  Result<Profile> profile = read_profile(object);
  if (!profile) return profile.error();
  out = std::move(*profile);
  return ok();
}

Result<Desk> prepare(const json& request) {
  Desk desk;
  if (const json& facts = member(request, "facts"); !facts.is_null()) {
    if (const Status status = desk.facts.load(facts); !status) return status.error();
  }
  if (const json& registry = member(request, "registry"); !registry.is_null()) {
    Result<Catalogue> catalogue = Catalogue::from_json(registry);
    if (!catalogue) return catalogue.error();
    desk.catalogue = std::move(*catalogue);
  }
  if (const Status status = read_optional(member(request, "reference"), desk.reference); !status)
    return status.error();
  if (const Status status = read_optional(member(request, "reader"), desk.reader); !status)
    return status.error();
  return desk;
}

Options options_of(const json& object) {
  Options options;
  options.width = text(object, "width") == "narrow" ? Layout::narrow : Layout::wide;
  const std::string theme = text(object, "theme");
  if (theme == "light") options.theme = Theme::light;
  if (theme == "dark") options.theme = Theme::dark;
  if (theme == "print") options.theme = Theme::print;
  options.id_prefix = text(object, "id_prefix", options.id_prefix);
  options.lang = text(object, "lang", options.lang);
  return options;
}

Result<Reply> draw(const json& request, const Desk& desk) {
  const Inputs inputs{&desk.facts, desk.reference_or_null(), desk.reader_or_null(),
                      &desk.catalogue};
  const Result<Rendering> drawing =
      render(member(request, "spec"), inputs, options_of(member(request, "options")));
  if (!drawing) return drawing.error();
  Reply table;
  table.texts("columns", drawing->table.columns).rows("rows", drawing->table.rows);
  Reply reply;
  reply.text("svg", drawing->svg).number("width", drawing->width).number("height", drawing->height);
  reply.text("title", drawing->title).text("description", drawing->description);
  return reply.object("table", table);
}

Result<Reply> evaluate(const json& request, const Desk& desk) {
  const Result<Expression> expression = Expression::parse(text(request, "expression"));
  if (!expression) return expression.error();
  const Result<LiveValue> value =
      evaluate_live(*expression, desk.sources(), desk.reader_or_null());
  if (!value) return value.error();
  const json& digits = member(request, "digits");
  const int kept = digits.is_number_integer() ? static_cast<int>(digits.get<double>()) : 3;
  const Result<std::string> said = format(value->quantity, text(request, "unit"), kept);
  if (!said) return said.error();
  const char* from = value->from_reader ? "reader" : value->measured ? "reference" : "facts";
  return Reply().number("value", value->quantity.value).text("text", *said).text("from", from);
}

Result<Reply> choose(const json& request, const Desk& desk) {
  Verdict verdict;
  if (const Status status = verdict.set_on(text(request, "on")); !status) return status.error();
  for (const json& one : member(request, "cases")) {
    if (!one.is_object()) return Error{"a case is not an object"};
    if (const Status status = verdict.add_when(text(one, "when")); !status) return status.error();
    if (const Status status = verdict.set_say(text(one, "say")); !status) return status.error();
  }
  const Result<Verdict::Choice> choice = verdict.choose(desk.sources(), desk.reader_or_null());
  if (!choice) return choice.error();
  return Reply()
      .text("say", choice->text)
      .number("case", static_cast<double>(choice->index))
      .text("from", choice->about_reader ? "reader" : "reference");
}

// What the question's expressions are evaluated against. `machine` names whose measurements count:
// the reader's, or, by default, the reference machine's.
Sources machine_of(const json& request, const Desk& desk) {
  Sources sources = desk.sources();
  if (text(request, "machine") == "reader") sources.profile = desk.reader_or_null();
  return sources;
}

// The answer to a worked question: its givens in front of facts and measurements.
Result<Quantity> worked_answer(const json& request, const Desk& desk) {
  Names names(machine_of(request, desk));
  Given given(&names);
  for (const auto& [name, source] : member(request, "given").items()) {
    const auto* words = source.get_ptr<const std::string*>();
    const Result<Expression> expression = Expression::parse(words ? *words : "");
    if (!expression) return expression.error();
    const Result<Quantity> value = expression->evaluate(given);
    if (!value) return value.error();
    given.set(name, *value);
  }
  const Result<Expression> answer = Expression::parse(text(request, "answer"));
  if (!answer) return answer.error();
  return answer->evaluate(given);
}

Result<Reply> grade(const json& request, const Desk& desk) {
  const Result<Quantity> answer = worked_answer(request, desk);
  if (!answer) return answer.error();
  const std::string unit = text(request, "unit");
  const Result<Literal> typed = parse_answer(text(request, "input"), unit);
  if (!typed) return typed.error();
  if (!(typed->quantity.dimension == answer->dimension))
    return Error{"the answer is in " + (unit.empty() ? describe(answer->dimension) : unit) +
                 ", yours is in " + describe(typed->quantity.dimension)};
  const Result<Literal> tolerance = parse_literal(text(request, "tolerance", default_tolerance));
  if (!tolerance) return tolerance.error();
  const Result<std::string> expected = format(*answer, unit, 3);
  if (!expected) return expected.error();
  const double off = typed->quantity.value - answer->value;
  const double allowed = tolerance->quantity.value * std::abs(answer->value);
  const bool correct = agrees(*typed, *answer) || (off <= allowed && -off <= allowed);
  return Reply().flag("correct", correct).text("expected", *expected);
}

// A guess beside what was measured: both in the guess's unit, and how many times too large it is.
Result<Reply> compare(const json& request, const Desk& desk) {
  const std::string unit = text(request, "unit");
  const Result<Literal> guess = parse_answer(text(request, "input"), unit);
  if (!guess) return guess.error();
  if (!(guess->quantity.value > 0)) return Error{"a guess is a number above 0"};
  const Result<std::string> said = format(guess->quantity, unit, 3);
  if (!said) return said.error();
  Reply reply;
  reply.text("guess", *said);
  const Result<Expression> expression = Expression::parse(text(request, "measured"));
  if (!expression) return expression.error();
  const Result<LiveValue> value =
      evaluate_live(*expression, desk.sources(), desk.reader_or_null());
  if (!value) return value.error();
  const Result<std::string> measured = format(value->quantity, unit, 3);
  if (!measured) return measured.error();
  const double ratio = guess->quantity.value / value->quantity.value;
  const Result<std::string> factor = format(Quantity{ratio < 1 ? 1 / ratio : ratio}, "×", 2);
  return reply.text("measured", *measured)
      .text("from", value->from_reader ? "reader" : "reference")
      .number("ratio", ratio)
      .text("factor", factor ? *factor : "");
}

using Operation = Result<Reply> (*)(const json&, const Desk&);
struct Named {
  std::string_view name;
  Operation run;
};
constexpr Named operations[] = {
    {"render", draw}, {"evaluate", evaluate}, {"verdict", choose}, {"grade", grade},
    {"compare", compare}};

Result<Reply> answer(std::string_view request) {
  if (request.size() > longest_request) return Error{"the request is longer than 4 MiB"};
  const json object = json::parse(request.begin(), request.end(), nullptr, false);
  if (!object.is_object()) return Error{"the request is not a JSON object"};
  const std::string op = text(object, "op");
  Nearest nearest(op);
  for (const Named& operation : operations) {
    nearest.offer(operation.name);
    if (operation.name != op) continue;
    const Result<Desk> desk = prepare(object);
    return desk ? operation.run(object, *desk) : Result<Reply>(desk.error());
  }
  return Error{"unknown operation '" + op + "'", 0, 0, nearest.best()};
}

}  // namespace

std::string page_call(std::string_view request) {
  const Result<Reply> result = answer(request);
  if (result) return result->str();
  Reply error;
  error.text("message", result.error().message).text("suggestion", result.error().suggestion);
  return Reply().object("error", error).str();
}

}  // namespace figures
