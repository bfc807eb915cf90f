// Compares a chapter of the old book with its new text and reports what is missing, with its place.
//
// Both texts are parsed and become lists of items: words, lines of code, formulas, images and links.
// An item that the new text has less often than the old one is lost. If it is a common word, the
// reported places are those whose neighbors are not in the new text either.
//
// The comparison uses neither the import's tree nor its report, so it also finds what the import
// drops by mistake. It does not compare marks: a bold word that is plain now is not lost.
#pragma once

#include <string>

#include "generator/tools/import/foreign_book.hpp"
#include "generator/tools/import/old_lines.hpp"

namespace primer {

// Texts of LaTeX and reStructuredText are compared word by word, without their commands.
//
// `old_text`: the chapter in `file` without front matter, after includes. `format`: Pandoc's name
// of its format; "" for Markdown that our parser reads.
void report_losses(const std::string& file, const OldLines& old_text, const std::string& format,
                   Tool tool, const std::string& new_text, ImportReport& report);

}  // namespace primer
