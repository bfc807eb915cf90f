// Stage "render": one chapter's tree → the HTML of its body.
//
// The emitter walks the tree and writes well-formed HTML; nothing of the source passes through
// unescaped. It resolves as it goes: each number, link, listing and figure either is right or
// becomes a diagnostic, and the walk goes on, so that one build reports everything. It reads only
// what is immutable (RenderContext), so chapters render in parallel; formulas are left as marks, because
// they are typeset for the whole book in one batch.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/html.hpp"
#include "generator/formats/yaml.hpp"
#include "generator/index/caption.hpp"
#include "generator/index/index.hpp"
#include "generator/load/messages.hpp"
#include "generator/load/modules.hpp"
#include "generator/load/references.hpp"
#include "generator/load/values.hpp"
#include "generator/render/page_data.hpp"

namespace primer {

struct TextPlace;

struct RenderContext {
  const Book& book;
  const Index& index;
  const Values& values;
  Library library;  // terms are in this language, as far as they are translated
  const Modules& modules;
  const FileSystem& files;
  Cache* cache;  // or null
  const Messages& words;
  const RenderContext* original = nullptr;  // of a translation: of the pages that it translates

  // The language of what all locales share, where it is not this one's; else empty.
  std::string foreign() const {
    return book.language == book.source_language ? "" : book.source_language;
  }
};

// A part of a tip; a language where it is not the page's.
struct TipPart {
  std::string text, language = {};
};
using Tip = std::vector<TipPart>;

// Bytes of a chapter's HTML: text that is small may become large (highlighted code, tips, formulas).
constexpr std::size_t page_limit = 8 * 1024 * 1024;
std::string page_limit_message();

struct FormulaUse {
  std::string tex;
  bool display = false;
  std::size_t offset = 0,
              length = 0;  // in the chapter's file; npos: in the original's, which reports it
};

// What a reader sees of a paragraph, a heading or a cell: its text without tags, comments, entities
// and marks, and where in it its links are.
struct VisibleText {
  static constexpr std::string_view object = "\x01";  // an image or a formula
  static constexpr std::string_view note = "\x02";    // the number of a side note

  std::string text;
  std::map<const Node*, std::pair<std::size_t, std::size_t>> links;  // begin and end in the text

  explicit VisibleText(const Node& leaf) { add(leaf); }

 private:
  void add(const Node& node);
};

// For each of some siblings, whether it is an HTML tag that passes.
std::vector<bool> harmless_tags(const std::vector<Node>& siblings);

// An opening is the puzzle and its answer, in paragraphs, and tips beside them.
bool ends_opening(const Node& block);

// Whether a side note is called in it. A note is a <details>, which HTML does not allow inside <p>.
bool has_note(const Node& node);

// The first link, note or citation in the text of a link or a heading, which HTML does not allow
// inside another <a>; null when there is none.
const Node* inner_link(const Node& text);

// What stands in a body for formula number `index` until it is typeset.
std::string formula_mark(std::size_t index);

struct Body {
  std::string html;
  PageData data;
  std::vector<FormulaUse> formulas;
  std::set<std::string> images;    // files to publish
  std::set<std::string> offered;   // files to publish as they are, for download
  std::set<std::string> listed;    // files that it shows
  std::vector<std::string> cited;  // ids of references, in the order of their numbers
};

// A column of a Markdown table.
struct Column {
  Alignment alignment = Alignment::none;
  bool numbers = false;  // numbers without units: they are aligned by their points
  int decimals = 0;      // of the number that has most
};

// A prediction, whose answer the tables of measurements below it must not give away.
struct Guess {
  std::string id;
  std::set<std::string>
      runs;             // what it is about, as run_key() spells it; empty: the next measurement
  bool is_near = true;  // no heading and no measurement stand between
};

class Emitter {
 public:
  Emitter(const RenderContext& shared, const ChapterIndex& chapter, const Source& source,
          Diagnostics& diagnostics);
  ~Emitter();

  Body render(const Node& document);
  // The text of the front matter under `key`, or item `i` of the list there: one paragraph without <p>, or nothing for
  // empty text.
  std::string render_line(std::string_view key, const std::string& markdown, std::size_t i = 0);

