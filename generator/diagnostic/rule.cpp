#include "generator/diagnostic/rule.hpp"

#include <algorithm>
#include <array>

namespace primer {
namespace {

// Kept in the order of the enumeration: info() indexes it.
constexpr std::array rules = {
    RuleInfo{Rule::file_unreadable, "file-unreadable", "A file is missing or cannot be read.",
             "Create it, or correct the path."},
    RuleInfo{Rule::file_too_large, "file-too-large", "A file exceeds the size limit.",
             "Split the chapter; 512 KiB is the limit."},
    RuleInfo{Rule::file_not_utf8, "file-not-utf8", "A file is not valid UTF-8 text.",
             "Save it as UTF-8 without control characters."},
    RuleInfo{
        Rule::hidden_character, "hidden-character",
        "A character that readers do not see, or that turns the direction of a text.",
        "Remove it; joiners stand between emoji or letters that join, isolates in languages written "
        "right to left."},
    RuleInfo{Rule::mixed_scripts, "mixed-scripts",
             "Letters of scripts that look alike in one word of code or one host (a warning).",
             "See whether each letter is the one that it seems to be."},
    RuleInfo{Rule::unlisted_chapter, "unlisted-chapter",
             "A file that looks like a part of the book and is in no site.",
             "List it in book.yaml, rename it, or move it out of chapters/."},
    RuleInfo{Rule::alias_taken, "alias-taken", "A former address that is in use.",
             "Remove it: an alias is an address that no page has and no other page had."},
    RuleInfo{
        Rule::address_taken, "address-taken", "Two things of the site would have one address.",
        "Rename one of them; capitals make no difference, because some servers do not tell them apart."},
    RuleInfo{Rule::path_outside_book, "path-outside-book", "A path leaves the book's directory.",
             "Use a path inside the book, without '..' at its start and without symbolic links."},
    RuleInfo{Rule::nesting_too_deep, "nesting-too-deep", "Blocks or marks are nested too deeply.",
             "Flatten it; 100 levels are the limit."},
    RuleInfo{Rule::table_too_large, "table-too-large", "A table has too many cells.",
             "Split the table; 20,000 cells are the limit."},
    RuleInfo{Rule::bad_yaml, "bad-yaml", "YAML that does not parse, or uses what the book forbids.",
             "Correct the syntax; anchors, aliases, tags and second documents are not allowed."},
    RuleInfo{Rule::unknown_key, "unknown-key", "A key that this place does not know.",
             "Correct its spelling or remove it."},
    RuleInfo{Rule::missing_key, "missing-key", "A required key is missing.", "Add it."},
    RuleInfo{Rule::wrong_type, "wrong-type", "A value has the wrong type.",
             "Write the type that the message names."},
    RuleInfo{Rule::bad_value, "bad-value", "A value is not one of those allowed.",
             "Write one of the values that the message names."},
    RuleInfo{Rule::bad_json, "bad-json", "A JSON file does not parse or has the wrong shape.",
             "Correct the file at the place shown."},
    RuleInfo{Rule::duplicate_id, "duplicate-id", "Two things have the same id.",
             "Rename one; ids are unique within a chapter."},
    RuleInfo{Rule::bad_id, "bad-id", "An id has characters that ids cannot have.",
             "Use lower-case letters, digits and hyphens, beginning with a letter."},
    RuleInfo{Rule::raw_html, "raw-html", "Raw HTML in a chapter.",
             "Use Markdown; HTML never reaches the page."},
    RuleInfo{Rule::foreign_syntax, "foreign-syntax",
             "Another tool's syntax, which would be printed as it is.",
             "Write the book's own form; what is meant to be read goes between backticks."},
    RuleInfo{Rule::stray_mark, "stray-mark",
             "A mark of Markdown that would be printed, or that marks what it should not.",
             "Close it, move it next to a space, or write a backslash before it."},
    RuleInfo{Rule::lost_text, "lost-text", "Words of a chapter that are on no page.",
             "Write them so that Markdown shows them, or remove them."},
    RuleInfo{Rule::unused_definition, "unused-definition", "A link definition that no text uses.",
             "Write [text][name] where the link belongs, or remove the definition."},
    RuleInfo{Rule::unsafe_link, "unsafe-link", "A link with a URL scheme that is not allowed.",
             "Use https, http, mailto, a path inside the book, or one of the book's own schemes."},
    RuleInfo{Rule::misleading_link, "misleading-link",
             "A link that names another place than it leads to, or hides where that is.",
             "Let the text name the host that the link leads to, and write the host plainly."},
    RuleInfo{
        Rule::bad_image, "bad-image", "An image that cannot be published.",
        "Put an SVG, PNG, JPEG or WebP file under chapters/, and give it an alternative text."},
    RuleInfo{Rule::dead_link, "dead-link", "A link to something that does not exist.",
             "Correct the path or the fragment."},
    RuleInfo{Rule::empty_reference, "empty-reference", "A link without text.",
             "Write the kind word: [Figure](#fig-x)."},
    RuleInfo{Rule::bad_heading, "bad-heading", "A heading that breaks the chapter's outline.",
             "Start at ## and go down one level at a time."},
    RuleInfo{Rule::bad_callout, "bad-callout", "A callout of an unknown kind or in a wrong place.",
             "Write the marker alone on the first line of a quote that is not nested."},
    RuleInfo{Rule::bad_caption, "bad-caption", "A caption without a table.",
             "Put 'Table tbl-x: caption' on a line of its own right above a table."},
    RuleInfo{Rule::bad_table, "bad-table", "A row has more or fewer cells than the table's head.",
             "Write every cell, also the empty ones; a bar inside a cell is \\|."},
    RuleInfo{Rule::bad_code_block, "bad-code-block", "A code block's language or marks are wrong.",
             "Name a language that can be highlighted, or 'text'."},
    RuleInfo{Rule::unknown_block, "unknown-block", "A block with an option that does not exist.",
             "Correct its spelling."},
    RuleInfo{Rule::unknown_note, "unknown-note", "A side note that is not defined.",
             "Add '[^id]: text' to the chapter."},
    RuleInfo{Rule::unused_note, "unused-note", "A side note that no text refers to.",
             "Write '[^id]' where it belongs, or remove the note."},
    RuleInfo{Rule::unknown_fact, "unknown-fact", "No fact has this id.",
             "Correct it, or add the fact with its source to chapters/facts/."},
    RuleInfo{Rule::unknown_term, "unknown-term", "The glossary has no such term.",
             "Correct it, or add it to chapters/facts/glossary.json."},
    RuleInfo{Rule::unknown_claim, "unknown-claim", "No dated claim has this id.",
             "Correct it, or add it to chapters/facts/claims.json."},
    RuleInfo{Rule::unknown_citation, "unknown-citation", "No reference has this id.",
             "Correct it, or add it to chapters/facts/references.json."},
    RuleInfo{Rule::bad_expression, "bad-expression", "An expression cannot be evaluated.",
             "Correct it at the place shown."},
    RuleInfo{Rule::wrong_literal, "wrong-literal", "A written number is not the true one.",
             "Write the value that the message gives."},
    RuleInfo{Rule::unknown_figure, "unknown-figure", "No figure specification has this name.",
             "Correct it, or add figures/specs/<name>.json."},
    RuleInfo{Rule::bad_figure, "bad-figure", "A figure cannot be drawn.",
             "Correct its specification."},
    RuleInfo{Rule::bad_verdict, "bad-verdict", "A verdict does not cover every case.",
             "Add the case that the message names."},
    RuleInfo{Rule::unknown_kernel, "unknown-kernel", "No kernel has this name.",
             "Correct it; the registry is wasm_kernels/registry.hpp."},
    RuleInfo{Rule::bad_listing, "bad-listing", "A listing's file or region does not exist.",
             "Correct the path or the region's name."},
    RuleInfo{Rule::private_source, "private-source", "A listing of a file that is not for readers.",
             "Show a committed file below a directory that the sources of book.yaml name."},
    RuleInfo{Rule::bad_maths, "bad-maths",
             "A formula that does not parse or that GitHub shows "
             "differently.",
             "Correct it as the message says."},
    RuleInfo{Rule::bare_number, "bare-number",
             "A number with a unit in plain text (checked by --prose).",
             "Make it a fact, a computed or a live value, or a claim."},
    RuleInfo{Rule::long_sentences, "long-sentences",
             "Half of a chapter's sentences are longer than 18 words (checked by --prose).",
             "Say one thing in a sentence."},
    RuleInfo{Rule::long_paragraph, "long-paragraph",
             "A paragraph has more than 120 words (checked by --prose).",
             "Split it where the thought turns."},
    RuleInfo{Rule::long_section, "long-section",
             "A section of more than 700 words shows, asks and measures nothing (checked by "
             "--prose).",
             "Add a figure, a question or a measurement, or split it."},
    RuleInfo{Rule::avoided_word, "avoided-word",
             "A translation uses another word than its language's for a term (checked by --prose).",
             "Use the word of site/locales/<language>.terms.json."},
    RuleInfo{Rule::unknown_language, "unknown-language",
             "A language without words or without a name.",
             "Name it in the languages of book.yaml, and put its words into site/locales/."},
    RuleInfo{Rule::orphaned_translation, "orphaned-translation",
             "A translation of a chapter that does not exist.",
             "Give the file the name of the chapter's file, or remove it."},
    RuleInfo{Rule::bad_source_mark, "bad-source-mark",
             "A mark of a translation without a block, or a block without a mark.",
             "Put the mark above the block, or let 'primer translate stamp' do it."},
    RuleInfo{Rule::stale_translation, "stale-translation",
             "A translated block whose original has changed (a warning).",
             "Translate the change, then 'primer translate stamp' with the block's line."},
    RuleInfo{Rule::missing_translation, "missing-translation",
             "A block that a translated chapter lacks, or a label of its drawings (a warning).",
             "Add the block, then 'primer translate stamp'; a label in site/locales/."},
    RuleInfo{
        Rule::unlike_original, "unlike-original",
        "A translated block whose facts, links, citations, formulas or ids are not the original's.",
        "Take them over as they are, and translate the words alone."},
    RuleInfo{Rule::unknown_profile, "unknown-profile", "The reference profile does not exist.",
             "Name a file of figures/profiles/ in book.yaml."},
    RuleInfo{Rule::template_error, "template-error", "A template cannot be used.",
             "Correct site/templates/."},
    RuleInfo{Rule::missing_module, "missing-module", "A WebAssembly module has not been built.",
             "Run scripts/build, or pass --modules none for a site that cannot measure."},
    RuleInfo{Rule::output_error, "output-error", "The site cannot be written.", "See the message."},
    RuleInfo{Rule::page_too_large, "page-too-large", "A chapter that makes too large a page.",
             "Split it; 8 MiB of HTML, 5,000 links and images, 2,000 headings and code blocks are "
             "the limits."},
    RuleInfo{Rule::more_errors, "more-errors", "A file with more mistakes than are listed.",
             "Mend those that are listed, then check again."},
};

constexpr bool sequential() {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].rule != static_cast<Rule>(i)) return false;
  }
  return rules.size() == static_cast<std::size_t>(Rule::more_errors) + 1;
}
static_assert(sequential());

}  // namespace

const RuleInfo& info(Rule rule) { return rules[static_cast<std::size_t>(rule)]; }

std::span<const RuleInfo> all_rules() { return rules; }

const RuleInfo* find_rule(std::string_view id) {
  const auto found = std::ranges::find(rules, id, &RuleInfo::id);
  return found == rules.end() ? nullptr : &*found;
}

std::string rule_address(Rule rule, const std::string& base_url) {
  return base_url + rules_url + '#' + std::string(info(rule).id);
}

}  // namespace primer
