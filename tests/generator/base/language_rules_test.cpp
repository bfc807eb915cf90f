#include "generator/core/base/language_rules.hpp"

#include "catch.hpp"

using namespace primer;

TEST_CASE("languages: which run from right to left") {
  for (const char* language : {"he", "ar", "ar-eg", "fa", "ur", "yi", "dv", "ps", "sd", "ug", "ckb",
                               "ku-arab", "az-arab-ir", "pa-arab", "ff-adlm"}) {
    INFO(language);
    CHECK(is_right_to_left(language));
  }
  for (const char* language : {"en", "tr", "ku", "az", "az-latn", "yi-latn", "ks-deva", "hr", "fas",
                               "hebr", "", "zh-hant", "ar-latn-eg"}) {
    INFO(language);
    CHECK(!is_right_to_left(language));
  }
}

TEST_CASE("languages: a tag that is not listed has the rules of its beginning") {
  CHECK(rules_of_language("de-at").open == "„");
  CHECK(rules_of_language("pt").open == "“");
  CHECK(rules_of_language("pt-br").open == "“");
  CHECK(rules_of_language("pt-pt").open == "«");
  CHECK(rules_of_language("zh-hant-tw").open == "「");
  CHECK(rules_of_language("zh-hans").open == "“");
  CHECK(rules_of_language("xx-yy").close == "”");
  CHECK(rules_of_language("").close == "”");
}

TEST_CASE("directions: a document without right-to-left text does not change") {
  const std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><body><p lang=\"es\">a <code>b</code></p></body></html>";
  CHECK(with_directions(html) == html);
}

TEST_CASE("directions: a document's own, and where it changes") {
  CHECK(with_directions(
            "<!DOCTYPE html>\n<html lang=\"he\" data-root=\"./\"><body><p>a <br/>b</p>"
            "<code>c</code><pre><code>d</code></pre><math><mi>x</mi></math></body></html>") ==
        "<!DOCTYPE html>\n<html lang=\"he\" dir=\"rtl\" data-root=\"./\"><body><p>a <br/>b</p>"
        "<code dir=\"ltr\">c</code><pre dir=\"ltr\"><code>d</code></pre>"
        "<math dir=\"ltr\"><mi>x</mi></math></body></html>");
  // Both directions, and back after each. A language with the direction of its surroundings has no
  // attribute.
  CHECK(with_directions(
            "<html lang=\"ar\"><main lang=\"en\"><p lang=\"fr\">a</p>"
            "<p lang=\"he\">b <code>c</code></p><code>d</code></main><p lang=\"fa\">e</p>") ==
        "<html lang=\"ar\" dir=\"rtl\"><main lang=\"en\" dir=\"ltr\"><p lang=\"fr\">a</p>"
        "<p lang=\"he\" dir=\"rtl\">b <code dir=\"ltr\">c</code></p><code>d</code></main>"
        "<p lang=\"fa\">e</p>");
  CHECK(with_directions("<html lang=\"en\"><a lang=\"he\" href=\"he/\">b</a>") ==
        "<html lang=\"en\"><a lang=\"he\" dir=\"rtl\" href=\"he/\">b</a>");
}

TEST_CASE("directions: drawings, which have no dir, and what names its direction itself") {
  CHECK(
      with_directions("<html lang=\"he\"><svg class=\"x\" lang=\"he\"><text>a</text></svg>") ==
      "<html lang=\"he\" dir=\"rtl\"><svg class=\"x\" lang=\"he\" direction=\"ltr\"><text>a</text></svg>");
  CHECK(with_directions("<html lang=\"he\"><p dir=\"ltr\">a<code>b</code></p><svg/>") ==
        "<html lang=\"he\" dir=\"rtl\"><p dir=\"ltr\">a<code>b</code></p><svg direction=\"ltr\"/>");
}

TEST_CASE("directions: unclosed elements, and scripts") {
  CHECK(with_directions("<html lang=\"he\"><p lang=\"en\">a<p>b</html><code>c</code>") ==
        "<html lang=\"he\" dir=\"rtl\"><p lang=\"en\" dir=\"ltr\">a<p>b</html><code>c</code>");
  CHECK(with_directions("<html lang=\"he\"><script>if (a<b) \"<code>\"</script><img>"
                        "<code>c</code></b><!-- x --><") ==
        "<html lang=\"he\" dir=\"rtl\"><script>if (a<b) \"<code>\"</script><img>"
        "<code dir=\"ltr\">c</code></b><!-- x --><");
}
