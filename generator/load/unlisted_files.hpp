// Files below chapters/ that an author takes for a part of the book and that are in no site: chapters in other places
// or with other endings, pages that book.yaml does not list, facts and specifications under another name. Chapters of the right form that
// no entry names are reported with the entries (book.cpp); other folders may hold anything.
#pragma once

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/book.hpp"

namespace primer {

void check_unlisted(const FileSystem& files, const Book& book, Diagnostics& diagnostics);

}  // namespace primer
