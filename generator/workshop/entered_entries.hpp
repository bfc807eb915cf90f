// Entries that an author enters in the book's files of facts and references (entry_form.hpp), until they are published or taken back.
#pragma once

#include <string>
#include <vector>

#include "generator/workshop/draft_texts.hpp"

namespace primer {

struct EnteredEntry {
  std::string file, id;
};
std::vector<EnteredEntry> entered_entries(const EditedFiles& files);

// Whether such a file has drafts that are entries.
bool has_entries(const std::string& file);
// The book has the entries that `draft`, an edition of the file of another day, has besides; but not `left_out`.
DraftTexts keep_entries_of(EditedFiles& files, const std::string& file, const std::string& draft,
                           const std::string& left_out = {});

}  // namespace primer
