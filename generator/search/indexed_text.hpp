// What Pagefind is given in place of a page's text, and its words beside those that it makes: it
// finds words between spaces, letter by letter, in the languages that it knows.
//
//   text of the page      given to Pagefind         typed by a reader      asked of Pagefind
//   «eau», l’eau          "eau", l'eau
//   缓存带宽              缓存 存带 带宽 宽ㅤ        带宽                   带宽
//   GPU内存               GPU ⁠ 内存 存ㅤ            内                     内 (begins 内存)
//   naïve                 naïve, and in the index   naive                  naive
//                         also as naive
//   C#, C++               C‿, C⁔⁔                   c++                    c⁔⁔
//
// Chinese, Japanese and Korean characters become overlapping pairs, the last of a run with a filler,
// so that any part of a run is found and no pair begins with another. A joiner between two spaces
// says that the text has none there. Pagefind drops "#" and "+", so that "C#" would be every word
// that begins with c; two signs that it keeps stand for them. site/runtime/reading/search.js makes the same pairs of what a
// reader types, reads them back in excerpts, and folds letters by the same table.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// HTML whose text is so prepared; tags stay as they are. `language` is that of the page.
std::string indexed_html(std::string html, std::string_view language);

// The name that Pagefind is given for the language. It cuts Chinese and Japanese by a dictionary
// that browsers do not have, unless it takes them for another language; index_language_of() is the
// way back.
std::string pagefind_language(std::string_view language);
std::string_view index_language_of(std::string_view pagefind_language);

// A word of the index without accents and points, as readers type it: "naïve" → "naive",
// "przepustowość" → "przepustowosc", "ß" → "ss". The word itself when it has none.
std::string without_accents(std::string_view word);

}  // namespace primer
