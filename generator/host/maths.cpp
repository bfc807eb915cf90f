#include "generator/host/maths.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;
using Event = LineProcess::Event;

constexpr const char* helper = "generator/host/maths_helper.mjs";

std::string read_whole(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

// Digest of everything that decides how TeX becomes MathML.
std::string converter_in(const std::filesystem::path& root) {
  return content_hash(read_whole(root / helper) +
                      read_whole(root / "generator/host/maths_conversion.mjs") +
                      read_whole(root / "node_modules/temml/package.json"));
}

}  // namespace

Maths::Maths(std::filesystem::path root, Cache& cache, Options options)
    : cache_(cache),
      options_(std::move(options)),
      typesetting_(converter_in(root), read_whole(root / "site/fonts/repertoire.txt"), cache,
                   {options_.most_tex, options_.most_mathml}) {
  if (options_.command.empty()) {
    // Optimizing compilation pays off only above some 4,000 formulas, more than a book has.
    options_.command = {options_.node.empty() ? "node" : options_.node.string(),
                        "--max-old-space-size=256", "--no-opt", (root / helper).string()};
  }
}

std::vector<Result<std::string>> Maths::render(const std::vector<Formula>& formulas) {
  return typesetting_.render(formulas, [this](const auto& unknown) { return convert(unknown); });
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

// Each round either gets at least one answer or records a failure, so the loop ends.
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
                                          : "the formula converter fails on this formula";
      helper_.stop();
    }
    if (!helper_ready_) {
      failure = std::filesystem::path(options_.command.front()).filename().string() +
                ", which converts formulas, does not start";
    }
    const bool all = !helper_ready_ || !batch.spent.empty();
    do {
      batch.done.push_back(about_formula(batch.next(), failure));
    } while (all && !batch.whole());
  }
  return std::move(batch.done);
}

// Sends what is not converted yet and reads the answers. Event::line: all are there.
Event Maths::converse(Batch& batch) {
  for (std::size_t i = batch.done.size(); i < batch.formulas.size(); ++i) {
    helper_.send(formula_request(*batch.formulas[i], i) + "\n");
  }
  while (!batch.whole()) {
    if (batch.mathml > options_.most_mathml) {
      batch.spent = beyond_bound(options_.most_mathml, "MathML");
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
  auto converted = converted_formula(line, batch.done.size());
  if (!converted) return Event::closed;
  if (*converted) batch.mathml += (*converted)->size();
  batch.done.push_back(std::move(*converted));
  return Event::line;
}

}  // namespace primer
