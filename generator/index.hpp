// Stage "index": what every chapter has that another may refer to.
//
// Each chapter is parsed once for its ids, numbers and titles, and its tree is freed: holding the
// trees of a thousand chapters costs a hundred megabytes, their index a few. A number belongs to
// the chapter ("Figure 1.2"), so chapters can be indexed in any order and in parallel.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generator/book.hpp"
#include "generator/front_matter.hpp"
#include "generator/markdown.hpp"

namespace primer {

enum class AnchorKind { section, figure, table, equation, question, measurement, listing, verdict };

// "Figure", "Question", …: the word that a cross-reference writes.
std::string_view kind_word(AnchorKind kind);

struct Anchor {
  AnchorKind kind = AnchorKind::section;
  std::string id;
  std::string number;      // "1.2"; empty when its kind is not numbered
  std::string title;       // of a section, plain text
  int level = 0;           // of a section
  std::size_t offset = 0;  // of the node
};

// "Table tbl-energy: What a byte costs." as the paragraph right above a table.
struct TableCaption {
  std::string id;
  std::size_t id_offset = 0;
  Node caption;  // a paragraph without the "Table tbl-energy: " in front
};
std::optional<TableCaption> table_caption(const Node& paragraph);

// A fenced block of the book's own: ```figure, ```bench … Nothing for ordinary code.
struct OwnBlock {
  AnchorKind kind;
  bool numbered;
};
std::optional<OwnBlock> own_block(std::string_view info);

struct ChapterIndex {
  const Entry* entry = nullptr;
  FrontMatter front;
  std::vector<Anchor> anchors;  // in document order
  std::set<std::string> terms;  // of the glossary, that the text uses outside of YAML
  // Whether everything in the chapter could be read. What is not there may stand in a block that is
  // broken, and that was reported.
  bool whole = true;

  const Anchor* find(std::string_view id) const;
  const Anchor* at(std::size_t offset) const;
  std::vector<std::string> ids() const;
};

class Index {
 public:
  // Chapters in the book's order, then pages. Entries must outlive the index.
  explicit Index(std::vector<ChapterIndex> chapters) : chapters_(std::move(chapters)) {}
  const std::vector<ChapterIndex>& all() const { return chapters_; }
  const ChapterIndex* by_file(std::string_view file) const;

 private:
  std::vector<ChapterIndex> chapters_;
};

// Reports bad and duplicate ids and headings that skip a level.
ChapterIndex index_chapter(const Entry& entry, const Source& source, const FrontMatter& front,
                           const Node& document, Diagnostics& diagnostics);

}  // namespace primer
