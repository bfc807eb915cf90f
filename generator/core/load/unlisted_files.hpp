// Reports files that look like part of the book but are in no site: chapters in the wrong place or
// with the wrong ending, pages that book.yaml does not list, facts and figure specs with the wrong
// name.
//
// book.cpp reports chapters with a correct name that no entry lists. Other folders may hold
// anything.
#pragma once

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/book.hpp"

namespace primer {

void check_unlisted(const FileSystem& files, const Book& book, Diagnostics& diagnostics);

}  // namespace primer
