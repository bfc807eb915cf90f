// Reports files that an author takes for a part of the book but that are in no site: chapters in the wrong place or
// with another ending, pages that book.yaml does not list, facts and specifications with another name.
//
// book.cpp reports chapters with the right name that no entry lists. Other folders may hold anything.
#pragma once

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/book.hpp"

namespace primer {

void check_unlisted(const FileSystem& files, const Book& book, Diagnostics& diagnostics);

}  // namespace primer
