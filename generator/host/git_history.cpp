#include "generator/host/git_history.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

#include "generator/core/base/text.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/process.hpp"

namespace primer {
namespace fs = std::filesystem;

namespace {
using figures::Error;
using figures::Result;

constexpr std::size_t longest_name = 4096;
constexpr int most_references = 5;  // symbolic references to follow from HEAD

// Lines of a small file. Empty if it cannot be read.
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

// Whether this is a reference such as "refs/heads/main" that stays inside the repository.
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

// The commit that HEAD refers to, or "".
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

// The directory that a `.git` is, or that it names if it is a file.
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
        return Error{in_quotes((top / ".git").string()) + " is not a readable git repository"};
      const std::string common = first_line(*own / "commondir");
      const fs::path below = start.lexically_relative(top);
      return Repository{*own, common.empty() ? *own : fs::weakly_canonical(*own / common, error),
                        below == "." ? "" : below.string()};
    }
    if (top == top.parent_path()) return Error{"the book is not in a git repository"};
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
    return Error{"the repository stores its branches as a reftable, which primer cannot read"};
  }
  std::string commit = head_commit(repository);
  if (commit.empty()) return Error{"nothing is committed yet"};
  if (!lines_of(repository.common / "shallow").empty()) {
    return Error{"the clone is shallow, so its dates would be wrong; run git fetch --unshallow"};
  }
  return Checkout{std::move(commit), repository.common / "objects", repository.below};
}

// Running git.

namespace {

constexpr auto patience = std::chrono::seconds(60);
constexpr std::size_t most_memory = std::size_t{1} << 30;  // bytes that git may allocate
constexpr std::size_t longest_answer = 100'000'000;        // bytes

// A repository without content. All builds of a user share one in the user's private directory, so
// a killed build leaves nothing that is not used again. Without such a directory, it is temporary.
class EmptyRepository {
 public:
  EmptyRepository(const Git& git, bool long_digests) {
    if (!git.own.empty() && fill(git.own / (long_digests ? "git.sha256" : "git"), long_digests))
      return;
    std::string name = (git.scratch / "history.XXXXXX").string();
    if (!mkdtemp(name.data())) return;
    is_temporary_ = fill(name, long_digests);
    std::error_code error;
    if (!is_temporary_) fs::remove_all(name, error);
  }
  ~EmptyRepository() {
    std::error_code error;
    if (is_temporary_) fs::remove_all(path_, error);
  }
  EmptyRepository(const EmptyRepository&) = delete;
  EmptyRepository& operator=(const EmptyRepository&) = delete;

  const fs::path& path() const { return path_; }

 private:
  // Does not rewrite a file with the right content, because another process may be reading it.
  static bool put(const Directory& place, const std::string& name, std::string_view text) {
    if (place.read(name, text.size()) == text) return true;
    const std::string aside = name + '.' + std::to_string(::getpid());
    static_cast<void>(place.remove(aside));
    return !place.write(aside, text) && !place.move(aside, place, name);
  }

  bool fill(const fs::path& path, bool long_digests) {
    ::mkdir(path.c_str(), 0700);
    const Directory place(path);
    const bool good = place.get() >= 0 && !place.make("objects") && !place.make("refs") &&
                      put(place, "HEAD", "ref: refs/heads/none\n") &&
                      put(place, "config",
                          long_digests ? "[core]\n\trepositoryFormatVersion = 1\n"
                                         "[extensions]\n\tobjectFormat = sha256\n"
                                       : "[core]\n\trepositoryFormatVersion = 0\n");
    if (good) path_ = path;
    return good;
  }

  fs::path path_;
  bool is_temporary_ = false;
};

std::vector<std::string> git_environment(const fs::path& repository, const fs::path& objects) {
  return {"GIT_DIR=" + repository.string(),
          "GIT_OBJECT_DIRECTORY=" + objects.string(),
          "GIT_CONFIG_NOSYSTEM=1",
          "GIT_CONFIG_GLOBAL=/dev/null",
          "GIT_ATTR_NOSYSTEM=1",
          "GIT_ALLOW_PROTOCOL=none",
          "GIT_NO_LAZY_FETCH=1",
          "GIT_NO_REPLACE_OBJECTS=1",
          "GIT_OPTIONAL_LOCKS=0",
          "GIT_TERMINAL_PROMPT=0",
          "GIT_PAGER=cat"};
}

// Runs git and returns its output. Error if it does not start, fails or exceeds a limit.
Result<std::string> run_git(const Checkout& checkout, const Git& git,
                            const std::vector<std::string>& words) {
  if (git.program.empty()) return Error{"git is not installed"};
  const EmptyRepository empty(git, checkout.commit.size() == 64);
  if (empty.path().empty()) return Error{in_quotes(git.scratch.string()) + " cannot be written"};
  std::vector<std::string> command{git.program.string(), "--literal-pathspecs", "-c",
                                   "core.quotePath=off"};
  command.insert(command.end(), words.begin(), words.end());
  LineProcess process;
  std::string out, line;
  if (!process.start(command, git_environment(empty.path(), checkout.objects)))
    return Error{"git does not start"};
  process.limit_memory(most_memory);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const auto left = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(deadline -
                                                                 std::chrono::steady_clock::now());
  };
  auto event = LineProcess::Event::line;
  while ((event = process.next_line(line, left())) == LineProcess::Event::line) {
    out += line + '\n';
    if (out.size() > longest_answer)
      return Error{"the answer of git has more than " + std::to_string(longest_answer) + " bytes"};
  }
  if (event == LineProcess::Event::timeout) return Error{"git takes too long"};
  if (process.finish() != 0) return Error{"git cannot read the repository"};
  return out;
}

