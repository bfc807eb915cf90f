// Chapters that an author begins: the files of `primer new chapter`, until they are published or taken back.
#pragma once

#include <optional>
#include <string>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/workshop/draft_texts.hpp"

namespace primer {

// Writes a new chapter's files. Nothing after a diagnostic.
std::optional<DraftTexts> begin_chapter(EditedFiles& files, const std::string& slug,
                                        const std::string& title, Diagnostics& diagnostics);
// Takes back such a chapter with its figure's specification and its place in book.yaml; other files stay as they are.
DraftTexts drop_chapter(EditedFiles& files, const std::string& file);
// The book's chapters and those that `draft`, a book.yaml of another day, has besides.
DraftTexts keep_chapters_of(EditedFiles& files, const std::string& draft);

}  // namespace primer
