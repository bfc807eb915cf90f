// After any edits, an incremental build has the same bytes as a clean one.
//
// Random edits with a fixed seed, in a small book on disk. They change texts, headings and titles;
// add, remove, move and rename chapters; break and fix references; and change facts, the profile,
// specs, listed source files, images, templates and styles. Every second chapter is partly
// translated. Sometimes a fact or the book's own file is invalid. The site has an address and feeds
// of committed chapters. After each edit, the site on disk and the errors are compared with those
// of a build without a cache. EDITS=1000 makes more edits.
#include <random>

#include "catch.hpp"
#include "rebuilt_site.hpp"
#include "rounds.hpp"
#include "small_book.hpp"

using namespace rebuilt;

namespace {

struct Chapter {
  std::string slug, title;
  int heading = 0;                 // changes the id of its section
  std::string alias = {};          // a line of front matter
  std::vector<std::string> parts;  // blocks of Markdown
};

// The intended state of the book. Every edit changes it and writes all files again.
class EditedBook {
 public:
  explicit EditedBook(unsigned seed) : random_(seed) {
    for (int i = 0; i < 5; ++i) add();
  }

  // The edits so far.
  std::string edit() {
    broken_ = below(20);
    switch (below(16)) {
      case 0:
      case 1:
      case 2: return change_text();
      case 3: any().heading = below(3); return "heading";
      case 4: any().title = "Title " + std::to_string(below(50)); return "title";
      case 5:
        if (chapters_.size() < 9) add();
        return "add";
      case 6:
        if (chapters_.size() > 2) chapters_.erase(chapters_.begin() + place());
        return "delete";
      case 7: return rename();
      case 8: std::swap(any(), any()); return "reorder";
      case 9: bandwidth_ = below(3); return "fact";
      case 10:
        ceiling_ = 10 + below(5);
        machines_ = below(3);
        return "profiles";
      case 11: peak_ = 100 + below(3); return "specification";
      case 12: source_ = below(4); return "listed source";
      case 13: template_ = below(3); return "template";
      case 14: style_ = below(3); return "style, image and glossary";
      default: return "nothing";
    }
  }

  Files files() const {
    Files files = small_book::with("");
    files.erase("chapters/en/01-first.md");
    files.erase("chapters/en/second.md");
    std::string list;
    int number = 0;
    for (const auto& chapter : chapters_) {
      list += "  - slug: " + chapter.slug + "\n    number: " + std::to_string(number++) + "\n";
      std::string& text = files["chapters/en/" + chapter.slug + ".md"];
      text = "---\ntitle: " + chapter.title + "\n" +
             (chapter.heading == 1 ? "figure: fig-round\n" : "") + "takeaway: Take " +
             chapter.title + ".\n" + chapter.alias + "---\n\n## Section " +
             std::to_string(chapter.heading) + "\n";
      for (const auto& part : chapter.parts) text += "\n" + resolved(part) + "\n";
      if (number % 2 == 0) files["chapters/es/" + chapter.slug + ".md"] = translated(chapter);
    }
    files["site/locales/es.json"] = read(fs::path(PRIMER_SOURCE) / "site/locales/es.json");
    files["chapters/book.yaml"] =
        (broken_ == 1 ? "titel: Edited\n" : "title: Edited\n") +
        std::string(
            "language: en\nlanguages: [en, es]\nreference: test\nbase_url: https://example.org/\n") +
        "repository: https://example.org/edited\nchapters:\n" + list;
    replace(files["chapters/facts/chips.json"], "3.35 TB/s",
            "3.3" + std::to_string(5 - bandwidth_) + " TB/s");
    if (broken_ == 0) replace(files["chapters/facts/chips.json"], "\"primary\"", "\"primry\"");
    replace(files["figures/profiles/test.json"], "\"value\": 45",
            "\"value\": 4" + std::to_string(ceiling_ % 10));
    for (int i = 0; i < machines_; ++i) {
      files["figures/profiles/m" + std::to_string(i) + ".json"] =
          files["figures/profiles/test.json"];
    }
    replace(files["figures/specs/round.json"], "100 TFLOP/s", std::to_string(peak_) + " TFLOP/s");
    replace(files["wasm_kernels/add.cpp"], "int a = 1;",
            "int a = " + std::to_string(source_) + ";");
    if (source_ == 3) files.erase("wasm_kernels/add.cpp");
    replace(files["chapters/facts/glossary.json"], "Memory", "Memory " + std::to_string(style_));
    replace(files["chapters/en/dot.svg"], "/>", " width=\"" + std::to_string(1 + style_) + "\"/>");
    const std::string mark = "<!-- " + std::to_string(template_) + " -->\n";
    for (const std::string name : {"page", "404"}) {
      const std::string path = "templates/" + name + ".mustache";
      files["site/" + path] = read(fs::path(PRIMER_SOURCE) / "site" / path) + mark;
    }
    files["site/styles/style.css"] = "p { margin: " + std::to_string(style_) + "px }\n";
    files["site/runtime/main.js"] = "export {};\n";
    return files;
  }

