#include "generator/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "generator/file_system.hpp"
#include "generator/parallel.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Result;

// Held until the process ends or the object goes; a killed process leaves it free.
class Lock {
 public:
  explicit Lock(const fs::path& path)
      : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (file_ >= 0 && flock(file_, LOCK_EX) != 0) release();
  }
  ~Lock() { release(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool held() const { return file_ >= 0; }

 private:
  void release() {
    if (file_ >= 0) close(file_);
    file_ = -1;
  }
  int file_;
};

// n of "site.<n>"; 0 for any other name.
int tree_number(const std::string& name, const std::string& base) {
  if (!name.starts_with(base + '.')) return 0;
  const std::string digits = name.substr(base.size() + 1);
  const bool number = !digits.empty() && digits.size() < 9 &&
                      digits.find_first_not_of("0123456789") == digits.npos;
  return number ? std::stoi(digits) : 0;
}

// Removes what killed builds left; of the trees that are not current the newest stays, to be made the
// next one of. Its name, or "".
std::string keep_spare(const fs::path& parent, const std::string& base,
                       const std::string& current) {
  std::string spare;
  std::vector<std::string> stale;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    std::string name = entry.path().filename().string();
    if (name == base + ".link") stale.push_back(name);
    if (tree_number(name, base) == 0 || name == current) continue;
    if (tree_number(name, base) > tree_number(spare, base)) name.swap(spare);
    if (!name.empty()) stale.push_back(std::move(name));
  }
  for (const auto& name : stale) fs::remove_all(parent / name, error);
  return spare;
}

// Takes out of a tree what is no file, or no directory, of the new site.
void clear_out(const fs::path& tree, const std::map<std::string, std::string>& files) {
  std::set<std::string> directories;
  for (const auto& [path, bytes] : files) {
    for (auto end = path.rfind('/'); end != path.npos && end > 0; end = path.rfind('/', end - 1)) {
      if (!directories.insert(path.substr(0, end)).second) break;
    }
  }
  std::vector<fs::path> gone;
  std::error_code error;
  const fs::recursive_directory_iterator end;
  for (fs::recursive_directory_iterator at(tree, error); !error && at != end; at.increment(error)) {
    const std::string path = at->path().lexically_relative(tree).generic_string();
    const auto status = at->symlink_status(error);
    const bool wanted = fs::is_directory(status) ? directories.contains(path)
                                                 : fs::is_regular_file(status) && files.contains(path);
    if (wanted) continue;
    gone.push_back(at->path());
    at.disable_recursion_pending();
  }
  for (const auto& path : gone) fs::remove_all(path, error);
}

bool has_bytes(const fs::path& path, const std::string& bytes) {
  std::error_code error;
  if (fs::file_size(path, error) != bytes.size() || error) return false;
  std::ifstream in(path, std::ios::binary);
  std::string found(bytes.size(), '\0');
  in.read(found.data(), static_cast<std::streamsize>(found.size()));
  return in.good() && found == bytes;
}

bool write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return file.good();
}

// What of the current tree can stay: paths whose bytes are right; and how many files differ.
struct Comparison {
  std::set<std::string> same;
  std::size_t changed = 0;
};

Comparison compare(const fs::path& tree, const std::map<std::string, std::string>& files) {
  Comparison result;
  std::error_code error;
  if (tree.empty() || !fs::is_directory(tree, error)) return {{}, files.size()};
  for (const auto& [path, bytes] : files) {
    if (has_bytes(tree / path, bytes)) {
      result.same.insert(path);
    } else {
      ++result.changed;
    }
  }
  for (const auto& entry : fs::recursive_directory_iterator(tree, error)) {
    const std::string path = entry.path().lexically_relative(tree).generic_string();
    if (!entry.is_directory() && !files.contains(path)) ++result.changed;
  }
  return result;
}

// Puts one file into a new tree: a link to the old tree's where that has the right bytes. What stands
// there may be a link to an older file, so it is never written into.
bool place(const fs::path& old_file, const fs::path& target, const std::string& bytes, bool same) {
  std::error_code error;
  if (same && fs::equivalent(old_file, target, error)) return true;
  fs::remove(target, error);
  if (same) {
    fs::create_hard_link(old_file, target, error);
    if (!error) return true;
  }
  return write_file(target, bytes);
}

Result<Written> make_tree(const fs::path& old_tree, const fs::path& new_tree,
                          const std::map<std::string, std::string>& files,
                          const Comparison& comparison) {
  std::error_code error;
  clear_out(new_tree, files);
  fs::path directory;
  for (const auto& [path, bytes] : files) {
    const fs::path target = new_tree / path;
    if (target.parent_path() != directory) {
      directory = target.parent_path();
      fs::create_directories(directory, error);
    }
    if (!place(old_tree / path, target, bytes, comparison.same.contains(path))) {
      return Error{"cannot write " + target.string()};
    }
  }
  return Written{files.size(), comparison.changed, {}};
}

}  // namespace

Result<Written> write_site(const std::string& out,
                           const std::map<std::string, std::string>& files) {
  const fs::path link = fs::absolute(out).lexically_normal();
  const fs::path parent = link.parent_path();
  const std::string base = link.filename().string();
  std::error_code error;
  fs::create_directories(parent, error);
  const Lock lock(parent / (base + ".lock"));
  if (!lock.held()) return Error{"cannot lock " + (parent / (base + ".lock")).string()};

  std::string current;
  if (fs::is_symlink(link, error)) current = fs::read_symlink(link, error).string();
  const bool ours = current.empty() ? !fs::exists(fs::symlink_status(link, error))
                                    : tree_number(current, base) > 0;
  if (!ours) return Error{link.string() + " is there and no site that primer built: remove it"};
  const std::string spare = keep_spare(parent, base, current);

  const fs::path old_tree = current.empty() ? fs::path() : parent / current;
  const Comparison comparison = compare(old_tree, files);
  WrittenTree tree{current, {}};
  for (const auto& [path, bytes] : files) tree.files.emplace(path, digest(bytes));
  if (comparison.changed == 0) return Written{files.size(), 0, std::move(tree)};
  const std::string next = base + '.' + std::to_string(tree_number(current, base) + 1);
  if (!spare.empty() && spare != next) fs::rename(parent / spare, parent / next, error);
  auto written = make_tree(old_tree, parent / next, files, comparison);
  if (!written) {
    fs::remove_all(parent / next, error);
    return written;
  }
  const fs::path new_link = parent / (base + ".link");
  fs::create_directory_symlink(next, new_link, error);
  if (!error) fs::rename(new_link, link, error);
  if (error) return Error{"cannot replace " + link.string() + ": " + error.message()};
  tree.name = next;
  written->tree = std::move(tree);
  return written;
}

bool is_as_written(const std::string& out, const WrittenTree& tree, int threads) {
  const fs::path link = fs::absolute(out).lexically_normal();
  std::error_code error;
  if (fs::read_symlink(link, error) != tree.name || error) return false;
  const auto files = disk((link.parent_path() / tree.name).string());
  if (files->list(".").size() != tree.files.size()) return false;
  std::vector<const std::pair<const std::string, Digest>*> written;
  for (const auto& file : tree.files) written.push_back(&file);
  std::atomic<bool> all_so = true;
  for_each_index(written.size(), threads, [&](std::size_t i) {
    if (!all_so) return;
    const auto bytes = files->read(written[i]->first);
    if (!bytes || digest(*bytes) != written[i]->second) all_so = false;
  });
  return all_so;
}

}  // namespace primer
