#include "generator/core/index/index.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "generator/core/base/text.hpp"
#include "generator/core/formats/yaml.hpp"
#include "generator/core/index/index_record.hpp"

namespace primer {
namespace {
struct Sort {
  AnchorKind kind;
  std::string_view word, prefix;
};
constexpr Sort sorts[] = {{AnchorKind::table, "Table ", "tbl-"},
                          {AnchorKind::figure, "Figure ", "fig-"}};

// The offset of the id if the text starts like such a caption; a translation may write "Tabla
// tbl-energy: …". "Table 3: …" counts too, so that its id is rejected. Otherwise it would be a
// caption that nothing can refer to.
std::size_t id_place(std::string_view text, const Sort& sort) {
  const auto space = text.find(' ');
  if (space == text.npos || space == 0) return text.npos;
  if (text.substr(space + 1).starts_with(sort.prefix)) return space + 1;
  return sort.kind == AnchorKind::table && text.starts_with(sort.word) ? sort.word.size()
                                                                       : text.npos;
}

}  // namespace

std::optional<Caption> caption_of(const Node& paragraph) {
  if (paragraph.kind != NodeKind::paragraph || paragraph.children.empty()) return std::nullopt;
  const Node& first = paragraph.children.front();
  if (first.kind != NodeKind::text) return std::nullopt;
  for (const Sort& sort : sorts) {
    const auto begin = id_place(first.text, sort);
    const auto colon = first.text.find(": ");
    if (begin == first.text.npos || colon == first.text.npos || colon <= begin) continue;
    Caption found;
    found.kind = sort.kind;
    found.word = trim(std::string_view(first.text).substr(0, begin));
    found.id = first.text.substr(begin, colon - begin);
    found.id_offset = first.offset + begin;
    constexpr std::string_view width = " width=";
    if (const auto at = found.id.find(width);
        at != found.id.npos && sort.kind != AnchorKind::table) {
      found.width = found.id.substr(at + width.size());
      found.id.resize(at);
    }
    if (found.id.empty() || found.id.find(' ') != found.id.npos) continue;
    found.text = paragraph;
    Node& text = found.text.children.front();
    text.text.erase(0, colon + 2);
    if (text.in_source == InSource::verbatim) {
      text.offset += colon + 2;
      text.length -= colon + 2;
    }
    return found;
  }
  return std::nullopt;
}

bool is_empty_caption(const Node& paragraph) {
  const bool is_line = paragraph.children.size() == 1 && paragraph.children[0].text.ends_with(':');
  if (!is_line) return false;
  Node whole = paragraph;
  whole.children[0].text += " words";
  return caption_of(whole).has_value();
}

const Node* lone_image(const Node& paragraph) {
  const bool lone = paragraph.kind == NodeKind::paragraph && paragraph.children.size() == 1 &&
                    paragraph.children[0].kind == NodeKind::image;
  return lone ? &paragraph.children[0] : nullptr;
}

bool Caption::fits(const Node& next) const {
  return kind == AnchorKind::table ? next.kind == NodeKind::table : lone_image(next) != nullptr;
}

namespace {
// "Energy Cost" → "tbl-energy-cost"; empty if the result is not an id.
std::string prefixed_id(std::string_view written, std::string_view prefix) {
  std::string id = github_slug(replace_all(std::string(written), "_", "-"));
  const std::string_view bare = prefix.substr(0, prefix.size() - 1);
  if (id.starts_with(bare)) id.erase(0, bare.size());
  while (id.starts_with('-')) id.erase(0, 1);
  id = std::string(prefix) + id;
  return is_identifier(id) ? id : "";
}

// Collects the anchors and terms of one chapter from its tree and checks their ids.
class Collector {
 public:
  Collector(const Entry& entry, const Source& source, Diagnostics& diagnostics)
      : entry_(entry), source_(source), diagnostics_(diagnostics) {}

  std::vector<Anchor> anchors;
  std::set<std::string> terms;
  bool has_formulas = false;
  bool whole = true;

  void collect(const Node& node) {
    if (node.kind == NodeKind::maths) has_formulas = true;
    if (node.kind == NodeKind::heading) section(node);
    if (node.kind == NodeKind::code_block) code_block(node);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      const Node& child = node.children[i];
      const auto caption = i + 1 < node.children.size() ? caption_of(child) : std::nullopt;
      if (caption && caption->fits(node.children[i + 1])) {
        add(caption->kind, true, caption->id, node.children[i + 1].offset, caption->id_offset,
            caption->kind == AnchorKind::table ? "tbl-" : "fig-");
      }
      collect(child);
    }
  }

