// The sources that a page's scripts may come from: the book's own directories, if its address is
// known.
#include "generator/core/assemble/policy.hpp"

#include "catch.hpp"
#include "small_book.hpp"

using primer::content_policy;

namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

small_book::Files with_policies() {
  auto files = small_book::with("");
  files["site/templates/page.mustache"] = "<meta content=\"{{{policy}}}\"/>{{{body}}}{{canonical}}";
  files["site/templates/404.mustache"] = "<meta content=\"{{{policy}}}\"/>";
  return files;
}

}  // namespace

TEST_CASE(
    "policy: with an address scripts come from the book's own directories, not from their neighbours") {
  const std::string policy = content_policy("https://h.io/repo/");
  CHECK(has(
      policy,
      "script-src https://h.io/repo/_/ https://h.io/repo/search/ https://h.io/repo/sw.js 'wasm-unsafe-eval';"));
  CHECK_FALSE(has(policy, "script-src 'self'"));
  CHECK_FALSE(has(policy, "worker-src"));  // workers may come from where scripts do
}

TEST_CASE("policy: without an address the origin's scripts, as a preview opens anywhere") {
  const std::string policy = content_policy("");
  CHECK(has(policy, "script-src 'self' 'wasm-unsafe-eval';"));
}

TEST_CASE(
    "policy: text becomes markup or a script's address in one place only, whatever the address") {
  for (const std::string base : {"", "https://h.io/repo/"}) {
    CHECK(has(content_policy(base), "trusted-types primer; require-trusted-types-for 'script'"));
    CHECK(has(content_policy(base), "default-src 'none'"));
    CHECK(has(content_policy(base), "base-uri 'none'"));
  }
}

TEST_CASE("policy: one script may stand in the page itself, and is known by its sum") {
  CHECK(has(content_policy("", "sha256-abc="),
            "script-src 'self' 'sha256-abc=' 'wasm-unsafe-eval';"));
  CHECK_FALSE(has(content_policy(""), "sha256"));
}

TEST_CASE("policy: an address ends neither its directive nor the attribute") {
  const std::string policy = content_policy("https://h.io/a;script-src *,b c/");
  CHECK(has(policy, "script-src https://h.io/a%3Bscript-src%20*%2Cb%20c/_/"));
  auto files = with_policies();
  files["chapters/book.yaml"] += "base_url: 'https://h.io/\"><script>/'\n";
  const auto built = small_book::build(files);
  CHECK(has(built.errors, "[misleading-link]"));
  CHECK(built.site.empty());
}

TEST_CASE(
    "policy: every page of a published book has it, in every language, and previews have the other") {
  auto files = with_policies();
  files["chapters/en/01-first.md"] = "---\ntitle: A\naliases: [the-first]\n---\nText.\n";
  const std::string scripts =
      "script-src https://h.io/repo/_/ https://h.io/repo/search/ https://h.io/repo/sw.js ";
  for (const auto& [path, bytes] : small_book::publish(files, {}, true).site) {
    if (!path.ends_with(".html")) continue;
    INFO(path);
    CHECK(has(bytes, scripts));
  }
  files["chapters/book.yaml"] += "base_url: https://h.io/repo/\n";
  CHECK(has(small_book::build(files).site.at("first/index.html"), scripts));
  const std::string shown = small_book::preview(files).site.at("first/index.html");
  CHECK(has(shown, "script-src 'self' "));
  CHECK_FALSE(has(shown, "h.io"));
}
