#include "generator/diagnostic/severities.hpp"

#include <algorithm>

namespace primer {
namespace {

constexpr Rule lowered[] = {
    Rule::mixed_scripts,     Rule::unlisted_chapter,
    Rule::raw_html,          Rule::foreign_syntax,
    Rule::stray_mark,        Rule::lost_text,
    Rule::unused_definition, Rule::bad_image,
    Rule::dead_link,         Rule::empty_reference,
    Rule::bad_heading,       Rule::bad_callout,
    Rule::bad_caption,       Rule::bad_table,
    Rule::bad_code_block,    Rule::unknown_note,
    Rule::unused_note,       Rule::unknown_term,
    Rule::unknown_citation,  Rule::bad_maths,
    Rule::bare_number,       Rule::long_sentences,
    Rule::long_paragraph,    Rule::long_section,
    Rule::avoided_word,      Rule::orphaned_translation,
    Rule::stale_translation, Rule::missing_translation,
};

bool holds(std::string_view place, std::string_view file) {
  return place.empty() || place == file || (place.ends_with('/') && file.starts_with(place));
}

}  // namespace

bool can_be_lowered(Rule rule) { return std::ranges::find(lowered, rule) != std::end(lowered); }

void Severities::set(const std::string& place, Rule rule, Severity severity) {
  places_[rule][place] = severity;
}

Severity Severities::of(Rule rule, std::string_view file, Severity usual) const {
  const auto places = places_.find(rule);
  if (places == places_.end()) return usual;
  // Of those that hold the file, the longest comes last.
  for (const auto& [place, severity] : places->second) {
    if (holds(place, file)) usual = severity;
  }
  return usual;
}

}  // namespace primer
