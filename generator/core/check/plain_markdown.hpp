// Checks numbers in Markdown that is no page of a book, such as a README.
//
// The file writes them as chapters do, and hosts show the text of such a link without a link:
//
//   [3.35 TB/s](fact:h100-sxm.bandwidth), [2.1×](<calc: laptop.copy.time / laptop.swap.time>)
//
// Nothing else in the file is checked. It is rendered elsewhere, so it may contain HTML and links
// that a chapter may not.
#pragma once

#include "figures/quantities/facts.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/diagnostic/source.hpp"

namespace primer {

// Whether `file` is Markdown outside chapters/.
bool is_plain_markdown(std::string_view file);

// Returns how many numbers were checked. Reports each one that differs from its source.
std::size_t check_plain_markdown(const Source& source, const figures::Facts& facts,
                                 Diagnostics& diagnostics);

}  // namespace primer
