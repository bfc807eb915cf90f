// A book on disk whose site is built repeatedly, as `primer build` does it, and each time also
// without a cache.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include "generator/host/build/build.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/git_history.hpp"
#include "generator/host/maths.hpp"
#include "generator/host/process.hpp"

namespace rebuilt {

namespace fs = std::filesystem;
using Files = std::map<std::string, std::string>;

inline std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(text).str();
}

struct Scratch {
  fs::path path = fs::temp_directory_path() / ("primer_edits_" + std::to_string(::getpid()));
  Scratch() { fs::create_directories(path); }
  ~Scratch() { fs::remove_all(path); }
};

// Makes the directory contain exactly these files, and writes only those that differ.
inline void write_out(const fs::path& root, const Files& files, const Files& before) {
  for (const auto& [path, text] : before) {
    if (!files.contains(path)) fs::remove(root / path);
  }
  for (const auto& [path, text] : files) {
    const auto old = before.find(path);
    if (old != before.end() && old->second == text) continue;
    fs::create_directories((root / path).parent_path());
    std::ofstream(root / path, std::ios::binary) << text;
  }
}

inline Files tree(const fs::path& root) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_directory()) continue;
    files[entry.path().lexically_relative(root).generic_string()] = read(entry.path());
  }
  return files;
}

// Creates a repository of the book, or commits the changes.
inline bool commit(const fs::path& book, const std::string& subject) {
  const auto git = [&](const std::string& words) {
    const std::string who = " -c user.name=A -c user.email=a@example.org ";
    return std::system(("git -C " + book.string() + who + words + " > /dev/null").c_str()) == 0;
  };
  return git("init --quiet") && git("add chapters") && git("commit --quiet --message " + subject);
}

class Bench {
 public:
  explicit Bench(const fs::path& root, const primer::SiteOptions& site = {}) {
    options_.site = site;
    options_.book = (root / "book").string();
    options_.assets = (root / "book/site").string();
    options_.out = (root / "site").string();
    options_.home = PRIMER_SOURCE;
    options_.git = primer::find_program("git");
    options_.trusted = true;
    reopen();
  }

  void reopen() {
    cache_.reset();
    cache_ = std::make_unique<primer::DiskCache>(fs::path(options_.out).parent_path() / "cache",
                                                 primer::Digest{7, 7});
  }

  // Returns the errors; the site is on disk.
  std::string incremental(primer::BuildReport& report) {
    primer::Diagnostics diagnostics;
    options_.threads = options_.threads == 1 ? 2 : 1;
    primer::build_site(options_, *cache_, diagnostics, report);
    return errors_of(diagnostics);
  }

  struct Clean {
    Files files;
    std::string errors;
  };
  // Takes only formulas from the cache, because Node is slow.
  Clean clean() {
    const auto book = primer::disk(options_.book), assets = primer::disk(options_.assets);
    primer::Maths maths(options_.home, *cache_);
    primer::SiteInputs inputs;
    inputs.book = book.get();
    inputs.assets = {assets.get(), nullptr, nullptr};
    inputs.typeset = [&](const auto& formulas) { return maths.render(formulas); };
    const auto repository = primer::find_repository(options_.book);
    const auto checkout = repository ? primer::find_checkout(*repository) : repository.error();
    const primer::Git git{options_.git, fs::path(options_.out).parent_path()};
    inputs.history = [&] {
      return checkout ? primer::read_history(*checkout, git, nullptr).value_or({})
                      : primer::History();
    };
    inputs.tracked = [&] {
      return checkout ? primer::tracked_files(*checkout, git)
                      : std::optional<primer::TrackedFiles>();
    };
    primer::Diagnostics diagnostics;
    Clean result{primer::make_site(inputs, options_.site, diagnostics), {}};
    result.errors = errors_of(diagnostics);
    return result;
  }

  std::string site() const { return options_.out; }

 private:
  // A build without changes does not repeat its warnings.
  static std::string errors_of(const primer::Diagnostics& diagnostics) {
    return diagnostics.has_errors() ? to_text(diagnostics, primer::Format::text) : "";
  }

  primer::BuildOptions options_;
  std::unique_ptr<primer::DiskCache> cache_;
};

}  // namespace rebuilt
