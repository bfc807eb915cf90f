// A tree of the site as a build left it, and whether it still is that.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generator/base/digest.hpp"
#include "generator/base/tasks.hpp"

namespace primer {

struct WrittenTree {
  std::string name;                     // "site.7"
  std::map<std::string, Digest> files;  // all of them, by their paths in the tree
  // Of what the system says about every file and directory: while it is the same, nobody has written,
  // added or removed one.
  Digest stamp;
};

// The directories that files stand in, "a/b" and "a" for "a/b/c".
std::set<std::string> directories_of(const std::map<std::string, Digest>& files);

// What the system says of each file and directory of a tree.
class Stamps {
 public:
  Stamps() = default;  // of none
  // Asks the system about these files and their directories, but of what `before` knows only about those that were
  // `touched` since, and the tree itself.
  Stamps(const std::filesystem::path& tree, const std::map<std::string, Digest>& files,
         const Stamps& before, const std::set<std::string>& touched, const Tasks& tasks);
  Stamps(const std::filesystem::path& tree, const std::map<std::string, Digest>& files,
         const Tasks& tasks)
      : Stamps(tree, files, Stamps(), {}, tasks) {}

  const Digest& version() const { return version_; }  // `absent` when something is missing

 private:
  // A change of a file or of a directory's entries, and another one in its place, differ in this.
  using Stamp = std::array<std::uint64_t, 5>;
  std::vector<std::pair<std::string, Stamp>>
      known_;  // the tree's own, then those below it by their paths
  Digest version_ = absent;
};

// Whether the site at `out`, a link, leads to this tree, with these files, these bytes and nothing else.
bool is_as_written(const std::string& out, const WrittenTree& tree, const Tasks& tasks);

// What lies below a directory, by paths in it.
struct TreeContent {
  std::map<std::string, Digest> files;
  std::set<std::string> directories;
  std::set<std::string> strange;  // links, pipes
  Stamps stamps = {};             // if nobody has touched the tree

  // Whether files and their directories are all that there is.
  bool is_plain() const { return strange.empty() && directories == directories_of(files); }
};

// Reads every file, but those of a tree that nobody has touched since it was `left` (or null).
TreeContent content_of(const std::filesystem::path& tree, const WrittenTree* left,
                       const Tasks& tasks);

}  // namespace primer
