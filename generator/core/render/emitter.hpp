// Stage "render": turns the syntax tree of one page into HTML and page data.
//
//   Node --> blocks() --> block() --+--> inlines() --> inline_node() ----------> out
//                                   +--> fenced block: render/blocks/*_block --> out, data
//
// The emitter resolves links, facts, expressions and figures as it walks. Each is either correct or
// becomes a diagnostic, and the walk goes on, so that one build reports every error. HTML is well
// formed by construction (html.hpp), and text from the source is always escaped. Formulas are left
// as marks (formula_mark), because the whole book is typeset in one batch.
//
// One emitter serves one page: call render_line() for lines of front matter, then render() once,
// which moves the result out. RenderContext, ChapterIndex and Source must outlive the emitter. They
// are immutable or thread-safe, so pages can be rendered in parallel.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/formats/yaml.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/load/messages.hpp"
#include "generator/core/load/modules.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"
#include "generator/core/render/excerpt.hpp"
#include "generator/core/render/page_data.hpp"

namespace primer {

struct QuoteMarker;
struct TextPlace;

// What the pages of one language have in common. The pipeline owns everything it refers to.
struct RenderContext {
  const Book& book;
  const Index& index;
  const Values& values;
  Library library;  // with the terms of this language; untranslated terms are the original's
  const Modules& modules;
  const FileSystem& files;
  Cache* cache;  // may be null
  const Messages& words;
  // The source language's context; null for that language itself.
  const RenderContext* original = nullptr;

  // The language of text that all locales share (titles of works, facts), or "" if it is this one.
  std::string foreign() const {
    return book.language == book.source_language ? "" : book.source_language;
  }
};

// Part of a tooltip. `language` is empty if it is the page's.
struct TipPart {
  std::string text, language = {};
};
using Tip = std::vector<TipPart>;

// Largest size of a page's HTML in bytes. Highlighted code, tooltips and formulas can make a large
// page from a small text.
constexpr std::size_t page_limit = 8 * 1024 * 1024;
std::string page_limit_message();

// One formula of the page. Its index in the list is the number in its mark.
struct FormulaUse {
  std::string tex;
  bool display = false;
  // In the source. An offset of npos: from the original, whose own page reports errors.
  std::size_t offset = 0, length = 0;
};

// The visible text of a paragraph, a heading or a cell, without tags, comments and entities, and
// the position of each link in it.
struct VisibleText {
  static constexpr std::string_view object = "\x01";  // stands for an image or a formula
  static constexpr std::string_view note = "\x02";    // stands for the number of a side note

  std::string text;
  std::map<const Node*, std::pair<std::size_t, std::size_t>> links;  // begin and end in `text`

  explicit VisibleText(const Node& leaf) { add(leaf); }

 private:
  void add(const Node& node);
};

// For each sibling, whether it is a harmless HTML tag that is closed in the right order.
std::vector<bool> harmless_tags(const std::vector<Node>& siblings);

// Whether `block` ends the opening of a chapter: the puzzle and its answer in paragraphs, lists and
// callouts.
bool ends_opening(const Node& block);

// Whether the node refers to a side note. A note is a <details>, which HTML does not allow in <p>.
bool has_note(const Node& node);

// The first link, note or citation inside the text of a link or heading, which HTML does not allow
// inside another <a>. Null if there is none.
const Node* inner_link(const Node& text);

// Placeholder in the HTML for formula `index`; typeset() replaces it.
std::string formula_mark(std::size_t index);

struct Body {
  std::string html;
  PageData data;
  std::vector<FormulaUse> formulas;
  std::set<std::string> images;    // files to publish, cleaned by clean_image()
  std::set<std::string> offered;   // files to publish unchanged, for download
  std::set<std::string> listed;    // files whose content the page shows
  std::vector<std::string> cited;  // ids of references; reference 1 comes first
  std::vector<PagePreset> presets;
};

// How one column of a Markdown table is set.
struct Column {
  Alignment alignment = Alignment::none;
  bool numbers = false;  // plain numbers, aligned at their decimal points
  int decimals = 0;      // the most decimals in the column
};

// A prediction on the page. Tables of measurements below must not reveal its answer.
struct Guess {
  std::string id;
  std::set<std::string> runs;  // run_key() of what it asks about; empty: the next measurement
  bool is_near = true;         // no heading or measurement since; cleared by both
};

class Emitter {
 public:
  Emitter(const RenderContext& shared, const ChapterIndex& chapter, const Source& source,
          Diagnostics& diagnostics);
  ~Emitter();

  Body render(const Node& document);
  // Renders the front matter's text under `key`, or item `i` of the list there, as the inlines of
  // one paragraph. Empty text gives "".
  std::string render_line(std::string_view key, const std::string& markdown, std::size_t i = 0);

  // Translates a UI string into the page's language.
  std::string word(std::string_view english) const { return shared.words(english); }

  // The rest of the public part is for blocks and links.
  const RenderContext& shared;
  const ChapterIndex& chapter;
  const Source& source;
  Diagnostics& diagnostics;
  Html out;
  PageData data;
  std::vector<Guess> guesses;  // predictions so far
  std::vector<PagePreset> presets;

