#include "generator/host/maths.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/typeset/mathml.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;
using nlohmann::json;
using Event = LineProcess::Event;

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

Error about(const Formula& formula, std::string message) {
  return {std::move(message), 0, formula.tex.size(), {}};
}

std::string beyond(std::size_t most, std::string_view what) {
  return "the book's formulas before this one come to " + std::to_string(most) + " bytes of " +
         std::string(what) + ", which is the limit: make them shorter or fewer";
}

std::string request(const Formula& formula, std::size_t id) {
  return json{{"id", id}, {"tex", formula.tex}, {"display", formula.display}}.dump() + "\n";
}

// What chapters like these are written with, to suggest from.
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

// Nothing when the line is not an answer to request `id`.
std::optional<Result<std::string>> parse_answer(const std::string& line, std::size_t id) {
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

}  // namespace

Maths::Maths(std::filesystem::path root, Cache& cache, Options options)
    : root_(std::move(root)), cache_(cache), options_(std::move(options)) {
  const std::string repertoire = read_whole(root_ / "site/fonts/repertoire.txt");
  repertoire_ = MathsRepertoire::parse(repertoire);
  const auto helper = root_ / "generator/host/maths_helper.mjs";
  const auto temml = root_ / "node_modules/temml/package.json";
  converter_ = content_hash(read_whole(helper) + read_whole(temml));
  version_ = converter_ + content_hash(repertoire);
  if (options_.command.empty()) {
    options_.command = {options_.node.empty() ? "node" : options_.node.string(),
                        "--max-old-space-size=256", helper.string()};
  }
}

std::string Maths::key(const Formula& formula) const {
  return converter_ + (formula.display ? " display " : " inline ") + formula.tex;
}

std::vector<Result<std::string>> Maths::render(const std::vector<Formula>& formulas) {
  std::map<std::string, Converted> known;
  std::vector<const Formula*> different, unknown;
  std::size_t tex = 0;
  for (const Formula& formula : formulas) {
    const std::string name = key(formula);
    if (known.contains(name)) continue;
    different.push_back(&formula);
    tex += std::min(formula.tex.size(), longest_formula);
    if (formula.tex.size() > longest_formula) {
      known.emplace(name, about(formula, "a formula has at most " +
                                             std::to_string(longest_formula) + " bytes"));
    } else if (!is_utf8(formula.tex)) {
      known.emplace(name, about(formula, "the formula is not UTF-8 text"));
    } else if (tex > options_.most_tex) {
      known.emplace(name, about(formula, beyond(options_.most_tex, "TeX")));
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
    if (one && mathml > options_.most_mathml)
      one = about(*formula, beyond(options_.most_mathml, "MathML"));
  }
  std::vector<Converted> rendered;
  for (const Formula& formula : formulas) {
    rendered.push_back(clean(formula, known.at(key(formula))));
  }
  return rendered;
}

void Maths::expect() {
  const std::lock_guard lock(mutex_);
  if (cache_.was_empty() && !helper_started_) start_helper();
}

bool Maths::start_helper() {
  helper_started_ = true;
  helper_ready_ = false;
  return helper_.start(options_.command);
}

bool Maths::helper_started() const {
  const std::lock_guard lock(mutex_);
  return helper_started_;
}

// Every turn of the loop gets one answer at least, or gives up.
std::vector<Result<std::string>> Maths::convert(const std::vector<const Formula*>& formulas) {
  const std::lock_guard lock(mutex_);
  Batch batch{formulas, std::chrono::steady_clock::now() + options_.patience_for_all};
  while (!batch.whole()) {
    std::string failure;
    if (helper_.running() || start_helper()) {
      const Event event = converse(batch);
      if (event == Event::line) break;
      failure = !batch.spent.empty()      ? batch.spent
                : event == Event::timeout ? "the formula takes too long to convert"
                                          : "the converter of formulas fails on this formula";
      helper_.stop();
    }
    if (!helper_ready_) {
      failure = std::filesystem::path(options_.command.front()).filename().string() +
                ", which converts formulas, does not start";
    }
    const bool all = !helper_ready_ || !batch.spent.empty();
    do {
      batch.done.push_back(about(batch.next(), failure));
    } while (all && !batch.whole());
  }
  return std::move(batch.done);
}

// Asks for all that is not converted yet and takes the answers; Event::line when all have come.
Event Maths::converse(Batch& batch) {
  for (std::size_t i = batch.done.size(); i < batch.formulas.size(); ++i) {
    helper_.send(request(*batch.formulas[i], i));
  }
  while (!batch.whole()) {
    if (batch.mathml > options_.most_mathml) {
      batch.spent = beyond(options_.most_mathml, "MathML");
      return Event::closed;
    }
    if (const Event event = answer(batch); event != Event::line) return event;
  }
  return Event::line;
}

Event Maths::answer(Batch& batch) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      batch.end - std::chrono::steady_clock::now());
  std::string line;
  const Event event =
      helper_.next_line(line, std::clamp(left, std::chrono::milliseconds(0), options_.patience));
  if (event == Event::timeout && left < options_.patience) {
    batch.spent = "the book's formulas take longer than " +
                  std::to_string(options_.patience_for_all.count() / 1000) +
                  " s to convert, all together: no time is left for this one";
  }
  if (event != Event::line) return event;
  if (!helper_ready_) {
    if (line != R"({"ready":true})") return Event::closed;
    helper_ready_ = true;
    return Event::line;
  }
  auto converted = parse_answer(line, batch.done.size());
  if (!converted) return Event::closed;
  if (*converted) batch.mathml += (*converted)->size();
  batch.done.push_back(std::move(*converted));
  return Event::line;
}

Result<std::string> Maths::clean(const Formula& formula, const Converted& converted) const {
  if (!converted) return converted;
  if (repertoire_.empty()) return about(formula, "site/fonts/repertoire.txt cannot be read");
  auto cleaned = clean_mathml(*converted, repertoire_);
  if (cleaned) return cleaned;
  Error error = cleaned.error();
  error.length = formula.tex.size();
  return error;
}

}  // namespace primer