  void terms_in(const Node& node) {
    constexpr std::string_view term = "term:";
    if (node.kind == NodeKind::link && node.url.starts_with(term)) {
      terms.insert(std::string(trim(std::string_view(node.url).substr(term.size()))));
    }
    for (const auto& child : node.children) terms_in(child);
  }

  // Collects terms in Markdown that is a YAML scalar at `offset`.
  void terms_in_text(const std::string& text, std::size_t offset) {
    if (text.find("](term:") == text.npos) return;
    Diagnostics reported_when_rendered;
    const auto document =
        parse_markdown(extract_scalar(source_, offset, text), reported_when_rendered);
    if (document) terms_in(*document);
  }

  // Headings must start at ## and go down one level at a time. Reports each that does not, with its
  // correct level.
  void check_outline() {
    const auto is_title = [](const Heading& heading) { return heading.level == 1; };
    const bool titled = std::ranges::count_if(headings_, is_title) == 1 && is_title(headings_[0]);
    if (titled) {
      misplaced(headings_[0], 0, title_message);
      diagnostics_.hint("write it as title: there and remove this line");
    }
    std::vector<std::pair<int, int>> above;  // levels as written, and as they should be
    for (const auto& heading : std::span(headings_).subspan(titled ? 1 : 0)) {
      while (!above.empty() && above.back().first >= heading.level) above.pop_back();
      const int parent = above.empty() ? 1 : above.back().second;
      const int level = std::min(parent + 1, 6);
      above.emplace_back(heading.level, level);
      if (level == heading.level) continue;
      misplaced(heading, level,
                is_title(heading) ? title_message
                                  : "a heading of level " + std::to_string(heading.level) +
                                        " below one of level " + std::to_string(parent));
    }
  }

 private:
  struct Heading {
    std::size_t offset = 0;
    int level = 0;
  };
  static constexpr const char* title_message =
      "the title belongs in the front matter; headings begin at ##";

  void misplaced(const Heading& heading, int level, const std::string& message) {
    const bool has_marks = source_.text()[heading.offset] == '#';
    const auto length = static_cast<std::size_t>(heading.level);
    std::string marks(has_marks ? static_cast<std::size_t>(level) : 0, '#');
    auto& reported =
        diagnostics_.error(Rule::bad_heading, source_, heading.offset, length, message, marks);
    if (!marks.empty()) reported.fix = Edit{heading.offset, length, std::move(marks)};
  }

  void terms_in(const Yaml& yaml) {
    if (yaml.kind == Yaml::Kind::scalar) terms_in_text(yaml.text, yaml.offset);
    for (const auto& item : yaml.items) terms_in(item);
    for (const auto& [key, value] : yaml.entries) terms_in(value);
  }

  void section(const Node& node) {
    Anchor anchor;
    anchor.level = node.level;
    anchor.title = plain_text(node);
    anchor.id = slugs_.unique(anchor.title);
    anchor.offset = node.offset;
    headings_.push_back({node.offset, node.level});
    const bool numbered = !entry_.number.empty() && !entry_.has_subpages;
    if (numbered && (node.level == 2 || node.level == 3)) {
      auto& counter = section_counters_[static_cast<std::size_t>(node.level - 2)];
      ++counter;
      if (node.level == 2) section_counters_[1] = 0;
      anchor.number = entry_.label + std::to_string(section_counters_[0]);
      if (node.level == 3) anchor.number += '.' + std::to_string(section_counters_[1]);
    }
    insert(std::move(anchor), node.offset, static_cast<std::size_t>(node.level));
  }

  void code_block(const Node& node) {
    whole = whole && node.closed;
    if (!node.closed) return;
    const auto words = split(trim(node.info), ' ');
    if (words.front() == "math") has_formulas = true;
    if (words.front() == "math" && words.size() > 1) {
      const std::size_t at = source_.text().find(words[1], node.offset);
      add(AnchorKind::equation, true, std::string(words[1]), node.offset, at, "eq-");
      return;
    }
    const auto own = own_block(node.info);
    if (!own || !node.body) return;
    Diagnostics reported_when_rendered;
    const auto yaml = parse_yaml(*node.body, reported_when_rendered);
    whole = whole && yaml;
    if (yaml) terms_in(*yaml);
    const Yaml* id = yaml && yaml->kind == Yaml::Kind::map ? yaml->find("id") : nullptr;
    if (id && id->kind == Yaml::Kind::scalar) {
      add(own->kind, own->numbered, id->text, node.offset, id->offset, "");
    }
  }