  void blocks(const Node& parent);
  void inlines(const Node& parent);
  // The visible text before and after a link in the current paragraph, heading or cell.
  std::pair<std::string_view, std::string_view> around(const Node& link);
  // Renders Markdown in a block's YAML, as blocks or as the inlines of a single paragraph.
  void markdown(const Yaml& scalar);
  void markdown_line(const Yaml& scalar);
  // Writes a formula as a mark. Reports what GitHub would render differently.
  void formula(const Node& node);
  // The label of a numbered block without markup: "Figure 1.2".
  std::string label(const Anchor* anchor, AnchorKind kind) const;
  // How many worked questions and quizzes follow `offset` before the next section.
  int questions_after(std::size_t offset) const;
  // A new id such as "live.3". It cannot collide: ids of headings and blocks have no point.
  std::string next_id(const std::string& prefix);
  // A relative link from this page to another address of the site: "../matmul/".
  std::string relative(const std::string& url) const;
  void error(Rule rule, std::size_t offset, std::size_t length, std::string message,
             std::string suggestion = {});
  // Reports an error inside a YAML scalar, or about the whole scalar if the error has no span.
  void error(Rule rule, const Yaml& at, const figures::Error& error);
  // Whether code in this language is highlighted or deliberately has no colors.
  bool knows_language(std::string_view name) const;
  // Whether another error of this page would be shown. If not, callers skip costly suggestions.
  bool tells() const { return !diagnostics.full(source.path()); }
  // If the last error was an unknown unit without a suggestion, adds a note that lists units.
  void hint_of_units(const figures::Error& error);
  // Writes text that shows `tip` on hover, focus and tap. `tip` must not be empty.
  void with_tip(std::string_view tag, std::string_view css_class, const Node& content,
                const Tip& tip);
  void tip_text(const std::string& id, const Tip& tip);
  // The language of a term, or "" if it is the page's.
  std::string foreign(const Term& term) const;
  void show_file(const std::string& file) { listed_.insert(file); }
  void use_image(const std::string& file) { images_.insert(file); }
  void offer_file(const std::string& file) { offered_.insert(file); }
  std::string citation_number(const std::string& id);

 private:
  bool too_large(const Node& node);
  void measure_all();
  void block(const Node& node, const Node* previous);
  void predictions(const Node& parent, std::size_t at, const Node* previous);
  void inline_node(const Node& node);
  void check_closing_marks(const Node& node);
  void heading(const Node& node);
  void fold(const Node& heading);
  void fold_line(const SectionNote& note);
  void end_fold();
  const Yaml& front_yaml();
  // Renders `text`, the value of the scalar `found` in the front matter, as inlines.
  std::string render_scalar(const Yaml* found, const std::string& text);
  void quote(const Node& node);
  void unknown_callout(const QuoteMarker& marker);
  void callout_title(const QuoteMarker& marker);
  // `rest` is the quote without the marker's line.
  void tabs(const QuoteMarker& marker, const Node& rest);
  void list(const Node& node);
  void table(const Node& node, const Node* previous);
  void check_caption(const Node& paragraph);
  void check_caption_word(const Caption& caption);
  // Writes the caption of the table below it. Links to the table lead here.
  void caption_above(const Caption& caption, const Node& node);
  void picture(const Caption& caption, const Node& paragraph);
  void html_block(const Node& node);
  void inline_html(const Node& node);
  void check_marks(const Node& parent);
  void check_numbers(const Node& ordered_list);
  void check_text_marks(const std::vector<Node>& nodes, std::size_t i, const TextPlace& place);
  void harmless_html(const Node& node);
  void raw_html(const Node& node, std::size_t length);
  void table_row(const Node& row, const std::vector<Column>& columns);
  void check_cells(const Node& row, const Node& header);
  void code_block(const Node& node);
  bool swallows_block(const Node& code);
  void check_hashes(const Node& paragraph);
  void equation(Node formula_node, std::string_view id);
  void text(const Node& node);
  void citation(const Node& node);
  void note_reference(const Node& node);
  void undefined_note(const Node& text);
  // Parts of the front matter in the text: after the answer, after the opening, at the end.
  void end_answer();
  void end_opening();
  void takeaway();
  void points(std::string_view key, const std::vector<std::string>& lines);
  void first_sources(const Node& paragraph);
  void reference_list();
  void notices(std::size_t before);
  void tell(std::string_view english, const std::string& original);
  // Blocks of the original that have no translation (translation_notices.cpp).
  struct Original;
  bool load_original();
  void untranslated(std::size_t before);
  void original_blocks(const std::vector<Node>& blocks, bool in_its_words);
  void swap_page(Emitter& other);

  const Node* leaf_ = nullptr;  // the paragraph, heading or cell being written; null between them
  std::optional<VisibleText> visible_;  // of leaf_, once around() needs it
  std::optional<Yaml> front_;           // front matter, once a line of it is rendered
  std::size_t opening_end_ = 0;         // position in `out` where measure_all() inserts its button
  int fold_level_ = 0;  // level of the folded section's heading; 0: no section is folded
  const Node* fold_heading_ = nullptr;  // heading of the last folded section
  const Node* top_ = nullptr;           // the document; its direct children are the page's blocks
  std::vector<FormulaUse> formulas_;
  std::set<std::string> images_;
  std::set<std::string> listed_;
  std::set<std::string> offered_;
  std::map<std::string, int> counters_;
  std::map<std::string, const Node*> notes_;
  std::set<std::string> notes_shown_;
  bool too_large_ = false;  // page_limit was exceeded and reported; nothing more is written
  bool answering_ = true;   // still in the puzzle and its answer
  bool opening_ = true;     // still before the first heading or block that ends_opening()
  std::vector<std::string> cited_;
  std::set<std::string> section_cited_;  // since the last section heading
  bool inside_callout_ = false;
  bool inside_tabs_ = false;
  bool inside_table_ = false;
  std::unique_ptr<Original> original_;  // set by load_original()
  int notes_before_ = 0;  // added to note numbers; side notes of the translation come first
};

}  // namespace primer
