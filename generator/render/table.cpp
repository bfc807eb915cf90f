// Markdown's tables. The caption stands above the frame that scrolls on phones, so that it keeps its width; the first
// cell of a row names the row; numbers are aligned by their points.
#include <algorithm>
#include <cctype>

#include "generator/base/text.hpp"
#include "generator/render/emitter.hpp"

namespace primer {
namespace {

constexpr std::string_view figure_space = "\u2007", point_space = "\u2008";

std::string_view alignment_class(Alignment alignment) {
  if (alignment == Alignment::right) return "right";
  return alignment == Alignment::centre ? "center" : "";
}

std::string cell_text(const Node& cell) { return std::string(trim(plain_text(cell))); }

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Where the digits of "−1,234.5 TB/s" end; 0 where the text does not begin with a number.
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

// What the column at `at` holds. One of numbers with units or without is set flush right, whatever the author
// says of it, if it is not the first, whose cells name their rows.
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

// The room of the decimals that this number lacks of its column's.
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

// "Table energy cost: …" right above a table is meant as a caption.
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
        in_quotes(id) + " is not an id here: tbl- and then lower-case letters, digits and hyphens");
  diagnostics.hint("a caption is written Table tbl-x: caption");
}

// The page's own word takes the place of the one in front of the id.
void Emitter::check_caption_word(const Caption& caption) {
  const std::string english(kind_word(caption.kind)), ours = word(english);
  if (caption.word == english || caption.word == ours) return;
  const std::size_t length = caption.word.size() + 1;
  error(Rule::bad_caption, caption.id_offset - std::min(caption.id_offset, length),
        caption.word.size(), "a caption begins with " + in_quotes(ours), ours);
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
  // The frame scrolls on phones, so it can be focused and has a name.
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

// Markdown fills a short row up and cuts a long one off, both without a word.
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
        "this row has " + cells(row.written_cells) + ", the table's head has " +
            std::to_string(wanted));
  diagnostics.hint("an empty cell is written too: | a | | c |; a bar inside a cell is \\|");
}

void Emitter::table_row(const Node& row, const std::vector<Column>& columns) {
  inside_table_ = true;
  out.open("tr");
  for (std::size_t i = 0; i < row.children.size(); ++i) {
    const Node& cell = row.children[i];
    const Column column = i < columns.size() ? columns[i] : Column();
    const std::string css_class(alignment_class(column.alignment));
    // An empty head names nothing, and neither does an empty first cell.
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

}  // namespace primer
