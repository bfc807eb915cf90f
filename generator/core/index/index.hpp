// Stage "index": collects what other pages can refer to in each chapter: ids, numbers and titles.
//
//   Entry, Node --> index_chapter() --> ChapterIndex --+--> Index --> watched(): one page's view
//                                                      |
//                                                      +--> visible_part(): what other pages see
//
// Each chapter is parsed once, and its tree is freed, because the trees of a thousand chapters need
// a hundred megabytes and their index needs a few. Numbers are per chapter ("Figure 1.2"), so
// chapters can be indexed in any order and in parallel. In a book without chapter numbers,
// number_consecutively() numbers figures through the whole book afterwards.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/front_matter.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/core/markdown/markdown.hpp"

namespace primer {

// The line above a table or an image that numbers it: "Table tbl-energy: What a byte costs.",
// "Figure fig-die width=50%: The chip."

struct Caption {
  AnchorKind kind = AnchorKind::table;  // or figure
  std::string word;                     // the word before the id: "Table", or its translation
  std::string id;
  std::size_t id_offset = 0;
  std::string width;                  // as written, "50%"; empty: the image's own width
  Node text;                          // the paragraph without the word, the id and the width
  bool fits(const Node& next) const;  // whether `next` is of the kind that the caption names
};

// Widths that an image can have, in percent of the text's width.
inline constexpr std::array picture_widths{25, 33, 50, 67, 75};

std::optional<Caption> caption_of(const Node& paragraph);
// Whether the paragraph is a caption without text: "Figure fig-x:".
bool is_empty_caption(const Node& paragraph);

// The image that is the only content of a paragraph, or null.
const Node* lone_image(const Node& paragraph);

struct Anchor {
  AnchorKind kind = AnchorKind::section;
  std::string id;
  std::string number;      // "1.2"; empty: the kind is not numbered
  std::string title;       // of a section, plain text
  int level = 0;           // of a section
  std::size_t offset = 0;  // of the node
};

// A top-level block of a chapter that is translated, or of a translation (translation.hpp).
struct TextBlock {
  std::size_t offset = 0;
  int line = 0;
  std::string hash;   // hash of its text; in a translation, of the text that it was translated from
  int mark_line = 0;  // in a translation: line of the hash; 0: there is none
  std::string kind;   // for messages: "a paragraph"
  // What a translation must not change, sorted (block_reference.hpp).
  std::vector<std::string> references = {};
};

// A notice above a block on a translation's page. Set by align().
struct Notice {
  std::size_t before = 0;        // offset of the block
  bool stale = false;            // its original has changed
  std::string original;          // id on the original's page; empty: its top
  std::vector<std::string> ids;  // ids of the original block that this page lacks
};

// A block of the original that is not translated, so the translation's page shows the original. Set
// by align().
struct Untranslated {
  std::size_t before = 0;          // offset of the block here that follows it; npos: at the end
  std::size_t begin = 0, end = 0;  // offsets in the original
  std::string original;            // like Notice::original
};

struct ChapterIndex {
  const Entry* entry = nullptr;
  FrontMatter front;
  std::vector<Anchor> anchors;  // in document order
  std::set<std::string> terms;  // ids of the glossary terms that the page uses
  bool has_formulas = false;
  // Whether the whole chapter could be read. Otherwise a missing id may be in a broken block, which
  // was reported.
  bool whole = true;
  std::vector<TextBlock> blocks = {};  // of originals with translations, and of translations
  std::vector<Notice> notices = {};    // of translations
  std::vector<Untranslated> untranslated = {};  // in the original's order

  const Anchor* find(std::string_view id) const;
  const Anchor* at(std::size_t offset) const;
  std::vector<std::string> ids() const;
};

// The digest of what other pages can see of a chapter: everything except offsets in the file.
Digest visible_part(const ChapterIndex& chapter);

// Chapters in the book's order, then pages.
class Index {
 public:
  // Entries must outlive the index. `visible` has visible_part() of each chapter.
  Index(std::vector<ChapterIndex> chapters, std::vector<Digest> visible);
  const std::vector<ChapterIndex>& all() const;
  const ChapterIndex* by_file(std::string_view file) const;

  // A view for one thread that records requests: the digest of what other pages can see of a
  // chapter, or of all chapters. An unwatched index records nothing and may be used by any number
  // of threads.
  Index watched() const;
  const Dependencies& reads() const { return reads_; }
  // The digest of an anchors dependency; `absent` if there is no such chapter.
  Digest digest_of(const Dependency& asked) const;

 private:
  struct Content {
    std::vector<ChapterIndex> chapters;
    std::vector<Digest> visible;
    Digest all_visible;
    std::map<std::string_view, std::size_t> by_file;  // views of strings in the entries
  };
  std::shared_ptr<const Content> content_;
  bool watched_ = false;
  mutable Dependencies reads_;
};

// Collects the index of a chapter. Reports bad and duplicate ids, and headings that skip a level.
ChapterIndex index_chapter(const Entry& entry, const Source& source, const FrontMatter& front,
                           const Node& document, Diagnostics& diagnostics);

// Numbers figures through a book without chapter numbers ("Figure 3"). `counted` continues from the
// chapters before. A translation takes the numbers of its original.
using Counts = std::map<AnchorKind, int>;
void number_consecutively(ChapterIndex& chapter, Counts& counted);
void take_numbers(ChapterIndex& translation, const ChapterIndex& original);

// Ids that every page has around its text (site/templates/page.mustache), and those of the lists on
// the home page. A heading with such an id would make links ambiguous.
std::vector<std::string> frame_ids(bool home);

// Ids that occur more than once in well-formed HTML or that are in `taken`; sorted, without
// duplicates.
std::vector<std::string> repeated_ids(std::string_view html, const std::vector<std::string>& taken);

// Reports ids that the page would have twice, at the heading or block with the id.
void check_ids(const ChapterIndex& chapter, const Source& source, std::string_view html,
               Diagnostics& diagnostics);

}  // namespace primer
