#include "generator/tools/import/chapter.hpp"

#include <algorithm>
#include <cctype>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/tools/import/includes.hpp"
#include "generator/tools/import/rewriter.hpp"

namespace primer {
namespace {

// The marks that a fence begins with behind its indentation; "" for other lines.
std::string fence_of(std::string_view line) {
  const auto at = std::min(line.find_first_not_of(" \t>"), line.size());
  const std::string_view rest = line.substr(at);
  if (!rest.starts_with("```") && !rest.starts_with("~~~")) return {};
  return std::string(rest.substr(0, std::min(rest.find_first_not_of(rest[0]), rest.size())));
}

// How many marks a heading begins with; 0 for other lines.
std::size_t heading_level(std::string_view line) {
  const auto marks = std::min(line.find_first_not_of('#'), line.size());
  return marks >= 1 && marks <= 6 && marks < line.size() && line[marks] == ' ' ? marks : 0;
}

std::string heading_words(std::string_view line) {
  std::string_view words = trim(line.substr(std::min(line.find_first_not_of('#'), line.size())));
  if (words.ends_with('}') && words.rfind('{') != words.npos)
    words = words.substr(0, words.rfind('{'));
  while (words.ends_with('#')) words.remove_suffix(1);
  return std::string(trim(words));
}

// "[words](target)" → "words": a heading holds no links.
std::string without_links(std::string text) {
  for (auto middle = text.find("]("); middle != text.npos; middle = text.find("](")) {
    const auto open = text.rfind('[', middle), close = text.find(')', middle);
    if (open == text.npos || close == text.npos) break;
    text.erase(middle, close + 1 - middle).erase(open, 1);
  }
  return text;
}

// "rust,ignore" → "rust"; "{.python}" → "python"; "C++" → "c++".
std::string language_of(std::string_view info) {
  std::string name(info.substr(0, info.find_first_of(" ,{:", info.starts_with('{') ? 1 : 0)));
  std::erase_if(name, [](char c) { return c == '{' || c == '}' || c == '.'; });
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::pair<std::string_view, std::string_view> same[] = {
      {"nasm", "asm"},       {"assembly", "asm"}, {"shell", "sh"},
      {"plaintext", "text"}, {"golang", "go"},    {"rs", "rust"},
      {"ts", "typescript"},  {"center", "text"},  {"ipython3", "python"},
      {"ipython", "python"}, {"r", "r"}};
  for (const auto& [old, now] : same)
    if (name == old) return std::string(now);
  return name.empty() || !std::isalpha(static_cast<unsigned char>(name[0])) ? "text" : name;
}

std::string marker_of(std::string_view kind) {
  for (const std::string_view one : {"note", "tip", "important", "warning", "caution"}) {
    if (kind.find(one) == kind.npos) continue;
    std::string marker = "[!";
    for (const char c : one)
      marker += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return marker + ']';
  }
  return {};
}

class Walker {
 public:
  Walker(Rewriter& rewriter, const std::string& file, Lowered& lowered)
      : rewriter_(rewriter), file_(file), lowered_(lowered) {}

  std::string walk(const std::vector<OldLine>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string fence = fence_of(lines[i].text);
      if (!fence.empty()) {
        flush();
        i = code(lines, i, fence);
      } else if (trim(lines[i].text).starts_with(":::")) {
        flush();
        division(lines[i]);
      } else {
        if (pending_.empty()) first_ = lines[i].number;
        pending_ += lines[i].text + '\n';
      }
    }
    flush();
    return std::move(out_);
  }

 private:
  void put(std::string_view text) {
    for (const auto line : split_lines(text)) {
      if (quoted_) out_ += line.empty() ? ">" : "> ";
      out_ += std::string(line) + '\n';
    }
  }

  void flush() {
    if (pending_.empty()) return;
    put(rewriter_.rewrite(pending_, first_));
    pending_.clear();
  }

  // "::: {.callout-note}", ":::{note}", "::: note", ":::".
  void division(const OldLine& line) {
    const std::string_view kind =
        trim(trim(line.text).substr(trim(line.text).find_first_not_of(':') == std::string_view::npos
                                        ? trim(line.text).size()
                                        : trim(line.text).find_first_not_of(':')));
    if (kind.empty()) {
      quoted_ = false;
      out_ += '\n';
      return;
    }
    const std::string marker = marker_of(kind);
    lowered_.add("::: " + std::string(kind.substr(0, 40)),
                 marker.empty() ? "left out; its text stays" : "a callout", file_, line.number);
    if (marker.empty() || quoted_) return;
    quoted_ = true;
    out_ += "\n> " + marker + '\n';
  }

  // From the line that opens a fence; the line that closes it.
  std::size_t code(const std::vector<OldLine>& lines, std::size_t i, const std::string& fence) {
    const std::string& opening = lines[i].text;
    const std::size_t marks = opening.find(fence);
    const std::string before = opening.substr(0, marks);
    const std::string info(trim(std::string_view(opening).substr(marks + fence.size())));
    std::vector<std::string> body;
    std::size_t end = i + 1;
    for (; end < lines.size(); ++end) {
      const std::string closing = fence_of(lines[end].text);
      const bool closes = closing.size() >= fence.size() && closing[0] == fence[0] &&
                          trim(lines[end].text).ends_with(closing[0]);
      if (closes) break;
      body.push_back(lines[end].text);
    }
    const std::string language = info.empty() ? "text" : language_of(info);
    const std::string callout = info.starts_with('{') ? marker_of(info) : "";
    if (!callout.empty()) {
      admonition(callout, body, lines[i].number);
      return end;
    }
    if (language != info && !info.empty())
      lowered_.add("options of a block of code", "left out", file_, lines[i].number);
    if (language == "rust") hide(body, before, lines[i].number);
    std::string longer = fence[0] == '`' ? fence : "```";
    for (const auto& line : body)
      while (line.find(longer) != line.npos) longer += '`';
    put(before + longer + language);
    for (const auto& line : body) put(line.empty() ? " " : line);
    put(before + longer);
    return end;
  }

