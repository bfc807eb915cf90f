#include "generator/host/git_history.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string_view>

#include "generator/base/text.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/line_process.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Result;

constexpr auto patience = std::chrono::seconds(60);
constexpr std::size_t most_memory = std::size_t{1} << 30;  // of git
constexpr std::size_t longest_answer = 100'000'000;        // bytes

// A repository with nothing of its own: one for all builds of a user, so that a build that is killed leaves nothing
// behind that is not used again; where he has no directory, one for as long as git runs.
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
  // A file that is as it shall be is not written: somebody may be reading it.
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

// The lines that git prints; Error when it cannot be started or does not come to its end.
Result<std::string> run_git(const Checkout& checkout, const Git& git,
                            const std::vector<std::string>& words) {
  if (git.program.empty()) return Error{"there is no git"};
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
      return Error{"git says more than " + std::to_string(longest_answer) + " bytes"};
  }
  if (event == LineProcess::Event::timeout) return Error{"git takes too long"};
  if (process.finish() != 0) return Error{"git cannot read the repository"};
  return out;
}

// Of the book's directory in the work tree: "", "docs/book/".
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

std::optional<TrackedFiles> tracked_files(const Checkout& checkout, const Git& git) {
  const std::string prefix = prefix_of(checkout);
  std::vector<std::string> words{"ls-tree", "-r", "--full-tree", checkout.commit};
  if (!prefix.empty()) words.insert(words.end(), {"--", prefix});
  const auto list = run_git(checkout, git, words);
  if (!list) return std::nullopt;
  TrackedFiles files;
  for (const auto line : split_lines(*list)) {
    // "100644 blob <object>\t<path>", the path in quotes where it is an odd one
    const auto tab = line.find('\t');
    if (tab == line.npos || line.substr(tab + 1).size() <= prefix.size() || line[tab + 1] == '"')
      continue;
    const auto head = line.substr(0, tab);
    files.emplace(line.substr(tab + 1 + prefix.size()), head.substr(head.rfind(' ') + 1));
  }
  if (files.empty()) return std::nullopt;
  return files;
}

}  // namespace primer
