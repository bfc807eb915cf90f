#include "generator/tools/import/repair.hpp"

#include <algorithm>
#include <set>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/markdown/markdown.hpp"
#include "generator/tools/import/markdown_writer.hpp"
#include "generator/tools/import/node_tools.hpp"

namespace primer {
namespace {

// The line behind the front matter, 1-based.
int first_line_of_body(const Source& source) {
  for (int line = 2; line <= source.line_count(); ++line)
    if (source.line(line) == "---") return line + 1;
  return 1;
}

bool is_about_link(Rule rule) { return rule == Rule::misleading_link || rule == Rule::unsafe_link; }

class Repairer {
 public:
  Repairer(const Source& source, const std::vector<Diagnostic>& errors) : source_(source) {
    for (const auto& error : errors) errors_[error.line].push_back(&error);
  }

  std::string text() {
    const int body = first_line_of_body(source_);
    Diagnostics ignored;
    auto tree = parse_markdown(extract_lines(source_, body, source_.line_count()), ignored);
    const std::string front = repaired_front(body);
    if (!tree) return front + std::string(source_.text().substr(source_.line_start(body)));
    links(tree->children);
    for (std::size_t i = 0; i < tree->children.size(); ++i) {
      Node& block = tree->children[i];
      const int first = source_.line_at(block.offset);
      const int end = i + 1 < tree->children.size() ? source_.line_at(tree->children[i + 1].offset)
                                                    : source_.line_count() + 1;
      quote(block, first, end);
    }
    return front + write_markdown(*tree);
  }

  std::vector<Repaired::Change> changes;

 private:
  // A refused key is removed: an alias that another page has, a summary that is too long.
  std::string repaired_front(int body) {
    std::string out;
    bool dropped = false;
    for (int line = 1; line < body; ++line) {
      const std::string_view text = source_.line(line);
      const bool refused = errors_.contains(line) && line > 1 && !text.starts_with("title:");
      const bool continues = text.starts_with(' ') && dropped;
      dropped = continues || refused;
      if (!dropped) out += std::string(text) + '\n';
      else
        changes.push_back(
            {"front matter that the book refuses: " + std::string(text), "left out", line});
    }
    return out + (body > 1 ? "\n" : "");
  }

  const Diagnostic* link_error(const Node& node) {
    const Position begin = source_.position(node.offset);
    const auto found = errors_.find(begin.line);
    const auto at_url = errors_.find(source_.line_at(node.url_offset));
    for (const auto* place : {&found, &at_url}) {
      if (*place == errors_.end()) continue;
      for (const auto* error : (*place)->second)
        if (is_about_link(error->rule)) return error;
    }
    return nullptr;
  }

  void links(std::vector<Node>& nodes) {
    std::vector<Node> out;
    for (auto& node : nodes) {
      links(node.children);
      const bool refused = node.kind == NodeKind::link && link_error(node) != nullptr;
      if (!refused) {
        out.push_back(std::move(node));
        continue;
      }
      changes.push_back({"link that the book refuses: " + node.url, "its text and its address",
                         source_.line_at(node.offset)});
      Node address = parent_node(NodeKind::code, {});
      address.text = node.url;
      // A bare address would become a link again.
      const std::string words = plain_text(node);
      if (words.starts_with("http") || words.starts_with("www.")) {
        out.push_back(std::move(address));
        continue;
      }
      std::ranges::move(node.children, std::back_inserter(out));
      out.push_back(text_node(" ("));
      out.push_back(std::move(address));
      out.push_back(text_node(")"));
    }
    nodes = std::move(out);
  }

  static bool drop_hidden(Node& node) {
    const TextKind kind = node.kind == NodeKind::text ? TextKind::prose : TextKind::code;
    bool found = false;
    for (std::string* text : {&node.text, &node.info, &node.url}) {
      for (auto hidden = first_hidden_character(*text, kind); hidden;
           hidden = first_hidden_character(*text, kind, hidden->offset)) {
        text->erase(hidden->offset, hidden->length);
        found = true;
      }
    }
    for (auto& child : node.children) found = drop_hidden(child) || found;
    return found;
  }

  void quote(Node& block, int first, int end) {
    const Diagnostic* worst = nullptr;
    for (auto at = errors_.lower_bound(first); at != errors_.end() && at->first < end; ++at)
      for (const auto* error : at->second)
        if (!is_about_link(error->rule) && (!worst || worst->rule == Rule::hidden_character))
          worst = error;
    if (!worst) return;
    if (worst->rule == Rule::hidden_character && drop_hidden(block)) {
      changes.push_back({"invisible character", "left out", first});
      return;
    }
    std::string text;
    for (int line = first; line < end && line <= source_.line_count(); ++line)
      text += std::string(source_.line(line)) + '\n';
    while (text.ends_with("\n\n")) text.pop_back();
    changes.push_back({"what the book refuses (" + worst->message + ")", "quoted as text", first});
    const std::size_t offset = block.offset;
    block = parent_node(NodeKind::code_block, {});
    block.info = "text";
    block.text = std::move(text);
    block.offset = offset;
  }

  const Source& source_;
  std::map<int, std::vector<const Diagnostic*>> errors_;
};

}  // namespace

Repaired repaired_chapter(const std::string& file, const std::string& text,
                          const std::vector<Diagnostic>& errors) {
  const Source source(file, text);
  Repairer repairer(source, errors);
  Repaired repaired;
  repaired.text = repairer.text();
  repaired.changes = std::move(repairer.changes);
  return repaired;
}

}  // namespace primer