  void admonition(const std::string& marker, const std::vector<std::string>& body, int line) {
    lowered_.add("a directive " + marker, "a callout", file_, line);
    out_ += "\n> " + marker + '\n';
    quoted_ = true;
    std::string text;
    for (const auto& one : body) text += one + '\n';
    put(rewriter_.rewrite(text, line));
    quoted_ = false;
    out_ += '\n';
  }

  // Lines that mdBook hides.
  void hide(std::vector<std::string>& body, const std::string& before, int number) {
    const auto hidden = std::erase_if(body, [&](const std::string& line) {
      const std::string_view code =
          trim(std::string_view(line).substr(std::min(before.size(), line.size())));
      return code == "#" || code.starts_with("# ");
    });
    if (hidden > 0) lowered_.add("hidden lines of code", "left out", file_, number);
  }

  Rewriter& rewriter_;
  const std::string file_;
  Lowered& lowered_;
  std::string pending_, out_;
  int first_ = 1;
  bool quoted_ = false;
};

// "Table B-1: Operators" would be a caption with an id.
std::string without_caption(std::string_view line) {
  const auto colon = line.find(": ");
  const bool names = line.starts_with("Table ") && colon != line.npos && colon < 20 &&
                     line.find(' ', 6) == colon + 1;
  return names ? "**" + std::string(line.substr(0, colon + 1)) + "**" +
                     std::string(line.substr(colon + 1))
               : std::string(line);
}

// Headings from ## on, a level at a time, and the title, which is the first heading if it stands above all text.
std::string outlined(const std::string& text, std::string& title) {
  std::string out, fence;
  std::vector<std::pair<std::size_t, std::size_t>> above;
  bool begun = false;
  for (const auto line : split_lines(text)) {
    const std::string marks = fence_of(line);
    if (!marks.empty() && (fence.empty() || (marks.size() >= fence.size() && marks[0] == fence[0])))
      fence = fence.empty() ? marks : "";
    const std::size_t level = fence.empty() ? heading_level(line) : 0;
    if (level == 0) {
      begun = begun || !trim(line).empty();
      out += fence.empty() ? without_caption(line) : std::string(line);
      out += '\n';
      continue;
    }
    const std::string words = without_links(heading_words(line));
    const bool names = !begun && (title.empty() || as_id(title) == as_id(words) || level == 1);
    begun = true;
    if (names) {
      title = words;
      continue;
    }
    while (!above.empty() && above.back().first >= level) above.pop_back();
    const std::size_t now = std::min<std::size_t>(above.empty() ? 2 : above.back().second + 1, 6);
    above.emplace_back(level, now);
    out += std::string(now, '#') + ' ' + words + '\n';
  }
  return out;
}

// Without what nobody sees and the book does not allow, line ends as ours.
std::string plain(std::string text, const std::string& file, Lowered& lowered) {
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  text = replace_all(std::move(text), "\r\n", "\n");
  for (auto hidden = first_hidden_character(text); hidden;
       hidden = first_hidden_character(text, TextKind::prose, hidden->offset)) {
    lowered.add("hidden character", "left out", file, 0);
    text.erase(hidden->offset, hidden->length);
  }
  return text;
}

}  // namespace

std::map<std::string, std::string> given_ids(std::string_view text) {
  std::map<std::string, std::string> ids;
  for (const auto line : split_lines(text)) {
    const auto at = line.rfind("{#");
    if (heading_level(line) == 0 || at == line.npos) continue;
    const auto end = line.find_first_of(" }", at);
    ids[std::string(line.substr(at + 2, end - at - 2))] = github_slug(heading_words(line));
  }
  return ids;
}

NewChapter new_chapter_of(const FileSystem& files, const NewPlaces& places, const ForeignBook& book,
                          const ForeignChapter& chapter, std::map<std::string, std::string>& copies,
                          Lowered& lowered) {
  const std::string text = plain(files.read(chapter.file).value_or(""), chapter.file, lowered);
  const OldFrontMatter front = old_front_matter(text);
  for (const auto& [key, values] : front.keys) {
    if (!is_one_of(key, {"title", "draft", "aliases", "weight"}))
      lowered.add("front matter: " + key, "left out", chapter.file, 1);
  }
  std::vector<OldLine> lines;
  int number =
      static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(front.end), '\n'));
  for (const auto line : split_lines(std::string_view(text).substr(front.end)))
    lines.push_back({std::string(line), ++number});
  if (book.tool == Tool::mdbook) lines = with_includes(files, chapter.file, lines, lowered);
  Links links(files, places, book, chapter, copies, lowered);
  Rewriter rewriter(links, chapter.file, lowered);
  NewChapter made;
  if (front.keys.contains("aliases")) made.aliases = front.keys.at("aliases");
  made.title = front.first("title").empty() ? chapter.title : front.first("title");
  made.text = outlined(Walker(rewriter, chapter.file, lowered).walk(lines), made.title);
  if (made.title.empty())
    made.title = title_of_slug(as_id(chapter.file.substr(chapter.file.rfind('/') + 1)));
  return made;
}

}  // namespace primer
