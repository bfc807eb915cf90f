#include "generator/core/check/fix.hpp"

#include <algorithm>
#include <utility>

#include "generator/core/base/text.hpp"
#include "generator/core/load/values.hpp"
#include "generator/core/markdown/markdown.hpp"

namespace primer {

std::string checked(std::size_t pages, const FileSystem& book, bool prose) {
  Diagnostics reported_already;
  figures::Facts facts;
  load_facts(book, facts, reported_already);
  return "checked " + counted(pages, "page") + " against " + counted(facts.all().size(), "fact") +
         (prose ? ", and their prose" : "") + ": no errors\n";
}

std::vector<std::string> narrow(const std::set<std::string>& files, const Looked& looked,
                                Diagnostics& found) {
  std::vector<std::string> unchecked;
  const bool loaded = !looked.pages.empty();
  for (const auto& file : files) {
    if (!loaded) {
      unchecked.push_back(in_quotes(file) + " was not checked, because of errors in the book");
    } else if (!looked.pages.contains(file) && !looked.was_read(file)) {
      unchecked.push_back(in_quotes(file) + " was not checked: no page of the book uses it");
    }
  }
  if (!loaded) return unchecked;
  const auto all = found.count(Severity::error);
  found.keep_only(files);
  const auto others = all - found.count(Severity::error);
  if (others > 0) {
    unchecked.push_back(
        "addresses, images and other checks of the whole site were skipped, because of " +
        counted(others, "error") + " in other files; run primer check to see them");
  }
  return unchecked;
}

namespace {
std::optional<Node> tree_of(const std::string& file, const std::string& text) {
  const Source source(file, text);
  Diagnostics reported_by_check;
  return parse_markdown(extract_lines(source, 1, source.line_count()), reported_by_check);
}

// One entry of a syntax tree as a flat list, with adjacent texts merged.
struct Item {
  NodeKind kind;
  int level;
  std::string text, info, url, title;
  bool operator==(const Item&) const = default;
};

void list_items(const Node& node, std::vector<Item>& items) {
  const bool is_text = node.kind == NodeKind::text;
  if (is_text && !items.empty() && items.back().kind == NodeKind::text) {
    items.back().text += node.text;
  } else {
    items.push_back({node.kind, node.level, node.text, node.info, node.url, node.title});
  }
  for (const auto& child : node.children) list_items(child, items);
}

// Whether an item differs from `before` only by the replacement.
bool is_edited(const Item& before, const Item& after, const std::string& old_text,
               const Edit& edit) {
  Item wanted = before;
  if (before.kind == NodeKind::heading) wanted.level = static_cast<int>(edit.text.size());
  if (wanted == after) return true;
  for (auto at = before.text.find(old_text); at != std::string::npos;
       at = before.text.find(old_text, at + 1)) {
    wanted = before;
    wanted.text.replace(at, old_text.size(), edit.text);
    if (wanted == after) return true;
  }
  return false;
}

// Whether the edit changes exactly one item of the tree, and in the intended way.
bool is_only_edited(const Node& before, const Node& after, const std::string& old_text,
                    const Edit& edit) {
  std::vector<Item> a, b;
  list_items(before, a);
  list_items(after, b);
  const auto [in_a, in_b] = std::ranges::mismatch(a, b);
  return in_a != a.end() && in_b != b.end() && is_edited(*in_a, *in_b, old_text, edit) &&
         std::equal(in_a + 1, a.end(), in_b + 1, b.end());
}

// The text after the edit. No value if the edit would change anything else.
std::optional<std::string> edited(const std::string& file, const std::string& text,
                                  const Edit& edit) {
  if (edit.offset > text.size() || edit.length > text.size() - edit.offset) return std::nullopt;
  std::string made = text;
  const std::string old_text = text.substr(edit.offset, edit.length);
  made.replace(edit.offset, edit.length, edit.text);
  const auto before = tree_of(file, text), after = tree_of(file, made);
  const bool good = before && after && is_only_edited(*before, *after, old_text, edit);
  return good ? std::optional(std::move(made)) : std::nullopt;
}

}  // namespace

std::map<std::string, std::string> fixed_files(const FileSystem& files,
                                               const std::vector<Diagnostic>& sorted) {
  std::map<std::string, std::vector<const Edit*>> edits;
  for (const auto& d : sorted)
    if (d.fix) edits[d.file].push_back(&*d.fix);
  std::map<std::string, std::string> fixed;
  for (auto& [file, of_file] : edits) {
    const auto read = files.read(file);
    if (!read) continue;
    std::string text = *read;
    // Apply edits from the end, so that earlier offsets stay valid.
    std::ranges::sort(of_file, std::ranges::greater(), &Edit::offset);
    std::size_t last = text.size() + 1;
    for (const Edit* edit : of_file) {
      if (edit->offset + edit->length >= last) continue;  // overlaps the edit behind it
      if (auto made = edited(file, text, *edit)) {
        text = std::move(*made);
        last = edit->offset;
      }
    }
    if (text != *read) fixed.emplace(file, std::move(text));
  }
  return fixed;
}

}  // namespace primer
