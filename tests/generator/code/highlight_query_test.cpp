// What the book's own matcher of highlighting queries finds, against tree-sitter's engine.
#include "generator/code/highlight_query.hpp"

#include <tree_sitter/api.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "rounds.hpp"

using namespace primer;
namespace fs = std::filesystem;

namespace {

using Found = std::set<std::string>;

std::string line(std::uint32_t begin, std::uint32_t end, std::uint32_t pattern,
                 std::string_view name) {
  return std::to_string(begin) + " to " + std::to_string(end) + " is a @" + std::string(name) +
         " of pattern " + std::to_string(pattern);
}

std::string only_in(const Found& these, const Found& those) {
  std::string lines;
  for (const auto& one : these) lines += those.contains(one) ? "" : one + '\n';
  return lines;
}

// Conditions are not the engine's but its user's: here is a query without them.
std::string without_conditions(std::string query) {
  for (auto at = query.find("(#"); at != query.npos; at = query.find("(#", at)) {
    auto end = at;
    bool quoted = false;
    for (; quoted || query[end] != ')'; ++end)
      quoted ^= query[end] == '"' && query[end - 1] != '\\';
    query.erase(at, end + 1 - at);
  }
  return query;
}

Found found_here(const Grammar& grammar, const std::string& code) {
  const auto query = HighlightQuery::compile(grammar);
  REQUIRE(query);
  const auto spans = query->spans(code);
  REQUIRE(spans);
  Found all;
  for (const auto& span : *spans) {
    all.insert(line(span.begin, span.end, span.pattern, query->query().captures[span.capture]));
  }
  return all;
}

Found found_by_tree_sitter(const Grammar& grammar, const std::string& code) {
  const auto size = [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); };
  std::uint32_t offset = 0;
  TSQueryError error = TSQueryErrorNone;
  TSQuery* query =
      ts_query_new(grammar.language(), grammar.query.data(), size(grammar.query), &offset, &error);
  REQUIRE(query);
  TSParser* parser = ts_parser_new();
  ts_parser_set_language(parser, grammar.language());
  TSTree* tree = ts_parser_parse_string(parser, nullptr, code.data(), size(code));
  TSQueryCursor* cursor = ts_query_cursor_new();
  ts_query_cursor_exec(cursor, query, ts_tree_root_node(tree));
  Found all;
  for (TSQueryMatch match; ts_query_cursor_next_match(cursor, &match);) {
    for (std::uint32_t i = 0; i < match.capture_count; ++i) {
      std::uint32_t length = 0;
      const char* name = ts_query_capture_name_for_id(query, match.captures[i].index, &length);
      const TSNode node = match.captures[i].node;
      if (ts_node_start_byte(node) == ts_node_end_byte(node)) continue;
      all.insert(line(ts_node_start_byte(node), ts_node_end_byte(node), match.pattern_index,
                      {name, length}));
    }
  }
  ts_query_cursor_delete(cursor);
  ts_tree_delete(tree);
  ts_parser_delete(parser);
  ts_query_delete(query);
  return all;
}

// The repository's own sources in a language, of many one in so many, each one whole and cut in the middle.
std::vector<std::string> sources(std::string_view language) {
  const fs::path root = PRIMER_SOURCE;
  const std::map<std::string_view, std::pair<const char*, const char*>> places = {
      {"c", {"generator", ".hpp"}},
      {"cpp", {"figures", ".cpp"}},
      {"javascript", {"site/runtime", ".js"}},
      {"bash", {"scripts", ""}},
      {"json", {"figures/specs", ".json"}}};
  std::vector<std::string> all = {
      "for f in *.c; do x=\"${f%.c}\" y=$1; wc -l < $f > out; done\ng() { echo `date` 'q'; }\n",
      "@wraps(f)\nclass A:\n    def f(self, x, y=2, z: int = 3) -> int:\n        return lambda a: a.b(X)",
      "const {a: b, c} = ([d, {e}]) => `x ${a}` + /re/g; o.f = function () {}; p = {q: () => 1};",
      "__global__ void f(float& a, int* b, T c = 1) { n::g<int>(x)->h<T>(); #define A 1\n}",
      "{\"a\": [1, true, \"x\\n\"], \"b\": {\"c\": null}}",
      "",
      "}}} ((("};
  const auto place = places.find(language);
  if (place == places.end()) return all;
  std::set<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(root / place->second.first)) {
    if (entry.is_regular_file() && entry.path().extension() == place->second.second)
      paths.insert(entry.path());
  }
  const int one_in = rounds("ONE_IN", 4, 1);
  int at = 0;
  for (const fs::path& path : paths) {
    if (at++ % one_in != 0) continue;
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    all.push_back(text.str().substr(0, 8000));
    all.push_back(all.back().substr(all.back().size() / 2));
  }
  return all;
}

}  // namespace

TEST_CASE("what queries find is what tree-sitter's engine finds", "[slow]") {
  for (const Grammar& grammar : grammars()) {
    const std::string query = without_conditions(std::string(grammar.query));
    const Grammar plain{grammar.name, grammar.language, query};
    std::size_t count = 0;
    for (const auto& code : sources(grammar.name)) {
      const auto expected = found_by_tree_sitter(plain, code);
      INFO(grammar.name << ":\n" << code);
      CHECK(only_in(expected, found_here(plain, code)) == "");
      CHECK(only_in(found_here(plain, code), expected) == "");
      count += expected.size();
    }
    CHECK(count > 10);
  }
}

TEST_CASE("queries in a language that highlighting does not need do not compile", "[highlight]") {
  const Grammar json = *std::find_if(grammars().begin(), grammars().end(),
                                     [](const Grammar& grammar) { return grammar.name == "json"; });
  const auto fails_at = [&](std::string_view query) {
    const auto compiled = HighlightQuery::compile({"json", json.language, query});
    return compiled ? -1 : static_cast<int>(compiled.error().offset);
  };
  CHECK(fails_at("(null) ; (nul)\n[(true) \"[\"] @a (pair key: (_) @b value: _)") == -1);
  CHECK(fails_at("(array (number)* @a)") == 15);  // a quantity
  CHECK(fails_at("(array . (number))") == 7);     // an anchor
  CHECK(fails_at("(pair !key)") == 6);            // a field that is missing
  CHECK(fails_at("(pair keys: (_))") == 6);       // no field
  CHECK(fails_at("(_value)") == 1);               // a class of nodes
  CHECK(fails_at("\"function\"") == 1);           // no token
  CHECK(fails_at("((true) (false))") == 8);       // neighbours
  CHECK(fails_at("(_) @a") == 0);                 // whatever node
  CHECK(fails_at("(array (number)") == 15);
  CHECK(fails_at("\"[") == 0);
}
