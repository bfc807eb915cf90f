// Parts of a page that the emitter writes, one section each: tables, ordinary code, the front
// matter's parts of the text, notes about missing measurements, and side notes.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/code/highlight.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {

// Tables. The caption is outside of the frame that scrolls on phones, so that its lines break at
// the width of the page. The first cell of a row names the row. Numbers are aligned at their
// points.

namespace {
constexpr std::string_view figure_space = "\u2007", point_space = "\u2008";

std::string_view alignment_class(Alignment alignment) {
  if (alignment == Alignment::right) return "right";
  return alignment == Alignment::centre ? "center" : "";
}

std::string cell_text(const Node& cell) { return std::string(trim(plain_text(cell))); }

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// End of the number at the start of "−1,234.5 TB/s". 0 if the text does not begin with a number.
std::size_t number_end(std::string_view text) {
  std::size_t at = 0;
  for (const std::string_view sign : {"−", "-", "+", "≈", "$", "~"}) {
    if (text.substr(at).starts_with(sign)) at += sign.size();
  }
  const std::size_t first = at;
  const auto goes_on = [&](char c) {
    const bool point = (c == '.' || c == ',') && at + 1 < text.size() && is_digit(text[at + 1]);
    return is_digit(c) || (point && at > first);
  };
  while (at < text.size() && goes_on(text[at])) ++at;
  return at > first ? at : 0;
}

int decimals_of(std::string_view text) {
  const auto point = text.find('.');
  return point == text.npos ? 0 : static_cast<int>(number_end(text) - point) - 1;
}

bool is_open(std::string_view text) { return text.empty() || text == "–" || text == "—"; }

// How column `at` is set. A column of numbers, with or without units, is aligned right unless the
// author aligned it. The first column names the rows and never counts as numbers.
Column column_of(const Node& table, std::size_t at) {
  Column column{table.children.front().children[at].alignment, at > 0, 0};
  bool measured = at > 0 && column.alignment == Alignment::none;
  std::size_t found = 0;
  for (const auto& row : table.children) {
    if (row.header || at >= row.children.size()) continue;
    const std::string text = cell_text(row.children[at]);
    if (is_open(text)) continue;
    const std::size_t end = number_end(text);
    const std::string_view behind = std::string_view(text).substr(end);
    ++found;
    measured = measured && end > 0 && std::ranges::count(behind, ' ') <= 1 && behind.size() <= 10;
    column.numbers = column.numbers && end == text.size();
    column.decimals = std::max(column.decimals, decimals_of(text));
  }
  if (found > 0 && (measured || (column.numbers && column.alignment == Alignment::none)))
    column.alignment = Alignment::right;
  column.numbers = column.numbers && found > 0 && column.alignment == Alignment::right;
  return column;
}

// Spaces in place of the decimals that this number has less than the column.
std::string padding(const Column& column, const Node& cell) {
  const std::string text = cell_text(cell);
  if (!column.numbers || is_open(text)) return {};
  const int own = decimals_of(text);
  std::string room;
  if (own == 0 && column.decimals > 0) room += point_space;
  for (int i = own; i < column.decimals; ++i) room += figure_space;
  return room;
}

}  // namespace

// Reports "Table energy cost: …" above a table, which is meant as a caption but has no valid id.
void Emitter::check_caption(const Node& paragraph) {
  const bool text = paragraph.kind == NodeKind::paragraph && !paragraph.children.empty() &&
                    paragraph.children.front().kind == NodeKind::text;
  if (!text) return;
  const Node& first = paragraph.children.front();
  constexpr std::string_view word = "Table ";
  const auto colon = first.text.find(": ");
  if (!first.text.starts_with(word) || colon == first.text.npos || colon < word.size()) return;
  const std::string id = first.text.substr(word.size(), colon - word.size());
  error(Rule::bad_id, first.offset + word.size(), id.size(),
        in_quotes(id) +
            " is not a valid id: expected tbl- and then lower-case letters, digits and hyphens");
  diagnostics.hint("write Table tbl-x: caption");
}

// The word before the id must be the English one or the page's translation.
void Emitter::check_caption_word(const Caption& caption) {
  const std::string english(kind_word(caption.kind)), ours = word(english);
  if (caption.word == english || caption.word == ours) return;
  const std::size_t length = caption.word.size() + 1;
  error(Rule::bad_caption, caption.id_offset - std::min(caption.id_offset, length),
        caption.word.size(), "a caption must begin with " + in_quotes(ours), ours);
}

void Emitter::caption_above(const Caption& caption, const Node& node) {
  check_caption_word(caption);
  out.open(has_note(caption.text) ? "div" : "p", {{"class", "table-caption"}, {"id", caption.id}});
  out.element("span", {{"class", "label"}}, label(chapter.at(node.offset), AnchorKind::table));
  out.text(" ");
  inlines(caption.text);
  out.close().line();
}

