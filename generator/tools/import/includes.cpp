// mdBook's includes: "{{#include file:anchor}}", "{{#rustdoc_include file:2:7}}"; LaTeX's \\input,
// and reStructuredText's include and literalinclude.
#include <algorithm>
#include <cctype>
#include <set>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/old_lines.hpp"

namespace primer {
namespace {

constexpr std::string_view open_mark = "{{#", close_mark = "}}";

bool is_anchor_line(std::string_view line) {
  return line.find("ANCHOR: ") != line.npos || line.find("ANCHOR_END: ") != line.npos;
}

// Whether the word behind the mark on this line is the anchor's name.
bool names_anchor(std::string_view line, std::string_view mark, std::string_view anchor) {
  const auto at = line.find(mark);
  if (at == line.npos) return false;
  const std::string_view rest = trim(line.substr(at + mark.size()));
  return rest.substr(0, rest.find(' ')) == anchor;
}

std::size_t line_number(std::string_view digits, std::size_t otherwise) {
  std::size_t value = 0;
  for (const char c : digits.substr(0, 9)) value = value * 10 + static_cast<std::size_t>(c - '0');
  return digits.empty() ? otherwise : value;
}

// The lines that "anchor", "2", "2:7", "2:" or ":7" names; all of them for "".
std::vector<std::string> lines_of_part(std::string_view text, std::string_view part) {
  const auto lines = split_lines(text);
  std::size_t first = 1, last = lines.size();
  const bool numbers = !part.empty() && part.find_first_not_of("0123456789:") == part.npos;
  bool inside = part.empty() || numbers;
  if (numbers) {
    const auto ends = split(part, ':');
    first = line_number(ends.front(), 1);
    last = line_number(ends.back(), last);
  }
  std::vector<std::string> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!numbers && names_anchor(lines[i], "ANCHOR: ", part)) inside = true;
    if (!numbers && names_anchor(lines[i], "ANCHOR_END: ", part)) inside = false;
    if (inside && i + 1 >= first && i + 1 <= last && !is_anchor_line(lines[i]))
      found.emplace_back(lines[i]);
  }
  return found;
}

class Includer {
 public:
  Includer(const FileSystem& files, std::string chapter, ImportReport& report)
      : files_(files), chapter_(std::move(chapter)), report_(report) {}

  // `within`: files that are being included.
  void expand(const std::string& file, OldLine line, const std::set<std::string>& within,
              OldLines& into) {
    std::size_t from = 0;
    for (;;) {
      const auto at = line.text.find(open_mark, from);
      const auto end = at == line.text.npos ? at : line.text.find(close_mark, at);
      if (end == line.text.npos) return into.push_back(std::move(line));
      from = end + close_mark.size();
      if (at > 0 && line.text[at - 1] == '\\') continue;
      const auto words = split(trim(std::string_view(line.text).substr(at + 3, end - at - 3)), ' ');
      const std::string command(words.front());
      const std::string target(words.size() > 1 ? words[1] : std::string_view());
      if (target.empty() && command != "title") continue;  // such as {{#include }} in a sentence
      if (command == "title") {
        report_.changed("{{#title}}", "left out", chapter_, line.number);
        line.text.erase(at, from - at);
        from = at;
        continue;
      }
      auto pasted = lines_of(file, command, target, line.number, within);
      if (!pasted) continue;
      return paste(*pasted, {line.text.substr(0, at), line.number},
                   {line.text.substr(from), line.number}, within, into);
    }
  }

 private:
  struct Pasted {
    std::string path;
    std::vector<std::string> lines;
  };

