// Strings that try to become code, in every place where a contributor can write. Each build either
// rejects them or shows them as text. No page ever contains a script, a handler, a style or an
// address that is not on the list.
#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "clean_page.hpp"
#include "generator/core/base/text.hpp"
#include "small_book.hpp"

namespace {

// The list that tests/site/attacks.test.mjs also opens in a browser.
std::vector<std::string> read_attacks() {
  std::ifstream file(PRIMER_SOURCE "/tests/fixtures/attacks.json");
  return nlohmann::json::parse(file).get<std::vector<std::string>>();
}

}  // namespace

TEST_CASE("attack: in the text") {
  for (const std::string& attack : read_attacks()) {
    INFO(attack);
    const auto built = small_book::build(small_book::with(attack + "\n"));
    for (const auto& [path, bytes] : built.site) {
      if (!path.ends_with(".html")) continue;
      INFO(bytes);
      CHECK(dirt_in(bytes) == "");
      CHECK(bytes.find("root:") == std::string::npos);
    }
  }
}

TEST_CASE("attack: in every field", "[slow]") {
  const char* const fields[] = {
      "---\ntitle: %\n---\nx\n",
      "---\ntitle: T\nsummary: %\nmental_model: %\ntakeaway: %\n---\nx\n",
      "---\ntitle: T\nfigure: %\nprerequisites: [%]\nd2l: [%]\n---\nx\n",
      "---\ntitle: T\n---\n```bench\nid: bench-x\nkernels: [%]\ntry: %\n```\n",
      "---\ntitle: T\n---\n```quiz\nid: q-x\nask: %\nchoices:\n  - {say: %, why: %, right: true}\n"
      "  - {say: a, why: b}\n```\n",
      "---\ntitle: T\n---\n```worked\nid: q-x\nask: %\nanswer: %\nexpect: %\nwhy: %\ntrap: %\n```\n",
      "---\ntitle: T\n---\n```worked\nid: q-x\nask: a\ngiven: {%: 1 B}\nanswer: 2 B\nexpect: 2 B\n"
      "why: b\nyours: %\n```\n",
      "---\ntitle: T\n---\n```predict\nid: q-x\nask: %\nthen: %\nchoices: [{say: %}, {say: %}]\n"
      "```\n",
      "---\ntitle: T\n---\n```predict\nid: q-x\nask: a\nthen: b\nmeasured: B.out\nunit: %\n```\n",
      "---\ntitle: T\n---\n```figure\nid: fig-x\nspec: round\ncaption: %\nalt: %\n```\n",
      "---\ntitle: T\n---\n```verdict\nid: v-x\non: B.out\ncases: [{when: empty, say: %},\n"
      "  {when: untrusted, say: a}, {when: otherwise, say: b}]\n```\n",
  };
  for (const std::string& attack : read_attacks()) {
    const std::string scalar = nlohmann::json(attack).dump();  // YAML reads JSON's quotes
    for (const char* field : fields) {
      auto files = small_book::with("");
      files["chapters/en/01-first.md"] = primer::replace_all(field, "%", scalar);
      INFO(files["chapters/en/01-first.md"]);
      const auto built = small_book::build(files);
      if (!built.errors.empty()) continue;
      CHECK(dirt_in(built.site.at("first/index.html")) == "");
    }
  }
}
