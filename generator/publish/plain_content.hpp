// A page's body for those who show it elsewhere, without the book's style and scripts: feed readers
// and e-readers.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "figures/draw/theme.hpp"

namespace primer {

enum class Markup { html, xhtml };

// `body` is a rendered page's, well-formed. Controls, hover texts, hidden parts and second layouts
// of figures are left out, folds are opened, colours are `theme`'s, and `address` says what an
// address of the page is elsewhere. As xhtml it also names MathML's namespace and leaves out what
// validators of e-books refuse. A model's picture for paper stands for its first frame. `name` says what
// an id is elsewhere; without it ids stay. Empty when `body` is not well-formed.
using Renamed = std::function<std::string(const std::string&)>;
std::string plain_content(const std::string& body, figures::Theme theme, Markup markup,
                          const Renamed& address, const Renamed& name = {});

// `reference` as seen from `page_url` ("https://host/path/"): "../x/" and "#y" become whole
// addresses, whole ones stay.
std::string absolute_url(const std::string& page_url, const std::string& reference);

// Where in the chapter of `chapter_url` a whole address leads: the id after its "#", empty for the
// beginning. Nothing: it leads elsewhere.
std::optional<std::string> id_within(const std::string& chapter_url, const std::string& whole);

}  // namespace primer
