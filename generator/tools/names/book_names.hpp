// The names in a book that an editor offers, explains and jumps to, each with a description and a
// place.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "generator/core/base/digest.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/index/index.hpp"

namespace primer {

// A reference in a line of a chapter: a fact, a term, a work, a place and so on.

enum class ReferenceKind { fact, claim, term, work, place, file, spec };

struct LineReference {
  ReferenceKind kind;
  std::string name;                // "h100-sxm.bandwidth", "hbm", "nv", "02-matmul.md#id", "a.csv"
  std::size_t begin = 0, end = 0;  // bytes in the line
};

// The reference at byte `at`.
std::optional<LineReference> reference_at(std::string_view line, std::size_t at);

// The reference that is being typed at the end of the line: its kind and the part of its name so
// far.
std::optional<LineReference> unfinished_reference(std::string_view line);

struct KnownName {
  std::string detail;      // one line: the value of a fact, the title of a chapter
  std::string about = {};  // more in Markdown, or empty
  std::string file = {};   // where it is defined
  std::size_t offset = 0;  // in bytes
};
using KnownNames = std::map<std::string, KnownName>;

// Returns what other pages can refer to on a page.
using IndexOf = std::function<ChapterIndex(const Entry&)>;

class BookNames {
 public:
  // Reads what has changed since the last call. Without `index_of`, indexes pages from their text.
  void read(const FileSystem& files, const IndexOf& index_of = {});
  // All names of a kind. A place in `file` is named "#id", other places by a link from `file`.
  KnownNames of(ReferenceKind kind, const std::string& file) const;
  // What a reference in `file` means. No value if there is no such name.
  std::optional<KnownName> find(const LineReference& reference, const std::string& file) const;

 private:
  struct Chapter {
    Digest text;
    KnownName name;
    KnownNames anchors;  // by id
  };
  void read_facts(const FileSystem& files);
  void read_chapters(const FileSystem& files, const IndexOf& index_of);
  std::optional<KnownName> place(const std::string& link, const std::string& file) const;

  Digest facts_text_;
  KnownNames facts_, terms_, works_, specs_;
  std::map<std::string, Chapter> chapters_;  // by file
};

}  // namespace primer
