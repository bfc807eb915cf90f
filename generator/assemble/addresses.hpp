// The one table of the site's addresses: who has which path. Nothing of the site is published at a path
// that its owner has not claimed, and no path has two owners.
//
// Capitals (of ASCII) make no difference, because some file systems and servers do not tell them apart. A path is a
// file; "a" and "a/b" exclude each other.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

class Addresses {
 public:
  struct Owner {
    std::string name;  // in words: "the list of figures", "chapters/en/01-first.md"
    std::string file =
        {};  // of the book, which is to be changed when another has the path; or empty
    std::string within =
        {};  // the owner of the reserved directory in which this one has files; or empty
  };

  // The path belongs to the owner from now on. Of an owner of the same name nothing is said. An error, at
  // the file of one of both, and false: it is another's.
  bool claim(const std::string& path, const Owner& owner, Diagnostics& diagnostics);
  // Everything below a directory ("images/"), whatever is there.
  bool reserve(const std::string& directory, const Owner& owner, Diagnostics& diagnostics);
  // Who has a path, or the directory that it is in, or something below it; null: nobody.
  const Owner* owner_of(const std::string& path) const;

 private:
  // The same of who keeps `owner` from having a path, which is in lower case.
  const Owner* other_than(const Owner& owner, const std::string& key) const;

  std::map<std::string, Owner, std::less<>> files_;  // by lower-case path
  std::map<std::string, Owner, std::less<>>
      directories_;  // that hold files: who came first; "a", "a/b"
  std::map<std::string, Owner, std::less<>> reserved_;  // "a" for all of "a/"
};

}  // namespace primer