  // Nothing, after an entry in the report, if the directive stays as it is.
  std::optional<Pasted> lines_of(const std::string& file, const std::string& command,
                                 const std::string& target, int number,
                                 const std::set<std::string>& within) {
    if (!is_one_of(command, {"include", "rustdoc_include", "playground", "playpen"})) {
      report_.changed("{{#" + command + "}}", "left as text", chapter_, number);
      return std::nullopt;
    }
    const auto colon = target.find(':');
    const auto path = resolve_path(file, target.substr(0, colon));
    const auto text = path ? files_.read(*path) : std::nullopt;
    const std::string part = colon == target.npos ? "" : target.substr(colon + 1);
    const char* why = !text                             ? "the file is missing or too large"
                      : within.contains(*path)          ? "the file includes itself"
                      : within.size() > deepest_include ? "too many files include each other"
                      : bytes_ > most_included_bytes    ? "the chapter would be too large"
                                                        : nullptr;
    if (why) {
      report_.lost("{{#" + command + ' ' + target + "}}: " + why, chapter_, number);
      return std::nullopt;
    }
    Pasted pasted{*path, lines_of_part(*text, part)};
    if (pasted.lines.empty())
      report_.lost("{{#" + command + ' ' + target + "}}: no line has that name or number", chapter_,
                   number);
    report_.changed("{{#" + command + "}}", "pasted", chapter_, number);
    if (command.starts_with("play")) {
      pasted.lines.insert(pasted.lines.begin(), "```rust");
      pasted.lines.emplace_back("```");
    }
    for (const auto& line : pasted.lines) bytes_ += line.size() + 1;
    return pasted;
  }

  void paste(const Pasted& pasted, const OldLine& before, const OldLine& after,
             std::set<std::string> within, OldLines& into) {
    within.insert(pasted.path);
    // The indentation of an include belongs to all its lines. Other text before it is only on the
    // first line.
    const bool indents = trim(before.text).empty();
    OldLines lines;
    for (std::size_t i = 0; i < pasted.lines.size(); ++i)
      expand(pasted.path, {(i == 0 || indents ? before.text : "") + pasted.lines[i], before.number},
             within, lines);
    if (lines.empty()) lines.push_back(before);
    OldLine rest = after;
    rest.text = lines.back().text + rest.text;
    lines.pop_back();
    std::ranges::move(lines, std::back_inserter(into));
    // More includes may follow on the line, but not those that were just pasted.
    if (after.text.find(open_mark) == after.text.npos) return into.push_back(std::move(rest));
    within.erase(pasted.path);
    const std::string pasted_text = rest.text.substr(0, rest.text.size() - after.text.size());
    OldLines behind;
    expand(chapter_, after, within, behind);
    behind.front().text = pasted_text + behind.front().text;
    std::ranges::move(behind, std::back_inserter(into));
  }

  const FileSystem& files_;
  const std::string chapter_;
  ImportReport& report_;
  std::size_t bytes_ = 0;
};

// Replaces lines that paste a whole file.
class Paster {
 public:
  Paster(const FileSystem& files, const ForeignBook& book, std::string chapter,
         ImportReport& report)
      : files_(files), book_(book), chapter_(std::move(chapter)), report_(report) {}