void Emitter::table(const Node& node, const Node* previous) {
  auto caption = previous ? caption_of(*previous) : std::nullopt;
  if (caption && !caption->fits(node)) caption.reset();
  if (previous && !caption) check_caption(*previous);
  if (caption) caption_above(*caption, node);
  // The frame scrolls on phones, so it must be focusable and have a name.
  const Attribute name =
      caption ? Attribute{"aria-labelledby", caption->id} : Attribute{"aria-label", word("Table")};
  out.open("div", {{"class", "table"}, {"role", "group"}, {"tabindex", "0"}, name});
  out.open("table", {{"aria-labelledby", caption ? caption->id : "", caption.has_value()}}).line();
  std::vector<Column> columns;
  for (std::size_t i = 0; i < node.children.front().children.size(); ++i)
    columns.push_back(column_of(node, i));
  bool body = false;
  for (const auto& row : node.children) {
    if (row.header) {
      out.open("thead").line();
      table_row(row, columns);
      out.close().line();
      continue;
    }
    if (!body) out.open("tbody").line();
    body = true;
    check_cells(row, node.children.front());
    table_row(row, columns);
  }
  if (body) out.close().line();
  out.close().close().line();
}

// Reports rows with the wrong number of cells, which Markdown silently fills or cuts.
void Emitter::check_cells(const Node& row, const Node& header) {
  const std::size_t wanted = header.children.size();
  if (row.written_cells == 0 || row.written_cells == wanted) return;
  const auto cells = [](std::size_t count) {
    return std::to_string(count) + (count == 1 ? " cell" : " cells");
  };
  const int line = source.line_at(row.offset);
  const std::size_t length =
      trim(source.text().substr(row.offset,
                                source.line_start(line) + source.line(line).size() - row.offset))
          .size();
  error(Rule::bad_table, row.offset, length,
        "this row has " + cells(row.written_cells) + ", but the header has " +
            std::to_string(wanted));
  diagnostics.hint("write empty cells too: | a | | c |; write a bar inside a cell as \\|");
}

void Emitter::table_row(const Node& row, const std::vector<Column>& columns) {
  inside_table_ = true;
  out.open("tr");
  for (std::size_t i = 0; i < row.children.size(); ++i) {
    const Node& cell = row.children[i];
    const Column column = i < columns.size() ? columns[i] : Column();
    const std::string css_class(alignment_class(column.alignment));
    // An empty header cell names nothing, and neither does an empty first cell.
    const bool names = (row.header || (i == 0 && columns.size() > 1)) && !cell.children.empty();
    const char* scope = row.header ? "col" : "row";
    out.open(names ? "th" : "td",
             {{"scope", scope, names}, {"class", css_class, !css_class.empty()}});
    inlines(cell);
    if (!row.header) out.text(padding(column, cell));
    out.close();
  }
  out.close().line();
  inside_table_ = false;
}

// Ordinary code, for example ```cpp marks=3-5,9

namespace {
std::optional<int> whole_number(std::string_view text) {
  int number = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || stop != text.data() + text.size() || number < 1) return {};
  return number;
}

// Parses "3-5,9" to {3, 4, 5, 9}. No value if the list is malformed or names lines past the end.
std::optional<std::set<int>> parse_marks(std::string_view text, int lines) {
  std::set<int> marks;
  for (const auto part : split(text, ',')) {
    const auto ends = split(part, '-');
    const auto first = whole_number(ends.front());
    const auto last = whole_number(ends.back());
    if (ends.size() > 2 || !first || !last || *last < *first || *last > lines) return std::nullopt;
    for (int line = *first; line <= *last; ++line) marks.insert(line);
  }
  return marks;
}

// Highlighting is the most expensive part of a build, so blocks are cached by their code, even if
// their chapter changed.
std::vector<std::string> coloured_lines(const Emitter& emitter, std::size_t offset,
                                        const std::string& language, const std::string& code) {
  std::vector<std::string> lines;
  Cache* cache = emitter.shared.cache;
  const WordLanguage* own = emitter.shared.book.code_language(language);
  const std::string key = language + (own ? pack(*own) : "") + '\n' + code;
  if (const auto cached = cache ? cache->find(Cache::Kind::code, key) : std::nullopt) {
    if (unpack(*cached, lines)) return lines;
    lines.clear();
  }
  auto coloured = own ? highlight(*own, code) : highlight(language, code);
  if (coloured) {
    if (cache) cache->store(Cache::Kind::code, key, pack(*coloured));
    return std::move(coloured).value();
  }
  if (own) {
    emitter.diagnostics.warning(Rule::bad_code_block, emitter.source, offset, 1,
                                coloured.error().message);
  }
  for (const auto line : split_lines(code)) lines.push_back(escape(line));
  return lines;
}

