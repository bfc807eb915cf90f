// Where the links of a book that moves lead: chapters by their new files, headings by their new ids, images as they
// are copied.
#pragma once

#include <map>
#include <set>
#include <string>

#include "generator/tools/import/foreign_book.hpp"

namespace primer {

struct NewPlaces {
  std::map<std::string, std::string> files;      // of each chapter's file: its new name
  std::map<std::string, std::string> addresses;  // of each old address: the chapter's old file
  std::map<std::string, std::map<std::string, std::string>> ids;  // of an old file: old id, new id
};

class Links {
 public:
  Links(const FileSystem& files, const NewPlaces& places, const ForeignBook& book,
        const ForeignChapter& chapter, std::map<std::string, std::string>& copies,
        Lowered& lowered);

  // What stands in the new chapter for a link's or an image's target, with "<" and ">" where it has spaces; "" where
  // nothing can.
  std::string link(std::string target, int line);
  std::string image(std::string target, int line);
  // The same with its words, as the chapter has it: an image, a link to one of another site, or the words alone.
  std::string image_with(const std::string& words, const std::string& target, int line);

 private:
  std::string chapter_at(const std::string& path) const;  // its old file, or ""
  std::string file_at(const std::string& path) const;     // of the old book, or ""

  const FileSystem& files_;
  const NewPlaces& places_;
  const ForeignBook& book_;
  const ForeignChapter& chapter_;
  std::map<std::string, std::string>& copies_;  // new path, old one
  Lowered& lowered_;
};

// "My Chapter_01" → "my-chapter-01": an id as the book's are; "c-" before a digit.
std::string as_id(std::string_view text);

}  // namespace primer
