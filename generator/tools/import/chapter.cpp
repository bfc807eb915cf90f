#include "generator/tools/import/chapter.hpp"

#include <algorithm>
#include <cctype>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/core/markdown/quote_marker.hpp"
#include "generator/tools/import/html_nodes.hpp"
#include "generator/tools/import/links.hpp"
#include "generator/tools/import/markdown_writer.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

// Removes characters that the book refuses, and says where they were.
std::string without_hidden(std::string text, TextKind kind, const std::string& file, int line,
                           ImportReport& report) {
  for (auto hidden = first_hidden_character(text, kind); hidden;
       hidden = first_hidden_character(text, kind, hidden->offset)) {
    const auto before =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(hidden->offset), '\n');
    report.changed("hidden character " + hidden->name, "left out", file,
                   line + static_cast<int>(before));
    text.erase(hidden->offset, hidden->length);
  }
  return text;
}

std::string cleaned(std::string text, const std::string& file, ImportReport& report) {
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  text = replace_all(replace_all(std::move(text), "\r\n", "\n"), "\r", "\n");
  return without_hidden(std::move(text), TextKind::prose, file, 1, report);
}

// The language of a block of code as the book names it: "rust,ignore" gives "rust", "{.python}"
// gives "python".
std::string language_of(std::string_view info) {
  info = trim(info);
  std::string name(info.substr(0, info.find_first_of(" ,{:=\t", info.starts_with('{') ? 1 : 0)));
  std::erase_if(name, [](char c) { return c == '{' || c == '}' || c == '.' || c == '`'; });
  name = lower_case(name);
  constexpr std::pair<std::string_view, std::string_view> same[] = {
      {"nasm", "asm"},         {"assembly", "asm"},      {"shell", "sh"},
      {"plaintext", "text"},   {"golang", "go"},         {"rs", "rust"},
      {"ts", "typescript"},    {"center", "text"},       {"ipython3", "python"},
      {"ipython", "python"},   {"txt", "text"},          {"plain", "text"},
      {"rust-norun", "rust"},  {"ignore", "rust"},       {"should_panic", "rust"},
      {"no_run", "rust"},      {"compile_fail", "rust"}, {"editable", "rust"},
      {"edition2018", "rust"}, {"edition2021", "rust"},  {"edition2024", "rust"}};
  for (const auto& [old, now] : same)
    if (name == old) return std::string(now);
  const bool is_name = std::ranges::all_of(name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '+' || c == '#' ||
           c == '_';
  });
  return name.empty() || !is_name || own_block(name) ? "text" : name;
}

class Drafter {
 public:
  Drafter(ChapterDraft& draft, const ForeignBook& book, ImportReport& report)
      : draft_(draft), book_(book), report_(report), file_(draft.chapter->file) {}

  void draft(const nlohmann::json& front) {
    replace_directives(draft_.tree, draft_, book_, report_);
    replace_html(draft_.tree, {file_, [this](std::size_t at) { return draft_.line_at(at); }},
                 report_);
    each(draft_.tree);
    set_title(text_at(front, "title"));
    outline();
  }

 private:
  void changed(const std::string& what, const std::string& now, const Node& node) {
    report_.changed(what, now, file_, draft_.line_at(node.offset));
  }

  void each(Node& node) {
    if (node.kind == NodeKind::code_block) code_block(node);
    if (node.kind == NodeKind::quote) callout(node);
    if (node.kind == NodeKind::code || node.kind == NodeKind::maths)
      node.text = without_hidden(std::move(node.text), TextKind::code, file_,
                                 draft_.line_at(node.offset), report_);
    if (node.kind == NodeKind::citation) node.text = with_ids(node.text);
    if (book_.maths_brackets) bracket_formulas(node.children);
    attributes(node);
    for (auto& child : node.children) each(child);
  }

  void code_block(Node& node) {
    const std::string language = language_of(node.info);
    if (language == "rust" && book_.tool == Tool::mdbook) hide_lines(node);
    node.text = without_hidden(std::move(node.text), TextKind::code, file_,
                               draft_.line_at(node.offset) + 1, report_);
    if (book_.tool == Tool::mdbook) node.text = replace_all(std::move(node.text), "\\{{#", "{{#");
    const std::string info = lower_case(trim(node.info));
    if (info == "math" || info.starts_with("math eq-")) {
      node.info = info;
      return;
    }
    if (!info.empty() && info != language)
      changed("options of a block of code: " + std::string(trim(node.info)), language, node);
    node.info = language;
  }

