#include "generator/host/book_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "generator/core/base/file_system.hpp"
#include "generator/host/directory.hpp"

namespace primer {
namespace {

bool is_own(const std::string& path) {
  return normal_path(path) == path &&
         (path.starts_with("chapters/") || path.starts_with("figures/") ||
          path.starts_with("kernels/") || path.starts_with("site/locales/"));
}

// One file to be written.
struct FileChange {
  std::string path, aside;
  bool is_new = false;
};

class BookWriter {
 public:
  explicit BookWriter(const std::string& book) : book_(book) {}

  // Removes what was written unless finish() succeeded.
  ~BookWriter() {
    if (finished_) return;
    for (const auto& change : changes_) static_cast<void>(book_.remove(change.aside));
    for (const auto& path : made_) static_cast<void>(book_.remove(path));
    for (auto path = directories_.rbegin(); path != directories_.rend(); ++path)
      remove_directory(*path);
  }

  // Writes the file under another name. Returns why it cannot, or "".
  std::string prepare(const std::string& path, const std::string& text) {
    if (!is_own(path))
      return "primer writes below chapters/, figures/, kernels/ and site/locales/ only";
    if (const auto error = make_directories(path)) return reason(error);
    mode_t mode = 0666;
    const auto old = status_of(path, mode);
    if (!old.empty() && old != "new") return old;
    FileChange change{path, aside_name(path), old == "new"};
    if (const auto error = book_.write(change.aside, text, mode)) return reason(error);
    changes_.push_back(std::move(change));
    if (!changes_.back().is_new) set_mode(changes_.back().aside, mode);
    return {};
  }

  // Renames everything into place, new files first because they can be removed again. On failure,
  // the path and the reason.
  std::optional<std::pair<std::string, std::string>> finish() {
    for (const bool is_new : {true, false}) {
      for (const auto& change : changes_) {
        if (change.is_new != is_new) continue;
        const auto error = is_new ? book_.move_new(change.aside, book_, change.path)
                                  : book_.move(change.aside, book_, change.path);
        if (error) return std::pair(change.path, reason(error));
        if (is_new) made_.push_back(change.path);
      }
    }
    finished_ = true;
    return std::nullopt;
  }

 private:
  static std::string reason(const std::error_code& error) {
    if (error == std::errc::too_many_symbolic_link_levels || error == std::errc::not_a_directory) {
      return "part of the path is a symbolic link or not a directory";
    }
    return "cannot be written: " + error.message();
  }

  // "" for a regular file, whose mode is returned; "new" if there is none; otherwise why it must
  // not be replaced.
  std::string status_of(const std::string& path, mode_t& mode) const {
    const int file = book_.open(path, O_PATH);
    if (file < 0 && errno == ENOENT) return "new";
    if (file < 0 && errno == ELOOP)
      return "this is a symbolic link, and primer does not write through links";
    if (file < 0) return reason(last_error());
    struct stat status{};
    const bool plain = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    ::close(file);
    mode = status.st_mode & 0777;
    if (S_ISLNK(status.st_mode))
      return "this is a symbolic link, and primer does not write through links";
    return plain ? "" : "this is not a plain file";
  }

  // Sets the mode of the old file, whatever the umask is.
  void set_mode(const std::string& path, mode_t mode) const {
    const int file = book_.open(path, O_RDONLY);
    if (file < 0) return;
    fchmod(file, mode);
    ::close(file);
  }

  std::error_code make_directories(const std::string& path) {
    for (auto end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
      const std::string directory = path.substr(0, end);
      if (book_.below(directory).get() >= 0) continue;
      if (errno != ENOENT) return last_error();
      if (const auto error = book_.make(directory)) return error;
      directories_.push_back(directory);
    }
    return {};
  }

  void remove_directory(const std::string& path) const {
    const auto slash = path.rfind('/');
    const Directory above = slash == path.npos ? Directory() : book_.below(path.substr(0, slash));
    const int parent = slash == path.npos ? book_.get() : above.get();
    unlinkat(parent, path.c_str() + (slash == path.npos ? 0 : slash + 1), AT_REMOVEDIR);
  }

  Directory book_;
  std::vector<FileChange> changes_;
  std::vector<std::string> made_, directories_;
  bool finished_ = false;
};

}  // namespace

std::vector<std::string> write_book_files(const std::string& book,
                                          const std::map<std::string, std::string>& files,
                                          Diagnostics& diagnostics) {
  BookWriter writer(book);
  std::vector<std::string> written;
  bool whole = true;
  for (const auto& [path, text] : files) {
    const std::string fault = writer.prepare(path, text);
    if (fault.empty()) {
      written.push_back(path);
    } else {
      diagnostics.error(Rule::output_error, path, fault);
      whole = false;
    }
  }
  if (!whole) return {};
  if (const auto fault = writer.finish()) {
    diagnostics.error(Rule::output_error, fault->first, fault->second);
    return {};
  }
  return written;
}

}  // namespace primer