  // A word of the page's language for an English one.
  std::string word(std::string_view english) const { return shared.words(english); }

  // For blocks and links.
  const RenderContext& shared;
  const ChapterIndex& chapter;
  const Source& source;
  Diagnostics& diagnostics;
  Html out;
  PageData data;
  std::vector<Guess> guesses;  // that the page has asked for so far

  void blocks(const Node& parent);
  void inlines(const Node& parent);
  // What is visible before and behind a link, in the leaf that is being written.
  std::pair<std::string_view, std::string_view> around(const Node& link);
  // Markdown inside a block's YAML: blocks, or the inlines of its only paragraph.
  void markdown(const Yaml& scalar);
  void markdown_line(const Yaml& scalar);
  // A formula, left as a mark; reports what GitHub would render differently.
  void formula(const Node& node);
  // "<p class="label">Figure 1.2</p>"-like text: "Figure 1.2".
  std::string label(const Anchor* anchor, AnchorKind kind) const;
  // How many questions that are right or wrong stand below this place and above the next section.
  int questions_after(std::size_t offset) const;
  // "live.3": no heading's id and no block's has a point.
  std::string next_id(const std::string& prefix);
  // From this page to another place of the site: "../matmul/".
  std::string relative(const std::string& url) const;
  void error(Rule rule, std::size_t offset, std::size_t length, std::string message,
             std::string suggestion = {});
  // An error inside the value of a YAML scalar; about all of it when it has no span of its own.
  void error(Rule rule, const Yaml& at, const figures::Error& error);
  // Whether code of that language has colours, or is one of those that need none.
  bool knows_language(std::string_view name) const;
  // Whether a further error will be shown; if not, what it is like need not be looked for.
  bool tells() const { return !diagnostics.full(source.path()); }
  // Below an error that was just reported: what units there are, when it is about an unknown one.
  void hint_of_units(const figures::Error& error);
  // Writes text that shows `tip`, which is not empty, on hover, focus and tap.
  void with_tip(std::string_view tag, std::string_view css_class, const Node& content,
                const Tip& tip);
  void tip_text(const std::string& id, const Tip& tip);
  // The language of a term where it is not the page's, else empty.
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
  void quote(const Node& node);
  void list(const Node& node);
  void table(const Node& node, const Node* previous);
  void check_caption(const Node& paragraph);
  void check_caption_word(const Caption& caption);
  // Names the table that follows, and is where links to it lead.
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
  // What the front matter says of the chapter, where the argument begins and where it ends.
  void end_answer();
  void end_opening();
  void takeaway();
  void points(std::string_view key, const std::vector<std::string>& lines);
  void first_sources(const Node& paragraph);
  void reference_list();
  void notices(std::size_t before);
  void tell(std::string_view english, const std::string& original);
  // Blocks of the original that are not translated and would stand above a block, as they are there.
  struct Original;
  bool load_original();
  void untranslated(std::size_t before);
  void original_blocks(const std::vector<Node>& blocks, bool in_its_words);
  void swap_page(Emitter& other);

  const Node* leaf_ = nullptr;          // whose inlines are being written; null between leaves
  std::optional<VisibleText> visible_;  // of the leaf, if it was asked for
  std::optional<Yaml> front_;           // the front matter, once a text of it is written
  std::size_t opening_end_ = 0;         // bytes of `out`
  const Node* top_ = nullptr;           // the document
  std::vector<FormulaUse> formulas_;
  std::set<std::string> images_;
  std::set<std::string> listed_;
  std::set<std::string> offered_;
  std::map<std::string, int> counters_;
  std::map<std::string, const Node*> notes_;
  std::set<std::string> notes_shown_;
  bool too_large_ = false;
  bool answering_ = true;  // the chapter's first paragraphs: its puzzle and the answer
  bool opening_ = true;    // these and tips beside them, before the first heading or block
  std::vector<std::string> cited_;
  std::set<std::string> section_cited_;  // since the last heading of a section
  bool inside_callout_ = false;
  bool inside_table_ = false;
  std::unique_ptr<Original> original_;  // once a block of it is shown
  int notes_before_ = 0;                // side notes with numbers below those of this text
};

}  // namespace primer
