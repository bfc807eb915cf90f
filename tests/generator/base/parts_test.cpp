// The small parts: names, paths, slugs, YAML, limits, templates, addresses, references.
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <new>

#include "catch.hpp"
#include "figures/base/ascii.hpp"
#include "generator/core/assemble/template.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/check/fix.hpp"
#include "generator/core/markdown/markdown.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/serve/preview.hpp"
#include "generator/host/threads.hpp"
#include "generator/tools/skeleton/skeleton.hpp"
#include "skeleton/placeholders.hpp"
#include "small_book.hpp"

using namespace primer;

TEST_CASE("spelling: the nearest name, or none") {
  CHECK(nearest("sumary", {"title", "summary"}) == "summary");
  CHECK(nearest("xyz", {"threads", "n"}) == "");
  CHECK(nearest("", {"a"}) == "");
  CHECK(nearest("abcde", {"vwxyz", "abdce"}) == "abdce");
  CHECK(nearest("lang", {"long", "language"}) == "long");
  CHECK(nearest("no", {"id", "spec"}) == "");
  CHECK(nearest(std::string(9000, 'a'), {"b"}) == "");
}

TEST_CASE("file system: paths that leave the root are not paths") {
  CHECK(normal_path("a/./b/../c") == "a/c");
  for (const char* path : {"", "/a", "..", "a/../..", "a//b", "a\\b", "."}) {
    INFO(path);
    CHECK(!normal_path(path));
  }
  CHECK(!normal_path(std::string_view("a\0b", 3)));
  CHECK(resolve_path("chapters/en/a.md", "../x.svg") == "chapters/x.svg");
  CHECK(!resolve_path("chapters/en/a.md", "../../../x.svg"));
}

TEST_CASE("file system: it records what was read") {
  const auto files = in_memory({{"a", "1"}});
  CHECK(files->read("a") == "1");
  CHECK(!files->read("b"));
  CHECK(files->list("x").empty());
  const primer::Dependencies reads = files->reads();
  CHECK(reads.size() == 3);
  CHECK(reads.at(primer::Dependency::file("a")) == primer::digest("1"));
  CHECK(reads.at(primer::Dependency::file("b")) == primer::absent);
  CHECK(reads.contains(primer::Dependency::directory("x")));
  const auto page = primer::watched(*files);
  CHECK(page->read("a") == "1");
  CHECK(page->reads().size() == 1);
}

TEST_CASE("pack: numbers are as long as they need, and one that is cut or too long is none") {
  const std::uint64_t most = ~std::uint64_t{0};
  for (const auto& [number, size] : std::vector<std::pair<std::uint64_t, std::size_t>>{
           {0, 1}, {127, 1}, {128, 2}, {16383, 2}, {16384, 3}, {most >> 1, 9}, {most, 10}}) {
    primer::Packer packer;
    packer.add(number);
    CHECK(packer.bytes.size() == size);
    std::uint64_t again = 1;
    primer::Unpacker unpacker(packer.bytes);
    unpacker.take(again);
    CHECK(again == number);
    CHECK(unpacker.whole());
    packer.bytes.back() = static_cast<char>(packer.bytes.back() | 0x80);
    for (const std::string& bytes : {packer.bytes, packer.bytes + std::string(9, '\x80') + '\1'}) {
      primer::Unpacker damaged(bytes);
      damaged.take(again);
      CHECK(again == 0);
      CHECK(!damaged.good());
    }
  }
  primer::Packer packer;
  for (const double number : {0.1, -0.0, 1e300}) packer.add(number);
  CHECK(packer.bytes.size() == 24);
  primer::Unpacker unpacker(packer.bytes);
  for (const double number : {0.1, -0.0, 1e300}) {
    double again = 1;
    unpacker.take(again);
    CHECK(std::bit_cast<std::uint64_t>(again) == std::bit_cast<std::uint64_t>(number));
  }
}