  // "[@Smith_2001]" with the id that the work has in the new book.
  static std::string with_ids(const std::string& citation) {
    std::vector<std::string> ids;
    for (auto part : split(std::string_view(citation).substr(1, citation.size() - 2), ';')) {
      part = trim(part);
      const auto end = std::min(part.find_first_of(" ,"), part.size());
      const bool key = part.starts_with('@') && part.size() > 1 && end == part.size();
      ids.push_back(key ? '@' + as_id(part.substr(1)) : std::string(part));
    }
    return '[' + join(ids, "; ") + ']';
  }

  // Lines that mdBook hides from readers.
  void hide_lines(Node& node) {
    std::string shown;
    std::size_t hidden = 0;
    for (const auto line : split_lines(node.text)) {
      const std::string_view code = trim(line);
      if (code == "#" || code.starts_with("# ")) {
        ++hidden;
        continue;
      }
      const bool escaped = code.starts_with("##");
      const auto at = static_cast<std::size_t>(code.data() - line.data());
      shown += escaped ? std::string(line.substr(0, at)) + std::string(code.substr(1))
                       : std::string(line);
      shown += '\n';
    }
    if (hidden > 0) changed("hidden lines of code", "left out", node);
    node.text = std::move(shown);
  }

  // "> [!kind]- Title" of Obsidian and others: kinds that the new book has not, and signs that fold.
  void callout(Node& quote) {
    auto marker = marker_of_quote(quote);
    if (!marker || marker->name.empty()) return;
    CalloutKind kind = callout_kind(marker->name);
    auto& title = marker->title;
    const bool folds =
        !title.empty() && title[0].kind == NodeKind::text && title[0].text.find_first_of("+-") == 0;
    const bool own = is_one_of(marker->name, {"TAKEAWAY", "MODEL", "PITFALL", "DEEPER", "TABS"});
    if ((own || kind.marker == marker->name) && !folds) return;
    if (kind.marker.empty() && !own) {
      if (marker->name.find_first_of(" ^") != std::string::npos) return;
      kind = {"NOTE", title_of_slug(lower_case(marker->name))};
    }
    if (own) kind = {marker->name, ""};
    changed("callout [!" + marker->name + "]", "[!" + kind.marker + ']', quote);
    if (folds) {
      title[0].text.erase(0, title[0].text.find_first_not_of("+- "));
      if (title[0].text.empty()) title.erase(title.begin());
    }
    if (title.empty() && !kind.title.empty()) title.push_back(text_node(kind.title));
    std::vector<Node> blocks = std::move(quote.children);
    blocks[0] = without_marker_line(std::move(blocks[0]), *marker);
    if (blocks[0].children.empty()) blocks.erase(blocks.begin());
    const std::size_t offset = quote.offset;
    quote = callout_node(kind.marker, std::move(title), std::move(blocks));
    quote.offset = offset;
  }

