// Prepares text for Pagefind, which splits words at spaces and compares them letter by letter, in
// the languages that it knows.
//
//   text of the page      given to Pagefind         typed by a reader      query to Pagefind
//   «eau», l’eau          "eau", l'eau
//   缓存带宽              缓存 存带 带宽 宽ㅤ        带宽                   带宽
//   GPU内存               GPU ⁠ 内存 存ㅤ            内                     内 (prefix of 内存)
//   naïve                 naïve, and in the index   naive                  naive
//                         also as naive
//   C#, C++               C‿, C⁔⁔                   c++                    c⁔⁔
//
// Chinese, Japanese and Korean characters become overlapping pairs, and the last one of a run is
// paired with a filler. Any part of a run can then be found, and no pair is the beginning of
// another. A joiner between two spaces means that the text has no space there. Pagefind drops "#"
// and "+", so "C#" would match every word that begins with c; two signs that it keeps replace them.
// site/runtime/reading/search.js makes the same pairs from what a reader types, undoes them in
// excerpts, and folds letters by the same table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace primer {

// A section of a published page. Sections are indexed as separate pages, because chapters are
// long and readers search for a place in them.

struct PageSection {
  std::string url;   // of the page, with "#id" if the section has one
  std::string html;  // a small page with the chapter's title as metadata
};

// `page` must be made by primer. What is before its first section comes first.
std::vector<PageSection> sections_of(std::string_view url, std::string_view page);

// Whether the page asks search engines to leave it out. The index does so too.
bool is_unlisted(std::string_view page);

// Prepares the text of HTML and leaves tags unchanged. `language` is that of the page.
std::string indexed_html(std::string html, std::string_view language);

// The language code for Pagefind. It would split Chinese and Japanese by a dictionary that browsers
// lack, so it gets another code for them. index_language_of() converts back.
std::string pagefind_language(std::string_view language);
std::string_view index_language_of(std::string_view pagefind_language);

// A word of the index without accents and points, as readers type it: "naïve" → "naive",
// "przepustowość" → "przepustowosc", "ß" → "ss". Unchanged if it has none.
std::string without_accents(std::string_view word);

}  // namespace primer
