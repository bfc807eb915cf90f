// Groups that begin with a mark on a line: tabs and callouts of MkDocs, whose text is indented, and
// tabs of mdbook-tabs. They become elements that html_nodes.hpp reads.
//
//   === "C++"            {{#tabs}}                 <primer-tabs>
//                        {{#tab name="C++"}}       <primer-tab title="C++">
//       Text.            Text.                     Text.
//                        {{#endtab}}               </primer-tab>
//                        {{#endtabs}}              </primer-tabs>
#include <algorithm>

#include "generator/core/base/html.hpp"
#include "generator/core/base/text.hpp"
#include "generator/tools/import/node_tools.hpp"
#include "generator/tools/import/old_lines.hpp"

namespace primer {
namespace {

std::string element(const std::string& name, const std::string& title) {
  return '<' + name + " title=\"" + escape(title) + "\">";
}

// The text between the first and the last quotation mark.
std::string in_marks(std::string_view text) {
  const auto open = text.find('"'), close = text.rfind('"');
  return open == text.npos || close == open ? ""
                                            : std::string(text.substr(open + 1, close - open - 1));
}

class GroupReader {
 public:
  explicit GroupReader(OldLines& into) : into_(into) {}

  void read(const OldLines& lines, int depth) {
    std::string fence;
    for (std::size_t i = 0; i < lines.size();) {
      const std::string& line = lines[i].text;
      if (const auto found = fence_of(line)) {
        if (fence.empty()) fence = found->marks;
        else if (found->marks.size() >= fence.size() && found->marks[0] == fence[0] &&
                 found->info.empty())
          fence.clear();
      }
      const std::size_t end = fence.empty() && depth < deepest_include ? group(lines, i, depth) : i;
      if (end == i) into_.push_back(lines[i++]);
      else i = end;
    }
  }

 private:
  static constexpr std::size_t indent = 4;

  static bool begins_tab(std::string_view line) {
    const std::string_view text = trim(line);
    for (const std::string_view mark : {"=== \"", "===! \"", "===+ \""})
      if (text.starts_with(mark) && text.size() > mark.size() && text.ends_with('"')) return true;
    return false;
  }

  // The kind of "!!! note" and "??? note": "note".
  static std::string callout_of(std::string_view line) {
    const std::string_view text = trim(line);
    for (const std::string_view mark : {"!!! ", "??? ", "???+ "}) {
      if (!text.starts_with(mark)) continue;
      const std::string_view name = trim(text.substr(mark.size()));
      return std::string(name.substr(0, name.find_first_of(" \"")));
    }
    return {};
  }

  // Writes the group that begins with line `at`. Returns the line behind it, or `at` if there is
  // none.
  std::size_t group(const OldLines& lines, std::size_t at, int depth) {
    if (const std::string kind = callout_of(lines[at].text); !kind.empty()) {
      const std::string name = callout_kind(kind).marker.empty() ? "note" : kind;
      const std::string title = in_marks(lines[at].text);
      tag("<div class=\"" + name + "\" title=\"" +
              escape(title.empty() && name != kind ? title_of_slug(kind) : title) + "\">",
          lines[at]);
      const std::size_t end = body(lines, at, depth);
      tag("</div>", lines[at]);
      return end;
    }
    if (!begins_tab(lines[at].text)) return at;
    tag("<primer-tabs>", lines[at]);
    const std::size_t column = lines[at].text.find('=');
    std::size_t end = at;
    while (end < lines.size() && begins_tab(lines[end].text) &&
           lines[end].text.find('=') == column) {
      const OldLine& first = lines[end];
      tag(element("primer-tab", in_marks(first.text)), first);
      end = body(lines, end, depth);
      tag("</primer-tab>", first);
    }
    tag("</primer-tabs>", lines[at]);
    return end;
  }

  void tag(const std::string& text, const OldLine& line) {
    const std::string front(line.text.size() - trim(line.text).size(), ' ');
    for (const std::string& one : {std::string(), front + text, std::string()})
      into_.push_back({one, line.number});
  }

  // The indented lines below line `at`, without their indentation.
  std::size_t body(const OldLines& lines, std::size_t at, int depth) {
    const std::size_t column =
        std::min(lines[at].text.find_first_not_of(' '), lines[at].text.size());
    OldLines inner;
    std::size_t end = at + 1;
    for (; end < lines.size(); ++end) {
      const std::string& text = lines[end].text;
      const std::size_t begin = text.find_first_not_of(" \t");
      const bool tabbed = column == 0 && text.starts_with('\t');
      if (begin == text.npos) inner.push_back({"", lines[end].number});
      else if (tabbed) inner.push_back({text.substr(1), lines[end].number});
      else if (begin >= column + indent)
        inner.push_back({text.substr(0, column) + text.substr(column + indent), lines[end].number});
      else break;
    }
    read(inner, depth + 1);
    return end;
  }

  OldLines& into_;
};

// The element for a line of mdbook-tabs.
std::optional<std::string> tab_element(std::string_view line) {
  const std::string_view text = trim(line);
  if (!text.starts_with("{{#") || !text.ends_with("}}")) return std::nullopt;
  const std::string_view inside = trim(text.substr(3, text.size() - 5));
  const std::string_view name = inside.substr(0, inside.find(' '));
  if (name == "tabs") return "<primer-tabs>";
  if (name == "endtabs") return "</primer-tabs>";
  if (name == "endtab") return "</primer-tab>";
  const auto label = inside.find("name=");
  if (name == "tab" && label != inside.npos)
    return element("primer-tab", in_marks(inside.substr(label)));
  return std::nullopt;
}

}  // namespace

OldLines with_marked_lines(const OldLines& lines, Tool tool) {
  OldLines out;
  if (tool == Tool::folder) GroupReader(out).read(lines, 0);
  if (tool != Tool::mdbook) return tool == Tool::folder ? out : lines;
  for (const auto& line : lines) {
    const auto tag = tab_element(line.text);
    if (!tag) {
      out.push_back(line);
      continue;
    }
    for (const std::string& one : {std::string(), *tag, std::string()})
      out.push_back({one, line.number});
  }
  return out;
}

}  // namespace primer
