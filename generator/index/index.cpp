#include "generator/index/index.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "generator/base/slug.hpp"
#include "generator/base/text.hpp"
#include "generator/formats/yaml.hpp"
#include "generator/index/caption.hpp"
#include "generator/index/index_record.hpp"

namespace primer {
namespace {

// "Energy Cost" → "tbl-energy-cost"; empty when nothing usable is left of it.
std::string prefixed_id(std::string_view written, std::string_view prefix) {
  std::string id = github_slug(replace_all(std::string(written), "_", "-"));
  const std::string_view bare = prefix.substr(0, prefix.size() - 1);
  if (id.starts_with(bare)) id.erase(0, bare.size());
  while (id.starts_with('-')) id.erase(0, 1);
  id = std::string(prefix) + id;
  return is_identifier(id) ? id : "";
}

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

  // Of a text that is Markdown inside YAML and is written at `offset`.
  void terms_in_text(const std::string& text, std::size_t offset) {
    if (text.find("](term:") == text.npos) return;
    Diagnostics reported_when_rendered;
    const auto document =
        parse_markdown(extract_scalar(source_, offset, text), reported_when_rendered);
    if (document) terms_in(*document);
  }

  // Headings begin at ## and go down one level at a time; each that does not is told its level.
  void check_outline() {
    const auto is_title = [](const Heading& heading) { return heading.level == 1; };
    const bool titled = std::ranges::count_if(headings_, is_title) == 1 && is_title(headings_[0]);
    if (titled) {
      misplaced(headings_[0], 0, title_message);
      diagnostics_.hint("write it as title: there, and remove this line");
    }
    std::vector<std::pair<int, int>> above;  // levels as written and as they should be
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
      if (prefix.empty()) return;  // the block's schema says so
      const std::string like = prefixed_id(id, prefix);
      diagnostics_.error(Rule::bad_id, source_, id_offset, id.size(),
                         in_quotes(id) + " is not an id here: " + std::string(prefix) +
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
                                   "the id " + in_quotes(anchor.id) + " is there twice");
      d.notes.push_back("first in line " + std::to_string(source_.line_at(first->second)));
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
  Packer packer;
  pack(packer, *chapter.entry);
  FrontMatter front = chapter.front;
  front.body_line = 0;
  pack(packer, front);
  for (Anchor anchor : chapter.anchors) {
    anchor.offset = 0;
    pack(packer, anchor);
  }
  packer.add(chapter.terms);
  return digest(packer.bytes);
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
  Packer all;
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    // A translation is found by the name of what it translates, too.
    const Entry& entry = *chapters[i].entry;
    for (const std::string* file : {&entry.file, &entry.original})
      if (!file->empty()) content->by_file.emplace(*file, i);
    for (const auto& file : entry.pending) content->by_file.emplace(file, i);
    all.add(visible[i]);
  }
  content->all_visible = digest(all.bytes);
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

// A title is a line of Markdown: the heading shows its formatting, everything else its words. Rendering reports its
// errors.
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

}  // namespace primer
