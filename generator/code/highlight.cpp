#include "generator/code/highlight.hpp"

#include <algorithm>
#include <array>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/code/grammar_painter.hpp"
#include "generator/code/paint.hpp"
#include "generator/code/wgsl_scanner.hpp"
#include "generator/code/word_scanner.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

struct Language {
  std::string_view name;
  std::string_view painter;  // a grammar, "wgsl", "console", "diff", or "" for no colours
};

constexpr std::array languages{
    Language{"asm", ""},
    Language{"bash", "bash"},
    Language{"c", "c"},
    Language{"c++", "cpp"},
    Language{"cmake", ""},
    Language{"console", "console"},
    Language{"cpp", "cpp"},
    Language{"css", ""},
    Language{"cuda", "cpp"},
    Language{"diff", "diff"},
    Language{"go", "go"},
    Language{"html", ""},
    Language{"java", "java"},
    Language{"javascript", "javascript"},
    Language{"js", "javascript"},
    Language{"json", "json"},
    Language{"markdown", ""},
    Language{"none", ""},
    Language{"py", "python"},
    Language{"python", "python"},
    Language{"rs", "rust"},
    Language{"rust", "rust"},
    Language{"sh", "bash"},
    Language{"text", ""},
    Language{"toml", "toml"},
    Language{"ts", "typescript"},
    Language{"typescript", "typescript"},
    Language{"wgsl", "wgsl"},
    Language{"yaml", ""},
};

const Language* find_language(std::string_view name) {
  const auto named = [&](const Language& language) { return language.name == name; };
  const auto found = std::find_if(languages.begin(), languages.end(), named);
  return found == languages.end() ? nullptr : &*found;
}

// "$ command" lines are shell, the rest is output.
Result<Painting> paint_console(std::string_view code) {
  constexpr std::string_view prompt = "$ ";
  Painting painting(code.size(), Paint::none);
  for (const std::string_view line : split_lines(code)) {
    if (!line.starts_with(prompt)) continue;
    auto command = paint_by_grammar("bash", line.substr(prompt.size()));
    if (!command) return command;
    auto at = painting.begin() + (line.data() - code.data());
    *at = Paint::preprocessor;
    std::copy(command->begin(), command->end(), at + prompt.size());
  }
  return painting;
}

Painting paint_diff(std::string_view code) {
  Painting painting(code.size(), Paint::none);
  const auto lines = split_lines(code);
  const auto begins = [&](std::size_t line, std::string_view mark) {
    return line < lines.size() && lines[line].starts_with(mark);
  };
  bool is_header = false;  // "--- old" and "+++ new" above a hunk name its files
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const bool names_old =
        begins(i, "--- ") && begins(i + 1, "+++ ") && (i == 0 || begins(i + 2, "@@"));
    const bool names_new = is_header && line.starts_with("+++ ");
    is_header = names_old;
    const bool is_comment = names_old || names_new || line.starts_with("diff ") ||
                            line.starts_with("index ") || line.starts_with("@@");
    const Paint paint = is_comment              ? Paint::comment
                        : line.starts_with('+') ? Paint::string
                        : line.starts_with('-') ? Paint::removed
                                                : Paint::none;
    std::fill_n(painting.begin() + (line.data() - code.data()), line.size(), paint);
  }
  return painting;
}

Result<Painting> paint(std::string_view painter, std::string_view code) {
  if (painter.empty()) return Painting(code.size(), Paint::none);
  if (painter == "wgsl") return paint_wgsl(code);
  if (painter == "console") return paint_console(code);
  if (painter == "diff") return paint_diff(code);
  return paint_by_grammar(painter, code);
}

Error too_much(std::string_view code) {
  return {"a code block has at most " + std::to_string(largest_code_block / 1024) + " KiB",
          largest_code_block,
          code.size() - largest_code_block,
          {}};
}

}  // namespace

Result<std::vector<std::string>> highlight(const WordLanguage& language, std::string_view code) {
  if (code.size() > largest_code_block) return too_much(code);
  const auto painting = paint_words(language, code);
  if (!painting) return painting.error();
  return painted_lines(code, *painting);
}

bool highlights(std::string_view language) { return find_language(language) != nullptr; }

std::vector<std::string> highlighted_languages() {
  std::vector<std::string> names;
  for (const Language& language : languages) names.emplace_back(language.name);
  return names;
}

Result<std::vector<std::string>> highlight(std::string_view language, std::string_view code) {
  const Language* known = find_language(language);
  if (known == nullptr) {
    return Error{"unknown language " + in_quotes(language), 0, 0,
                 nearest(language, highlighted_languages())};
  }
  if (code.size() > largest_code_block) return too_much(code);
  const auto painting = paint(known->painter, code);
  if (!painting) return painting.error();
  return painted_lines(code, *painting);
}

}  // namespace primer
