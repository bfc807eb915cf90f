#include "generator/tools/search/indexed_text.hpp"

#include "catch.hpp"

using namespace primer;

TEST_CASE("search: characters without spaces between them become pairs, through marks") {
  const auto in = [](const char* html) { return indexed_html(html, "zh"); };
  CHECK(in("<p>缓存带宽</p>") == "<p>缓存 存带 带宽 宽\u3164 </p>");
  CHECK(in("<p>内</p>") == "<p>内\u3164 </p>");
  CHECK(in("<p>内<strong>存</strong>大</p><p>小</p>") ==
        "<p>内存 <strong>存大 </strong>大\u3164 </p><p>小\u3164 </p>");
  // Text next to the run is another word, and there is no space between them.
  CHECK(in("GPU内存，L2 缓") == "GPU \u2060 内存 存\u3164 \u2060 ，L2 缓\u3164 ");
  CHECK(in("<a title=\"内存\">x</a> 메모리는 빠") ==
        "<a title=\"内存\">x</a> 메모 모리 리는 는\u3164  빠\u3164 ");
  CHECK(in("メモリー𠀀") == "メモ モリ リー ー𠀀 𠀀\u3164 ");
  CHECK(in("<p>only Latin, é</p>") == "<p>only Latin, é</p>");
}

TEST_CASE("search: marks that Pagefind takes for letters are plain") {
  CHECK(indexed_html("«\u00A0eau\u00A0» l’eau „a“ צה״ל", "fr") ==
        "&quot;eau&quot; l&#39;eau &quot;a&quot; צה&quot;ל");
  CHECK(indexed_html("it’s v4’s “a”", "en") == "it’s v4 &quot;a&quot;");
  CHECK(indexed_html("\u2066350\u202FGB/s\u2069", "he") == "350\u202FGB/s");
}

TEST_CASE("search: C# and C++ are words") {
  CHECK(
      indexed_html("C#, C++ C++17 C/C++ g++ #include page#part a+b 1# &#39;", "en") ==
      "C\u203F, C\u2054\u2054 C\u2054\u205417 C/C\u2054\u2054 g\u2054\u2054 #include page#part a+b 1# "
      "&#39;");
}

TEST_CASE("search: words typed without accents") {
  const std::pair<const char*, const char*> words[] = {{"przepustowość", "przepustowosc"},
                                                       {"café", "cafe"},
                                                       {"naïve", "naive"},
                                                       {"łącze", "lacze"},
                                                       {"groß", "gross"},
                                                       {"ışık", "isik"},
                                                       {"i\u0307stanbul", "istanbul"},
                                                       {"việt", "viet"},
                                                       {"œuvre", "oeuvre"},
                                                       {"μνήμη", "μνημη"},
                                                       {"ёж", "еж"},
                                                       {"שָׁלוֹם", "שלום"},
                                                       {"plain", "plain"},
                                                       {"带宽", "带宽"},
                                                       {"がく", "がく"},
                                                       {"메모", "메모"},
                                                       {"हिंदी", "हिंदी"}};
  for (const auto& [word, typed] : words) CHECK(without_accents(word) == typed);
}

TEST_CASE("search: Pagefind does not know languages that it would cut by a dictionary") {
  for (const char* language : {"zh", "zh-cn", "ja", "ko", "pl", "en"})
    CHECK(index_language_of(pagefind_language(language)) == language);
  CHECK(pagefind_language("zh-cn") == "x-zh-cn");
  CHECK(pagefind_language("ja") == "x-ja");
  CHECK(pagefind_language("ko") == "ko");
}
