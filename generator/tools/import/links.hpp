// Where the links and images of a book that moves lead: chapters by their new files, headings by
// their new ids, images and other files by their copies.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/core/markdown/markdown.hpp"
#include "generator/tools/import/foreign_book.hpp"

namespace primer {

struct NewPlaces {
  std::map<std::string, std::string> files;      // new name of each chapter's file
  std::map<std::string, std::string> addresses;  // the chapter's old file, by old address
  std::map<std::string, std::map<std::string, std::string>>
      ids;  // by old file: new id of an old one
  // Titles by new file and new id; "" is the chapter's.
  std::map<std::string, std::map<std::string, std::string>> titles;
  std::map<std::string, std::string> copies;  // old path of each file to copy, by new path
};

class Links {
 public:
  Links(const FileSystem& files, NewPlaces& places, const ForeignBook& book,
        const ForeignChapter& chapter, ImportReport& report);

  // The link in the new book, or its text if it can lead nowhere.
  std::vector<Node> link(Node node, int line);
  // The image, a link to it if it cannot be shown, or its alternative text.
  Node image(Node node, int line);

 private:
  std::string chapter_at(const std::string& path) const;  // its old file, or ""
  std::string file_at(const std::string& path) const;     // of the old book, or ""
  std::string copied(const std::string& file, const std::string& folder);
  std::string destination(const std::string& target, int line);
  std::string name_of(const std::string& url) const;

  const FileSystem& files_;
  NewPlaces& places_;
  const ForeignBook& book_;
  const ForeignChapter& chapter_;
  ImportReport& report_;
};

}  // namespace primer
