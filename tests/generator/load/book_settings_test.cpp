// The settings of an author in book.yaml, and their effect on the site.
#include "catch.hpp"

#include "small_book.hpp"

namespace {

constexpr const char* frame =
    "{{#label}}<b>{{label}}</b>{{/label}}{{{body}}}<footer>{{license}}"
    "{{#edit_url}}<a href=\"{{edit_url}}\">edit</a>{{/edit_url}}</footer>";

small_book::Files book_with(const std::string& settings, const std::string& body) {
  auto files = small_book::with(body);
  files["site/templates/page.mustache"] = frame;
  auto& yaml = files["chapters/book.yaml"];
  yaml.insert(yaml.find("chapters:"), settings);
  return files;
}

primer::History dated() {
  return {{"chapters/en/01-first.md",
           {"2026-11-20T10:00:00Z",
            "2026-11-20T10:00:00Z",
            {{"2026-11-20T10:00:00Z", "abc", "First"}}}}};
}

}  // namespace

TEST_CASE("book.yaml: the license and the authors are the author's, or none") {
  auto own = small_book::publish(
      book_with("license: CC BY-SA 4.0\nauthors: [Ada, Bo]\n", "Text.\n"), dated(), true);
  REQUIRE(own.errors.empty());
  CHECK_THAT(own.site.at("first/index.html"), Catch::Contains("<footer>CC BY-SA 4.0.<"));
  CHECK_THAT(own.site.at("feed.xml"), Catch::Contains("<rights>CC BY-SA 4.0</rights>"));
  CHECK_THAT(own.site.at("feed.xml"), Catch::Contains("<name>Ada, Bo</name>"));
  CHECK_THAT(own.site.at("print/index.html"), Catch::Contains(". CC BY-SA 4.0.</p>"));

  auto none = small_book::publish(book_with("", "Text.\n"), dated(), true);
  REQUIRE(none.errors.empty());
  CHECK_THAT(none.site.at("first/index.html"), Catch::Contains("<footer><a"));
  CHECK_THAT(none.site.at("feed.xml"), Catch::Contains("<name>The authors of Small</name>"));
  for (const auto& [path, bytes] : none.site) {
    INFO(path);
    CHECK(bytes.find("CC BY") == bytes.npos);
    CHECK(bytes.find("<rights>") == bytes.npos);
  }
}

TEST_CASE("book.yaml: branch, place and host of the repository are in every link to it") {
  const auto built = small_book::build(book_with(
      "branch: trunk\nrepository_path: docs/book\nrepository_host: gitlab\n",
      "[the code](../../wasm_kernels/add.cpp)\n\n"
      "```listing\nid: lst-add\nsource: wasm_kernels/add.cpp#body\ncaption: One.\n```\n"));
  REQUIRE(built.errors.empty());
  const std::string& page = built.site.at("first/index.html");
  const std::string at = "https://example.org/small/-/blob/trunk/docs/book/wasm_kernels/add.cpp";
  CHECK_THAT(page, Catch::Contains(at + "\">the code"));
  CHECK_THAT(page, Catch::Contains(at + "#L3-3\""));
  CHECK_THAT(page, Catch::Contains(
                       "https://example.org/small/-/edit/trunk/docs/book/chapters/en/01-first.md"));
  CHECK_THAT(small_book::build(book_with("repository_path: ../x\n", "")).errors,
             Catch::Contains("expected a path from the repository's root"));
}