 private:
  // Text between @ signs refers to the current book: the number chooses a chapter. One section in
  // twelve does not exist, so that some builds have errors.
  std::string resolved(const std::string& part) const {
    std::string text = part;
    for (auto begin = text.find('@'); begin != text.npos; begin = text.find('@')) {
      const auto space = text.find(' ', begin), end = text.find('@', begin + 1);
      if (end == text.npos || space > end || text[begin + 1] == 'n') break;  // a citation
      const std::string what = text.substr(begin + 1, space - begin - 1);
      const auto number = static_cast<std::size_t>(std::stoi(text.substr(space + 1)));
      const Chapter& chapter = chapters_[number % chapters_.size()];
      const int section = number % 12 == 11 ? 7 : chapter.heading;
      std::string now = chapter.slug + ".md";
      if (what == "section") now += "#section-" + std::to_string(section);
      if (what == "bandwidth") now = std::to_string(5 - bandwidth_);
      if (what == "ceiling") now = std::to_string(ceiling_ % 10);
      text.replace(begin, end + 1 - begin, now);
    }
    return text;
  }

  // Parts of the translation are stale or missing; which ones depends on the rest of the chapter.
  std::string translated(const Chapter& chapter) const {
    return "---\ntitle: Título " + std::to_string(template_) +
           "\n---\n\n<!-- from 00000000 -->\n## Sección\n\n"
           "<!-- from 00000000 -->\n[Sección](../en/" +
           chapter.slug +
           ".md), [HBM](term:hbm).\n\n"
           "<!-- from 00000000 -->\n" +
           chapter.parts.back() + "\n";
  }

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::ptrdiff_t place() { return below(static_cast<int>(chapters_.size())); }
  Chapter& any() { return chapters_[static_cast<std::size_t>(place())]; }
  static void replace(std::string& text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  }

  // The old address redirects to the new one. One time in four, an address that is in use does,
  // too.
  std::string rename() {
    Chapter& chapter = any();
    chapter.alias = "aliases: [" + (below(4) == 0 ? any().slug : chapter.slug) + "]\n";
    chapter.slug = new_slug();
    return "rename";
  }

  std::string new_slug() { return "c" + std::to_string(next_++); }

  void add() {
    Chapter chapter{new_slug(), "New", 0, {}, {}};
    chapters_.push_back(chapter);
    for (int i = 0; i < 3; ++i) chapters_.back().parts.push_back(part());
    // Custom ids are unique.
    chapters_.back().parts.push_back(
        "```figure\nid: fig-round\nspec: round\ncaption: Round.\nalt: A roofline.\n```");
    std::swap(chapters_.back(), any());
  }

  std::string change_text() {
    auto& parts = any().parts;
    parts[static_cast<std::size_t>(below(3))] = part();
    return "text";
  }

