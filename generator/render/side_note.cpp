// Side notes: `[^why]` in a text, `[^why]: Because.` on a line of its own.
#include <algorithm>

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

}  // namespace

void Emitter::undefined_note(const Node& node) {
  const auto at = node.text.find("[^");
  if (at == node.text.npos) return;
  const bool verbatim = node.in_source == InSource::verbatim;
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
}

void Emitter::note_reference(const Node& node) {
  const auto definition = notes_.find(node.text);
  if (definition == notes_.end()) {
    error(Rule::unknown_note, node.offset, node.length, "there is no such side note");
    return;
  }
  if (definition->second->children.empty()) {
    error(Rule::unknown_note, definition->second->offset, 1, "this side note has no text");
    diagnostics.hint(
        "write the text behind the colon, or on the next line, indented by four spaces");
    return;
  }
  const std::string number =
      notes_before_ == 0 ? node.text : std::to_string(notes_before_ + std::stoi(node.text));
  const bool first = notes_shown_.insert(number).second;
  if (!first) {
    out.open("a", {{"class", "note-again"}, {"href", "#note-" + number}});
    out.element("sup", {}, number).close();
    return;
  }
  out.open("details", {{"class", "note"}, {"id", "note-" + number}});
  out.open("summary").element("span", {{"class", "visually-hidden"}}, word("Note") + ' ');
  out.text(number).close().open("span", {{"class", "note-text"}});
  bool previous = false;
  // The note is a leaf of its own inside this one, and outside of its table.
  const bool table = std::exchange(inside_table_, false);
  const Node* leaf = std::exchange(leaf_, nullptr);
  auto visible = std::exchange(visible_, std::nullopt);
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
  leaf_ = leaf;
  visible_ = std::move(visible);
  out.close().close();
}

}  // namespace primer