TEST_CASE("dependencies: each is taken apart as it was packed, and no kind that there is not") {
  using primer::Dependency;
  primer::Dependencies reads;
  for (const char* what : {"", "a b", "read a"}) {
    for (int kind = 0; kind <= static_cast<int>(Dependency::last); ++kind) {
      reads[{static_cast<Dependency::Kind>(kind), what}] =
          primer::digest(what + std::to_string(kind));
    }
  }
  primer::Packer packer;
  packer.add(reads);
  primer::Dependencies again;
  primer::Unpacker unpacker(packer.bytes);
  unpacker.take(again);
  CHECK(unpacker.whole());
  CHECK(again == reads);
  packer.bytes.at(1) =
      static_cast<char>(Dependency::last) + 1;  // the kind of the first, after their count
  primer::Unpacker damaged(packer.bytes);
  damaged.take(again);
  CHECK(!damaged.whole());
}

namespace {

// A separate directory that is removed when the test ends.
struct Scratch {
  std::filesystem::path path;
  Scratch()
      : path(std::filesystem::temp_directory_path() /
             ("primer-parts-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Scratch() { std::filesystem::remove_all(path); }
};

}  // namespace

TEST_CASE("file system: a path that is too large or not a file is not read, with a reason") {
  const Scratch scratch;
  const auto put = [&](const char* name, std::uintmax_t size) {
    std::ofstream(scratch.path / name) << "x";
    std::error_code error;
    std::filesystem::resize_file(scratch.path / name, size, error);
    return !error;
  };
  const auto files = disk(scratch.path.string());
  const bool sparse =
      put("big.cpp", std::uintmax_t{200} << 30);  // takes no room on most file systems
  if (!sparse) put("big.cpp", largest_file("big.cpp") + 1);
  put("big.md", largest_file("a.md") + 1);
  put("full.md", largest_file("a.md"));
  put("big.json", largest_file("a.json") + 1);
  CHECK(!files->read("big.cpp"));
  CHECK(files->why_unreadable("big.cpp").message == "the file has more than 16777216 bytes");
  CHECK(files->why_unreadable("big.cpp").too_large);
  CHECK(!files->read("big.md"));
  CHECK(files->why_unreadable("big.md").message == "the file has more than 524288 bytes");
  CHECK(files->read("full.md")->size() == largest_file("a.md"));
  CHECK(files->why_unreadable("full.md").message == "");
  CHECK(files->why_unreadable("big.json").message == "the file has more than 8388608 bytes");
  CHECK(files->why_unreadable("missing").message == "");
  REQUIRE(mkfifo((scratch.path / "pipe.md").c_str(), 0600) == 0);
  CHECK(!files->read("pipe.md"));
  CHECK(files->why_unreadable("pipe.md").message == "this is a pipe, not a file");
  std::filesystem::create_directory(scratch.path / "directory.md");
  CHECK(!files->read("directory.md"));
  CHECK(files->why_unreadable("directory.md").message == "this is a directory, not a file");
  std::filesystem::create_symlink("/etc/passwd", scratch.path / "out.md");
  CHECK(!files->read("out.md"));
  CHECK(files->why_unreadable("out.md").message ==
        "this is a symbolic link; put the file itself there");
}

TEST_CASE(
    "file system: below its root no link is followed, inside neither, the root itself may be one") {
  const Scratch scratch;
  namespace fs = std::filesystem;
  fs::create_directories(scratch.path / "book/private");
  fs::create_directories(scratch.path / "book/chapters");
  std::ofstream(scratch.path / "book/private/d.md") << "private";
  std::ofstream(scratch.path / "book/chapters/plain.md") << "plain";
  fs::create_symlink("../private/d.md", scratch.path / "book/chapters/a.md");
  fs::create_symlink(fs::canonical(scratch.path) / "book/private/d.md",
                     scratch.path / "book/chapters/b.md");
  fs::create_symlink("nowhere", scratch.path / "book/chapters/c.md");
  fs::create_directory_symlink("../private", scratch.path / "book/chapters/up");
  fs::create_directory_symlink("chapters", scratch.path / "book/linked");
  fs::create_directory_symlink("book", scratch.path / "root");
  const auto files = disk((scratch.path / "root").string());
  CHECK(files->read("chapters/plain.md") == "plain");
  for (const char* path : {"chapters/a.md", "chapters/b.md", "chapters/c.md"}) {
    INFO(path);
    CHECK(!files->read(path));
    CHECK(files->digest_of(primer::Dependency::file(path)) == absent);
    CHECK(files->link_in(path) == path);
    CHECK(files->why_unreadable(path).message ==
          "this is a symbolic link; put the file itself there");
  }
  for (const auto& [path, link] :
       {std::pair("chapters/up/d.md", "chapters/up"), std::pair("linked/plain.md", "linked")}) {
    INFO(path);
    CHECK(!files->read(path));
    CHECK(files->link_in(path) == link);
    CHECK(files->why_unreadable(path).message ==
          in_quotes(link) + " is a symbolic link; put the directory itself there");
  }
  CHECK(files->link_in("chapters/plain.md") == "");
  CHECK(files->list("chapters") == std::vector<std::string>{"chapters/a.md", "chapters/b.md",
                                                            "chapters/c.md", "chapters/plain.md",
                                                            "chapters/up"});
  CHECK(files->list("linked").empty());
  CHECK(files->list("chapters/up").empty());
  const auto seen = watched(*files);
  CHECK(!seen->read("chapters/a.md"));
  CHECK(seen->link_in("chapters/a.md") == "chapters/a.md");
}

TEST_CASE("parallel: what one thread throws ends the work, and is thrown by the caller's") {
  for (const int threads : {1, 4}) {
    CHECK_THROWS_AS(primer::Threads(threads).each(100,
                                                  [](std::size_t i) {
                                                    if (i == 7) throw std::bad_alloc();
                                                  }),
                    std::bad_alloc);
  }
}

TEST_CASE("characters: ASCII classes, at the first and last of each") {
  using figures::is_digit, figures::is_letter, figures::is_space;
  std::string digits, letters, spaces;
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (is_digit(c)) digits += c;
    if (is_letter(c)) letters += c;
    if (is_space(c)) spaces += c;
  }
  CHECK(digits == "0123456789");
  CHECK(letters == "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  CHECK(spaces == "\t\n\r ");
  CHECK(figures::lower("@AZ[`az{ É") == "@az[`az{ É");
}

TEST_CASE("slug: the title that one suggests") {
  CHECK(title_of_slug("on-your_own") == "On your own");
  CHECK(title_of_slug("2-chips") == "2 chips");
  CHECK(title_of_slug("") == "");
}

TEST_CASE("slug: as GitHub makes them") {
  CHECK(github_slug("Two meters") == "two-meters");
  CHECK(github_slug("What's next? (2 × 3)") == "whats-next-2--3");
  CHECK(github_slug("Über_alles") == "über_alles");
  CHECK(github_slug("ÉCRIRE À L’ŒIL") == "écrire-à-lœil");
  CHECK(github_slug("ŁÓDŹ Ÿ ẞ Ơ Ưu ĐÐ") == "łódź-ÿ-ß-ơ-ưu-đð");
  CHECK(github_slug("Память Ёж Ґ Љ") == "память-ёж-ґ-љ");
  CHECK(github_slug("ΜΝΉΜΗ Ὀ Σ") == "μνήμη-ὀ-σ");
  CHECK(github_slug("İSTANBUL IĞDIR") == "i\u0307stanbul-iğdir");
  CHECK(github_slug("日本語 ÷ ß ×") == "日本語--ß-");
  CHECK(former_slug("Über ALLES") == "Über-alles");
  Slugs slugs;
  CHECK(slugs.unique("Setup") == "setup");
  CHECK(slugs.unique("Setup") == "setup-1");
}

TEST_CASE("html: text cannot become markup") {
  CHECK(escape("<a href=\"x\">&\x01\x02</a>") == "&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;");
  CHECK(Html().open("p", {{"title", "\"><script>"}}).text("<b>").close().take() ==
        "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;</p>");
}

TEST_CASE("text: only valid UTF-8 without NUL is a text") {
  CHECK(is_utf8("aé€😀"));
  CHECK(!is_utf8(std::string_view("a\0b", 3)));
  for (const char* bad :
       {"a\x02", "\xC0\xAF", "\xED\xA0\x80", "\xF5\x80\x80\x80", "\x80", "\xE2\x82"}) {
    CHECK(!is_utf8(bad));
  }
}

TEST_CASE("markdown: what would take the parser down is refused before it") {
  const auto refused_as = [](const std::string& text) {
    const Source source("a.md", text);
    Diagnostics diagnostics;
    const auto node = parse_markdown(extract_lines(source, 1, source.line_count()), diagnostics);
    return node ? "" : std::string(info(diagnostics.sorted().front().rule).id);
  };
  std::string wide = "|", delimiter = "|", rows;
  for (int i = 0; i < 500; ++i) {
    wide += "a|";
    delimiter += "-|";
    rows += "|x\n";
  }
  CHECK(refused_as(wide + '\n' + delimiter + '\n' + rows) == "table-too-large");
  CHECK(refused_as(std::string(200, '>') + " deep") == "nesting-too-deep");
  std::string emphasis;
  for (int i = 0; i < 300; ++i) emphasis += i % 2 ? "*a " : "_a ";
  for (int i = 299; i >= 0; --i) emphasis += i % 2 ? "a*" : "a_";
  CHECK(refused_as(emphasis) == "nesting-too-deep");
  CHECK(refused_as(std::string(600 * 1024, 'a')) == "file-too-large");
  CHECK(refused_as("- - -\n\n" + std::string(150, '-') + '\n') == "");
  CHECK(refused_as(std::string(50000, '[') + std::string(50000, '*')) == "");
}

TEST_CASE("template: names are checked before anything is rendered") {
  const auto site = in_memory({{"t", "a\n{{titel}}"}, {"u", "{{#on}}{{x}} {{{x}}}{{/on}}"}});
  Diagnostics diagnostics;
  CHECK(!Template::load(*site, "t", {"title"}, {}, {}, diagnostics));
  CHECK(to_text(diagnostics, Format::text) ==
        "site/t:2:3: error: unknown template value \"titel\" [template-error]\n"
        "  {{titel}}\n    ^^^^^\n  did you mean \"title\"?\n1 error\n");
  const auto good = Template::load(*site, "u", {"on", "x"}, {}, {}, diagnostics);
  REQUIRE(good);
  CHECK(good->render({{"on", "y"}, {"x", "<"}}) == "&lt; <");
  CHECK(good->render({{"on", ""}, {"x", "<"}}) == "");
}

TEST_CASE("serve: only this machine, only the site") {
  CHECK(served_file("/") == "index.html");
  CHECK(served_file("/roofline/") == "roofline/index.html");
  for (const char* path : {"/../x", "/a/../../x", "//x", "/a\\..\\x", "x", "/./x"}) {
    INFO(path);
    CHECK(served_file(path).empty());
  }
  CHECK(is_local_host("localhost:8000", 8000));
  CHECK(!is_local_host("localhost:8001", 8000));
  CHECK(!is_local_host("evil.example:8000", 8000));
  CHECK(mime_type("a/b.wasm") == "application/wasm");
  CHECK(mime_type("a/b.webp") == "image/webp");
  CHECK(mime_type("a/b.unknown") == "application/octet-stream");
}

TEST_CASE("serve: only requests from this server's pages, or from no page") {
  HttpRequest request;
  CHECK(!refusal_of(request, 8000).empty());
  request.headers = {{"host", "127.0.0.1:8000"}};
  CHECK(refusal_of(request, 8000).empty());
  for (const char* from : {"cross-site", "same-site", "none, none", "None"}) {
    INFO(from);
    request.headers["sec-fetch-site"] = from;
    CHECK(!refusal_of(request, 8000).empty());
  }
  request.headers["sec-fetch-site"] = "same-origin";
  CHECK(refusal_of(request, 8000).empty());
  request.headers["origin"] = "http://localhost:8000";
  CHECK(refusal_of(request, 8000).empty());
  for (const char* origin :
       {"null", "https://localhost:8000", "http://localhost:8000.evil.example"}) {
    INFO(origin);
    request.headers["origin"] = origin;
    CHECK(!refusal_of(request, 8000).empty());
  }
}

TEST_CASE("chapter skeleton: it builds unchanged") {
  auto files = small_book::with("Text.\n");
  Diagnostics diagnostics;
  const auto made = new_chapter(*in_memory(files), "gpu", diagnostics);
  REQUIRE(made);
  CHECK(
      made->at("chapters/book.yaml").ends_with("  - slug: second\n  - slug: gpu\n    number: 2\n"));
  for (const auto& [path, text] : *made) files[path] = text;
  const auto built = small_book::build(files);
  CHECK(has_only_placeholders(built.errors));
  const std::string& page = built.site.at("gpu/index.html");
  for (const char* part : {"class=\"fact\"", "<figure class=\"plot\"", "class=\"predict\"",
                           "<primer-bench", "class=\"verdict\"", "class=\"worked\""}) {
    INFO(part);
    CHECK(page.find(part) != page.npos);
  }
  CHECK(!new_chapter(*in_memory(files), "gpu", diagnostics));
  CHECK(!new_chapter(*in_memory(files), "../x", diagnostics));
  Diagnostics taken;
  CHECK(!new_chapter(*in_memory(files), "round", taken));
  CHECK(to_text(taken, Format::text) ==
        "primer: error: there is a figure figures/specs/round.json [duplicate-id]\n1 error\n");
}

TEST_CASE("new chapter: nothing is written that would not be a chapter of the book") {
  const auto refused = [](const small_book::Files& files, const std::string& slug) {
    Diagnostics diagnostics;
    const auto made = new_chapter(*in_memory(files), slug, diagnostics);
    CHECK_FALSE(made);
    return to_text(diagnostics, Format::text);
  };
  const auto files = small_book::with("Text.\n");
  for (const char* slug : {"print", "figures", "rules", "changes", "cards", "references",
                           "machines", "images", "search"}) {
    INFO(slug);
    const std::string said = refused(files, slug);
    CHECK(said.find("a chapter \"" + std::string(slug) + "\" cannot be added: ") != said.npos);
    CHECK(said.find("[address-taken]") != said.npos);
  }
  for (const char* slug : {"constructor", "text", "report"}) {
    INFO(slug);
    CHECK(refused(files, slug).find("cannot be added: ") != std::string::npos);
  }
  auto other = files;
  other["chapters/book.yaml"] = "{title: B, pages: []}\n";
  other.erase("chapters/en/01-first.md");
  other.erase("chapters/en/second.md");
  REQUIRE(small_book::build(other).errors == "");
  CHECK(refused(other, "third").find("a chapter \"third\" cannot be added") != std::string::npos);
  other = files;
  other["chapters/book.yaml"] += "languages: [en, es]\n";
  other["site/locales/es.json"] = "{}";
  CHECK(refused(other, "es").find("cannot be added") != std::string::npos);
}

TEST_CASE("new chapter: in a book without facts, too") {
  small_book::Files files = {{"chapters/book.yaml", "title: Bare\n"}};
  Diagnostics diagnostics;
  const auto made = new_chapter(*in_memory(files), "first", diagnostics);
  REQUIRE(made);
  for (const auto& [path, text] : *made) files[path] = text;
  CHECK(has_only_placeholders(small_book::build(files).errors));
}

TEST_CASE("fix: literals that are out of date, and nothing else") {
  auto files = small_book::with(
      "Größe [990 TFLOP/s](fact:h100-sxm.peak.bf16), [294 FLOP/B](<calc: h100-sxm.peak.bf16 / "
      "h100-sxm.bandwidth>), [x](fact:none).\n");
  const auto diagnostics = small_book::diagnose(files);
  const auto fixed = fixed_files(*in_memory(files), diagnostics.sorted());
  REQUIRE(fixed.size() == 1);
  CHECK(fixed.at("chapters/en/01-first.md") ==
        "---\ntitle: First\n---\nGröße [989 TFLOP/s](fact:h100-sxm.peak.bf16), [295 FLOP/B](<calc: "
        "h100-sxm.peak.bf16 / h100-sxm.bandwidth>), [x](fact:none).\n");
}

TEST_CASE("text: a byte order mark begins a file and is no part of its text") {
  const std::string mark = "\xEF\xBB\xBF";
  auto files = small_book::with("");
  const auto plain = small_book::build(files);
  for (auto& [path, text] : files) {
    if (!path.ends_with(".svg") && !path.ends_with(".cpp")) text.insert(0, mark);
  }
  const auto marked = small_book::build(files);
  CHECK(marked.errors == "");
  CHECK(marked.site.at("first/index.html") == plain.site.at("first/index.html"));
  files["chapters/en/01-first.md"] =
      mark + "---\r\ntitle: BOM\r\n---\r\n\r\nIt has [990 TFLOP/s](fact:h100-sxm.peak.bf16).\r\n";
  const auto diagnostics = small_book::diagnose(files);
  CHECK(to_text(diagnostics, Format::text).find("01-first.md:5:9: error: ") != std::string::npos);
  const auto fixed = fixed_files(*in_memory(files), diagnostics.sorted());
  files["chapters/en/01-first.md"] = fixed.at("chapters/en/01-first.md");
  CHECK(files["chapters/en/01-first.md"].starts_with(mark + "---\r\n"));
  CHECK(small_book::build(files).errors == "");
  files["chapters/en/01-first.md"] = mark + "--\ntitle: x\n";
  CHECK(small_book::build(files).errors.find("01-first.md:1:1: error: ") != std::string::npos);
  CHECK(small_book::errors("a" + mark + "b\n").find("[hidden-character]") != std::string::npos);
  CHECK(small_book::errors(mark + mark).find("[hidden-character]") != std::string::npos);
}

TEST_CASE("text: a byte that is invalid in text is reported with its place") {
  const auto said = [](const std::string& body) {
    const std::string errors = small_book::errors(body);
    return errors.substr(0, errors.find('\n'));
  };
  const std::string place = "chapters/en/01-first.md:5:2: error: here is ";
  CHECK(said(std::string("\nA\0B.\n", 6)) == place + "a zero byte [file-not-utf8]");
  CHECK(said("\nA\x1B[0m\n") == place + "the control character U+001B [file-not-utf8]");
  CHECK(said("\né\xE9\n") == place + "the byte 0xE9, which is not UTF-8 [file-not-utf8]");
}

TEST_CASE("references: full stops and years once") {
  auto files = small_book::with("[@a; @b; @c; @d; @nv]\n");
  files["chapters/facts/references.json"] = R"({
    "a": {"type": "paper", "url": "https://a.org/", "checked": true, "title": "Attention", "authors": ["V", "S", "P"], "venue": "NeurIPS 2017",
          "year": 2017},
    "b": {"type": "paper", "url": "https://b.org/", "checked": true, "title": "Why?", "authors": ["K"], 
          "venue": "ISCA 2021, industry", "year": 2021},
    "c": {"type": "paper", "url": "https://c.org/", "checked": true, "title": "C",
          "venue": "arXiv:20200.1", "year": 2020, "accessed": "2026-11-20"},
    "d": {"type": "paper", "url": "https://d.org/", "checked": true, "title": "D",
          "venue": "Red Hat, Inc."},
    "nv": {"type": "report", "url": "https://nv.org/", "checked": true, "title": "Data sheet",
           "year": 2023}})";
  const auto built = small_book::build(files);
  REQUIRE(built.errors == "");
  const std::string& page = built.site.at("first/index.html");
  for (const char* item :
       {"a\">V et al. <a href=\"https://a.org/\">Attention</a>. NeurIPS 2017.<",
        "b\">K. <a href=\"https://b.org/\">Why?</a> ISCA 2021, industry.<",
        "c\"><a href=\"https://c.org/\">C</a>. arXiv:20200.1, 2020. Read 2026-11-20.<",
        "d\"><a href=\"https://d.org/\">D</a>. Red Hat, Inc.<",
        "nv\"><a href=\"https://nv.org/\">Data sheet</a>. 2023.<"}) {
    INFO(page);
    CHECK(page.find(std::string("<li id=\"ref-") + item) != std::string::npos);
  }
}
