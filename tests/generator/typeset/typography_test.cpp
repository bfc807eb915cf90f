#include "generator/typeset/typography.hpp"

#include "catch.hpp"

using primer::set_html;
using primer::set_text;

TEST_CASE("typography: quotation marks curve by what stands around them") {
  CHECK(set_text("Being able to say \"L1\" is not.", "en") == "Being able to say “L1” is not.");
  CHECK(set_text("\"'A' is\" (\"B\")", "en") == "“‘A’ is” (“B”)");
  CHECK(set_text("it's the machines' own, since '90", "en") == "it’s the machines’ own, since ’90");
  CHECK(set_text("—\"so\"", "en") == "—“so”");
  CHECK(set_text("dice \"sí\"", "es") == "dice «sí»");
  CHECK(set_text("“set” already’s", "en") == "“set” already’s");
}

TEST_CASE("typography: a tag inside a line ends no word, a block begins one") {
  CHECK(set_html("<p>&quot;<em>a</em>&quot; and <strong>b</strong>'s</p><p>\"c\"</p>", "en") ==
        "<p>“<em>a</em>” and <strong>b</strong>’s</p><p>“c”</p>");
  CHECK(set_html("<li>\x02"
                 "3\x03's</li>",
                 "en") ==
        "<li>\x02"
        "3\x03’s</li>");
  CHECK(set_html("<span><span>5</span><span class=\"tip\">'x'</span></span>", "en") ==
        "<span><span>5</span><span class=\"tip\">‘x’</span></span>");
}

TEST_CASE("typography: code, formulas, drawings and attributes stay") {
  for (const char* html : {"<code>\"a\" 5 GB</code>", "<pre><code>'a'</code> \"b\"</pre>",
                           "<svg><text>\"a\"</text><svg></svg>5 GB</svg>",
                           "<math><mi>'</mi></math>", "<a href=\"x'y\" title=\"5 GB\">z</a>",
                           "\x02"
                           "17\x03"})
    CHECK(set_html(html, "en") == html);
  CHECK(set_html("<code>f</code>'s", "en") == "<code>f</code>’s");
  CHECK(set_text("say `\"a\"` or \"b\"", "en") == "say `\"a\"` or “b”");
}

TEST_CASE("typography: a number and its unit's sign stay together") {
  CHECK(set_text("3.35 TB/s, 8 %, 2 s.", "en") == "3.35\u202FTB/s, 8\u202F%, 2\u202Fs.");
  CHECK(set_text("5 Gbit, 5 Gop/s, 5 Mop", "en") == "5\u202FGbit, 5\u202FGop/s, 5\u202FMop");
  CHECK(set_text("5 Part, 5 Hzz, 5 Rows", "en") == "5 Part, 5 Hzz, 5 Rows");
  CHECK(set_html("<b>16</b>\nGB and 16\u00A0GB", "en") == "<b>16</b>\u202FGB and 16\u202FGB");
  for (const char* text :
       {"64 rows", "3 × 4", "7 billion", "in 3 steps", "2 to 4", "4 ops", "a GB", "5 tok"})
    CHECK(set_text(text, "en") == text);
}

TEST_CASE(
    "typography: a part in another language is set in that, and setting twice changes nothing") {
  const std::string once =
      set_html("<p>\"uno\" <span lang=\"en\">\"one\" <b>\"two\"</b></span> \"dos\"</p>", "es");
  CHECK(once == "<p>«uno» <span lang=\"en\">“one” <b>“two”</b></span> «dos»</p>");
  CHECK(set_html(once, "es") == once);
}

TEST_CASE("typography: Spanish sets thousands apart with narrow spaces, from five digits on") {
  CHECK(set_text("65 536 y 16 777 216", "es") == "65\u202F536 y 16\u202F777\u202F216");
  CHECK(set_text("65,536 B, 1,234,567 y 2,048", "es") ==
        "65\u202F536\u202FB, 1\u202F234\u202F567 y 2048");
  for (const char* text : {"en 2026 128 hilos", "1, 200", "2.5 128", "1,2345", "12,34"})
    CHECK(set_text(text, "es") == text);
  CHECK(set_text("65,536 and 1 234", "en") == "65,536 and 1 234");
  CHECK(set_html("<code>1,234</code> 65\u202F536", "es") == "<code>1,234</code> 65\u202F536");
}
