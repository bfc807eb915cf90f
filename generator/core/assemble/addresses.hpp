// The table of the site's addresses: who owns which path. Every published file has an owner that
// claimed its path, and no path has two owners.
//
// Paths are compared without regard to (ASCII) case, because some file systems and servers ignore
// it. A path names a file, so "a" and "a/b" exclude each other.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

class Addresses {
 public:
  struct Owner {
    std::string name;         // for messages: "the list of figures", "chapters/en/01-first.md"
    std::string file = {};    // file of the book to edit in a conflict, or empty
    std::string within = {};  // owner of the reserved directory that its files may be in, or empty
  };

  // Gives the path to the owner. The same owner may claim it again. If another has it: false and an
  // error, at the file of one of the two.
  bool claim(const std::string& path, const Owner& owner, Diagnostics& diagnostics);
  // Claims everything below a directory ("images/").
  bool reserve(const std::string& directory, const Owner& owner, Diagnostics& diagnostics);
  // Owner of the path, of a directory around it or of something below it. Null: none.
  const Owner* owner_of(const std::string& path) const;

 private:
  // The same for an owner other than `owner`. `key` is the path in lower case.
  const Owner* other_than(const Owner& owner, const std::string& key) const;

  std::map<std::string, Owner, std::less<>> files_;        // by path in lower case
  std::map<std::string, Owner, std::less<>> directories_;  // first owner of a file in "a", "a/b"
  std::map<std::string, Owner, std::less<>> reserved_;     // "a" reserves all of "a/"
};

}  // namespace primer
