#include "generator/host/repository.hpp"

#include <algorithm>
#include <fstream>
#include <optional>

#include "generator/base/text.hpp"
#include "generator/host/program.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Result;

constexpr std::size_t longest_name = 4096;
constexpr int most_references = 5;  // from HEAD to a commit

// Lines of a small file of git's; none when it cannot be read.
std::vector<std::string> lines_of(const fs::path& path) {
  std::vector<std::string> lines;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return lines;
  std::ifstream file(path, std::ios::binary);
  for (std::string line; std::getline(file, line);) lines.push_back(std::string(trim(line)));
  return lines;
}

std::string first_line(const fs::path& path) {
  const auto lines = lines_of(path);
  return lines.empty() || lines.front().size() > longest_name ? "" : lines.front();
}

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

// "refs/heads/main"; not what would lead out of the repository.
bool is_reference(std::string_view name) {
  if (!name.starts_with("refs/") || name.size() > longest_name) return false;
  const auto parts = split(name, '/');
  return std::none_of(parts.begin(), parts.end(),
                      [](auto part) { return part.empty() || part.front() == '.'; });
}

std::string packed(const fs::path& common, const std::string& name) {
  for (const auto& line : lines_of(common / "packed-refs")) {
    const auto space = line.find(' ');
    if (space != line.npos && line.substr(space + 1) == name) return line.substr(0, space);
  }
  return {};
}

// What HEAD means in the end; empty when it means nothing.
std::string head_commit(const Repository& repository) {
  constexpr std::string_view reference = "ref:";
  std::string text = first_line(repository.own / "HEAD");
  for (int i = 0; i < most_references && text.starts_with(reference); ++i) {
    const std::string name(trim(std::string_view(text).substr(reference.size())));
    if (!is_reference(name)) return {};
    text = first_line(repository.own / name);
    if (text.empty()) text = first_line(repository.common / name);
    if (text.empty()) text = packed(repository.common, name);
  }
  return is_commit(text) ? text : "";
}

// The directory that a `.git` is or names.
std::optional<fs::path> directory_of(const fs::path& git) {
  std::error_code error;
  if (fs::is_directory(git, error)) return fs::canonical(git, error);
  constexpr std::string_view named = "gitdir:";
  const std::string line = first_line(git);
  if (!line.starts_with(named)) return std::nullopt;
  fs::path path =
      fs::canonical(git.parent_path() / std::string(trim(line.substr(named.size()))), error);
  return error ? std::nullopt : std::optional(std::move(path));
}

}  // namespace

Result<Repository> find_repository(const fs::path& book) {
  std::error_code error;
  const fs::path start = fs::canonical(book, error);
  if (error) return Error{"there is no such directory"};
  for (fs::path top = start;; top = top.parent_path()) {
    if (fs::exists(fs::symlink_status(top / ".git", error))) {
      const auto own = directory_of(top / ".git");
      if (!own)
        return Error{in_quotes((top / ".git").string()) + " is not a repository that can be read"};
      const std::string common = first_line(*own / "commondir");
      const fs::path below = start.lexically_relative(top);
      return Repository{*own, common.empty() ? *own : fs::weakly_canonical(*own / common, error),
                        below == "." ? "" : below.string()};
    }
    if (top == top.parent_path()) return Error{"the book is in no git repository"};
  }
}

std::vector<fs::path> directories_of(const Repository& repository) {
  std::vector<fs::path> all{repository.own, repository.common};
  const fs::path objects = repository.common / "objects";
  for (const auto& line : lines_of(objects / "info/alternates")) {
    if (!line.empty() && line.front() != '#') all.push_back(objects / line);
  }
  return all;
}

Result<Checkout> find_checkout(const Repository& repository) {
  std::error_code error;
  if (fs::exists(repository.common / "reftable", error)) {
    return Error{"the repository keeps its branches as a reftable, which is not read here"};
  }
  std::string commit = head_commit(repository);
  if (commit.empty()) return Error{"nothing is committed yet"};
  if (!lines_of(repository.common / "shallow").empty()) {
    return Error{
        "the clone is shallow, its dates would be wrong; `git fetch --unshallow` fetches the rest"};
  }
  return Checkout{std::move(commit), repository.common / "objects", repository.below};
}

}  // namespace primer
