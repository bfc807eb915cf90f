// Stage "index": what every chapter has that another may refer to.
//
// Each chapter is parsed once for its ids, numbers and titles, and its tree is freed: holding the
// trees of a thousand chapters costs a hundred megabytes, their index a few. A number belongs to
// the chapter ("Figure 1.2"), so chapters can be indexed in any order and in parallel. Where no
// chapter has a number, number_consecutively() numbers figures through the whole book afterwards.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/load/book.hpp"
#include "generator/load/front_matter.hpp"
#include "generator/markdown/anchor_kind.hpp"
#include "generator/markdown/markdown.hpp"

namespace primer {

struct Anchor {
  AnchorKind kind = AnchorKind::section;
  std::string id;
  std::string number;      // "1.2"; empty when its kind is not numbered
  std::string title;       // of a section, plain text
  int level = 0;           // of a section
  std::size_t offset = 0;  // of the node
};

// A block at the top of a chapter that is translated, or of its translation (translation.hpp).
struct TextBlock {
  std::size_t offset = 0;
  int line = 0;
  std::string hash;   // of its text; in a translation, of the text that it was made from
  int mark_line = 0;  // in a translation: where that is written; 0: nowhere
  std::string kind;   // "a paragraph"
  // What a translation takes over as it is, in the order of the alphabet (block_reference.hpp).
  std::vector<std::string> references = {};
};

// What a translation's page tells above a block.
struct Notice {
  std::size_t before = 0;        // offset of the block
  bool stale = false;            // its original has changed
  std::string original;          // id on the original's page; empty: its beginning
  std::vector<std::string> ids;  // of the block's original that are nowhere here
};

// A block of the original that is not translated, so that the translation's page shows it.
struct Untranslated {
  std::size_t before = 0;          // offset of a block here; npos: at the end
  std::size_t begin = 0, end = 0;  // offsets in the original
  std::string original;            // as in a notice
};

struct ChapterIndex {
  const Entry* entry = nullptr;
  FrontMatter front;
  std::vector<Anchor> anchors;  // in document order
  std::set<std::string> terms;  // of the glossary, that the page uses
  bool has_formulas = false;
  // Whether everything in the chapter could be read. What is not there may stand in a block that is
  // broken, and that was reported.
  bool whole = true;
  std::vector<TextBlock> blocks = {};           // of what is translated, and of translations
  std::vector<Notice> notices = {};             // of translations
  std::vector<Untranslated> untranslated = {};  // in the original's order

  const Anchor* find(std::string_view id) const;
  const Anchor* at(std::size_t offset) const;
  std::vector<std::string> ids() const;
};

// What a page can see of another chapter: everything but where in the file it stands.
Digest visible_part(const ChapterIndex& chapter);

// Chapters in the book's order, then pages.
class Index {
 public:
  // Entries must outlive the index. `visible` is visible_part() of each chapter.
  Index(std::vector<ChapterIndex> chapters, std::vector<Digest> visible);
  const std::vector<ChapterIndex>& all() const;
  const ChapterIndex* by_file(std::string_view file) const;

  // The same chapters with a record of what is asked for: the digest of everything that another
  // page can see of a chapter, or of all of them. For one thread; an index that is not watched keeps
  // no record and is for any number.
  Index watched() const;
  const Dependencies& reads() const { return reads_; }
  // Of anchors; `absent` for a chapter that does not exist.
  Digest digest_of(const Dependency& asked) const;
  // The same by a chapter's number in all().
  const Digest& digest_at(std::size_t number) const { return content_->visible[number]; }

 private:
  struct Content {
    std::vector<ChapterIndex> chapters;
    std::vector<Digest> visible;
    Digest all_visible;
    std::map<std::string_view, std::size_t> by_file;  // views of the entries'
  };
  std::shared_ptr<const Content> content_;
  bool watched_ = false;
  mutable Dependencies reads_;
};

// Reports bad and duplicate ids and headings that skip a level.
ChapterIndex index_chapter(const Entry& entry, const Source& source, const FrontMatter& front,
                           const Node& document, Diagnostics& diagnostics);

// In a book whose chapters have no numbers, "Figure 3" is the third of the book. Continues the count of
// the chapters before it; a translation has the numbers of its original.
using Counts = std::map<AnchorKind, int>;
void number_consecutively(ChapterIndex& chapter, Counts& counted);
void take_numbers(ChapterIndex& translation, const ChapterIndex& original);

}  // namespace primer
