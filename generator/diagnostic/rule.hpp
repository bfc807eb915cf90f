// Every mistake that primer can name has a stable rule id. The table in rule.cpp is the one place
// that says what each id means and what a writer does about it; documentation is generated from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace primer {

enum class Rule {
  file_unreadable,
  file_too_large,
  file_not_utf8,
  hidden_character,
  mixed_scripts,
  unlisted_chapter,
  alias_taken,
  address_taken,
  path_outside_book,
  nesting_too_deep,
  table_too_large,
  bad_yaml,
  unknown_key,
  missing_key,
  wrong_type,
  bad_value,
  bad_json,
  duplicate_id,
  bad_id,
  raw_html,
  foreign_syntax,
  stray_mark,
  lost_text,
  unused_definition,
  unsafe_link,
  misleading_link,
  bad_image,
  dead_link,
  empty_reference,
  bad_heading,
  bad_callout,
  bad_caption,
  bad_table,
  bad_code_block,
  unknown_block,
  unknown_note,
  unused_note,
  unknown_fact,
  unknown_term,
  unknown_claim,
  unknown_citation,
  bad_expression,
  wrong_literal,
  unknown_figure,
  bad_figure,
  bad_verdict,
  unknown_kernel,
  bad_listing,
  private_source,
  bad_maths,
  bare_number,
  long_sentences,
  long_paragraph,
  long_section,
  avoided_word,
  unknown_language,
  orphaned_translation,
  bad_source_mark,
  stale_translation,
  missing_translation,
  unlike_original,
  unknown_profile,
  template_error,
  missing_module,
  output_error,
  page_too_large,
  more_errors,
};

struct RuleInfo {
  Rule rule;
  std::string_view id;       // as printed: "unknown-fact"
  std::string_view summary;  // what is wrong, one sentence
  std::string_view cure;     // what to do about it, one sentence
};

const RuleInfo& info(Rule rule);
std::span<const RuleInfo> all_rules();
// Null where no rule has this id.
const RuleInfo* find_rule(std::string_view id);

// The page that explains them, from the site's root.
inline constexpr const char* rules_url = "rules/";
// "https://…/rules/#unknown-fact"; without a base URL from the site's root.
std::string rule_address(Rule rule, const std::string& base_url);

}  // namespace primer