  // "\\(x\\)" and "\\[x\\]" in texts, which MathJax reads on the finished page.
  void bracket_formulas(std::vector<Node>& nodes) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].kind != NodeKind::text) continue;
      std::string& text = nodes[i].text;
      const bool opens = text.ends_with("\\") && i + 1 < nodes.size() &&
                         nodes[i + 1].kind == NodeKind::text &&
                         (nodes[i + 1].text.starts_with("(") || nodes[i + 1].text.starts_with("["));
      if (!opens) continue;
      const std::string close = nodes[i + 1].text[0] == '(' ? ")" : "]";
      std::string tex = nodes[i + 1].text.substr(1);
      std::size_t last = i + 1;
      bool found = false;
      while (!found && ++last < nodes.size()) {
        const Node& node = nodes[last];
        const bool ends = tex.ends_with('\\') && node.text.starts_with(close);
        if (ends) tex.pop_back(), found = true;
        else if (node.kind == NodeKind::emphasis) tex += '_' + plain_text(node) + '_';
        else tex += plain_text(node);
      }
      if (!found) continue;
      changed("formula in \\\\" + std::string(close == ")" ? "(" : "["), "a formula", nodes[i]);
      Node formula = parent_node(NodeKind::maths, {});
      formula.text = trim(tex);
      formula.form = close == "]" ? MathsForm::double_dollars : MathsForm::dollars;
      text.pop_back();
      nodes[last].text.erase(0, 1);
      nodes[last].in_source = InSource::unknown;
      nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                  nodes.begin() + static_cast<std::ptrdiff_t>(last));
      nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(formula));
    }
    std::erase_if(
        nodes, [](const Node& node) { return node.kind == NodeKind::text && node.text.empty(); });
  }

  // "{#id .class}" at the end of a heading, and "{width=50%}" behind an image: an id is kept.
  void attributes(Node& parent) {
    for (std::size_t i = 0; i < parent.children.size(); ++i) {
      Node& node = parent.children[i];
      const bool ends_heading = parent.kind == NodeKind::heading && i + 1 == parent.children.size();
      const bool after = i > 0 && (parent.children[i - 1].kind == NodeKind::image ||
                                   parent.children[i - 1].kind == NodeKind::link);
      const bool alone = parent.kind == NodeKind::paragraph &&
                         (i == 0 || parent.children[i - 1].kind == NodeKind::soft_break) &&
                         node.text.starts_with("{:");
      if (node.kind != NodeKind::text || (!ends_heading && !after && !alone)) continue;
      const auto open = ends_heading ? node.text.rfind('{') : 0;
      const auto close = node.text.find('}', std::min(open, node.text.size()));
      if (open == node.text.npos || close == node.text.npos || node.text[open] != '{' ||
          (ends_heading && close + 1 != node.text.size()))
        continue;
      const std::string inside(trim(node.text.substr(open + 1, close - open - 1)));
      const bool named = inside.starts_with('#') || inside.starts_with('.') ||
                         inside.starts_with(':') || inside == "-" ||
                         inside.find('=') != inside.npos;
      if (!named || (inside.size() > 1 && !std::isalpha(static_cast<unsigned char>(inside[1])) &&
                     inside[0] != ':' && inside[1] != '-'))
        continue;
      const auto hash = inside.find('#');
      changed("attributes {" + inside + '}', "left out", node);
      node.text.erase(open, close + 1 - open);
      while (ends_heading && node.text.ends_with(' ')) node.text.pop_back();
      node.length = std::min(node.length, node.text.size());
      if (hash == inside.npos) continue;
      parent.children.push_back(
          anchor_node(inside.substr(hash + 1, inside.find_first_of(" .\t", hash) - hash - 1)));
      return;
    }
  }

  static bool has_content(const Node& node) {
    if (node.kind == NodeKind::html_block) return !node.text.starts_with("<!--");
    if (node.kind == NodeKind::paragraph) return !std::ranges::all_of(node.children, is_anchor);
    return node.kind != NodeKind::rule;
  }

  // The title is that of the front matter, or the only heading of level 1, or a heading above all
  // text, or that of the old list of contents.
  void set_title(const std::string& given) {
    auto& blocks = draft_.tree.children;
    const auto is_heading = [](const Node& node) { return node.kind == NodeKind::heading; };
    const auto top = std::ranges::count_if(
        blocks, [&](const Node& node) { return is_heading(node) && node.level == 1; });
    const auto content = std::ranges::find_if(blocks, has_content);
    auto heading = content != blocks.end() && is_heading(*content) ? content : blocks.end();
    if (top == 1 && (heading == blocks.end() || heading->level != 1))
      heading = std::ranges::find_if(
          blocks, [&](const Node& node) { return is_heading(node) && node.level == 1; });
    const std::string listed = draft_.chapter->title;
    draft_.title = given.empty() ? listed : given;
    if (heading != blocks.end()) {
      const std::string words = plain_text(*heading);
      const bool same = as_id(words) == as_id(draft_.title);
      const bool takes = given.empty() ? heading->level == 1 || same || listed.empty() : same;
      if (takes) {
        if (!same && !listed.empty() && given.empty())
          changed("title in the list of contents: " + listed, "the chapter's own title", *heading);
        take_title(*heading);
        title_ids(*heading);
        blocks.erase(heading);
      }
    }
    if (draft_.title.empty()) {
      const auto slash = file_.rfind('/') + 1;
      draft_.title = title_of_slug(file_.substr(slash, file_.rfind('.') - slash));
    }
  }

  void take_title(Node& heading) {
    without_links(heading);
    std::erase_if(heading.children, [](const Node& node) {
      return node.kind == NodeKind::image || (node.kind == NodeKind::html && !is_anchor(node));
    });
    const std::string line = write_inlines(heading);
    if (!line.empty()) draft_.title = line;
  }

  void title_ids(const Node& heading) {
    draft_.ids[old_slugs_.unique(plain_text(heading))] = "";
    for (const auto& child : heading.children)
      if (is_anchor(child)) draft_.ids[child.title] = "";
  }

  // Headings hold no links.
  void without_links(Node& heading) {
    std::vector<Node> children;
    for (auto& child : heading.children) {
      if (child.kind == NodeKind::link) {
        changed("link in a heading to " + child.url, "its text", heading);
        std::ranges::move(child.children, std::back_inserter(children));
      } else {
        if (!child.children.empty() && child.kind != NodeKind::image) without_links(child);
        children.push_back(std::move(child));
      }
    }
    heading.children = std::move(children);
  }

  // Headings from level 2 on, one level at a time, and the ids that lead to each section.
  void outline() {
    std::vector<std::pair<int, int>> above;  // old and new levels
    std::vector<Anchor> waiting;             // above a heading
    std::string section;
    auto& blocks = draft_.tree.children;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      Node& node = blocks[i];
      if (node.kind != NodeKind::heading) {
        const bool only_anchors = node.kind == NodeKind::paragraph && !has_content(node);
        std::vector<Anchor> found;
        take_anchors(node, found);
        const bool before_heading =
            only_anchors && i + 1 < blocks.size() && blocks[i + 1].kind == NodeKind::heading;
        if (before_heading) std::ranges::move(found, std::back_inserter(waiting));
        else
          for (const auto& id : found) anchor(id, section);
        continue;
      }
      without_links(node);
      while (!above.empty() && above.back().first >= node.level) above.pop_back();
      const int level = std::min(above.empty() ? 2 : above.back().second + 1, 6);
      above.emplace_back(node.level, level);
      node.level = level;
      std::vector<Anchor> found = std::exchange(waiting, {});
      take_anchors(node, found);
      const std::string words = plain_text(node);
      section = new_slugs_.unique(words);
      draft_.titles[section] = words;
      const std::string old = old_slugs_.unique(words);
      if (old != section) draft_.ids[old] = section;
      for (const auto& id : found) anchor(id, section);
    }
  }

  // An old id, and the new one of what it names; "": that of the section.
  struct Anchor {
    std::string id, now;
  };

  void anchor(const Anchor& one, const std::string& section) {
    const std::string& id = one.id;
    if (!one.now.empty()) draft_.ids.emplace(id, one.now), draft_.ids.emplace(one.now, one.now);
    if (id.empty() || id == section || !one.now.empty()) return;
    draft_.ids.emplace(id, section);
    const bool plain = id.size() <= 100 &&
                       id.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyz"
                           "0123456789-") == id.npos &&
                       id[0] != '-';
    auto& former = draft_.former_ids[section];
    if (plain && !section.empty() && former.size() < 20 && former_.insert(id).second)
      former.push_back(id);
  }

  static void take_anchors(Node& node, std::vector<Anchor>& ids) {
    if (node.kind == NodeKind::code_block && !node.title.empty())
      ids.push_back({node.title, node.url});
    for (auto& child : node.children) {
      if (is_anchor(child)) ids.push_back({child.title, child.url});
      else take_anchors(child, ids);
    }
    std::erase_if(node.children, is_anchor);
  }

  ChapterDraft& draft_;
  const ForeignBook& book_;
  ImportReport& report_;
  const std::string& file_;
  Slugs old_slugs_, new_slugs_;
  std::set<std::string> former_;
};

