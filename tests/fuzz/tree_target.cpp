// Writes an output tree with any bytes: the content of a stranger's checkout in the output
// directory, and the names of the site's files. In all cases, nothing outside the output may
// change.
//
// The bytes are lines of words: "link PATH TARGET", "file PATH" and "directory PATH" create entries
// in the book's directory, "add PATH" is a file of the site.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"
#include "generator/host/write/output.hpp"

namespace {

namespace fs = std::filesystem;

// Limits how far paths may lead up, so that they stay below the test's directory: each of at most
// `longest` parts may be a link with at most `ups` steps up.
constexpr std::ptrdiff_t ups = 4, longest = 8;

class Place {
 public:
  Place() {
    std::string name = (fs::temp_directory_path() / "primer-tree-XXXXXX").string();
    if (!mkdtemp(name.data())) __builtin_trap();
    top = name;
    root = top;
    for (std::ptrdiff_t i = 0; i < (ups + 1) * longest; ++i) root /= "d";
    fs::create_directories(root / "outside/deep");
    fs::create_directories(root / "outside/site.1");
    fs::create_directories(root / "book/build");
    for (const char* file :
         {"outside/a", "outside/deep/b", "outside/site.1/index.html", "book/text.md"}) {
      std::ofstream(root / file) << file;
    }
  }
  ~Place() { fs::remove_all(top); }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  // An absolute path is relative to the test's root.
  std::string path(const std::string& written) const {
    return written.starts_with('/') ? root.string() + written : written;
  }

  fs::path top, root;
};

bool is_bounded(const std::string& path) {
  const fs::path parts(path);
  const auto up = std::count(parts.begin(), parts.end(), "..");
  return path.size() < 200 && up <= ups && std::distance(parts.begin(), parts.end()) <= longest;
}

// Everything below the top except the output directory and its content, with links as links.
std::map<std::string, std::string> look(const Place& place) {
  std::map<std::string, std::string> found;
  const fs::path output = place.root / "book/build";
  for (auto at = fs::recursive_directory_iterator(place.top);
       at != fs::recursive_directory_iterator(); ++at) {
    const fs::path& path = at->path();
    std::string what = "directory";
    if (at->is_symlink()) {
      what = "link to " + fs::read_symlink(path).string();
    } else if (at->is_regular_file()) {
      std::ostringstream text;
      text << std::ifstream(path, std::ios::binary).rdbuf();
      what = "file " + std::move(text).str();
    }
    if (path == output && what == "directory") {
      at.disable_recursion_pending();
      continue;  // created if missing
    }
    found.emplace(path.string(), what);
  }
  return found;
}

// A checkout has no path outside itself.
void make(const Place& place, const std::string& word, const std::string& path,
          const std::string& target) {
  const fs::path inside = fs::path(path).lexically_normal().relative_path();
  if (inside.empty() || *inside.begin() == ".." || inside == ".") return;
  const fs::path file = place.root / "book" / inside;
  std::error_code refused;
  // git writes nothing through links of the checkout itself.
  for (fs::path above = file.parent_path(); above != place.root; above = above.parent_path()) {
    if (fs::is_symlink(fs::symlink_status(above, refused))) return;
  }
  fs::create_directories(file.parent_path(), refused);
  if (word == "directory") fs::create_directory(file, refused);
  if (word == "file") std::ofstream(file) << path;
  if (word == "link" && !target.empty()) {
    if (fs::is_empty(file, refused)) fs::remove(file, refused);
    fs::create_symlink(place.path(target), file, refused);
  }
}

}  // namespace

void fuzz::tree(std::string_view text) {
  const Place place;
  std::vector<std::string> files;
  std::istringstream lines{std::string(text.substr(0, 4'000))};
  for (std::string line; std::getline(lines, line);) {
    if (line.find('\0') != line.npos) continue;
    std::istringstream words(line);
    std::string word, path, target;
    words >> word >> path >> target;
    if (!is_bounded(path) || !is_bounded(target)) continue;
    if (word == "add" && std::find(files.begin(), files.end(), path) == files.end()) {
      files.push_back(path);
    }
    make(place, word, path, target);
  }
  const auto before = look(place);
  for (int build = 0; build < 2; ++build) {
    primer::SiteWriter writer((place.root / "book/build/site").string());
    for (const auto& path : files) writer.add(place.path(path), "text " + std::to_string(build));
    (void)static_cast<bool>(writer.finish());
  }
  if (look(place) != before) __builtin_trap();
}