TEST_CASE("book.yaml: chapters have the numbers of their entries, of their order, or none") {
  const std::string body = "## Part\n\n```math eq-x\nx\n```\n\n[Equation](#eq-x)\n";
  auto files = book_with("numbering: none\n", body);
  CHECK_THAT(small_book::build(files).errors,
             Catch::Contains(
                 "a chapter cannot have a number, because book.yaml sets \"numbering: none\""));
  auto& yaml = files["chapters/book.yaml"];
  yaml.replace(yaml.find("    number: 1\n"), 14, "");
  const auto plain = small_book::build(files);
  REQUIRE(plain.errors.empty());
  CHECK_THAT(plain.site.at("first/index.html"), Catch::Contains(">Equation 1</a>"));
  CHECK_THAT(plain.site.at("first/index.html"), !Catch::Contains("Between the chapters"));

  yaml.replace(yaml.find("numbering: none"), 15, "numbering: all");
  const auto all = small_book::build(files);
  REQUIRE(all.errors.empty());
  CHECK_THAT(all.site.at("first/index.html"), Catch::Contains(">Equation 1.1</a>"));
  CHECK_THAT(all.site.at("second/index.html"), Catch::Contains("<b>Chapter 2</b>"));
}

TEST_CASE("a book that measures nothing carries no modules") {
  auto files = small_book::with("Text.\n");
  for (const char* path :
       {"wasm_kernels/traps", "wasm_kernels/lab-simd128", "wasm_kernels/lab-relaxed",
        "wasm_kernels/lab-shared", "wasm_kernels/layers-simd128", "wasm_kernels/layers-relaxed",
        "wasm_kernels/webgpu", "wasm_kernels/kernels-simd128", "wasm_kernels/kernels-relaxed",
        "wasm_kernels/kernels-simd128-shared", "wasm_kernels/kernels-relaxed-shared",
        "figures/page", "figures/page-plots", "figures/models-layers", "figures/models-chips",
        "figures/models-knobs", "figures/models-many", "figures/costs"}) {
    files["build/wasm/" + std::string(path) + ".wasm"] = "\0asm";
  }
  const auto modules_of = [&](const std::string& body) {
    files["chapters/en/01-first.md"] = "---\ntitle: First\n---\n" + body;
    const auto built = small_book::build(files);
    CHECK(built.errors.empty());
    int modules = 0;
    for (const auto& [path, bytes] : built.site) modules += path.ends_with(".wasm") ? 1 : 0;
    return modules;
  };
  CHECK(modules_of("Text.\n") == 0);
  CHECK(modules_of("```bench\nid: b-x\nkernels: [\"stream.read{w=64MiB}\"]\ntry: Guess.\n```\n") ==
        18);
}

TEST_CASE("a chapter in a folder is an error, also where there is no other") {
  auto files = small_book::with("Text.\n");
  files["chapters/en/part/lost.md"] = "no front matter";
  CHECK(small_book::build(files).errors ==
        "chapters/en/part/lost.md: error: this chapter is not published: chapters must be directly "
        "in chapters/en/ [unlisted-chapter]\n  note: move it there and list it in book.yaml, or "
        "move it out "
        "of chapters/en/\n1 error\n");
  CHECK_THAT(small_book::build({{"chapters/book.yaml", "title: B\n"},
                                {"chapters/en/part/lost.md", "---\ntitle: L\n---\n"}})
                 .errors,
             Catch::Contains("[unlisted-chapter]"));
}

TEST_CASE("book.yaml: files that look like a part of the book and are in no site are named") {
  const auto said = [](const std::string& path) {
    auto files = small_book::with("Text.\n");
    files[path] = path.ends_with("json") ? "{}" : "---\ntitle: T\n---\n\nWords.\n";
    return small_book::build(files).errors;
  };
  for (const char* path :
       {"chapters/en/02-x.markdown", "chapters/en/03-y.MD", "chapters/en/04-z.mdx",
        "chapters/en/pages/lost.md", "chapters/07-loose.md", "chapters/facts/chip.json",
        "chapters/facts/Chips.json", "chapters/errata.yml", "figures/specs/round.yaml",
        "figures/specs/square.JSON"}) {
    INFO(path);
    CHECK(said(path).starts_with(std::string(path) + ": error: this file is ignored: "));
  }
  for (const char* path : {"chapters/README.md", "chapters/facts/notes.txt", "chapters/en/a.py",
                           "chapters/en/notes.txt", "figures/specs/unused.txt"}) {
    INFO(path);
    CHECK(said(path) == "");
  }
}
