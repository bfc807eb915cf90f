// `primer new chapter` with every style in which a list can be written.
#include "generator/tools/skeleton/skeleton.hpp"

#include <nlohmann/json.hpp>

#include "catch.hpp"

#include "generator/core/load/book.hpp"
#include "generator/core/load/front_matter.hpp"
#include "skeleton/placeholders.hpp"
#include "small_book.hpp"

using namespace primer;

namespace {

struct Style {
  const char *before, *after;
};

constexpr Style styles[] = {
    {"chapters: [{slug: first, number: 1}, second]\n",
     "chapters: [{slug: first, number: 1}, second, {slug: third, number: 2}]\n"},
    {"chapters: [ {slug: first, number: 1},  # the \"]\" of a comment\n  'second',\n]  # end\n",
     "chapters: [ {slug: first, number: 1},  # the \"]\" of a comment\n  'second',\n {slug: third, "
     "number: 2}]  # end\n"},
    {"chapters:\n- {slug: first, number: 1}\n- second  # last\n# end\nsubtitle: S\n",
     "chapters:\n- {slug: first, number: 1}\n- second  # last\n- slug: third\n  number: 2\n# "
     "end\nsubtitle: S\n"},
    {"chapters:\n    # mine\n    -   number: 1\n        slug: first\n    -   slug: second",
     "chapters:\n    # mine\n    -   number: 1\n        slug: first\n    -   slug: second\n    - "
     "slug: third\n      number: 2\n"},
    {"numbering: all\nchapters:\n  - first\n  - second\n",
     "numbering: all\nchapters:\n  - first\n  - second\n  - third\n"},
    {"numbering: none\nchapters: [first, second]\n",
     "numbering: none\nchapters: [first, second, third]\n"},
};

}  // namespace

TEST_CASE("new chapter: book.yaml keeps its style, its order and its comments") {
  for (const auto& [before, after] : styles) {
    INFO(before);
    auto files = small_book::with("Text.\n");
    files["chapters/book.yaml"] = std::string("title: B\n") + before;
    REQUIRE(small_book::build(files).errors == "");
    Diagnostics diagnostics;
    const auto made = new_chapter(*in_memory(files), "third", diagnostics);
    CHECK(to_text(diagnostics, Format::text) == "");
    REQUIRE(made);
    CHECK(made->at("chapters/book.yaml") == std::string("title: B\n") + after);
    for (const auto& [path, text] : *made) files[path] = text;
    CHECK(has_only_placeholders(small_book::build(files).errors));
  }
}

TEST_CASE("new chapter: the first one") {
  for (const auto& [before, after] :
       {Style{"title: B\n", "title: B\nchapters:\n  - slug: first\n    number: 0\n"},
        Style{"title: B\nchapters: []\n", "title: B\nchapters: [{slug: first, number: 0}]\n"},
        Style{"title: B\nnumbering: all\n", "title: B\nnumbering: all\nchapters:\n  - first\n"}}) {
    INFO(before);
    small_book::Files files = {{"chapters/book.yaml", before}};
    Diagnostics diagnostics;
    const auto made = new_chapter(*in_memory(files), "first", diagnostics);
    CHECK(to_text(diagnostics, Format::text) == "");
    REQUIRE(made);
    CHECK(made->at("chapters/book.yaml") == after);
    for (const auto& [path, text] : *made) files[path] = text;
    CHECK(has_only_placeholders(small_book::build(files).errors));
  }
}

TEST_CASE("new chapter: those of another edition of book.yaml join this one") {
  const std::string now = "title: B\nchapters:\n  - first\n  - theirs\n";
  const std::string edited =
      "title: B\nchapters:\n  - first\n  - slug: mine\n    number: 3\n  - other\n";
  CHECK(with_chapters_of(now, edited) == now + "  - slug: mine\n    number: 3\n  - other\n");
  CHECK(with_chapters_of(now, edited, "mine") == now + "  - other\n");
  CHECK(with_chapters_of(now, now) == now);
  for (const char* none : {"", "[", "chapters: 1\n", "chapters:\n  - ../x\n  - [a]\n"})
    CHECK(with_chapters_of(now, none) == now);
  CHECK(with_chapters_of("[", edited) == "[");
}

TEST_CASE("new chapter: its title may hold any word and any character") {
  for (const std::string title :
       {"One: \"two\" \\ three", "SLUG FACT TITLE", "Größe # 漢", "'x'", "- {a: [b]}"}) {
    INFO(title);
    auto files = small_book::with("Text.\n");
    Diagnostics diagnostics;
    const auto made = new_chapter(*in_memory(files), "third", diagnostics, title);
    REQUIRE(made);
    for (const auto& [path, text] : *made) files[path] = text;
    const auto built = small_book::build(files);
    CHECK(has_only_placeholders(built.errors));
    Diagnostics found;
    const auto book = load_book(*in_memory(files), found);
    REQUIRE(book);
    const std::string file = book->chapters.back().file;
    CHECK(parse_front_matter(Source(file, files.at(file)), found).title == title);
    CHECK(nlohmann::json::parse(files.at("figures/specs/third.json"))["title"] == title);
  }
}
