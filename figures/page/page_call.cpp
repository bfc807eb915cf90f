#include "figures/page/page_call.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "figures/base/nearest.hpp"
#include "figures/draw/rendering.hpp"
#include "figures/page/request.hpp"
#include "figures/quantities/grading.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/quantities/verdict.hpp"

namespace figures {
namespace {

using nlohmann::json;

constexpr std::string_view default_tolerance = "2 %";

// The inputs of every operation.
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

Result<Reply> draw(const json& request, const Desk& desk) {
  const Inputs inputs{&desk.facts, desk.reference_or_null(), desk.reader_or_null(),
                      &desk.catalogue};
  const json& forms = member(request, "words");
  const Words words(forms);
  const Result<Rendering> drawing =
      render(member(request, "spec"), inputs,
             read_options(member(request, "options"), forms.is_object() ? &words : nullptr));
  if (!drawing) return drawing.error();
  return Reply().drawing(*drawing).text("from", drawing->shows_reader ? "reader" : "reference");
}

Result<Reply> evaluate(const json& request, const Desk& desk) {
  const Result<Expression> expression = Expression::parse(text(request, "expression"));
  if (!expression) return expression.error();
  const Result<LiveValue> value = evaluate_live(*expression, desk.sources(), desk.reader_or_null());
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
    if (!one.is_object()) return Error{for_author("a case is not an object")};
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

// The sources for the expressions of a question. `machine` selects the measurements: "reader" for
// the reader's, otherwise the reference machine's.
Sources machine_of(const json& request, const Desk& desk) {
  Sources sources = desk.sources();
  if (text(request, "machine") == "reader") sources.profile = desk.reader_or_null();
  return sources;
}

// The answer to a worked question. Its given values hide facts and measurements of the same name.
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
  const auto right = [&](const Literal& said) {
    const double off = said.quantity.value - answer->value;
    const double allowed = tolerance->quantity.value * std::abs(answer->value);
    return agrees(said, *answer) || (off <= allowed && -off <= allowed);
  };
  const Result<Literal> bare = parse_bare_answer(text(request, "input"), unit);
  const bool correct = right(*typed) || (bare && right(*bare));
  return Reply().flag("correct", correct).text("expected", *expected);
}

// Compares a guess with the measured value: both in the unit of the guess, and the factor between
// them.
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
  const Result<LiveValue> value = evaluate_live(*expression, desk.sources(), desk.reader_or_null());
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
constexpr Named operations[] = {{"render", draw},
                                {"evaluate", evaluate},
                                {"verdict", choose},
                                {"grade", grade},
                                {"compare", compare}};

Result<Reply> answer(std::string_view request) {
  const Result<json> parsed = parse_request(request);
  if (!parsed) return parsed.error();
  const json& object = *parsed;
  const std::string op = text(object, "op");
  Nearest nearest(op);
  for (const Named& operation : operations) {
    nearest.offer(operation.name);
    if (operation.name != op) continue;
    const Result<Desk> desk = prepare(object);
    return desk ? operation.run(object, *desk) : Result<Reply>(desk.error());
  }
  return Error{for_author("unknown operation '", op, "'"), 0, 0, nearest.best()};
}

}  // namespace

std::string page_call(std::string_view request) { return reply_text(answer(request)); }

}  // namespace figures
