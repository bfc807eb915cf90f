// Stage "write" on disk: replaces the site's directory in one step or not at all.
//
// `build/site` is a symbolic link to `build/site.trees/<n>`, the complete tree of one build. The
// previous tree is kept, because servers may still be reading it until the next build. If a build
// is killed, the link still points to the old tree. A lock file next to the link allows one build
// at a time.
//
// `build/site.trees` is marked as primer's output (own_output.hpp) and belongs to the user who
// builds. Nothing outside such a directory is removed, renamed or used. If something else has the
// name, it stays unchanged and the build fails. Within the book, no symbolic link on the way there
// is followed (directory.hpp).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/base/digest.hpp"
#include "generator/core/base/tasks.hpp"

namespace primer {

struct Written {
  std::size_t files = 0;    // files of the site
  std::size_t changed = 0;  // files written or removed; 0: the site is still the same tree
};

// A tree of the site after a build, as the record of the build stores it.
struct WrittenTree {
  std::string name;                     // target of the link: "site.trees/7"
  std::map<std::string, Digest> files;  // all files, by path in the tree
  // Digest of inode, size and change time of every file and directory. While it stays the same,
  // nobody has written, added or removed a file. `absent`: unknown.
  Digest stamp;
};

// Whether the link at `out` leads to this tree and the tree has exactly these files and bytes.
bool is_as_written(const std::string& out, const WrittenTree& tree, const Tasks& tasks);

// Whether a site may be written at `out`. It must not replace the book, a directory that contains
// the book, a part of the book, or anything that primer did not write. Writes nothing.
figures::Status check_output(const std::string& out, const std::string& book);

// Writes a site file by file, so that the whole site need not be in memory. Nothing on disk changes
// before the first file or look(), and the site does not change before finish(). Without finish(),
// the destructor removes what was written.
class SiteWriter {
 public:
  // `out` is the path of the link. `left` are the trees() of the last build, if they are known:
  // unchanged files are then not read again. `book` is the book's directory or "". `note` receives
  // a sentence if this process has to wait for another one that is writing there.
  explicit SiteWriter(
      const std::string& out, std::vector<WrittenTree> left = {}, const Tasks& tasks = sequential,
      std::string book = {},
      std::function<void(const std::string&)> note = [](const std::string&) {});
  ~SiteWriter();

  // Reads what is on disk. Otherwise the first file does that. Safe to call while other threads
  // add.
  void look();

  // Adds a file by its path from the site's root, once per path. A path that is not normal
  // (normal_path()) is an error. Safe to call from several threads.
  void add(const std::string& path, const std::string& bytes);

  // Adds a file with the bytes that it has in the first tree of `left`. False: the site does not
  // have these bytes, so the file must be added.
  bool keep(const std::string& path);

  // Makes the added files the site. Errors: `out` is not a link that primer made, or a file could
  // not be written. The old site is then intact.
  figures::Result<Written> finish();

  // After finish(): the site's tree and the previous one, if they contain only what builds wrote.
  std::vector<WrittenTree> trees() const;

 private:
  class Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace primer
