// Stage "write": the site's directory changes in one step, or not at all.
//
// `build/site` is a symbolic link to `build/site.trees/<n>`. Where a build changes the bytes of one file and
// nothing else, the new file is renamed over the old one. Else it makes `build/site.trees/<n+1>` and renames a
// new link over the old one. Whenever it is killed, the link points to a whole tree of one build. The
// tree that was replaced stays, because it may still be read until the next build, and because the next
// tree is made of it: a hundred directories are slower to make than all their pages. What has the right
// bytes there stays, what the current tree has is linked. What a killed build left is used or removed in
// the same way. One lock file beside the link admits one build at a time.
//
// `build/site.trees` has the marker of primer's outputs (own_output.hpp) and belongs to the user who builds;
// nothing outside such a directory is removed, renamed or used. Where something else has the name, it stays
// unchanged, and the build takes `build/site.trees.2`. Inside the book no link on the way there is followed
// (directory.hpp).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/base/tasks.hpp"
#include "generator/write/written_tree.hpp"

namespace primer {

struct Written {
  std::size_t files = 0;    // of the site
  std::size_t changed = 0;  // written anew or removed; 0: the site is the tree that it was
  // Paths of what looks like trees of this site but has no marker, if the site was one of these until now:
  // an older program's, or somebody else's. They are as they were.
  std::vector<std::string> left_over = {};
};

// Whether a site may lie there: not in place of the book, of what it lies in or of what it consists of, nor
// of anything else that is there already. Nothing is written.
figures::Status check_output(const std::string& out, const std::string& book);

// Writes a site file by file, so that it need not be in memory as a whole. Nothing on disk is touched
// before the first file, or look(), and no site before finish(); without it, what was written goes.
class SiteWriter {
 public:
  // `out` is the link's path. `left` are the trees as the last build left them, as far as that is known:
  // what nobody has touched since is not read again. `book` is the book's directory, or "". `note` hears in words
  // that another process writes there, and is waited for.
  explicit SiteWriter(
      const std::string& out, std::vector<WrittenTree> left = {}, const Tasks& tasks = sequential,
      std::string book = {},
      std::function<void(const std::string&)> note = [](const std::string&) {});
  ~SiteWriter();

  // Reads what stands on disk, which else the first file waits for. Safe to call beside the others.
  void look();

  // A file by its path from the site's root, once for each path; a path that is not normal (normal_path())
  // is an error. Safe to call from several threads.
  void add(const std::string& path, const std::string& bytes);

  // The same of a file whose bytes are those of the first of the trees that were left. False: the site does not have
  // them, and the file is to be added.
  bool keep(const std::string& path);

  // The tree of everything that was added becomes the site. Errors: `out` is something else than a
  // link that we made; a file cannot be written. The old site is intact then.
  figures::Result<Written> finish();

  // After finish(): the site's tree, then the other one, if it holds only what builds wrote.
  std::vector<WrittenTree> trees() const;

 private:
  class Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace primer
