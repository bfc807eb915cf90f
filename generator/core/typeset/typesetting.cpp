#include "generator/core/typeset/typesetting.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "generator/core/base/text.hpp"
#include "generator/core/typeset/mathml.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;
using nlohmann::json;

// Commands that chapters use, for suggestions.
std::vector<std::string> usual_commands() {
  std::vector<std::string> commands;
  for (const char* name :
       {"alpha",    "approx",   "ast",     "bar",     "begin",   "beta",         "bmod",
        "boxed",    "cdot",     "cdots",   "ceil",    "delta",   "Delta",        "dfrac",
        "dots",     "ell",      "end",     "epsilon", "eta",     "exp",          "floor",
        "forall",   "frac",     "gamma",   "ge",      "geq",     "gg",           "hat",
        "in",       "infty",    "int",     "lambda",  "langle",  "lceil",        "ldots",
        "le",       "left",     "leq",     "lfloor",  "ll",      "log",          "ln",
        "lvert",    "lVert",    "mathbf",  "mathbb",  "mathcal", "mathrm",       "max",
        "mid",      "min",      "mu",      "ne",      "neq",     "operatorname", "otimes",
        "overline", "parallel", "partial", "phi",     "pi",      "pm",           "prod",
        "propto",   "quad",     "rangle",  "rceil",   "rfloor",  "rho",          "right",
        "rvert",    "rVert",    "sigma",   "sim",     "sqrt",    "sum",          "tau",
        "text",     "tfrac",    "theta",   "tilde",   "times",   "to",           "underbrace",
        "vec"}) {
    commands.push_back('\\' + std::string(name));
  }
  return commands;
}

}  // namespace

Error about_formula(const Formula& formula, std::string message) {
  return {std::move(message), 0, formula.tex.size(), {}};
}

std::string beyond_bound(std::size_t most, std::string_view what) {
  return "the book's formulas before this one come to " + std::to_string(most) + " bytes of " +
         std::string(what) + ", which is the limit: make them shorter or fewer";
}

std::string formula_request(const Formula& formula, std::size_t id) {
  return json{{"id", id}, {"tex", formula.tex}, {"display", formula.display}}.dump();
}

std::optional<Result<std::string>> converted_formula(std::string_view line, std::size_t id) {
  const json answer = json::parse(line, nullptr, false);
  if (!answer.is_object() || answer.value("id", json()) != id) return std::nullopt;
  const auto text = [&](const char* name) {
    const auto found = answer.find(name);
    return found != answer.end() && found->is_string() ? found->get<std::string>() : "";
  };
  const auto number = [&](const char* name) {
    const auto found = answer.find(name);
    return found != answer.end() && found->is_number_unsigned() ? found->get<std::size_t>() : 0;
  };
  if (const std::string mathml = text("mathml"); !mathml.empty()) return mathml;
  std::string message = text("message");
  if (message.empty()) return std::nullopt;
  if (message[0] >= 'A' && message[0] <= 'Z') message[0] = static_cast<char>(message[0] + 32);
  std::string like;
  constexpr std::string_view unknown = "unsupported function name: ";
  if (message.starts_with(unknown))
    like = nearest(message.substr(unknown.size()), usual_commands());
  return Error{std::move(message), number("offset"), number("length"), std::move(like)};
}

Typesetting::Typesetting(std::string converter, const std::string& repertoire, Cache& cache,
                         Bounds bounds)
    : converter_(std::move(converter)),
      version_(converter_ + content_hash(repertoire)),
      repertoire_(MathsRepertoire::parse(repertoire)),
      cache_(cache),
      bounds_(bounds) {}

std::string Typesetting::key(const Formula& formula) const {
  return converter_ + (formula.display ? " display " : " inline ") + formula.tex;
}

std::vector<Result<std::string>> Typesetting::render(const std::vector<Formula>& formulas,
                                                     const Convert& convert) const {
  std::map<std::string, Converted> known;
  std::vector<const Formula*> different, unknown;
  std::size_t tex = 0;
  for (const Formula& formula : formulas) {
    const std::string name = key(formula);
    if (known.contains(name)) continue;
    different.push_back(&formula);
    tex += std::min(formula.tex.size(), longest_formula);
    if (formula.tex.size() > longest_formula) {
      known.emplace(name, about_formula(formula, "a formula has at most " +
                                                     std::to_string(longest_formula) + " bytes"));
    } else if (!is_utf8(formula.tex)) {
      known.emplace(name, about_formula(formula, "the formula is not UTF-8 text"));
    } else if (tex > bounds_.most_tex) {
      known.emplace(name, about_formula(formula, beyond_bound(bounds_.most_tex, "TeX")));
    } else if (auto cached = cache_.find(Cache::Kind::formula, name)) {
      known.emplace(name, std::move(*cached));
    } else {
      unknown.push_back(&formula);
      known.emplace(name, std::string());
    }
  }
  std::vector<Converted> converted = convert(unknown);
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    const std::string name = key(*unknown[i]);
    if (converted[i]) cache_.store(Cache::Kind::formula, name, *converted[i]);
    known.insert_or_assign(name, std::move(converted[i]));
  }
  std::size_t mathml = 0;
  for (const Formula* formula : different) {
    Converted& one = known.at(key(*formula));
    if (one) mathml += one->size();
    if (one && mathml > bounds_.most_mathml)
      one = about_formula(*formula, beyond_bound(bounds_.most_mathml, "MathML"));
  }
  std::vector<Converted> rendered;
  for (const Formula& formula : formulas) {
    rendered.push_back(clean(formula, known.at(key(formula))));
  }
  return rendered;
}

Result<std::string> Typesetting::clean(const Formula& formula, const Converted& converted) const {
  if (!converted) return converted;
  if (repertoire_.empty())
    return about_formula(formula, "site/fonts/repertoire.txt cannot be read");
  auto cleaned = clean_mathml(*converted, repertoire_);
  if (cleaned) return cleaned;
  Error error = cleaned.error();
  error.length = formula.tex.size();
  return error;
}

}  // namespace primer
