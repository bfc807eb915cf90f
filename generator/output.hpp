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
#include <string>

#include "figures/result.hpp"
#include "generator/digest.hpp"

namespace primer {

// A tree as it was left.
struct WrittenTree {
  std::string name;                     // "site.7"
  std::map<std::string, Digest> files;  // all of them, by their paths in the tree
};

struct Written {
  std::size_t files = 0;    // of the site
  std::size_t changed = 0;  // written anew or removed; 0: nothing on disk was touched
  WrittenTree tree;
};

// `out` is the link's path. Errors: `out` is something else than a link that we made; a file cannot
// be written. The old site is intact then.
figures::Result<Written> write_site(const std::string& out,
                                    const std::map<std::string, std::string>& files);

// Whether the site at `out` is this tree, with these files, these bytes and nothing else.
bool is_as_written(const std::string& out, const WrittenTree& tree, int threads);

}  // namespace primer