  void add(AnchorKind kind, bool numbered, const std::string& id, std::size_t offset,
           std::size_t id_offset, std::string_view prefix) {
    if (!is_identifier(id) || !id.starts_with(prefix)) {
      whole = false;
      if (prefix.empty()) return;  // the block's schema reports it
      const std::string like = prefixed_id(id, prefix);
      diagnostics_.error(Rule::bad_id, source_, id_offset, id.size(),
                         in_quotes(id) + " is not a valid id: expected " + std::string(prefix) +
                             " and then lower-case letters, digits and hyphens",
                         like);
      return;
    }
    Anchor anchor{kind, id, "", "", 0, offset};
    if (numbered) anchor.number = entry_.label + std::to_string(++counters_[kind]);
    insert(std::move(anchor), id_offset, id.size());
  }

  void insert(Anchor anchor, std::size_t offset, std::size_t length) {
    const auto [first, is_new] = ids_.emplace(anchor.id, offset);
    if (!is_new) {
      auto& d = diagnostics_.error(Rule::duplicate_id, source_, offset, length,
                                   "duplicate id " + in_quotes(anchor.id));
      d.notes.push_back("first used on line " + std::to_string(source_.line_at(first->second)));
    }
    anchors.push_back(std::move(anchor));
  }

  const Entry& entry_;
  const Source& source_;
  Diagnostics& diagnostics_;
  Slugs slugs_;
  std::vector<Heading> headings_;
  std::array<int, 2> section_counters_{};
  std::map<AnchorKind, int> counters_;
  std::map<std::string, std::size_t> ids_;
};

}  // namespace

Digest visible_part(const ChapterIndex& chapter) {
  FrontMatter front = chapter.front;
  front.body_line = 0;
  auto anchors = chapter.anchors;
  for (Anchor& anchor : anchors) anchor.offset = 0;
  return digest(pack(*chapter.entry, front, anchors, chapter.terms));
}

const Anchor* ChapterIndex::find(std::string_view id) const {
  const auto found = std::find_if(anchors.begin(), anchors.end(),
                                  [&](const Anchor& anchor) { return anchor.id == id; });
  return found == anchors.end() ? nullptr : &*found;
}

const Anchor* ChapterIndex::at(std::size_t offset) const {
  const auto found = std::find_if(anchors.begin(), anchors.end(),
                                  [&](const Anchor& anchor) { return anchor.offset == offset; });
  return found == anchors.end() ? nullptr : &*found;
}

std::vector<std::string> ChapterIndex::ids() const {
  std::vector<std::string> all;
  for (const auto& anchor : anchors) all.push_back(anchor.id);
  return all;
}

Index::Index(std::vector<ChapterIndex> chapters, std::vector<Digest> visible) {
  auto content = std::make_shared<Content>();
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    // A translation is also found by the file of its original.
    const Entry& entry = *chapters[i].entry;
    for (const std::string* file : {&entry.file, &entry.original})
      if (!file->empty()) content->by_file.emplace(*file, i);
    for (const auto& file : entry.pending) content->by_file.emplace(file, i);
  }
  content->all_visible = digest(pack(visible));
  content->chapters = std::move(chapters);
  content->visible = std::move(visible);
  content_ = std::move(content);
}

const std::vector<ChapterIndex>& Index::all() const {
  if (watched_) reads_.emplace(Dependency::all_anchors(), digest_of(Dependency::all_anchors()));
  return content_->chapters;
}

const ChapterIndex* Index::by_file(std::string_view file) const {
  if (watched_) {
    auto asked = Dependency::anchors(std::string(file));
    const Digest found = digest_of(asked);
    reads_.emplace(std::move(asked), found);
  }
  const auto found = content_->by_file.find(file);
  return found == content_->by_file.end() ? nullptr : &content_->chapters[found->second];
}

Index Index::watched() const {
  Index index = *this;
  index.watched_ = true;
  return index;
}

