#include "generator/core/index/translation.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "generator/core/base/digest.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/index/block_reference.hpp"
#include "generator/core/index/index.hpp"

namespace primer {
namespace {

constexpr std::string_view before_hash = "<!-- from ", after_hash = " -->";
constexpr std::size_t hash_length = 8;

std::string hash_of(std::string_view text) {
  return content_hash(std::string(trim(text))).substr(0, hash_length);
}

// Whether an HTML comment is a mark.
bool is_source_mark(std::string_view html) {
  html = trim(html);
  return html.size() == before_hash.size() + hash_length + after_hash.size() &&
         html.starts_with(before_hash) && html.ends_with(after_hash) &&
         html.substr(before_hash.size(), hash_length).find_first_not_of("0123456789abcdef") ==
             html.npos;
}

constexpr std::string_view formula = "a formula", code = "a block of code", rule = "a rule",
                           side_note = "a side note";

std::string_view kind_of_fence(const Node& node) {
  if (trim(node.info).starts_with("math")) return formula;
  return own_block(node.info) ? "a fenced block" : code;
}

std::string_view kind_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::paragraph: return is_lone_formula(node) ? formula : "a paragraph";
    case NodeKind::heading: return "a heading";
    case NodeKind::quote: return "a quote";
    case NodeKind::list: return "a list";
    case NodeKind::code_block: return kind_of_fence(node);
    case NodeKind::rule: return rule;
    case NodeKind::table: return "a table";
    case NodeKind::note_definition: return side_note;
    default: return "a block";
  }
}

// The first node of each block, in file order. The tree of a side note is at the end of the
// document.
std::vector<const Node*> beginnings(const Node& document) {
  std::vector<const Node*> nodes;
  for (const auto& child : document.children) nodes.push_back(&child);
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const Node* a, const Node* b) { return a->offset < b->offset; });
  std::vector<const Node*> found;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto caption = i > 0 ? caption_of(*nodes[i - 1]) : std::nullopt;
    const bool captioned = caption && caption->fits(*nodes[i]);
    if (!captioned) found.push_back(nodes[i]);
  }
  return found;
}

// Whether the next block after a line is a side note that nothing refers to, which is not in the
// tree.
bool is_above_unused_note(int line, const std::vector<const Node*>& blocks, const Source& source) {
  do ++line;
  while (line <= source.line_count() && trim(source.line(line)).empty());
  return line <= source.line_count() && source.line(line).starts_with("[^") &&
         std::ranges::none_of(
             blocks, [&](const Node* block) { return source.line_at(block->offset) == line; });
}

// An HTML comment needs no translation, and it ends the block above it.
bool is_silent(const Node& node) { return node.kind == NodeKind::html_block; }

std::string_view lines(const Source& source, int first, int end) {
  const std::size_t begin = source.line_start(first);
  const std::size_t stop =
      end > source.line_count() ? source.text().size() : source.line_start(end);
  return source.text().substr(begin, stop - begin);
}

// The last id of the original before `end`; empty: the top of the page.
std::string id_above(const ChapterIndex& original, std::size_t end) {
  std::string id;
  for (const auto& anchor : original.anchors) {
    if (anchor.offset < end && anchor.kind != AnchorKind::verdict) id = anchor.id;
  }
  return id;
}

std::string place(const std::string& file, const TextBlock& block) {
  return file + ':' + std::to_string(block.line);
}

// Returns false, after a diagnostic, if the text cannot be read any more.
bool warn(Rule rule, const LateSource& text, const TextBlock& block, std::string message,
          Diagnostics& diagnostics) {
  const Source* source = text.get();
  if (!source) return false;
  diagnostics.warning(rule, *source, source->line_start(block.line),
                      source->line(block.line).size(), std::move(message));
  return true;
}

}  // namespace

std::string source_mark(const std::string& hash) {
  return std::string(before_hash) + hash + std::string(after_hash);
}

bool has_words(const TextBlock& block) {
  return block.kind != formula && block.kind != code && block.kind != rule;
}

std::vector<TextBlock> text_blocks(const Node& document, const Source& source, int body_line) {
  std::vector<TextBlock> blocks{
      {0, 1, hash_of(lines(source, 1, body_line)), 0, "the front matter"}};
  const auto nodes = beginnings(document);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (is_silent(*nodes[i])) continue;
    const int line = source.line_at(nodes[i]->offset);
    const int end =
        i + 1 < nodes.size() ? source.line_at(nodes[i + 1]->offset) : source.line_count() + 1;
    blocks.push_back({nodes[i]->offset, line, hash_of(lines(source, line, end)), 0,
                      std::string(kind_of(*nodes[i]))});
  }
  return blocks;
}

