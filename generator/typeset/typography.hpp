// What print has and keyboards lack: quotation marks and apostrophes that curve, and a narrow space that does not
// break between a number and its unit. Authors write plain text; this sets what is made of it.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// Well-formed HTML as `Html` writes it, formula marks among it, with its text set in `language` ("en", "es") or in that
// of the nearest `lang` attribute around it. Code, formulas, drawings and attributes stay as they are. What is curved
// already stays, so setting twice changes nothing more.
std::string set_html(std::string_view html, std::string_view language);

// The same for a text without markup: a title, a summary. What stands between backticks stays.
std::string set_text(std::string_view text, std::string_view language);

}  // namespace primer