// Reports a language that we do not know. False: the name is almost a block of ours or not a
// language at all (an error). True: it is shown without colors (a warning).
bool unknown_language(Emitter& emitter, const std::string& language, std::size_t offset) {
  if (language.starts_with('{')) {
    emitter.error(Rule::foreign_syntax, offset, language.size(),
                  "unsupported MyST or Quarto syntax, which would be printed unchanged");
    emitter.diagnostics.hint(
        "write a callout as a quote whose first line is > [!NOTE], a code block with only its "
        "language");
    return false;
  }
  if (!std::isalpha(static_cast<unsigned char>(language.front())) ||
      language.find_first_of(",={") != language.npos) {
    emitter.error(Rule::bad_code_block, offset, language.size(),
                  "expected a language, optionally followed by marks=3-5,9");
    return false;
  }
  auto blocks = own_block_names();
  blocks.emplace_back("math");
  const std::string block = nearest(language, blocks);
  const std::string message = "unknown language or block " + in_quotes(language);
  if (!block.empty()) {
    emitter.error(Rule::bad_code_block, offset, language.size(), message, block);
    return false;
  }
  emitter.diagnostics.warning(Rule::bad_code_block, emitter.source, offset, language.size(),
                              message + ", so the code is not highlighted",
                              nearest(language, highlighted_languages()));
  emitter.diagnostics.hint(
      "write \"text\" for plain text, or describe the language under code: in book.yaml");
  return true;
}

}  // namespace

void emit_code(Emitter& emitter, std::size_t offset, const std::string& language,
               const std::string& code, const std::set<int>& marks) {
  Html& out = emitter.out;
  out.open("div", {{"class", "code"}});
  out.open("pre", {{"tabindex", "0"}}).open("code", {{"class", "language-" + language}});
  const std::vector<std::string> lines = coloured_lines(emitter, offset, language, code);
  int number = 0;
  for (const auto& line : lines) {
    if (marks.contains(++number)) {
      out.open("mark").raw(line).close();
    } else {
      out.raw(line);
    }
    out.line();
  }
  out.close().close().close().line();
}

void code_block(Emitter& emitter, const Node& node) {
  const auto words = split(trim(node.info), ' ');
  const std::string language(words.front().empty() ? "text" : words.front());
  const std::size_t info_offset = emitter.source.text().find(language, node.offset);
  const bool is_known = emitter.knows_language(language);
  if (!is_known && !unknown_language(emitter, language, info_offset))
    return emit_code(emitter, info_offset, "text", node.text, {});
  std::set<int> marks;
  const int lines = static_cast<int>(split_lines(node.text).size());
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].empty()) continue;
    const auto parsed =
        words[i].starts_with("marks=") ? parse_marks(words[i].substr(6), lines) : std::nullopt;
    if (parsed) {
      marks = *parsed;
      continue;
    }
    emitter.error(Rule::bad_code_block, emitter.source.text().find(words[i], info_offset),
                  words[i].size(), "expected marks=3-5,9 with lines of this code");
  }
  emit_code(emitter, info_offset, is_known ? language : "text", node.text, marks);
}

// The front matter's parts in the text: the mental model as the last sentence of the answer, the
// outcomes after the opening and the takeaway at the end of the chapter.

void Emitter::points(std::string_view key, const std::vector<std::string>& lines) {
  out.open("ul").line();
  for (std::size_t i = 0; i < lines.size(); ++i)
    out.open("li").raw(render_line(key, lines[i], i)).close().line();
  out.close().line();
}

void Emitter::end_answer() {
  if (!std::exchange(answering_, false)) return;
  const std::string& model = chapter.front.mental_model;
  if (model.empty()) return;
  out.open("p", {{"class", "mental-model"}}).raw(render_line("mental_model", model)).close().line();
}

void Emitter::end_opening() {
  end_answer();
  if (!std::exchange(opening_, false)) return;
  const FrontMatter& front = chapter.front;
  if (!front.outcomes.empty()) {
    out.open("div", {{"class", "outcomes"}}).line();
    out.element("p", {{"class", "label"}}, word("After this chapter you can")).line();
    points("outcomes", front.outcomes);
    out.close().line();
  }
  opening_end_ = out.size();
}

// Folds. A marked section that says how many minutes it takes is folded to its heading and a line.

void Emitter::fold(const Node& heading) {
  if (heading.level <= fold_level_) end_fold();
  const Anchor* anchor = chapter.at(heading.offset);
  const SectionNote* note = anchor ? chapter.front.section(anchor->id) : nullptr;
  if (!note || note->mark.empty() || note->minutes == 0 || fold_level_ > 0) return;
  out.open("details", {{"class", "fold"}}).line().open("summary").line();
  fold_level_ = heading.level;
  fold_heading_ = &heading;
}