std::vector<TextBlock> take_blocks(Node& document, const Source& source, const FrontMatter& front,
                                   Diagnostics& diagnostics) {
  std::map<int, std::string> marks;  // by line
  std::erase_if(document.children, [&](const Node& node) {
    if (node.kind != NodeKind::html_block || !is_source_mark(node.text)) return false;
    marks[source.line_at(node.offset)] = trim(node.text).substr(before_hash.size(), hash_length);
    return true;
  });
  std::vector<TextBlock> blocks{{0, 1, front.from, 0, "the front matter"}};
  const auto nodes = beginnings(document);
  std::erase_if(marks,
                [&](const auto& mark) { return is_above_unused_note(mark.first, nodes, source); });
  for (const Node* node : nodes) {
    if (is_silent(*node)) continue;
    TextBlock block{node->offset, source.line_at(node->offset), "", 0, std::string(kind_of(*node))};
    // The last mark above the block that does not belong to an earlier block.
    if (const auto next = marks.lower_bound(block.line); next != marks.begin()) {
      const auto mark = std::prev(next);
      if (mark->first > blocks.back().line) {
        block.hash = mark->second;
        block.mark_line = mark->first;
        marks.erase(mark);
      }
    }
    blocks.push_back(std::move(block));
  }
  for (const auto& [line, hash] : marks) {
    diagnostics.error(Rule::bad_source_mark, source, source.line_start(line),
                      source.line(line).size(), "there is no block below this mark");
  }
  return blocks;
}

Pairing pair_blocks(const std::vector<TextBlock>& translation,
                    const std::vector<TextBlock>& original) {
  Pairing pairing;
  pairing.original.assign(translation.size(), -1);
  pairing.current.assign(translation.size(), false);
  std::vector<bool> taken(original.size(), false);
  const auto pair = [&](std::size_t here, std::size_t there) {
    pairing.original[here] = static_cast<int>(there);
    pairing.current[here] = translation[here].hash == original[there].hash;
    taken[there] = true;
  };
  pair(0, 0);
  std::multimap<std::string_view, std::size_t> by_hash;  // equal blocks are in file order
  for (std::size_t i = 1; i < original.size(); ++i) by_hash.emplace(original[i].hash, i);
  for (std::size_t i = 1; i < translation.size(); ++i) {
    const auto same = by_hash.find(translation[i].hash);
    if (same == by_hash.end()) continue;
    pair(i, same->second);
    by_hash.erase(same);
  }
  // Between two paired neighbors, pair the remaining blocks of the same kind in their order.
  for (std::size_t i = 1; i < translation.size(); ++i) {
    if (pairing.original[i] >= 0) continue;
    std::size_t end = original.size();
    for (std::size_t next = i + 1; next < translation.size() && end == original.size(); ++next) {
      if (pairing.original[next] >= 0) end = static_cast<std::size_t>(pairing.original[next]);
    }
    for (auto there = static_cast<std::size_t>(pairing.original[i - 1] + 1); there < end; ++there) {
      if (taken[there] || original[there].kind != translation[i].kind) continue;
      pair(i, there);
      break;
    }
  }
  for (std::size_t i = 0; i < original.size(); ++i) {
    if (!taken[i]) pairing.missing.push_back(static_cast<int>(i));
  }
  return pairing;
}

namespace {

// Compares a translation with its original.
class Comparison {
 public:
  Comparison(ChapterIndex& translation, const ChapterIndex& original, const LateSource& text,
             const LateSource& original_text, Diagnostics& diagnostics)
      : translation_(translation),
        original_(original),
        text_(text),
        original_text_(original_text),
        here_(translation.blocks),
        there_(original.blocks),
        pairing_(pair_blocks(here_, there_)),
        diagnostics_(diagnostics) {}

  void compare() {
    compare_references(translation_, original_, pairing_.original, pairing_.current, text_,
                       diagnostics_);
    take_ids();
    for (std::size_t i = 0; i < here_.size(); ++i) compare_block(i);
    for (const int index : pairing_.missing) add_missing(index);
  }

