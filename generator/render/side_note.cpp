// Side notes: `[^why]` in a text, `[^why]: Because.` on a line of its own.
#include <algorithm>
#include <set>

#include "generator/base/spelling.hpp"
#include "generator/base/text.hpp"
#include "generator/render/emitter.hpp"

namespace primer {
namespace {

// A definition as it stands in the chapter: "[^why]" and where.
struct WrittenNote {
  std::string label;
  std::size_t offset = 0;
};

std::vector<WrittenNote> written_notes(const Source& source, int first_line) {
  std::vector<WrittenNote> notes;
  for (int line = std::max(first_line, 1); line <= source.line_count(); ++line) {
    const std::string_view text = source.line(line);
    const auto at = std::min(text.find_first_not_of(' '), text.size());
    const auto end = text.find("]:", at);
    if (at > 3 || !text.substr(at).starts_with("[^") || end == text.npos) continue;
    notes.push_back({std::string(text.substr(at, end + 1 - at)), source.line_start(line) + at});
  }
  return notes;
}

// cmark matches labels without regard to case.
std::string folded(std::string_view label) {
  std::string folded(label);
  for (char& c : folded) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return folded;
}

// The labels that are referred to, and the code, in which nothing is a note.
struct Uses {
  std::set<std::string> labels;
  std::vector<std::string_view> code;

  void collect(const Node& node, std::string_view text) {
    if (node.kind == NodeKind::code_block) code.push_back(node.text);
    if (node.kind == NodeKind::note_reference) {
      const auto end = std::min(text.find(']', node.offset), text.size() - 1);
      labels.insert(folded(text.substr(node.offset, end + 1 - node.offset)));
    }
    for (const auto& child : node.children) collect(child, text);
  }
};

}  // namespace

void Emitter::undefined_note(const Node& node) {
  const auto at = node.text.find("[^");
  if (at == node.text.npos) return;
  const bool verbatim = node.length == node.text.size();
  const auto end = node.text.find(']', at);
  const bool closed = end != node.text.npos;
  std::vector<std::string> labels;
  if (tells()) {
    for (auto& note : written_notes(source, chapter.front.body_line)) {
      labels.push_back(std::move(note.label));
    }
  }
  error(Rule::unknown_note, node.offset + (verbatim ? at : 0), closed ? end - at + 1 : 2,
        "there is no such side note",
        closed ? nearest(node.text.substr(at, end - at + 1), labels) : "");
  undefined_notes_ = true;
}

// cmark-gfm leaves them out of its tree, so they are looked for in the text.
void Emitter::unused_notes(const Node& document) {
  if (undefined_notes_) return;  // one of them is meant
  auto notes = written_notes(source, chapter.front.body_line);
  if (notes.empty()) return;
  Uses uses;
  uses.collect(document, source.text());
  std::erase_if(notes, [&](const WrittenNote& note) {
    const auto holds = [&](std::string_view code) { return code.find(note.label) != code.npos; };
    return std::any_of(uses.code.begin(), uses.code.end(), holds);
  });
  for (const auto& note : notes) {
    if (uses.labels.contains(folded(note.label))) continue;
    error(Rule::unused_note, note.offset, note.label.size(), "no text refers to this side note");
    diagnostics.hint("write " + note.label + " where the note belongs, or remove it");
  }
}

void Emitter::note_reference(const Node& node) {
  const auto definition = notes_.find(node.text);
  if (definition == notes_.end()) {
    error(Rule::unknown_note, node.offset, node.length, "there is no such side note");
    return;
  }
  const bool first = notes_shown_.insert(node.text).second;
  if (!first) {
    out.open("a", {{"class", "note-again"}, {"href", "#note-" + node.text}});
    out.element("sup", {}, node.text).close();
    return;
  }
  out.open("details", {{"class", "note"}, {"id", "note-" + node.text}});
  out.open("summary").element("span", {{"class", "visually-hidden"}}, word("Note") + ' ');
  out.text(node.text).close().open("span", {{"class", "note-text"}});
  bool previous = false;
  const bool table = std::exchange(inside_table_, false);  // the note is written outside
  for (const auto& child : definition->second->children) {
    if (child.kind != NodeKind::paragraph) {
      error(Rule::unknown_note, child.offset, 1, "a side note holds paragraphs only");
      continue;
    }
    if (previous) out.empty("br");
    previous = true;
    inlines(child);
  }
  inside_table_ = table;
  out.close().close();
}

}  // namespace primer
