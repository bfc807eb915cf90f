#include "generator/core/typeset/typography.hpp"

#include "catch.hpp"

using primer::set_html;
using primer::set_text;

TEST_CASE("typography: quotation marks curve according to the text around them") {
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

TEST_CASE("typography: each language has its own quotation marks") {
  const std::pair<const char*, const char*> quoted[] = {
      {"de", "„a ‚b‘ c“"},    {"pl", "„a «b» c”"},     {"it", "«a “b” c»"},
      {"pt-br", "“a ‘b’ c”"}, {"pt-pt", "«a “b” c»"},  {"nl", "‘a ‘b’ c’"},
      {"ru", "«a „b“ c»"},    {"uk", "«a „b“ c»"},     {"sv", "”a ’b’ c”"},
      {"he", "”a ’b’ c”"},    {"ja", "「a 『b』 c」"}, {"zh-tw", "「a 『b』 c」"},
      {"zh-cn", "“a ‘b’ c”"}, {"tr", "“a ‘b’ c”"},     {"es", "«a “b” c»"},
      {"cs", "„a ‚b‘ c“"},    {"xx", "“a ‘b’ c”"}};
  for (const auto& [language, text] : quoted) {
    INFO(language);
    CHECK(set_text("\"a 'b' c\"", language) == text);
    CHECK(set_text(text, language) == text);
  }
  CHECK(set_text("wie's geht, 'so' und die '68er, 'größer'", "de") ==
        "wie’s geht, ‚so‘ und die ’68er, ‚größer‘");
  CHECK(set_text("\"5 GB\"", "de") == "„5\u202FGB“");
  CHECK(set_html("<p>'a</p><p>b'</p>", "de") == "<p>‚a</p><p>b’</p>");
}

TEST_CASE("typography: French has spaces that do not break, where there are spaces") {
  CHECK(set_text("Il a dit \"bonjour\" : vraiment ? « Oui ! » 12,5 % de plus ; \"l'eau\".", "fr") ==
        "Il a dit «\u00A0bonjour\u00A0»\u00A0: vraiment\u202F? «\u00A0Oui\u202F!\u00A0» "
        "12,5\u202F% de plus\u202F; «\u00A0l’eau\u00A0».");
  CHECK(set_html("<p>« <em>Oui</em> »\n: <code>a ? b : c</code> ?</p>", "fr") ==
        "<p>«\u00A0<em>Oui</em>\u00A0»\u00A0: <code>a ? b : c</code>\u202F?</p>");
  for (const char* text : {"Oui! 10:30, «non»", "a -- b --- c"})
    CHECK(set_text(text, "fr") == text);
  const std::string once = set_text("\"a\" : « b » !", "fr-ca");
  CHECK(set_text(once, "fr-ca") == once);
  CHECK(set_text("a : b ?", "en") == "a : b ?");
}

TEST_CASE("typography: where words have no spaces between them, quotation marks take turns") {
  CHECK(set_text("他说\"内存\"和\"带宽\"。", "zh") == "他说“内存”和“带宽”。");
  CHECK(set_text("彼は\"鍵は'帯域'だ\"と言った", "ja") == "彼は「鍵は『帯域』だ」と言った");
  CHECK(set_html("<p>说\"内</p><p>\"存\"</p>", "zh") == "<p>说“内</p><p>“存”</p>");
  CHECK(set_text("it's", "zh") == "it’s");
}

TEST_CASE("typography: Hebrew's abbreviations, and numbers with units from right to left") {
  CHECK(set_text("צה\"ל, ג'ירפה, רח' \"שלום\"", "he") == "צה״ל, ג׳ירפה, רח׳ ”שלום”");
  CHECK(set_text("רוחב 350 GB/s, −2.5 GB.", "he") ==
        "רוחב \u2066350\u202FGB/s\u2069, \u2066−2.5\u202FGB\u2069.");
  CHECK(set_html("<b>16</b> GB", "he") == "<b>16</b>\u202FGB");
  CHECK(set_html("<p lang=\"en\">16 GB</p>", "he") == "<p lang=\"en\">16\u202FGB</p>");
}
