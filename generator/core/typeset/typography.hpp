// Sets typographic characters that keyboards lack: quotation marks of the language, curved
// apostrophes, a narrow no-break space between a number and its unit, French spaces before
// punctuation. Authors type plain text. base/language_rules.hpp holds the rules of each language.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// Sets the text of well-formed HTML, as `Html` writes it, in `language` or in the nearest `lang`
// attribute. The HTML may contain formula marks. Code, formulas, drawings and attributes stay
// unchanged. Setting a text twice changes nothing more.
std::string set_html(std::string_view html, std::string_view language);

// The same for text without markup, such as a title. Text between backticks stays unchanged.
std::string set_text(std::string_view text, std::string_view language);

}  // namespace primer
