// The rules: each mistake that primer reports has a stable id. The table in rule.cpp is the single
// source of what an id means and how to fix the mistake; the page /rules/ is generated from it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  bad_tabs,
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
  long_sentence,
  crowded_sentence,
  odd_phrase,
  long_paragraph,
  long_section,
  placeholder,
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
  std::string_view cure;     // how to fix it, one sentence
};

const RuleInfo& info(Rule rule);
std::span<const RuleInfo> all_rules();
// Null if there is no such rule.
const RuleInfo* find_rule(std::string_view id);

// The page that documents the rules, from the site's root.
inline constexpr const char* rules_url = "rules/";
// "https://…/rules/#unknown-fact"; relative to the site's root if `base_url` is empty.
std::string rule_address(Rule rule, const std::string& base_url);

// A text that breaks the rule, and the corrected text. Every rule of the table has one. The page
// /rules/ shows them and the tests run them, so they stay correct.

struct RuleExample {
  Rule rule;
  // The file whose content `wrong` and `right` are. Empty: a chapter, after its front matter.
  // "primer": a command line.
  std::string file;
  std::string wrong, right;
};

// In the order of the table.
std::vector<RuleExample> rule_examples();

}  // namespace primer
