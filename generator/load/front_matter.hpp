// The YAML between two lines of "---" at the top of a chapter.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/diagnostic/source.hpp"

namespace primer {

// What a chapter says of one of its sections beside its words.
struct SectionNote {
  std::string id;
  std::string mark;                 // "lab", "deep", or empty: for every reader
  std::vector<std::string> former;  // ids that it had under other headings
};

struct FrontMatter {
  std::string title;    // required; without marks once the chapter is indexed
  std::string heading;  // set by indexing: the title's Markdown, empty where it has no marks
  std::string summary;  // one sentence each; empty when absent
  std::string mental_model;
  std::vector<std::string> outcomes;  // what a reader can do after it; Markdown
  std::vector<std::string> takeaway;  // what to keep, a point each; Markdown
  std::string figure;                 // id of the chapter's one killer figure
  std::vector<std::string> aliases;   // former addresses, from the site's root: "old-name"
  std::vector<SectionNote> sections;  // those of which there is something to say
  std::vector<std::string> prerequisites;
  std::vector<std::string> d2l;  // matching sections of d2l.ai
  std::string from;         // of a translation: the hash of the front matter that it translates
  bool is_pending = false;  // of a translation: readers get the original until it is made again
  int body_line = 1;        // the first line after it

  const SectionNote* section(std::string_view id) const;  // null where nothing is said of it
};

// Reports a missing block or title, unknown keys and bad YAML; the result is usable all the same.
FrontMatter parse_front_matter(const Source& source, Diagnostics& diagnostics);

}  // namespace primer
