// Compares what a block refers to in all languages: facts, expressions, citations, link targets,
// ids, and the settings of figures and quizzes. These are the same in every language, so a
// translated block with other references has a mistake.
//
//   original:    TextBlock --> add_references() --> references --+
//                                                                +--> compare_references()
//   translation: TextBlock --> add_references() --> references --+
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generator/core/diagnostic/source.hpp"
#include "generator/core/index/index.hpp"

namespace primer {

// A source that is read only if there is something to report about it. Most translations have no
// mistakes, so their text is not needed.

class LateSource {
 public:
  // `read` returns nothing, after a diagnostic, if the text cannot be read any more.
  LateSource(std::string file, std::function<std::optional<std::string>()> read)
      : file_(std::move(file)), read_(std::move(read)) {}

  // Null if the text cannot be read.
  const Source* get() const {
    if (!source_ && read_) {
      if (auto text = std::exchange(read_, nullptr)()) source_.emplace(file_, std::move(*text));
    }
    return source_ ? &*source_ : nullptr;
  }

 private:
  const std::string file_;
  mutable std::function<std::optional<std::string>()> read_;  // empty: was called
  mutable std::optional<Source> source_;
};

// Sets the references of each block: "link https://example.org/", "fact:h100-sxm.bandwidth",
// "[@nv]", "figure spec: round". Links into the book are written relative to the directory of the
// language.
void add_references(const Node& document, const Source& source, const FrontMatter& front,
                    std::vector<TextBlock>& blocks);

// Reports translated blocks whose references differ from those of their original. If a block was
// translated from an earlier text (it has a mark and is not `current`), or has no original, reports
// only external links that are nowhere in the original.
void compare_references(const ChapterIndex& translation, const ChapterIndex& original,
                        const std::vector<int>& paired, const std::vector<bool>& current,
                        const LateSource& text, Diagnostics& diagnostics);

}  // namespace primer
