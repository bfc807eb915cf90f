#include "figures/spec/finding.hpp"

#include "figures/quantities/verdict.hpp"

namespace figures {

std::string finding_of(Fields& fields, Scope& scope) {
  const std::string text = fields.text("finding");
  if (fields.error()) return {};
  const Result<Sentence> sentence = Sentence::parse(text);
  if (!sentence) {
    fields.fail("finding", sentence.error());
    return {};
  }
  Result<std::string> filled = sentence->fill(scope, {});
  if (filled) return std::move(filled).value();
  if (filled.error().cause == Cause::invalid) fields.fail("finding", filled.error());
  return "Not measured yet.";
}

}  // namespace figures