OldLines lines_of(const FileSystem& files, const ForeignBook& book, const ForeignChapter& chapter,
                  const std::string& text, int first, ChapterDraft& draft, ImportReport& report) {
  OldLines lines = with_marked_lines(old_lines(text, first), book.tool);
  if (book.tool == Tool::mdbook) lines = with_includes(files, chapter.file, lines, report);
  if (book.tool == Tool::latex || book.tool == Tool::sphinx)
    lines = with_pasted_files(files, book, chapter.file, lines, report);
  draft.source = lines;
  if (book.tool == Tool::hugo || book.tool == Tool::jekyll || book.tool == Tool::quarto)
    lines = with_shortcodes(files, book, chapter.file, lines, report);
  if (book.tool == Tool::myst) lines = with_colon_fences(lines);
  if (book.tool == Tool::quarto) lines = with_cell_fences(lines);
  return lines;
}

void read_front_matter(const nlohmann::json& keys, ChapterDraft& draft, ImportReport& report) {
  for (const char* key : {"aliases", "redirect_from"})
    for (auto& alias : texts_at(keys, key)) draft.aliases.push_back(std::move(alias));
  for (const char* key : {"description", "summary", "subtitle"})
    if (draft.summary.empty()) draft.summary = text_at(keys, key);
  for (const auto& [key, value] : keys.items()) {
    if (!is_one_of(key, {"title", "draft", "aliases", "redirect_from", "weight", "slug", "url",
                         "permalink", "layout", "description"}))
      report.changed("front matter: " + key, "left out", draft.chapter->file, 1);
  }
}

