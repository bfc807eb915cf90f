#include "generator/core/load/front_matter.hpp"

#include <algorithm>

#include "generator/core/base/text.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/formats/yaml.hpp"

namespace primer {
namespace {

std::vector<SectionNote> section_notes(const Record& front, const Source& source,
                                       Diagnostics& diagnostics) {
  std::vector<SectionNote> notes;
  const Yaml* sections = front.map("sections");
  if (!sections) return notes;
  for (const auto& [id, said] : sections->entries) {
    const Record note(said, source, diagnostics);
    SectionNote& made = notes.emplace_back();
    made.id = id.text;
    made.mark = note.text("mark").value_or("");
    made.minutes = note.integer("minutes").value_or(0);
    made.invite = trim(note.text("invite").value_or(""));
    made.former = note.texts("former");
  }
  return notes;
}

}  // namespace

const SectionNote* FrontMatter::section(std::string_view id) const {
  const auto found = std::ranges::find(sections, id, &SectionNote::id);
  return found == sections.end() ? nullptr : &*found;
}

FrontMatter parse_front_matter(const Source& source, Diagnostics& diagnostics) {
  FrontMatter front;
  if (source.line(1) != "---") {
    const bool empty = trim(source.text()).empty();
    diagnostics.error(Rule::missing_key, source, 0, 1,
                      std::string(empty ? "the file is empty" : "missing front matter") +
                          ": a chapter begins with front matter between two lines of ---");
    diagnostics.hint("write a line of ---, then title: and the chapter's title, then ---");
    return front;
  }
  int end = 2;
  while (end <= source.line_count() && source.line(end) != "---") ++end;
  if (end > source.line_count()) {
    diagnostics.error(Rule::bad_yaml, source, 0, 3, "the front matter has no closing ---");
    diagnostics.hint("write a line of --- below its last key");
    return front;
  }
  front.body_line = end + 1;

  const auto yaml = parse_yaml(extract_lines(source, 2, end - 1), diagnostics);
  if (!yaml || !conforms("front-matter", "the front matter", *yaml, source, diagnostics)) {
    return front;
  }
  Record record(*yaml, source, diagnostics);
  front.title = trim(record.required_text("title"));
  front.question = trim(record.text("question").value_or(""));
  front.summary = trim(record.text("summary").value_or(""));
  if (const auto link = front.summary.find("]("); link != front.summary.npos) {
    const Yaml& at = *record.any("summary");
    diagnostics.error(Rule::wrong_type, source, at.offset, at.length,
                      "a summary must be plain text, without links");
    diagnostics.hint("keep only the link's text");
  }
  front.mental_model = trim(record.text("mental_model").value_or(""));
  const auto points = [&](const char* key) {
    std::vector<std::string> trimmed;
    for (const auto& point : record.one_or_more(key)) trimmed.emplace_back(trim(point));
    return trimmed;
  };
  front.outcomes = points("outcomes");
  front.takeaway = points("takeaway");
  front.figure = trim(record.text("figure").value_or(""));
  front.aliases = record.texts("aliases");
  front.sections = section_notes(record, source, diagnostics);
  front.prerequisites = record.texts("prerequisites");
  front.d2l = record.texts("d2l");
  front.from = record.text("from").value_or("");
  front.is_pending = record.text("translation").has_value();
  return front;
}

}  // namespace primer
