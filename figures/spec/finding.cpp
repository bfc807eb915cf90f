#include "figures/spec/finding.hpp"

#include "figures/quantities/verdict.hpp"

namespace figures {

std::string finding_of(Fields& fields, Scope& scope) {
  return sentence_of(fields, "finding", scope);
}

std::string sentence_of(Fields& fields, std::string_view member, Scope& scope) {
  const std::string text = fields.text(member);
  if (fields.error() || text.empty()) return {};
  const Result<Sentence> sentence = Sentence::parse(text);
  if (!sentence) {
    fields.fail(member, sentence.error());
    return {};
  }
  Result<std::string> filled = sentence->fill(scope, {});
  if (filled) return std::move(filled).value();
  if (filled.error().cause == Cause::invalid) fields.fail(member, filled.error());
  return "Not measured yet.";
}

}  // namespace figures