// Pages in HTML may be indented, which Markdown would take for code.
std::string without_indents(const std::string& text) {
  std::string out;
  for (const auto line : split_lines(text)) out += std::string(trim(line)) + '\n';
  return out;
}

// The words of a notebook as Markdown, for the loss check: cells and their printed outputs.
std::string words_of_notebook(const std::string& text) {
  const nlohmann::json notebook = nlohmann::json::parse(text, nullptr, false);
  const auto joined = [](const nlohmann::json& value) {
    std::string all = value.is_string() ? value.get<std::string>() : "";
    for (const auto& line : value.is_array() ? value : nlohmann::json::array())
      if (line.is_string()) all += line.get<std::string>();
    return all;
  };
  std::string out;
  for (const auto& cell : value_at(notebook, "cells")) {
    const bool code = text_at(cell, "cell_type") == "code";
    const auto tags = texts_at(cell, "metadata.tags");
    if (std::ranges::any_of(tags, [](const auto& tag) { return is_hidden_cell(tag); })) continue;
    const std::string fence = code ? "\n~~~~~~~~\n" : "\n";
    out += fence + joined(value_at(cell, "source")) + fence;
    for (const auto& output : value_at(cell, "outputs"))
      out += fence + joined(value_at(output, "text")) + fence;
  }
  return out;
}

// The chapter's tree, its source for the loss check if it has none, and the images in it. The
// reason if that failed.
std::optional<std::string> read_with_pandoc(const Pandoc& pandoc, const std::string& format,
                                            const std::string& text, int lines_above,
                                            ChapterDraft& draft,
                                            std::map<std::string, std::string>& new_files,
                                            ImportReport& report) {
  const std::string& file = draft.chapter->file;
  const PandocOutput output = pandoc(format, "json", text);
  if (!output.error.empty()) return output.error;
  auto tree = pandoc_tree(output.text, {file, output.media, &new_files}, report);
  if (!tree) return "Pandoc's output cannot be read";
  report_skipped(output.log, lines_above, file, report);
  draft.tree = std::move(*tree);
  if (format.starts_with("ipynb")) draft.source = old_lines(words_of_notebook(text), 1);
  // Word's own format has no text to compare with, but another writer of Pandoc has.
  if (format == "docx") {
    PandocOutput words = pandoc(format, "gfm", text);
    if (!words.error.empty()) report.lost("comparison with the old text: " + words.error, file, 0);
    std::string markdown = std::move(words.text);
    for (const auto& [path, bytes] : output.media)
      markdown = replace_all(std::move(markdown), path, "new-file:" + media_name(file, path));
    draft.source = old_lines(markdown, 1);
  }
  return std::nullopt;
}

}  // namespace

