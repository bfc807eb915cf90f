// Reads chapters in formats that Pandoc reads: Quarto, R Markdown, LaTeX, reStructuredText, Word
// and notebooks.
//
//   chapter --> Pandoc (another program) --> JSON --> pandoc_tree() --> Node --> chapter.cpp
//
// Pandoc's tree becomes the tree of markdown.hpp. Figures, callouts and other groups become the
// HTML elements that html_nodes.hpp reads, so there is one place that knows how the book writes
// them. Cells of code become fences such as "{r}", which directives.cpp reads.
//
// Pandoc gives no positions. The report gets lines from its log and from the loss check.
//
// Only what Pandoc 2.17 and 3.1 have in common is used; a figure is a paragraph in the first and a
// block in the second.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "generator/core/markdown/markdown.hpp"
#include "generator/tools/import/report.hpp"

namespace primer {

struct PandocOutput {
  std::string text;                          // in the format asked for
  std::string log;                           // JSON: a list of messages
  std::map<std::string, std::string> media;  // images in the input, by their path in `text`
  std::string error;                         // empty: Pandoc ended well
};
// Runs Pandoc on `text`. Not set: Pandoc is not installed.
using Pandoc = std::function<PandocOutput(const std::string& from, const std::string& to,
                                          const std::string& text)>;

struct PandocChapter {
  std::string file;                                    // for the report
  std::map<std::string, std::string> media = {};       // as in PandocOutput
  std::map<std::string, std::string>* new_files = {};  // of the new book; gets the images
};

// The tree of a chapter from Pandoc's JSON. Nothing if the JSON has another shape.
std::optional<Node> pandoc_tree(const std::string& json, const PandocChapter& chapter,
                                ImportReport& report);

// The name that an image in the chapter `file` gets in the new book.
std::string media_name(const std::string& file, const std::string& path);

// Whether Jupyter Book hides the cells with such a tag.
bool is_hidden_cell(std::string_view tag);

// Reports what Pandoc's log says it skipped. Its line numbers are `lines_above` too high.
void report_skipped(const std::string& log, int lines_above, const std::string& file,
                    ImportReport& report);

}  // namespace primer
