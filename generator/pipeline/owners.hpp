// Who has which address of the site (assemble/addresses.hpp), claimed before anything is put together.
#pragma once

#include "generator/assemble/addresses.hpp"
#include "generator/pipeline/rendered.hpp"

namespace primer {

// Of a page of the tree, from the site's root: "en/roofline/index.html".
std::string file_of(const LanguageTree& tree, const Entry& entry);

// The addresses that every book has or may have, then those of this book's files and pages.
Made<Addresses> claim_addresses(const std::vector<LanguageTree>& trees,
                                const RenderedBook& rendered, const Assets& assets);

// Reports files beside the pages that have no owner, and those that are at a page's address.
void check_owners(const std::vector<std::string>& files, const std::vector<LanguageTree>& trees,
                  const Addresses& addresses, Diagnostics& diagnostics);

}  // namespace primer