  void expand(const std::string& file, const OldLines& lines, int depth, OldLines& into) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const OldLine& line = lines[i];
      const std::size_t indent = std::min(line.text.find_first_not_of(' '), line.text.size());
      const std::string_view text = trim(line.text);
      const bool pastes = text.starts_with(".. include:: ");
      const bool shows = text.starts_with(".. literalinclude:: ");
      if (book_.tool == Tool::latex) tex(file, line, depth, into);
      else if (pastes)
        paste(file, text.substr(13), {"", line.number}, std::string(indent, ' '), depth, into);
      else if (shows) literal(file, text.substr(20), line, std::string(indent + 3, ' '), into);
      else into.push_back({without_domain(line.text), line.number});
      if (!pastes && !shows) continue;
      for (; i + 1 < lines.size() && trim(lines[i + 1].text).starts_with(':'); ++i)
        report_.changed("option of an included file", "left out; the whole file is pasted",
                        chapter_, lines[i + 1].number);
    }
  }

 private:
  // ".. py:data:: x" of Sphinx, which is a comment to Pandoc, as ".. py-data:: x".
  static std::string without_domain(std::string line) {
    const auto begin = line.find_first_not_of(' '), end = line.find("::");
    if (end == line.npos || line.compare(begin, 3, ".. ") != 0) return line;
    const auto colon = line.find(':');
    if (colon < end && line.find(' ', begin + 3) > end) line[colon] = '-';
    return line;
  }

  void tex(const std::string& file, const OldLine& line, int depth, OldLines& into) {
    for (const auto& [name, argument, at] : tex_commands(line.text)) {
      if (!is_one_of(name, {"input", "include", "subfile"}) || argument.empty()) continue;
      into.push_back({line.text.substr(0, at), line.number});
      const auto path = normal_path(book_.content + argument);
      const bool chapter = path && std::ranges::any_of(book_.chapters, [&](const auto& one) {
                             return one.file == *path || one.file == *path + ".tex";
                           });
      if (!chapter) paste(file, argument, {"", line.number}, "", depth, into);
      into.push_back({line.text.substr(line.text.find('}', at) + 1), line.number});
      return;
    }
    into.push_back(line);
  }

  std::optional<std::string> text_of(const std::string& file, std::string_view target, int line) {
    const std::string name(trim(target));
    for (const std::string ending : {"", ".tex"}) {
      const auto path = book_.tool == Tool::latex ? normal_path(book_.content + name + ending)
                        : name.starts_with('/')   ? normal_path(book_.content + name.substr(1))
                                                  : resolve_path(file, name);
      auto text = path ? files_.read(*path) : std::nullopt;
      if (!text) continue;
      if ((bytes_ += text->size()) > most_included_bytes) break;
      report_.changed("included file", "pasted", chapter_, line);
      path_ = *path;
      return text;
    }
    report_.lost("included file " + name + ": it is missing or too large", chapter_, line);
    return std::nullopt;
  }

  void paste(const std::string& file, std::string_view target, const OldLine& at,
             const std::string& indent, int depth, OldLines& into) {
    const auto text = depth < deepest_include ? text_of(file, target, at.number) : std::nullopt;
    if (!text) return;
    OldLines lines;
    for (const auto line : split_lines(*text))
      lines.push_back({line.empty() ? "" : indent + std::string(line), at.number});
    expand(std::string(path_), lines, depth + 1, into);
  }

  void literal(const std::string& file, std::string_view target, const OldLine& line,
               const std::string& indent, OldLines& into) {
    const auto text = text_of(file, target, line.number);
    if (!text) return into.push_back(line);
    const std::string ending = path_.substr(std::min(path_.rfind('.'), path_.size() - 1) + 1);
    into.push_back({indent.substr(3) + ".. code-block:: " + (ending == "py" ? "python" : ending),
                    line.number});
    into.push_back({"", line.number});
    for (const auto code : split_lines(*text))
      into.push_back({indent + std::string(code), line.number});
    into.push_back({"", line.number});
  }

  const FileSystem& files_;
  const ForeignBook& book_;
  const std::string chapter_;
  ImportReport& report_;
  std::string path_;  // of the file that was read last
  std::size_t bytes_ = 0;
};

}  // namespace

OldLines with_pasted_files(const FileSystem& files, const ForeignBook& book,
                           const std::string& file, const OldLines& lines, ImportReport& report) {
  OldLines all;
  Paster(files, book, file, report).expand(file, lines, 0, all);
  return all;
}

OldLines with_cell_fences(const OldLines& lines) {
  OldLines out;
  std::string open;  // the fence of the block that is open
  for (const auto& line : lines) {
    // A group may follow its neighbor without an empty line in Quarto, but not in Pandoc.
    const bool group = open.empty() && trim(line.text).starts_with(":::");
    if (group) out.push_back({"", line.number});
    out.push_back(line);
    if (group) out.push_back({"", line.number});
    const auto fence = fence_of(line.text);
    if (!fence) continue;
    if (!open.empty()) {
      if (fence->marks.size() >= open.size() && fence->marks[0] == open[0] && fence->info.empty())
        open.clear();
      continue;
    }
    open = fence->marks;
    const bool cell = fence->info.size() > 2 && fence->info.starts_with('{') &&
                      std::isalpha(static_cast<unsigned char>(fence->info[1])) != 0;
    if (!cell) continue;
    const std::string info =
        replace_all(replace_all(std::string(fence->info), "\\", "\\\\"), "\"", "\\\"");
    out.back().text = std::string(fence->indent) + std::string(fence->marks) + " {" +
                      cell_attribute + "=\"" + info + "\"}";
  }
  return out;
}

OldLines old_lines(std::string_view text, int first) {
  OldLines lines;
  for (const auto line : split_lines(text)) lines.push_back({std::string(line), first++});
  return lines;
}

OldLines with_includes(const FileSystem& files, const std::string& file, const OldLines& lines,
                       ImportReport& report) {
  OldLines all;
  Includer includer(files, file, report);
  for (const auto& line : lines) includer.expand(file, line, {file}, all);
  return all;
}

}  // namespace primer
