// `primer new chapter` in every style in which a list is written.
#include "generator/cli/chapter_list.hpp"

#include "catch.hpp"

#include "generator/cli/chapter_skeleton.hpp"
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
    CHECK(small_book::build(files).errors == "");
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
    CHECK(small_book::build(files).errors == "");
  }
}
