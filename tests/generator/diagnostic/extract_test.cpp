// Every position in a text that was extracted from a file maps to a position in the file.
#include "generator/core/diagnostic/source.hpp"

#include "catch.hpp"

using namespace primer;

namespace {

// The scalar that begins at the first `from` of the file: for each byte of its value, the byte in
// the file.
std::string traced(const std::string& file, std::string_view from, const std::string& value) {
  const Source source("a.yaml", file);
  const auto extract = extract_scalar(source, file.find(from), value);
  std::string out;
  for (std::size_t at = 0; at < value.size(); ++at) {
    const std::size_t place = extract.place(at);
    out += place < file.size() ? file[place] : '?';
  }
  return out;
}

}  // namespace

TEST_CASE("extract: lines as they stand", "[extract]") {
  const Source source("a.md", "one\ntwo\nthree\nfour\n");
  const auto extract = extract_lines(source, 2, 3);
  CHECK(extract.text == "two\nthree\n");
  CHECK(extract.begin() == 4);
  CHECK(extract.place(0) == 4);
  CHECK(extract.place(4) == 8);
  CHECK(extract.place(9) == 13);
  CHECK(extract.place(99) == 14);
  CHECK(extract.end == 14);
  CHECK(extract.jumps.size() == 1);
  CHECK(extract.lines == std::vector<std::size_t>{0, 4});
  CHECK(extract.line_start(0) == 0);
  CHECK(extract.line_start(1) == 4);
  CHECK(extract.line_start(2) == 10);
  CHECK(extract.line_start(-1) == 0);
  CHECK(extract.offset(1, 2) == 10);
  CHECK(extract.offset(9, 1) == 9);
  CHECK(extract.offset(-1, -1) == 4);
  CHECK(extract.next_jump(0) == 10);
}

TEST_CASE("extract: lines that end with a carriage return leave it out", "[extract]") {
  const Source source("a.md", "one\r\ntwo\r\n");
  const auto extract = extract_lines(source, 1, 2);
  for (const char c : std::string("onetw")) {
    const std::size_t at = extract.text.find(c);
    CHECK(source.text()[extract.place(at)] == c);
  }
}

TEST_CASE("extract: lines behind a prefix", "[extract]") {
  const Source source("a.md", "x\n> one\n>   two\n> other\ny\n");
  const auto extract = extract_behind_prefix(source, 2, "one\ntwo\nmissing\n");
  CHECK(extract.place(0) == 4);
  CHECK(extract.place(2) == 6);
  CHECK(extract.place(4) == 12);
  CHECK(extract.place(8) == 16);  // the start of the line, not its end
  CHECK(extract.next_jump(0) == 4);
  CHECK(extract.next_jump(4) == 8);
  CHECK(extract.next_jump(8) == extract.text.size());
  CHECK(extract.end == 24);
  const auto none = extract_behind_prefix(source, 2, "");
  CHECK(none.place(5) <= none.end);
}

TEST_CASE("extract: scalars, plain and quoted, with their escapes", "[extract]") {
  CHECK(traced("a: plain text\n", "plain", "plain text") == "plain text");
  CHECK(traced("a: \"quoted\"\n", "\"", "quoted") == "quoted");
  CHECK(traced("a: 'quoted'\n", "'", "quoted") == "quoted");
  CHECK(traced("a: 'it''s so'\n", "'", "it's so") == "it's so");
  CHECK(traced("a: \"x\\ny z\"\n", "\"", "x\ny z") == "x\\y z");
  CHECK(traced("a: \"x\\\"y\"\n", "\"", "x\"y") == "x\\y");
  CHECK(traced("a: \"\\x41b\"\n", "\"", "Ab") == "\\b");
  CHECK(traced("a: \"\\u0041b\"\n", "\"", "Ab") == "\\b");
  CHECK(traced("a: \"\\U00000041b\"\n", "\"", "Ab") == "\\b");
  // Two bytes of one character that was escaped as a whole.
  CHECK(traced("a: \"\\u00e9b\"\n", "\"", "éb").back() == 'b');
  CHECK(traced("a: '\\n'\n", "'", "\\n") == "\\n");
  CHECK(traced("a: x\\ny\n", "x", "x\\ny") == "x\\ny");
  CHECK(traced("a: x''y\n", "x", "x''y") == "x''y");
}

TEST_CASE("extract: folded and literal scalars leave out their indents", "[extract]") {
  CHECK(traced("a: >\n  one\n  two\nb: 1\n", ">", "one two\n") == "one two\n");
  CHECK(traced("a: |\n  one\n  two\nb: 1\n", "|", "one\ntwo\n") == "one\ntwo\n");
  CHECK(traced("a: >-\n\n   one\n", ">", "one") == "one");
  CHECK(traced("a: |\n  one\n    in\n", "|", "one\n  in\n").substr(0, 3) == "one");
  CHECK(traced("a: one\n  two\n", "one", "one two") == "one two");
  CHECK(traced("a: \"one\n  two\"\n", "\"", "one two") == "one two");
}

TEST_CASE("extract: a scalar's place is never behind its file", "[extract]") {
  const Source source("a.yaml", "a: x");
  for (const std::size_t offset : {3, 4, 9}) {
    const auto extract = extract_scalar(source, offset, "xyz and more");
    for (std::size_t at = 0; at < 20; ++at) CHECK(extract.place(at) <= 4);
  }
  const Source quote("a.yaml", "a: \"\\");
  for (const char* value : {"", "x", "xyz"}) CHECK(extract_scalar(quote, 3, value).end <= 5);
}