Digest Index::digest_of(const Dependency& asked) const {
  if (asked.kind == Dependency::Kind::all_anchors) return content_->all_visible;
  const auto found = content_->by_file.find(asked.what);
  return found == content_->by_file.end() ? absent : content_->visible[found->second];
}

void number_consecutively(ChapterIndex& chapter, Counts& counted) {
  for (auto& anchor : chapter.anchors) {
    const bool is_counted = anchor.kind != AnchorKind::section && !anchor.number.empty();
    if (is_counted) anchor.number = std::to_string(++counted[anchor.kind]);
  }
}

void take_numbers(ChapterIndex& translation, const ChapterIndex& original) {
  for (auto& anchor : translation.anchors) {
    const Anchor* same = original.find(anchor.id);
    if (same && same->kind == anchor.kind) anchor.number = same->number;
  }
}

// A title is a line of Markdown. The heading shows its formatting, and everything else uses its
// plain text. Rendering reports its errors.
void read_title(FrontMatter& front, const Source& source) {
  if (front.title.find_first_of("\\`*_~[<&$!") == front.title.npos) return;
  Diagnostics reported_later;
  const Source line(source.path(), front.title);
  const auto document = parse_markdown(extract_lines(line, 1, 1), reported_later);
  if (!document || document->children.size() != 1 ||
      document->children[0].kind != NodeKind::paragraph)
    return;
  const std::string words = plain_text(document->children[0]);
  if (words != front.title) front.heading = std::exchange(front.title, words);
}

ChapterIndex index_chapter(const Entry& entry, const Source& source, const FrontMatter& front,
                           const Node& document, Diagnostics& diagnostics) {
  Collector collector(entry, source, diagnostics);
  collector.collect(document);
  collector.check_outline();
  collector.terms_in(document);
  for (const auto* lines : {&front.prerequisites, &front.d2l, &front.outcomes, &front.takeaway}) {
    for (const auto& line : *lines) collector.terms_in_text(line, 0);
  }
  collector.terms_in_text(front.mental_model, 0);
  FrontMatter own = front;
  read_title(own, source);
  return {&entry,
          std::move(own),
          std::move(collector.anchors),
          std::move(collector.terms),
          collector.has_formulas,
          collector.whole};
}

std::vector<std::string> frame_ids(bool home) {
  std::vector<std::string> ids = {"report", "text"};
  if (home) ids.insert(ids.end(), {"beside", "chapters"});
  return ids;
}

std::vector<std::string> repeated_ids(std::string_view html,
                                      const std::vector<std::string>& taken) {
  constexpr std::string_view attribute = " id=\"";
  std::set<std::string_view> seen(taken.begin(), taken.end());
  std::set<std::string> repeated;
  // `<`, `>` and (in attributes) `"` are escaped unless they are markup (html.hpp). So ` id="x"`
  // inside a tag is an attribute, although text such as code may contain it too.
  for (auto at = html.find('<'); at != html.npos; at = html.find('<', at)) {
    const std::string_view tag = html.substr(at, html.find('>', at) - at);
    at += tag.size();
    const auto begin = tag.find(attribute);
    if (begin == tag.npos) continue;
    const std::string_view rest = tag.substr(begin + attribute.size());
    const std::string_view id = rest.substr(0, rest.find('"'));
    if (!seen.insert(id).second) repeated.emplace(id);
  }
  return {repeated.begin(), repeated.end()};
}

void check_ids(const ChapterIndex& chapter, const Source& source, std::string_view html,
               Diagnostics& diagnostics) {
  const Entry& entry = *chapter.entry;
  for (const auto& id : repeated_ids(html, frame_ids(entry.url.empty()))) {
    const auto anchors = std::ranges::count(chapter.anchors, id, &Anchor::id);
    // reported, with the position of the other one
    if (anchors > 1 && entry.original.empty()) continue;
    const Anchor* anchor = chapter.find(id);
    const std::size_t offset = anchor ? anchor->offset : 0;
    const int line = source.line_at(offset);
    const std::size_t end = source.line_start(line) + source.line(line).size();
    diagnostics.error(Rule::duplicate_id, source, offset, end - std::min(end, offset),
                      "the page already uses the id " + in_quotes(id));
    diagnostics.hint(anchor && anchor->kind == AnchorKind::section
                         ? "a heading's id comes from its words: reword the heading"
                         : "give the block another id");
  }
}

}  // namespace primer
