#include "generator/core/markdown/unread_lines.hpp"

#include <inlines.h>
#include <references.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || (static_cast<unsigned char>(c) & 0x80);
}

// cmark matches labels case-insensitively.
std::string folded(std::string_view label) {
  std::string folded(label);
  for (char& c : folded) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return folded;
}

// What the tree refers to: URLs with titles, and labels of notes.
struct Uses {
  std::set<std::pair<std::string, std::string>> links;
  std::set<std::string> notes;

  void collect(const Node& node) {
    if (node.kind == NodeKind::link || node.kind == NodeKind::image)
      links.emplace(node.url, node.title);
    if (node.kind == NodeKind::note_reference) notes.insert(folded(node.info));
    for (const auto& child : node.children) collect(child);
  }
};

// A definition at the start of a text, as cmark parses it. `length` 0: there is none.
struct Definition {
  std::size_t length = 0;
  std::string label, url, title;
};

std::string owned(const cmark_chunk& chunk) {
  return {reinterpret_cast<const char*>(chunk.data), static_cast<std::size_t>(chunk.len)};
}

// cmark modifies `text` while it reads it and restores it afterwards.
Definition definition_at(std::string& text, std::size_t at) {
  cmark_map* map = cmark_reference_map_new(cmark_get_default_mem_allocator());
  cmark_chunk chunk{reinterpret_cast<unsigned char*>(text.data() + at),
                    static_cast<bufsize_t>(text.size() - at), 0};
  Definition found;
  found.length = static_cast<std::size_t>(
      cmark_parse_reference_inline(cmark_get_default_mem_allocator(), &chunk, map));
  if (found.length > 0 && map->refs) {
    const auto* reference = reinterpret_cast<const cmark_reference*>(map->refs);
    found.label = reinterpret_cast<const char*>(reference->entry.label);
    found.url = owned(reference->url);
    found.title = owned(reference->title);
  }
  cmark_map_free(map);
  return found;
}

// Groups the unread lines between blank and read lines, then parses each group as definitions.
class Report {
 public:
  Report(const Extract& extract, const std::vector<bool>& read, const Node& document,
         Severity unused_notes, Diagnostics& diagnostics)
      : extract_(extract),
        read_(read),
        document_(document),
        unused_notes_(unused_notes),
        diagnostics_(diagnostics) {}

  void all() {
    for (int line = 0; line < static_cast<int>(read_.size());) {
      if (read_[static_cast<std::size_t>(line)] || is_blank(line)) {
        if (!is_blank(line)) in_note_ = false;
        ++line;
        continue;
      }
      int end = line;
      while (end < static_cast<int>(read_.size()) && !read_[static_cast<std::size_t>(end)] &&
             !is_blank(end))
        ++end;
      group(line, end);
      line = end;
    }
  }

 private:
  std::string_view text_of(int line) const {
    const std::size_t start = extract_.line_start(line);
    std::string_view text =
        std::string_view(extract_.text).substr(start, extract_.line_start(line + 1) - start);
    while (text.ends_with('\n')) text.remove_suffix(1);
    return text;
  }

  bool is_blank(int line) const {
    return text_of(line).find_first_not_of("> \t\r") == std::string_view::npos;
  }

  // The line without quote and list markers.
  std::string_view bare(int line) const {
    std::string_view text = text_of(line);
    std::size_t at = 0;
    while (at < text.size()) {
      const auto rest = text.substr(at);
      const auto digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
      const bool numbered = digits > 0 && digits < rest.size() &&
                            (rest[digits] == '.' || rest[digits] == ')') &&
                            (digits + 1 == rest.size() || rest[digits + 1] == ' ');
      const bool bullet = std::string_view("-+*").find(rest[0]) != std::string_view::npos &&
                          (rest.size() == 1 || rest[1] == ' ' || rest[1] == '\t');
      if (numbered) at += digits + 1;
      else if (bullet || rest[0] == '>' || rest[0] == ' ' || rest[0] == '\t') ++at;
      else break;
    }
    return text.substr(at);
  }

  std::size_t place_of(std::string_view text) const {
    return extract_.place(static_cast<std::size_t>(text.data() - extract_.text.data()));
  }

  // Handles consecutive lines that are not in the tree.
  void group(int first, int end) {
    const bool goes_on =
        in_note_ && (text_of(first).starts_with("    ") || text_of(first).starts_with('\t'));
    std::string bare_text;
    std::vector<std::size_t> starts;
    for (int line = first; line < end; ++line) {
      starts.push_back(bare_text.size());
      bare_text += std::string(bare(line)) + '\n';
    }
    starts.push_back(bare_text.size());
    for (int line = first; line < end && !goes_on;) {
      const std::string_view text = bare(line);
      in_note_ = false;
      // The label of a definition may start on the next line.
      if (std::ranges::none_of(text, is_of_word) && !text.starts_with('[')) {
        ++line;
      } else if (const auto label = text.find("]:"); text.starts_with("[^") && label != text.npos) {
        note(text.substr(0, label + 1));
        in_note_ = true;
        do ++line;
        while (line < end && !bare(line).starts_with("["));
      } else {
        const std::size_t at = starts[static_cast<std::size_t>(line - first)];
        const std::size_t length = definition(text, definition_at(bare_text, at));
        if (length == 0) return;
        while (line < end && starts[static_cast<std::size_t>(line - first)] < at + length) ++line;
      }
    }
  }

  void note(std::string_view label) {
    if (uses().notes.contains(folded(label))) {
      diagnostics_.error(Rule::unused_note, *extract_.source, place_of(label), label.size(),
                         "duplicate side note " + std::string(label));
      diagnostics_.hint("give it another label, and refer to it where it belongs");
      return;
    }
    diagnostics_
        .error(Rule::unused_note, *extract_.source, place_of(label), label.size(),
               "unused side note " + std::string(label))
        .severity = unused_notes_;
    diagnostics_.hint("write " + std::string(label) + " where the note belongs, or remove it");
  }

  // Reports what is wrong with a definition at the start of a line. Returns its length; 0: it is
  // not a definition.
  std::size_t definition(std::string_view line, const Definition& found) {
    if (found.length == 0) {
      diagnostics_.error(Rule::lost_text, *extract_.source, place_of(line), trim(line).size(),
                         "this line is not shown");
      diagnostics_.hint("put an empty line above it, or escape its first mark");
      return 0;
    }
    const bool is_new = labels_.insert(found.label).second;
    if (uses().links.contains({found.url, found.title})) return found.length;
    diagnostics_.error(Rule::unused_definition, *extract_.source, place_of(line), trim(line).size(),
                       is_new ? "unused link definition"
                              : "duplicate link definition: this name is defined above");
    diagnostics_.hint(is_new ? "to show the line as text, write \\[ for its bracket"
                             : "remove one of the two, or give it another name");
    return found.length;
  }

  // Computed on first use, because most texts have no such lines.
  const Uses& uses() {
    if (!collected_) uses_.collect(document_);
    collected_ = true;
    return uses_;
  }

  const Extract& extract_;
  const std::vector<bool>& read_;
  const Node& document_;
  const Severity unused_notes_;
  Diagnostics& diagnostics_;
  Uses uses_;
  bool collected_ = false;
  bool in_note_ = false;          // whether the last text belongs to an unused note
  std::set<std::string> labels_;  // of definitions so far
};

}  // namespace

void report_unread_lines(const Extract& extract, const std::vector<bool>& read,
                         const Node& document, Severity unused_notes, Diagnostics& diagnostics) {
  Report(extract, read, document, unused_notes, diagnostics).all();
}

}  // namespace primer