  std::string part() {
    const std::string number = std::to_string(below(100)), heading = std::to_string(below(3));
    switch (below(9)) {
      case 0:
        return "See [Section](@section " + number + "@) and [this](@chapter " + number + "@).";
      case 1: return "It moves [3.3@bandwidth 0@ TB/s](fact:h100-sxm.bandwidth).";
      case 2: return "The roof is [4@ceiling 0@ GFLOP/s](<live: P.fma>).";
      case 3: return "```cpp\nint number = " + std::to_string(below(5)) + ";\n```";
      case 4: return "```listing\nsource: wasm_kernels/add.cpp#body\n```";
      case 5:
        return "![A dot](dot.svg) of [HBM](term:hbm), see [the source](../../wasm_kernels/add.cpp).";
      case 6: return "See [Figure](@chapter " + number + "@#fig-round).";
      case 7:
        return "A formula $x_" + std::to_string(below(3)) + "$ and a note[^1].\n\n[^1]: Note " +
               heading + ".";
      default: return "Text " + std::to_string(below(1000)) + " [@nv].";
    }
  }

  std::mt19937 random_;
  std::vector<Chapter> chapters_;
  int next_ = 0, bandwidth_ = 0, ceiling_ = 15, peak_ = 100, source_ = 1, template_ = 0, style_ = 0,
      machines_ = 0, broken_ = -1;
};

}  // namespace

TEST_CASE("incremental: after every edit the site is what a clean build makes", "[slow]") {
  const int edits = rounds("EDITS", 120, 400);
  const Scratch scratch;
  constexpr unsigned seed = 20261121;
  constexpr int edits_of_a_book = 120;  // after that, most of the book is broken
  auto book = std::make_unique<EditedBook>(seed);
  Bench bench(scratch.path);
  Files before, last_good;
  int good = 0, from_cache = 0, unchanged = 0;
  for (int i = 0; i < edits; ++i) {
    const bool begins = i % edits_of_a_book == 0;
    if (begins) book = std::make_unique<EditedBook>(seed + static_cast<unsigned>(i));
    const std::string what = begins ? "begin" : book->edit();
    INFO("edit " << i << ": " << what);
    Files files = book->files();
    write_out(scratch.path / "book", files, before);
    before = std::move(files);
    if (i % 10 == 9) bench.reopen();
    if (i % 40 == 0) REQUIRE(commit(scratch.path / "book", "Edit" + std::to_string(i)));
    primer::BuildReport report;
    const std::string errors = bench.incremental(report);
    const auto clean = bench.clean();
    REQUIRE(errors == clean.errors);
    if (errors.empty()) {
      REQUIRE(tree(bench.site()) == clean.files);
      last_good = clean.files;
      ++good;
    } else if (!last_good.empty()) {
      REQUIRE(tree(bench.site()) == last_good);
    }
    unchanged += report.unchanged ? 1 : 0;
    for (const auto& page : report.pages) from_cache += page.rendered ? 0 : 1;
  }
  // Otherwise the test would prove nothing.
  CHECK(good > edits / 6);
  CHECK(from_cache > edits / 2);
  CHECK(unchanged > 0);
}

TEST_CASE("incremental: a commit changes the dates of a site with an address", "[incremental]") {
  const Scratch scratch;
  Files files = small_book::with("Text.\n");
  files["chapters/book.yaml"] += "base_url: https://h.io/repo/\n";
  for (const std::string path : {"templates/page.mustache", "templates/404.mustache"}) {
    files["site/" + path] = read(fs::path(PRIMER_SOURCE) / "site" / path);
  }
  write_out(scratch.path / "book", files, {});
  REQUIRE(commit(scratch.path / "book", "One"));
  Bench bench(scratch.path);
  const auto tells_of = [&](const char* commit) {
    return read(fs::path(bench.site()) / "changes/index.html").find(commit) != std::string::npos;
  };
  const auto build = [&] {
    primer::BuildReport report;
    CHECK(bench.incremental(report) == "");
    return report.unchanged;
  };
  CHECK(!build());
  CHECK(tells_of("One"));
  CHECK(build());
  files["chapters/en/01-first.md"] += "More.\n";
  write_out(scratch.path / "book", files, {});
  CHECK(!build());
  REQUIRE(commit(scratch.path / "book", "Two"));
  CHECK(!tells_of("Two"));
  CHECK(!build());
  CHECK(tells_of("Two"));
  CHECK(build());
}