 private:
  // Gives headings the ids, and all anchors the numbers, of what they translate.
  void take_ids() {
    std::map<std::size_t, std::size_t> original_of;  // offset here → offset there
    for (std::size_t i = 0; i < here_.size(); ++i) {
      if (pairing_.original[i] >= 0) {
        original_of[here_[i].offset] =
            there_[static_cast<std::size_t>(pairing_.original[i])].offset;
      }
    }
    for (auto& anchor : translation_.anchors) {
      const auto at = original_of.find(anchor.offset);
      const bool section = anchor.kind == AnchorKind::section;
      const Anchor* original = !section                  ? original_.find(anchor.id)
                               : at == original_of.end() ? nullptr
                                                         : original_.at(at->second);
      if (original && original->kind == anchor.kind) {
        anchor.id = original->id;
        anchor.number = original->number;
      }
      ids_.insert(anchor.id);
    }
  }

  void compare_block(std::size_t i) {
    const int paired = pairing_.original[i];
    const bool is_unmarked = here_[i].hash.empty();
    const bool stale = !pairing_.current[i] && !is_unmarked;
    if (is_unmarked && !std::exchange(told_unmarked_, true) &&
        warn(Rule::bad_source_mark, text_, here_[i], "this block has no hash of its original",
             diagnostics_)) {
      diagnostics_.hint("primer translate stamp " + translation_.entry->file +
                        " marks all blocks; run it when they translate the current original");
    }
    if (stale && paired < 0) {
      warn(Rule::stale_translation, text_, here_[i], "the original of this block was removed",
           diagnostics_);
    } else if (stale) {
      const TextBlock& changed = there_[static_cast<std::size_t>(paired)];
      if (warn(Rule::stale_translation, text_, here_[i], "the original of this block has changed",
               diagnostics_))
        diagnostics_.hint("the current original is " + place(original_.entry->file, changed));
    }
    if (paired >= 0) notice(here_[i].offset, stale, static_cast<std::size_t>(paired));
  }

  void notice(std::size_t before, bool stale, std::size_t block) {
    Notice made{before, stale, id_above(original_, end_of(block)), {}};
    for (const auto& anchor : original_.anchors) {
      if (is_in(anchor, block) && !ids_.contains(anchor.id)) made.ids.push_back(anchor.id);
    }
    if (stale || !made.ids.empty()) translation_.notices.push_back(std::move(made));
  }

  // Adds a block to `untranslated`, so that the page shows the original with its ids. If one of its
  // ids is already here, the block was moved and is not added.
  void add_missing(int index) {
    const auto block = static_cast<std::size_t>(index);
    // Show it above the first block that translates a later one.
    std::size_t before = std::string::npos;
    for (std::size_t i = here_.size(); i-- > 0;) {
      if (pairing_.original[i] > index) before = here_[i].offset;
    }
    if (has_words(there_[block])) {
      warn(Rule::missing_translation, original_text_, there_[block],
           "not translated in " + translation_.entry->file, diagnostics_);
    }
    std::vector<Anchor> anchors;
    for (const auto& anchor : original_.anchors) {
      if (!is_in(anchor, block)) continue;
      if (ids_.contains(anchor.id)) return;
      anchors.push_back(anchor);
      anchors.back().offset = std::string::npos;  // it has no offset here
    }
    const auto behind = std::ranges::find_if(translation_.anchors, [&](const Anchor& anchor) {
      return anchor.offset != std::string::npos && anchor.offset >= before;
    });
    translation_.anchors.insert(behind, anchors.begin(), anchors.end());
    if (there_[block].kind == side_note) return;  // shown where a block refers to it
    translation_.has_formulas |= original_.has_formulas;
    translation_.untranslated.push_back(
        {before, there_[block].offset, end_of(block), id_above(original_, end_of(block))});
  }

  bool is_in(const Anchor& anchor, std::size_t block) const {
    return anchor.offset >= there_[block].offset && anchor.offset < end_of(block);
  }

  std::size_t end_of(std::size_t block) const {
    return block + 1 < there_.size() ? there_[block + 1].offset : std::string::npos;
  }

  ChapterIndex& translation_;
  const ChapterIndex& original_;
  const LateSource &text_, &original_text_;
  const std::vector<TextBlock>& here_;
  const std::vector<TextBlock>& there_;
  const Pairing pairing_;
  Diagnostics& diagnostics_;
  std::set<std::string> ids_;   // of the translation
  bool told_unmarked_ = false;  // whether unmarked blocks were reported, once for all
};

}  // namespace

void align(ChapterIndex& translation, const ChapterIndex& original, const LateSource& text,
           const LateSource& original_text, Diagnostics& diagnostics) {
  // Empty: the text could not be read, which was reported.
  if (translation.blocks.empty() || original.blocks.empty()) return;
  Comparison(translation, original, text, original_text, diagnostics).compare();
}

}  // namespace primer
