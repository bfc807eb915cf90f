// The git repository that a book lies in, read as files: git itself is not asked where it is, because git obeys what
// it finds there. Only for books that are trusted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "figures/base/result.hpp"

namespace primer {

struct Repository {
  std::filesystem::path own;     // of this work tree: its HEAD
  std::filesystem::path common;  // of all work trees: branches, objects
  std::string below;             // the book seen from the top of the work tree: "", "docs/book"
};

// The `.git` of the book's directory or of the nearest above it: a directory, or the file of a linked work tree.
// A bare repository, which has no `.git`, is none. Error: there is none, in words.
figures::Result<Repository> find_repository(const std::filesystem::path& book);

// The repository's directories, and those of the objects that it borrows.
std::vector<std::filesystem::path> directories_of(const Repository& repository);

// What is checked out.
struct Checkout {
  std::string commit;  // 40 or 64 hexadecimal digits
  std::filesystem::path objects;
  std::string below;  // as in Repository
};

// Error: why there are no dates to be had, in words: nothing is committed, a clone is shallow (each file would
// have the date of its last commit), the branches are kept in a way that is not known here.
figures::Result<Checkout> find_checkout(const Repository& repository);

}  // namespace primer
