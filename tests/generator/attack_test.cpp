// Strings that try to become something else, in every place that a contributor can write. Each
// build either refuses them or shows them as text; no page ever holds a script, a handler, a style
// or an address that is not on the list.
#include <regex>

#include "catch.hpp"
#include "generator/text.hpp"
#include "small_book.hpp"

namespace {

const char* const attacks[] = {
    // HTML
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>", "<math><mtext><script>alert(1)</script></mtext></math>",
    "<iframe src=\"https://evil.example\"></iframe>", "<a href=\"javascript:alert(1)\">x</a>",
    "<style>@import 'https://evil.example'</style>", "<base href=\"https://evil.example/\">",
    "<meta http-equiv=refresh content=\"0;url=https://evil.example\">", "<!--><script>x</script>",
    "<![CDATA[<script>]]>", "<?php x ?>", "</title><script>alert(1)</script>",
    "</p></main><script>alert(1)</script>", "\" onmouseover=\"alert(1)", "' onfocus='alert(1)'",
    "&lt;script&gt;alert(1)&lt;/script&gt;", "&#60;script&#62;", "<ScRiPt >alert(1)</sCrIpT>",
    "<div style=\"background:url(javascript:alert(1))\">", "<form action=\"https://evil.example\">",
    // addresses
    "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))", "[x](&#106;avascript:alert(1))",
    "[x](java%73cript:alert(1))", "[x](<java\tscript:alert(1)>)", "[x](data:text/html,<script>)",
    "[x](vbscript:x)", "[x](file:///etc/passwd)", "[x](blob:https://x)", "[x](//evil.example)",
    "[x](\\\\evil.example)", "[x](about:blank)", "<javascript:alert(1)>", "<data:text/html,x>",
    "![x](javascript:alert(1))", "![x](data:image/svg+xml,<svg/>)", "![x](//evil.example/x.png)",
    "![x](https://evil.example/x.png)", "![x](../../../etc/passwd.png)", "![x](/etc/passwd.png)",
    "[x]: javascript:alert(1)\n\n[x]", "[x](https://a.example\"onclick=alert(1))",
    "[x](../../../../etc/passwd)", "[x](/etc/passwd)", "[x](#\"><script>)",
    // the book's own constructs
    "[x](fact:<script>)", "[x](<calc: <script>>)", "[x](<live: \"><script>>)", "[x](term:../x)",
    "[@<script>]", "[@a; @\"><script>]", "$<script>alert(1)</script>$", "$`\"><script>`$",
    "```\"><script>\nx\n```", "```cpp marks=<script>\nx\n```", "```math \"><script>\nx\n```",
    "```listing\nsource: /etc/passwd\ncaption: x\n```",
    "```listing\nsource: ../../../etc/passwd\ncaption: x\n```",
    "```figure\nid: \"><script>\nspec: ../../x\ncaption: x\nalt: x\n```",
    "```figure\nid: fig-x\nspec: round\ncaption: <script>x</script>\nalt: \"><script>\n```",
    "```worked\nid: q-x\nask: <script>\nanswer: 1\nexpect: 1\nwhy: x\n```",
    "```verdict\nid: v\non: <script>\ncases: [{when: empty, say: <script>}]\n```",
    // mustache and YAML
    "{{{body}}} {{title}} {{#x}}{{/x}} {{> page}}", "```figure\nid: &a [*a, *a]\n```",
    "```figure\n!!python/object:os.system x\n```", "```figure\n<<: {a: b}\n```",
    "## <script>alert(1)</script>", "Table tbl-\"><script>: x\n\n| a |\n|---|\n| 1 |",
    "| <script> |\n|---|\n| <img onerror=x> |", "> [!NOTE\"><script>]\n> x", "x[^\"><script>]",
};

// What a page may hold beside text: the elements and attributes that the emitter writes.
bool is_clean(const std::string& html) {
  static const std::regex element("<(/?)([a-zA-Z!?][^\\s>/]*)([^>]*)>");
  static const std::regex bad_element("script|style|iframe|object|embed|form|base|meta|link|!.*|\\?.*",
                                      std::regex::icase);
  static const std::regex bad_attribute("\\s(on[a-z]+|style|srcdoc|action)\\s*=", std::regex::icase);
  static const std::regex address("\\s(?:href|src)=\"([^\"]*)\"");
  for (std::sregex_iterator at(html.begin(), html.end(), element), end; at != end; ++at) {
    const std::string name = (*at)[2], attributes = (*at)[3];
    if (std::regex_match(name, bad_element)) return false;
    const std::string bare = std::regex_replace(attributes, std::regex("\"[^\"]*\""), "\"\"");
    if (std::regex_search(bare, bad_attribute)) return false;
    std::smatch found;
    if (!std::regex_search(attributes, found, address)) continue;
    const std::string url = found[1];
    const auto colon = url.find_first_of(":/#?");
    const bool has_scheme = colon != std::string::npos && url[colon] == ':';
    const bool allowed = url.starts_with("https://") || url.starts_with("http://") ||
                         url.starts_with("mailto:");
    if ((has_scheme && !allowed) || url.starts_with("//")) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("attack: in the text") {
  for (const char* attack : attacks) {
    INFO(attack);
    const auto built = small_book::build(small_book::with(std::string(attack) + "\n"));
    for (const auto& [path, bytes] : built.site) {
      if (!path.ends_with(".html")) continue;
      INFO(bytes);
      CHECK(is_clean(bytes));
      CHECK(bytes.find("root:") == std::string::npos);
    }
  }
}

TEST_CASE("attack: in every field") {
  const char* const fields[] = {
      "---\ntitle: %\n---\nx\n",
      "---\ntitle: T\nsummary: %\nmental_model: %\ntakeaway: %\n---\nx\n",
      "---\ntitle: T\nfigure: %\nprerequisites: [%]\nd2l: [%]\n---\nx\n",
      "---\ntitle: T\n---\n```bench\nid: bench-x\nkernels: [%]\ntry: %\n```\n",
      "---\ntitle: T\n---\n```quiz\nid: q-x\nask: %\nchoices:\n  - {say: %, why: %, right: true}\n"
      "  - {say: a, why: b}\n```\n",
      "---\ntitle: T\n---\n```worked\nid: q-x\nask: %\nanswer: %\nexpect: %\nwhy: %\ntrap: %\n```\n",
  };
  for (const char* attack : attacks) {
    std::string scalar = primer::replace_all(attack, "\\", "\\\\");
    scalar = primer::replace_all(primer::replace_all(scalar, "\"", "\\\""), "\n", "\\n");
    scalar = '"' + primer::replace_all(scalar, "\t", "\\t") + '"';
    for (const char* field : fields) {
      auto files = small_book::with("");
      files["chapters/en/01-first.md"] = primer::replace_all(field, "%", scalar);
      INFO(files["chapters/en/01-first.md"]);
      const auto built = small_book::build(files);
      if (!built.errors.empty()) continue;
      CHECK(is_clean(built.site.at("first/index.html")));
    }
  }
}
