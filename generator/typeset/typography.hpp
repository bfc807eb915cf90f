// What print has and keyboards lack: a language's own quotation marks, apostrophes that curve, a narrow space that does not
// break between a number and its unit, French spaces before punctuation. Authors write plain text; this sets what is made
// of it. Which language has what is in base/language_rules.hpp.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// Well-formed HTML as `Html` writes it, formula marks among it, with its text set in `language` or in that
// of the nearest `lang` attribute around it. Code, formulas, drawings and attributes stay as they are. What is curved
// already stays, so setting twice changes nothing more.
std::string set_html(std::string_view html, std::string_view language);

// The same for a text without markup: a title, a summary. What stands between backticks stays.
std::string set_text(std::string_view text, std::string_view language);

}  // namespace primer