std::string pandoc_format(const ForeignBook& book, const ForeignChapter& chapter) {
  constexpr std::pair<std::string_view, const char*> formats[] = {
      {".qmd", "markdown"}, {".Rmd", "markdown"}, {".tex", "latex"},
      {".rst", "rst"},      {".docx", "docx"},    {".ipynb", "ipynb+raw_markdown"}};
  for (const auto& [ending, format] : formats)
    if (chapter.file.ends_with(ending)) return format;
  return book.tool == Tool::quarto ? "markdown" : "";
}

int ChapterDraft::line_at(std::size_t offset) const {
  const auto next = std::ranges::upper_bound(line_starts, offset);
  const auto index =
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - line_starts.begin(), 1)) - 1;
  return index < lines.size() ? lines[index] : lines.empty() ? 0 : lines.back();
}

std::optional<ChapterDraft> draft_chapter(const FileSystem& files, const ForeignBook& book,
                                          const ForeignChapter& chapter, const Pandoc& pandoc,
                                          std::map<std::string, std::string>& new_files,
                                          ImportReport& report) {
  const auto refuse = [&](const std::string& why) {
    report.not_taken(chapter.file, why, chapter.file, 0);
    return std::nullopt;
  };
  auto raw = files.read(chapter.file);
  if (!raw) return refuse("the file is missing or too large");
  const std::string format = pandoc_format(book, chapter);
  ChapterDraft draft;
  draft.chapter = &chapter;
  draft.aliases = chapter.aliases;
  if (format == "docx" || format.starts_with("ipynb")) {
    if (const auto why = read_with_pandoc(pandoc, format, *raw, 0, draft, new_files, report))
      return refuse(*why);
    Drafter(draft, book, report).draft({});
    return draft;
  }
  if (!is_utf8(*raw)) return refuse("the file is not UTF-8 text");
  const std::string text = cleaned(std::move(*raw), chapter.file, report);
  const OldFrontMatter front = old_front_matter(text, chapter.file, report);
  read_front_matter(front.keys, draft, report);
  const auto above =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(front.end), '\n');
  std::string body = text.substr(front.end);
  if (chapter.file.ends_with(".html") || chapter.file.ends_with(".htm"))
    body = without_indents(body);
  std::string joined;
  for (const auto& line :
       lines_of(files, book, chapter, body, static_cast<int>(above) + 1, draft, report)) {
    draft.lines.push_back(line.number);
    joined += line.text + '\n';
  }
  if (!format.empty()) {
    draft.lines.clear();  // Pandoc gives no positions
    const bool part = book.tool == Tool::latex && joined.find("\\begin{document}") == joined.npos;
    if (part) joined = book.preamble + "\\begin{document}\n" + joined + "\\end{document}\n";
    const auto extra = part ? std::ranges::count(book.preamble, '\n') + 1 : -above;
    if (const auto why = read_with_pandoc(pandoc, format, joined, static_cast<int>(extra), draft,
                                          new_files, report))
      return refuse(*why);
    Drafter(draft, book, report).draft(front.keys);
    return draft;
  }
  draft.line_starts = line_starts(joined);
  const Source source(chapter.file, std::move(joined));
  Diagnostics diagnostics;
  auto tree = parse_markdown(extract_lines(source, 1, source.line_count()), diagnostics);
  if (!tree)
    return refuse(diagnostics.sorted().empty() ? "the text is too large"
                                               : diagnostics.sorted().front().message);
  draft.tree = std::move(*tree);
  Drafter(draft, book, report).draft(front.keys);
  return draft;
}

namespace {

void resolve(std::vector<Node>& nodes, Links& links, const ChapterDraft& draft, int line) {
  std::vector<Node> out;
  for (auto& node : nodes) {
    const int here = node.offset > 0 ? draft.line_at(node.offset) : line;
    resolve(node.children, links, draft, here);
    if (node.kind == NodeKind::link) {
      auto resolved = links.link(std::move(node), here);
      std::ranges::move(resolved, std::back_inserter(out));
    } else if (node.kind == NodeKind::image) {
      out.push_back(links.image(std::move(node), here));
    } else {
      out.push_back(std::move(node));
    }
  }
  nodes = std::move(out);
}

}  // namespace

std::string finished_text(ChapterDraft& draft, Links& links, ImportReport& report) {
  static_cast<void>(report);
  resolve(draft.tree.children, links, draft, 0);
  return write_markdown(draft.tree);
}

}  // namespace primer
