// A comment must not swallow part of a text: YAML ends a plain text at " #".
#include "catch.hpp"
#include "small_book.hpp"

namespace {

std::string of_front(const std::string& front) {
  auto files = small_book::with("");
  files["chapters/en/01-first.md"] = "---\n" + front + "---\nText.\n";
  return small_book::build(files).errors;
}

std::string of_book(const std::string& settings) {
  auto files = small_book::with("");
  auto& yaml = files["chapters/book.yaml"];
  yaml.insert(yaml.find("chapters:"), settings);
  return small_book::build(files).errors;
}

}  // namespace

TEST_CASE("comments: behind a plain text they are an error at the sign") {
  CHECK(
      of_front("title: C# and #1 things\n") ==
      "chapters/en/01-first.md:2:15: error: \"#1 things\" is a comment in YAML, so it is not part "
      "of \"title\" [bad-yaml]\n  title: C# and #1 things\n                ^^^^^^^^^\n  note: write "
      "\"C# and #1 things\", or put the comment on a separate line above\n1 error\n");
  for (const std::string front :
       {"title: T\nsummary: A text # and more\n",
        "title: T\nsummary: A text\n  goes on # and more\n",
        "title: T\noutcomes:\n  - learn C # and more\n",
        "title: T\noutcomes: [learn C # and more\n  ]\n",
        "title: T\ntakeaway: Keep it. # and more\n",
        "title: T\ntakeaway:\n  - Keep it.\t# and more\n",
        "title: T\nmental_model: A picture # and more\n", "title: T # and more\r\n",
        "title: T\nsummary: A text\n  # and more\n",
        "title: T\nsummary: A text\n\n  # and more\nd2l: []\n",
        "title: T\nprerequisites:\n  - A text\n    # and more\n"}) {
    INFO(front);
    CHECK_THAT(of_front(front), Catch::Contains("\"# and more\" is a comment in YAML") &&
                                    Catch::Contains("[bad-yaml]") && Catch::EndsWith("1 error\n"));
  }
  // Quotation marks that YAML reads as these words.
  CHECK_THAT(of_front("title: It's \"C\" #1\n"), Catch::Contains("write 'It''s \"C\" #1', or"));
}

TEST_CASE("comments: a text that begins with # is empty, and the error says why") {
  CHECK_THAT(of_front("title: #1 of all\n"),
             Catch::Contains("01-first.md:2:1: error: \"title\" is empty; it must be text") &&
                 Catch::Contains(
                     "\"#1 of all\" is a comment in YAML; put text that begins with # in quotes"));
}

TEST_CASE("comments: in blocks and in book.yaml") {
  const auto block = small_book::errors(
      "```quiz\nid: q-one\nask: Is C # faster?\nchoices:\n  - say: Yes # surely\n    right: true\n"
      "    why: It is.\n  - say: No\n    why: It is not.\n```\n");
  CHECK_THAT(block,
             Catch::Contains("01-first.md:6:11: error: \"# faster?\" is a comment in YAML") &&
                 Catch::Contains("01-first.md:8:14: error: \"# surely\" is a comment in YAML"));
  for (const std::string settings :
       {"subtitle: C # and more\n", "license: CC BY 4.0 # and more\n",
        "authors: [Ada, Bo # and more\n  ]\n", "locales: {es: {title: T # and more\n  }}\n"}) {
    INFO(settings);
    CHECK_THAT(of_book(settings), Catch::Contains("\"# and more\" is a comment in YAML"));
  }
}

TEST_CASE("comments: they stay on separate lines and after numbers, keywords, names and quotes") {
  CHECK(of_front("# first\ntitle: T\n# between\nsummary: A # text's end\n").find("between") ==
        std::string::npos);
  CHECK(of_front("# first\ntitle: \"T\" # quoted\n# between\nsummary: >-  # folded\n  A #1 text.\n"
                 "mental_model: 'A picture' # quoted\naliases: [old]  # an address\n# last\n") ==
        "");
  CHECK(of_front("title: T\nsections:\n  # of what follows\n  x: {mark: lab}\n").find("bad-yaml") ==
        std::string::npos);
  CHECK(of_front("title: C#\nsummary: Issue#1 and a#b\n") == "");
  CHECK(of_front("title: T\nsummary: A text\n# as far left as the key\nd2l: []\n") == "");
  auto files = small_book::with("");
  files["chapters/book.yaml"] =
      "title: Small\nlanguage: en # keyword\nnumbering: given # keyword\nchapters: # the list\n"
      "  - slug: first # a name\n    number: 1  # first\n  - second # a name\n"
      "code: {zig: {keywords: [fn, # one\n  var]}}\n";
  CHECK(small_book::build(files).errors == "");
}

TEST_CASE("comments: a tag that takes a word with it is refused") {
  CHECK_THAT(of_front("title: ! Important\n"),
             Catch::Contains("01-first.md:2:8: error: tags are not allowed"));
  CHECK_THAT(of_front("title: !Important news\n"), Catch::Contains("tags are not allowed"));
  CHECK_THAT(of_front("title: !\n"), Catch::Contains("tags are not allowed"));
}
