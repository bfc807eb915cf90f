// A page's body for those who show it elsewhere, without the book's style and scripts: feed readers
// and e-readers.
#pragma once

#include <functional>
#include <string>

#include "figures/theme.hpp"

namespace primer {

enum class Markup { html, xhtml };

// `body` is a rendered page's, well-formed. Controls, hover texts, hidden parts and second layouts
// of figures are left out, folds are opened, colours are `theme`'s, and `address` says what an
// address of the page is elsewhere. As xhtml it also names MathML's namespace and leaves out what
// validators of e-books refuse. Empty when `body` is not well-formed.
std::string plain_content(const std::string& body, figures::Theme theme, Markup markup,
                          const std::function<std::string(const std::string&)>& address);

// `reference` as seen from `page_url` ("https://host/path/"): "../x/" and "#y" become whole
// addresses, whole ones stay.
std::string absolute_url(const std::string& page_url, const std::string& reference);

}  // namespace primer