TEST_CASE("incremental: the pages of the review follow what they show", "[incremental]") {
  const Scratch scratch;
  Files files = small_book::with("Text.\n");
  files["chapters/book.yaml"] += "review: [figures/profiles/reader.json]\n";
  const std::string reader = files.at("figures/profiles/test.json");
  files["figures/profiles/reader.json"] = reader;
  for (const std::string path : {"templates/page.mustache", "templates/404.mustache"}) {
    files["site/" + path] = read(fs::path(PRIMER_SOURCE) / "site" / path);
  }
  primer::SiteOptions options;
  options.review = true;
  Bench bench(scratch.path, options);
  Files before;
  const auto change = [&](const std::string& path, const std::string& from, const std::string& to) {
    std::string& text = files.at(path);
    REQUIRE(text.find(from) != text.npos);
    text.replace(text.find(from), from.size(), to);
  };
  const auto build = [&] {
    write_out(scratch.path / "book", files, before);
    before = files;
    primer::BuildReport report;
    REQUIRE(bench.incremental(report) == "");
    Files pages = tree(fs::path(bench.site()) / "figures/review");
    REQUIRE(pages.contains("round/index.html"));
    return pages;
  };
  const Files first = build();
  change("chapters/en/01-first.md", "Text.", "Another text.");
  CHECK(build() == first);
  change("figures/specs/round.json", "100 TFLOP/s", "300 TFLOP/s");
  Files last = build();
  CHECK(last.at("round/index.html") != first.at("round/index.html"));
  // The reader's machine keeps its previous name.
  change("figures/profiles/reader.json", "\"value\": 45", "\"value\": 90");
  last = build();
  const auto clean = bench.clean();
  CHECK(clean.errors == "");
  for (const auto& [path, bytes] : last) CHECK(clean.files.at("figures/review/" + path) == bytes);
}

namespace {

// A book whose chapter is saved again after its digest was requested.
class SavedAgain : public primer::FileSystem {
 public:
  SavedAgain(Files files, std::string path, std::string text)
      : path_(std::move(path)), first_(primer::digest(files.at(path_))) {
    files.at(path_) = std::move(text);
    files_ = primer::in_memory(std::move(files));
  }
  std::optional<primer::Digest> known_digest_of(const primer::Dependency& asked) const override {
    return asked == primer::Dependency::file(path_) ? first_ : FileSystem::known_digest_of(asked);
  }

 private:
  std::optional<std::string> load(const std::string& path) const override {
    return files_->read(path);
  }
  std::vector<std::string> walk(const std::string& directory) const override {
    return files_->list(directory);
  }

  std::string path_;
  primer::Digest first_;
  std::unique_ptr<primer::FileSystem> files_;
};

}  // namespace

TEST_CASE("incremental: a chapter that is saved while it is built is not a page of its old index",
          "[incremental]") {
  const Scratch scratch;
  primer::DiskCache cache(scratch.path, primer::Digest{7, 7});
  const auto assets = primer::disk(PRIMER_SOURCE "/site");
  const auto errors = [&](const primer::FileSystem& book) {
    primer::SiteInputs inputs;
    inputs.book = &book;
    inputs.assets = {assets.get(), nullptr, nullptr};
    inputs.cache = &cache;
    primer::Diagnostics diagnostics;
    primer::make_site(inputs, {}, diagnostics);
    return to_text(diagnostics, primer::Format::text);
  };
  Files files = small_book::with("Text of [HBM](term:hbm).\n");
  CHECK(errors(*primer::in_memory(files)) == "");
  const std::string path = "chapters/en/01-first.md";
  // Its index is cached, but its page must be rendered because it shows another definition.
  std::string& term = files.at("chapters/facts/glossary.json");
  term.replace(term.find("Memory"), 6, "Chips");
  CHECK(errors(SavedAgain(files, path, files.at(path) + "More.\n")) ==
        "chapters/en/01-first.md: error: the file changed during the build [file-unreadable]\n1 "
        "error\n");
  CHECK(errors(SavedAgain(files, path, files.at(path))) == "");
}
