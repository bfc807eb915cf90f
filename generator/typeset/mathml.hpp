// Temml's MathML → MathML for our pages.
//
// The pages' policy forbids style attributes, so each value that Temml writes into one has a class
// in a finite table (site/styles/maths.css says what it looks like); a value without a class is an
// error, as is an element, an attribute or a character that the pages have no means to show. Ids,
// links and namespaces are dropped.
//
// Few formulas need more than this book's: their <math> has the class "m-more", and its page loads
// site/sheets/maths-more.css; with "m-all" it is set in the complete font (maths_repertoire.hpp).
#pragma once

#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/typeset/maths_repertoire.hpp"

namespace primer {

// Well-formed XHTML. Errors are about the formula as a whole (offset and length 0).
figures::Result<std::string> clean_mathml(std::string_view mathml,
                                          const MathsRepertoire& repertoire);

}  // namespace primer
