// Dates from git, for all kinds of repositories.
#include "generator/core/load/history.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/git_history.hpp"
#include "generator/host/process.hpp"

using namespace primer;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t now = 1'795'000'000;  // 2026-11-18T11:06:40Z

/** A repository with a book, and a directory to write to. */
class Repo {
 public:
  explicit Repo(const std::string& below = "", const std::string& format = "sha1")
      : top(fs::temp_directory_path() / ("primer_history_" + std::to_string(::getpid()))),
        book(top / "work" / below) {
    fs::remove_all(top);
    fs::create_directories(book / "chapters");
    fs::create_directories(top / "scratch");
    git("init --quiet --initial-branch=main --object-format=" + format);
  }
  ~Repo() { fs::remove_all(top); }
  Repo(const Repo&) = delete;
  Repo& operator=(const Repo&) = delete;

  void git(const std::string& words, const std::string& environment = "") const {
    const std::string who = " -c user.name=A -c user.email=a@example.org -c commit.gpgSign=false ";
    const std::string line = environment + " git -C " + (top / "work").string() + who + words +
                             " > " + (top / "output").string() + " 2>&1";
    if (std::system(line.c_str()) != 0) FAIL(line);
  }
  void commit(const std::string& text, const std::string& subject,
              const std::string& environment = "") const {
    std::ofstream(book / "chapters/a.md") << text;
    git("add .");
    git("commit --quiet --message '" + subject + "'", environment);
  }

  figures::Result<Checkout> checkout() const { return checkout(book); }
  static figures::Result<Checkout> checkout(const fs::path& where) {
    const auto repository = find_repository(where);
    if (!repository) return repository.error();
    return find_checkout(*repository);
  }
  History history(Cache* cache = nullptr) const { return history(book, cache); }
  History history(const fs::path& where, Cache* cache = nullptr) const {
    const auto found = checkout(where);
    if (!found) FAIL(found.error().message);
    const auto read = read_history(*found, {find_program("git"), top / "scratch"}, cache);
    if (!read) FAIL(read.error().message);
    CHECK(fs::is_empty(top / "scratch"));
    return *read;
  }

  fs::path top, book;
};

std::string subjects(const History& history) {
  std::string all;
  for (const auto& change : history.at("chapters/a.md").changes) all += change.subject + '|';
  return all;
}

std::string date_of(const std::string& seconds) {
  const auto history = parse_history("\x01" + seconds +
                                         "\x02"
                                         "aa12345678\x02"
                                         "S\n\na.md\n",
                                     now);
  return history.contains("a.md") ? history.at("a.md").changed : "none";
}

}  // namespace

TEST_CASE("history: the first and the last change of each file") {
  const auto history = parse_history(
      "\x01"
      "1794000000\x02"
      "aa12345678\x02"
      "A word: better\n\nchapters/en/a.md\nchapters/en/b.md\n"
      "\x01"
      "1790000000\x02"
      "bb12345678\x02"
      "\xFF\n\nchapters/en/a.md\n",
      now);
  REQUIRE(history.size() == 2);
  CHECK(history.at("chapters/en/a.md").created == "2026-09-21T14:13:20Z");
  CHECK(history.at("chapters/en/a.md").changed == "2026-11-06T21:20:00Z");
  CHECK(history.at("chapters/en/b.md").created == "2026-11-06T21:20:00Z");
  const auto& changes = history.at("chapters/en/a.md").changes;
  REQUIRE(changes.size() == 2);
  CHECK(changes[0].commit == "aa12345678");
  CHECK(changes[0].subject == "A word: better");
  CHECK(parse_history("", now).empty());
  CHECK(parse_history("chapters/en/a.md\n", now).empty());
}

TEST_CASE("history: no commit is later than the build, and none without a date is shown") {
  CHECK(date_of("1794000000") == "2026-11-06T21:20:00Z");
  CHECK(date_of("0") == "1970-01-01T00:00:00Z");
  CHECK(date_of("-5") == "1970-01-01T00:00:00Z");
  for (const char* later :
       {"4102444800", "253402400800", "18446744073709551615", "99999999999999999999999"}) {
    INFO(later);
    CHECK(date_of(later) == "2026-11-18T11:06:40Z");
  }
  for (const char* none : {"", "soon", "12a", "2026-11-01"}) CHECK(date_of(none) == "none");
}

