// What an editor can offer, explain and lead to: the names of a book, each with its words and its place.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "generator/base/digest.hpp"
#include "generator/base/file_system.hpp"
#include "generator/index/index.hpp"
#include "generator/names/reference_at.hpp"

namespace primer {

struct KnownName {
  std::string detail;      // one line: a fact's value, a chapter's title
  std::string about = {};  // Markdown, more of it; or empty
  std::string file = {};   // where it is defined, and the byte
  std::size_t offset = 0;
};
using KnownNames = std::map<std::string, KnownName>;

// What a page has that others may refer to.
using IndexOf = std::function<ChapterIndex(const Entry&)>;

class BookNames {
 public:
  // Reads what has changed since the last time; pages by `index_of`, else by their texts.
  void read(const FileSystem& files, const IndexOf& index_of = {});
  // Of a kind; places by "#id" for those of `file`, and by the links that lead there from it for others.
  KnownNames of(ReferenceKind kind, const std::string& file) const;
  // What a reference in `file` means; nothing where there is no such name.
  std::optional<KnownName> find(const LineReference& reference, const std::string& file) const;

 private:
  struct Chapter {
    Digest text;
    KnownName name;
    KnownNames anchors;  // by their ids
  };
  void read_facts(const FileSystem& files);
  void read_chapters(const FileSystem& files, const IndexOf& index_of);
  std::optional<KnownName> place(const std::string& link, const std::string& file) const;

  Digest facts_text_;
  KnownNames facts_, terms_, works_, specs_;
  std::map<std::string, Chapter> chapters_;  // by their files
};

}  // namespace primer