// Prefix of the book's files in the work tree: "", "docs/book/".
std::string prefix_of(const Checkout& checkout) {
  return checkout.below.empty() ? "" : checkout.below + '/';
}

Result<std::string> ask_for_changes(const Checkout& checkout, const Git& git) {
  const std::string prefix = prefix_of(checkout);
  std::vector<std::string> words{"log",
                                 "--format=%x01%ct%x02%h%x02%s",
                                 "--abbrev=10",
                                 "--encoding=UTF-8",
                                 "--name-only",
                                 "--no-renames",
                                 "--no-ext-diff",
                                 "--no-textconv",
                                 "--no-mailmap",
                                 "--no-notes",
                                 "--no-decorate",
                                 "--no-color",
                                 "--no-show-signature",
                                 "--no-follow"};
  if (!prefix.empty()) words.push_back("--relative=" + prefix);
  words.insert(words.end(), {checkout.commit, "--", prefix + "chapters"});
  return run_git(checkout, git, words);
}

}  // namespace

Result<History> read_history(const Checkout& checkout, const Git& git, Cache* cache) {
  const std::string key = "history of " + checkout.below + " at " + checkout.commit;
  auto log = cache ? cache->find(Cache::Kind::history, key) : std::nullopt;
  if (!log) {
    auto said = ask_for_changes(checkout, git);
    if (!said) return said.error();
    log = std::move(*said);
    if (cache) cache->store(Cache::Kind::history, key, *log);
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return parse_history(*log, std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

namespace {
// The files of a commit below a directory of the book ("chapters/facts/"; "": the whole book).
Result<TrackedFiles> list_tree(const Checkout& checkout, const Git& git, const std::string& commit,
                               const std::string& directory) {
  const std::string prefix = prefix_of(checkout);
  std::vector<std::string> words{"ls-tree", "-r", "--full-tree", commit};
  if (!(prefix + directory).empty()) words.insert(words.end(), {"--", prefix + directory});
  const auto list = run_git(checkout, git, words);
  if (!list) return list.error();
  TrackedFiles files;
  for (const auto line : split_lines(*list)) {
    // Format: "100644 blob <object>\t<path>". Unusual paths are quoted and skipped.
    const auto tab = line.find('\t');
    if (tab == line.npos || line.substr(tab + 1).size() <= prefix.size() || line[tab + 1] == '"')
      continue;
    const auto head = line.substr(0, tab);
    files.emplace(line.substr(tab + 1 + prefix.size()), head.substr(head.rfind(' ') + 1));
  }
  return files;
}

// The commit that a branch, a tag or HEAD names, or the name itself: git knows abbreviated commits.
std::string commit_named(const Repository& repository, const std::string& name) {
  if (name == "HEAD") return head_commit(repository);
  for (const std::string_view kind : {"refs/heads/", "refs/tags/", "refs/remotes/"}) {
    const std::string reference = std::string(kind) + name;
    if (!is_reference(reference)) continue;
    std::string commit = first_line(repository.common / reference);
    if (commit.empty()) commit = packed(repository.common, reference);
    if (is_commit(commit)) return commit;
  }
  return name;
}

}  // namespace

std::optional<TrackedFiles> tracked_files(const Checkout& checkout, const Git& git) {
  auto files = list_tree(checkout, git, checkout.commit, {});
  if (!files || files->empty()) return std::nullopt;
  return std::move(*files);
}

Result<std::map<std::string, std::string>> committed_files(const Repository& repository,
                                                           const Git& git,
                                                           const std::string& revision,
                                                           const std::string& directory) {
  const auto suffix = std::min(revision.find_first_of("~^"), revision.size());
  const std::string name = revision.substr(0, suffix);
  const bool is_valid =
      !name.empty() && name.front() != '-' && revision.find_first_of(": @{}\n") == revision.npos;
  const Checkout checkout{head_commit(repository), repository.common / "objects", repository.below};
  if (!is_valid || checkout.commit.empty())
    return Error{"no commit is called " + in_quotes(revision) + ": expected one like HEAD~1, main"};
  const std::string commit = commit_named(repository, name) + revision.substr(suffix);
  const auto list = list_tree(checkout, git, commit, directory);
  if (!list) {
    return Error{"the files of " + in_quotes(revision) +
                 " cannot be read: " + list.error().message};
  }
  std::map<std::string, std::string> files;
  for (const auto& [path, object] : *list) {
    auto text = run_git(checkout, git, {"cat-file", "blob", object});
    if (!text) return text.error();
    files.emplace(path, std::move(*text));
  }
  return files;
}

}  // namespace primer