void Emitter::fold_line(const SectionNote& note) {
  out.empty("br").open("span", {{"class", "fold-line"}});
  const std::string minutes = shared.words("{n} min", std::to_string(note.minutes));
  out.element("span", {{"class", "label"}}, word_of_mark(note, shared.words) + ", " + minutes);
  if (!note.invite.empty()) {
    const Yaml* sections = front_yaml().find("sections");
    const Yaml* section = sections ? sections->find(note.id) : nullptr;
    out.text(" ").raw(render_scalar(section ? section->find("invite") : nullptr, note.invite));
  }
  out.close();
}

void Emitter::end_fold() {
  if (std::exchange(fold_level_, 0) > 0) out.close().line();
}

void Emitter::takeaway() {
  const auto& lines = chapter.front.takeaway;
  if (lines.empty()) return;
  out.open("div", {{"class", "callout callout-takeaway"}, {"role", "note"}}).line();
  out.element("p", {{"class", "label"}}, word("Takeaway")).line();
  if (lines.size() == 1) {
    out.open("p").raw(render_line("takeaway", lines.front())).close().line();
  } else {
    points("takeaway", lines);
  }
  out.close().line();
}

// Notes that list what the reference machine has measured, for errors about missing measurements.

namespace {
using figures::Argument;
using figures::KernelInfo;
using figures::Name;
using figures::Profile;

// The values of one parameter that a kernel was measured with: "n = 64, 128, 512".
std::string measured_values(const Profile& profile, const KernelInfo& kernel,
                            const std::string& param, bool bytes) {
  std::vector<double> values;
  for (const auto& result : profile.results) {
    const bool same = result.kernel == kernel.id && result.variant == kernel.variant;
    if (same && result.measured) values.push_back(result.param(param, 0));
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::string> spelled;
  for (const double value : values) spelled.push_back(spelled_parameter(value, bytes));
  return spelled.empty() ? "" : param + " = " + join(spelled, ", ");
}

std::string about_kernel(const Profile& profile, const KernelInfo& kernel, const Name& name) {
  std::vector<std::string> parts;
  for (const auto& param : kernel.params) {
    const auto is_it = [&](const Argument& argument) { return argument.name == param.name; };
    const bool asked =
        name.arguments.empty() || std::any_of(name.arguments.begin(), name.arguments.end(), is_it);
    if (!asked) continue;
    const std::string values = measured_values(profile, kernel, param.name, param.unit == "B");
    if (!values.empty()) parts.push_back(values);
  }
  if (parts.empty()) return "the reference machine has no result of " + kernel.id;
  return "the reference machine ran " + kernel.id + " with " + join(parts, "; ");
}

std::string about_levels(const Profile& profile) {
  std::vector<std::string> names;
  for (const auto& level : profile.levels) names.push_back(level.name);
  return "the reference machine's levels are " + join(names, ", ");
}

}  // namespace

void hint_of_measured(Emitter& emitter, const figures::Expression& expression,
                      const figures::Error& error) {
  const Values& values = emitter.shared.values;
  if (error.cause != figures::Cause::not_measured) return;
  if (!values.reference)
    return emitter.diagnostics.hint("to record this machine as the reference, run: primer measure");
  for (const Name& name : expression.names()) {
    std::string variant;
    for (const auto& argument : name.arguments) {
      if (argument.name == "variant") variant = argument.word;
    }
    if (const KernelInfo* kernel = values.catalogue.find(name.id, variant)) {
      emitter.diagnostics.hint(about_kernel(*values.reference, *kernel, name));
    } else if (name.id.find('.') != name.id.npos && !values.facts.find(name.id)) {
      emitter.diagnostics.hint(about_levels(*values.reference));
    }
  }
}

// Side notes: `[^why]` in the text and `[^why]: Because.` on its own line.

namespace {
// The definition of a side note in the source, for example "[^why]".
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
        "undefined side note", closed ? nearest(node.text.substr(at, end - at + 1), labels) : "");
}

void Emitter::note_reference(const Node& node) {
  const auto definition = notes_.find(node.text);
  if (definition == notes_.end()) {
    error(Rule::unknown_note, node.offset, node.length, "undefined side note");
    return;
  }
  if (definition->second->children.empty()) {
    error(Rule::unknown_note, definition->second->offset, 1, "this side note has no text");
    diagnostics.hint(
        "write the text after the colon, or on the next line, indented by four spaces");
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
  // The note is a separate leaf: it belongs neither to the paragraph around it nor to its table.
  const bool table = std::exchange(inside_table_, false);
  const Node* leaf = std::exchange(leaf_, nullptr);
  auto visible = std::exchange(visible_, std::nullopt);
  for (const auto& child : definition->second->children) {
    if (child.kind != NodeKind::paragraph) {
      error(Rule::unknown_note, child.offset, 1, "a side note can contain only paragraphs");
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
