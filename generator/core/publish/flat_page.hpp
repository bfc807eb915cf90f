// A page for a site that is opened from a disk (`primer build --flat`).
//
// Browsers show a directory's list of files instead of its index.html there, so links name the
// file. They load no modules and no WebAssembly there, so the page has no such scripts and says
// what it lacks.
#pragma once

#include <string>

namespace primer {

// `notice` is HTML that follows the opening tag of <main>.
std::string flat_page(const std::string& html, const std::string& notice);

// "../roofline/index.html#id" for the address "../roofline/#id". Addresses of other sites, files
// and places in the same page stay the same.
std::string file_address(const std::string& address);

}  // namespace primer
