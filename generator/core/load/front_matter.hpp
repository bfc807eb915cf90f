// Parses the front matter of a chapter: the YAML between two lines of "---" at its top.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/diagnostic/source.hpp"

namespace primer {

// What the front matter says about one section.
struct SectionNote {
  std::string id;
  std::string mark;                 // "lab", "deep", or empty: for every reader
  int minutes = 0;                  // reading time of a marked section; 0: not given
  std::string invite;               // one line of Markdown that says what is in a marked section
  std::vector<std::string> former;  // ids that it had under earlier headings
};

struct FrontMatter {
  std::string title;     // required; indexing removes its Markdown
  std::string heading;   // set by indexing: the title as Markdown; empty if it has none
  std::string question;  // what the chapter answers, for its card; empty: the summary asks it
  std::string summary;   // one sentence each; empty if absent
  std::string mental_model;
  std::vector<std::string> outcomes;  // what a reader can do afterwards; Markdown
  std::vector<std::string> takeaway;  // one point each; Markdown
  std::string figure;                 // id of the chapter's main figure
  std::vector<std::string> aliases;   // former addresses, from the site's root: "old-name"
  std::vector<SectionNote> sections;  // only sections with a note
  std::vector<std::string> prerequisites;
  std::vector<std::string> d2l;  // matching sections of d2l.ai
  std::string from;              // in a translation: hash of the front matter that it translates
  // in a translation: readers get the original until this is translated again
  bool is_pending = false;
  int body_line = 1;  // first line after the front matter

  const SectionNote* section(std::string_view id) const;  // null: no note about this section
};

// Reports a missing block or title, unknown keys and bad YAML. The result is usable in any case.
FrontMatter parse_front_matter(const Source& source, Diagnostics& diagnostics);

}  // namespace primer
