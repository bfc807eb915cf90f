// Stage "write": the site's directory changes in one step, or not at all.
//
// `build/site` is a symbolic link to `build/site.<n>`. A build makes `build/site.<n+1>`, with hard
// links to the files that are the same, and renames a new link over the old one. Whenever it is
// killed, the link points to a whole tree. The tree that was replaced stays until the next build,
// because it may still be read, and because the next tree is made of it: a hundred directories are
// slower to make than all their pages. What a killed build left is used or removed in the same way.
// One lock file beside the link admits one build at a time.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "figures/result.hpp"
#include "generator/digest.hpp"

namespace primer {

// A tree as it was left.
struct WrittenTree {
  std::string name;                     // "site.7"
  std::map<std::string, Digest> files;  // all of them, by their paths in the tree
  // Of what the system says about every file and directory: while it is the same, nobody has written,
  // added or removed one.
  Digest stamp;
};

struct Written {
  std::size_t files = 0;    // of the site
  std::size_t changed = 0;  // written anew or removed; 0: the site is the tree that it was
  WrittenTree tree;
};

// Writes a site file by file, so that it need not be in memory as a whole. Nothing on disk is touched
// before the first file, and no site before finish(); without it, what was written goes.
class SiteWriter {
 public:
  // `out` is the link's path.
  explicit SiteWriter(const std::string& out);
  ~SiteWriter();

  // A file by its path from the site's root, once for each path. Safe to call from several threads.
  void add(const std::string& path, const std::string& bytes);

  // The tree of everything that was added becomes the site. Errors: `out` is something else than a
  // link that we made; a file cannot be written. The old site is intact then.
  figures::Result<Written> finish();

 private:
  class Tree;
  std::unique_ptr<Tree> tree_;
};

// Whether the site at `out` is this tree, with these files, these bytes and nothing else.
bool is_as_written(const std::string& out, const WrittenTree& tree, int threads);

}  // namespace primer