TEST_CASE("history: a subject shows all that it holds") {
  CHECK(cleaned_subject("Zeilen: schöner, 数 👩‍💻") ==
        "Zeilen: schöner, 数 👩‍💻");
  CHECK(cleaned_subject("a\xE2\x80\xAE"
                        "b") == "a<U+202E>b");
  for (const char* hidden :
       {"\x1B", "\x7F", "\xC2\x9B", "\xE2\x80\x8B", "\xE2\x81\xA6", "\xEF\xBB\xBF", "\xEF\xBF\xBF",
        "\xF4\x8F\xBF\xBF", "\xFF", "\xC0", "\xF3\xA0\x80\x81", "\xE2\x80\xA8"}) {
    const std::string cleaned = cleaned_subject(hidden);
    CHECK((cleaned.starts_with("<U+") || cleaned.starts_with("\xEF\xBF\xBD")));
    CHECK(cleaned.find(hidden) == cleaned.npos);
  }
  const std::string cut = cleaned_subject(std::string(100'000, 'x'));
  CHECK(cut == std::string(200, 'x') + "…");
}

TEST_CASE("history: committed files are tracked, and no others") {
  const Repo repo;
  fs::create_directories(repo.book / "code");
  std::ofstream(repo.book / "code/a.cpp") << "int a;\n";
  repo.commit("1", "One");
  std::ofstream(repo.book / ".env") << "hunter2\n";
  const auto checkout = repo.checkout();
  REQUIRE(checkout);
  const Git git{find_program("git"), repo.top / "scratch"};
  const auto tracked = tracked_files(*checkout, git);
  REQUIRE(tracked);
  CHECK(tracked->contains("code/a.cpp"));
  CHECK(tracked->contains("chapters/a.md"));
  CHECK_FALSE(tracked->contains(".env"));
  CHECK(is_committed("int a;\n", tracked->at("code/a.cpp")));
  CHECK(is_committed("int a;\r\n",
                     tracked->at("code/a.cpp")));  // as another checkout might write it
  CHECK_FALSE(is_committed("int a; // mine\n", tracked->at("code/a.cpp")));
  CHECK_FALSE(tracked_files(*checkout, {"", repo.top / "scratch"}));
}

TEST_CASE("history: in a directory of the user's git's empty repository is made once and stays") {
  for (const char* format : {"sha1", "sha256"}) {
    const Repo repo("", format);
    repo.commit("1", "One");
    const fs::path own = repo.top / "own";
    fs::create_directories(own);
    const Git git{find_program("git"), repo.top / "scratch", own};
    const fs::path made = own / (std::string(format) == "sha1" ? "git" : "git.sha256");
    for (const char* damage : {"", "ref: refs/heads/elsewhere and more\n", ""}) {
      if (*damage) std::ofstream(made / "HEAD") << damage;
      const auto read = read_history(*repo.checkout(), git, nullptr);
      REQUIRE(read);
      CHECK(subjects(*read) == "One|");
      CHECK(fs::is_empty(repo.top / "scratch"));  // where a killed build would leave something
      CHECK(std::distance(fs::directory_iterator(made), {}) == 4);
      CHECK(std::distance(fs::directory_iterator(own), {}) == 1);
    }
  }
}

TEST_CASE("history: git is asked once about a commit, and again about the next") {
  const Repo repo;
  repo.commit("1", "One");
  const auto one = repo.checkout();
  REQUIRE(one);
  const Git git{find_program("git"), repo.top / "scratch"};
  DiskCache cache(repo.top / "cache", Digest{1, 2});
  CHECK(subjects(repo.history(&cache)) == "One|");
  repo.commit("2", "Two");
  const auto two = repo.checkout();
  REQUIRE(two);
  CHECK(two->commit != one->commit);
  CHECK(subjects(repo.history(&cache)) == "Two|One|");
  fs::remove_all(repo.top / "work/.git");
  CHECK(subjects(*read_history(*two, git, &cache)) == "Two|One|");
  CHECK(subjects(*read_history(*one, git, &cache)) == "One|");
  const auto gone = read_history(*two, git, nullptr);
  REQUIRE(!gone);
  CHECK(gone.error().message == "git cannot read the repository");
  const auto none = read_history(*two, {"", repo.top / "scratch"}, nullptr);
  REQUIRE(!none);
  CHECK(none.error().message == "git is not installed");
}

TEST_CASE("history: of a book below the top, a linked work tree, packed branches, long digests") {
  const Repo repo("docs/the book", GENERATE(std::string("sha1"), std::string("sha256")));
  repo.commit("1", "One");
  CHECK(subjects(repo.history()) == "One|");
  repo.git("pack-refs --all");
  repo.git("gc --quiet");
  repo.git("worktree add --quiet ../linked HEAD");
  CHECK(subjects(repo.history()) == "One|");
  CHECK(subjects(repo.history(repo.top / "linked/docs/the book")) == "One|");
  repo.git("checkout --quiet --detach");
  CHECK(subjects(repo.history()) == "One|");
}

TEST_CASE("history: if there is none, the reason is reported") {
  const Repo repo;
  const auto why = [](const fs::path& where) {
    const auto found = Repo::checkout(where);
    return found ? found->commit : found.error().message;
  };
  CHECK(why("/nowhere/at/all") == "there is no such directory");
  CHECK(why("/") == "the book is not in a git repository");
  CHECK(why(repo.book) == "nothing is committed yet");
  repo.commit("1", "One");
  repo.commit("2", "Two");
  repo.git("clone --quiet --depth 1 file://" + (repo.top / "work").string() + " " +
           (repo.top / "shallow").string());
  CHECK(why(repo.top / "shallow") ==
        "the clone is shallow, so its dates would be wrong; run git fetch --unshallow");
  std::ofstream(repo.top / "work/.git/HEAD") << "ref: refs/heads/../../../output\n";
  CHECK(why(repo.book) == "nothing is committed yet");
  fs::remove_all(repo.top / "work/.git");
  std::ofstream(repo.top / "work/.git") << "gitdir: ../not there\n";
  CHECK(why(repo.book) ==
        "\"" + (repo.top / "work/.git").string() + "\" is not a readable git repository");
}

TEST_CASE("history: nothing that the repository configures is run or read") {
  const Repo repo;
  const std::string evil = (repo.top / "evil").string(), ran = (repo.top / "ran").string();
  std::ofstream(evil) << "#!/bin/sh\necho \"$0 $*\" >> '" << ran << "'\nexit 0\n";
  fs::permissions(evil, fs::perms::owner_all);
  repo.commit("1", "One");
  repo.commit("2", "Two");
  // Makes the last commit again, with text that looks like a signature.
  repo.git("cat-file commit HEAD");
  const std::string signed_one = (repo.top / "signed").string();
  std::system(
      ("sed '0,/^$/s//gpgsig -----BEGIN PGP SIGNATURE-----\\n -----END PGP SIGNATURE-----\\n/' " +
       (repo.top / "output").string() + " > " + signed_one)
          .c_str());
  repo.git("hash-object -t commit -w " + signed_one);
  std::string id;
  std::ifstream(repo.top / "output") >> id;
  repo.git("update-ref HEAD " + id);
  std::ofstream(repo.book / "chapters/a.md") << "3";
  std::ofstream(repo.book / ".gitattributes") << "*.md diff=evil filter=evil\n";
  for (const char* key : {"gpg.program", "core.fsmonitor", "core.pager", "core.editor",
                          "core.sshCommand", "core.askPass", "diff.external", "diff.evil.textconv",
                          "diff.evil.command", "filter.evil.clean", "filter.evil.process",
                          "core.alternateRefsCommand", "alias.rev-parse"}) {
    repo.git("config " + std::string(key) + " " + evil);
  }
  repo.git("config alias.log '!" + evil + "'");
  for (const char* other : {"log.showSignature true", "log.follow true", "log.mailmap true",
                            "color.ui always", "log.date raw", "i18n.logOutputEncoding UTF-16",
                            "diff.renames copies", "core.quotePath true", "core.abbrev 4",
                            "core.bare true", "core.worktree /", "diff.noPrefix true"}) {
    repo.git("config " + std::string(other));
  }
  CHECK(subjects(repo.history()) == "Two|One|");
  CHECK(!fs::exists(ran));
}

TEST_CASE("history: what a partial clone lacks is not fetched") {
  const Repo repo;
  const std::string ran = (repo.top / "ran").string();
  repo.commit("1", "One");
  repo.git("rev-parse HEAD^{tree}");
  std::string tree;
  std::ifstream(repo.top / "output") >> tree;
  repo.commit("2", "Two");
  fs::remove(repo.top / "work/.git/objects" / tree.substr(0, 2) / tree.substr(2));
  for (const std::string& one :
       {std::string("core.repositoryFormatVersion 1"),
        std::string("extensions.partialClone origin"), std::string("remote.origin.promisor true"),
        std::string("protocol.ext.allow always"),
        std::string("remote.origin.partialCloneFilter tree:0"),
        "remote.origin.url 'ext::touch " + ran + "'"}) {
    repo.git("config " + one);
  }
  const auto checkout = repo.checkout();
  REQUIRE(checkout);
  const auto read = read_history(*checkout, {find_program("git"), repo.top / "scratch"}, nullptr);
  REQUIRE(!read);
  CHECK(read.error().message == "git cannot read the repository");
  CHECK(!fs::exists(ran));
}

TEST_CASE("history: a bare repository is none") {
  const Repo repo;
  repo.commit("1", "One");
  repo.git("clone --quiet --bare . " + (repo.top / "bare").string());
  CHECK(!find_repository(repo.top / "bare"));
}
