#include "generator/cli/new_command.hpp"

#include <fstream>

#include "catch.hpp"
#include "generator/cli/install_prefix.hpp"

using namespace primer;
namespace fs = std::filesystem;

namespace {

// An empty directory that is removed at the end.
struct Place {
  fs::path path;
  Place() {
    std::string form = (fs::temp_directory_path() / "new-book-XXXXXX").string();
    path = mkdtemp(form.data());
  }
  ~Place() { fs::remove_all(path); }
};

std::vector<std::string> names_in(const fs::path& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

std::string written(const fs::path& directory, const std::map<std::string, std::string>& files) {
  Diagnostics diagnostics;
  write_new_directory(directory, files, diagnostics);
  return to_text(diagnostics, Format::text);
}

}  // namespace

TEST_CASE("new book: written into a directory that is new or empty") {
  const Place place;
  const std::map<std::string, std::string> files = {{"a", "1"}, {"b/c/d", "2"}};
  CHECK(written(place.path / "up" / "new", files) == "");
  CHECK(names_in(place.path / "up") == std::vector<std::string>{"new"});
  CHECK(names_in(place.path / "up/new") == std::vector<std::string>{"a", "b"});
  CHECK(fs::file_size(place.path / "up/new/b/c/d") == 1);
  fs::create_directory(place.path / "empty");
  CHECK(written(place.path / "empty", files) == "");
  CHECK(names_in(place.path / "empty") == std::vector<std::string>{"a", "b"});
}

TEST_CASE("new book: nothing is touched where it cannot begin") {
  const Place place;
  const fs::path full = place.path / "full";
  fs::create_directory(full);
  std::ofstream(full / "mine") << "text";
  CHECK(written(full, {{"a", "1"}}) ==
        full.string() + R"(: error: the directory is not empty [output-error]
  note: choose a directory that is empty or does not exist yet
1 error
)");
  CHECK(names_in(full) == std::vector<std::string>{"mine"});
  CHECK(written(full / "mine", {{"a", "1"}}) ==
        (full / "mine").string() + ": error: a file has that name [output-error]\n1 error\n");
  CHECK(written(full / "mine" / "new", {{"a", "1"}}) ==
        (full / "mine" / "new").string() +
            ": error: the directory cannot be written: Not a directory [output-error]\n1 error\n");
  CHECK(names_in(full) == std::vector<std::string>{"mine"});
  // The second file cannot be written, because the first is where its directory would be.
  fs::create_directory(place.path / "empty");
  for (const char* name : {"new", "empty"}) {
    INFO(name);
    CHECK(
        written(place.path / name, {{"a", "1"}, {"a/b", "2"}}) ==
        (place.path / name).string() +
            ": error: the directory cannot be written: Not a directory [output-error]\n1 error\n");
  }
  CHECK(names_in(place.path) == std::vector<std::string>{"empty", "full"});
  CHECK(names_in(place.path / "empty").empty());
}

TEST_CASE("home: the files next to an installed program, otherwise the source tree") {
  const Place place;
  fs::create_directories(place.path / "share/under-the-roofline/site/templates");
  CHECK(find_home(place.path / "bin/primer", "/source") == place.path / "share/under-the-roofline");
  CHECK(find_home(place.path / "elsewhere/bin/primer", "/source") == "/source");
  CHECK(fs::exists(this_program()));
}
