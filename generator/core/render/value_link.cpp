// Links whose text is a number: `fact:`, `calc:` and `live:`. The number is in the Markdown, so
// that it can be read on GitHub. The build compares it with its source and fails if it is wrong.
// The text of a `claim:` may also be words.
//
// A number is judged by what a reader sees of its paragraph (VisibleText: no tags, comments or
// entities). Nothing may touch it, because "1<wbr>[350 GB/s](…)" reads as 1350 GB/s. The link
// itself may contain only plain and emphasized text.
#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>

#include "figures/base/ascii.hpp"
#include "figures/quantities/counting.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/stand_in.hpp"

namespace primer {
namespace {

using figures::Expression;
using figures::Literal;
using figures::Quantity;

constexpr std::string_view open_number = "–";
constexpr std::string_view as_of_id = "book.as_of";

std::string literal_text(const Node& node) { return std::string(trim(plain_text(node))); }

// The link's text node if the file contains exactly that text, so that it can be replaced.
// Otherwise null.
const Node* replaceable(const Node& node) {
  const bool plain = node.children.size() == 1 && node.children[0].kind == NodeKind::text &&
                     node.children[0].in_source == InSource::verbatim;
  return plain ? &node.children[0] : nullptr;
}

// Reports an error in the link's text, or in a part of it. `right` is the correct text, if known.
// Returns an edit that replaces the text, if possible.
std::optional<Edit> literal_error(Emitter& emitter, const Node& node, std::string message,
                                  const std::string& right = {}, std::size_t offset = 0,
                                  std::size_t length = 0) {
  const Node* text = replaceable(node);
  if (!text) {
    const std::size_t whole = node.end > node.offset ? node.end - node.offset : 1;
    emitter.error(Rule::wrong_literal, node.offset, whole, std::move(message), right);
    return std::nullopt;
  }
  const std::string_view literal = trim(text->text);
  const std::size_t begin =
      text->offset + static_cast<std::size_t>(literal.data() - text->text.data());
  emitter.error(Rule::wrong_literal, begin + offset, length == 0 ? literal.size() : length,
                std::move(message), right);
  return Edit{begin, literal.size(), right};
}

// Parses the link's text as a number with a unit. Reports what is wrong, with `right` if it is
// known.
std::optional<Literal> parse_text(Emitter& emitter, const Node& node, const std::string& right) {
  auto literal = figures::parse_literal(literal_text(node));
  if (literal) return std::move(literal).value();
  const auto& error = literal.error();
  if (right.empty())
    literal_error(emitter, node, error.message, error.suggestion, error.offset, error.length);
  else literal_error(emitter, node, error.message + "; the value is " + right, right);
  return std::nullopt;
}

// Whether the text equals the value to the digits that it shows. Reports the right text. `source`
// is the value as its source writes it, for example "5 tokens"; empty for computed values.
bool holds(Emitter& emitter, const Node& node, const Literal& literal, const Quantity& exact,
           const std::string& source = {}) {
  if (figures::agrees(literal, exact)) return true;
  const bool same = literal.quantity.dimension == exact.dimension;
  const std::string right = same             ? figures::rewrite(literal, exact)
                            : source.empty() ? figures::format(exact)
                                             : source;
  auto fix = literal_error(
      emitter, node, "the text says " + literal_text(node) + ", but the value is " + right, right);
  const auto again = figures::parse_literal(right);
  const bool is_right = again && figures::agrees(*again, exact);
  if (fix && is_right && (same || !source.empty())) emitter.diagnostics.fix(std::move(*fix));
  return false;
}

// Whether text and value count the same thing (tokens, chips, FLOP, op). Reports a difference.
bool counts(Emitter& emitter, const Node& node, const Literal& literal,
            const figures::Counting& exact, bool computed = false) {
  const auto wrong = figures::miscount(literal, exact, computed);
  if (wrong)
    literal_error(emitter, node, "the text says " + literal_text(node) + ", but " + *wrong);
  return !wrong;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::ranges::any_of(beginnings,
                             [&](std::string_view one) { return text.starts_with(one); });
}

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view one) { return text.ends_with(one); });
}

// Whether the character belongs to a script that puts no space before numbers and is not a numeral.
bool is_unspaced_letter(std::string_view character) {
  constexpr std::string_view numerals = "〇零一二三四五六七八九十百千万萬亿億兆京半倍分几数";
  const bool cjk = character.size() == 3 && character >= "\u3041" && character < "\uA000";
  const bool hangul = character.size() == 3 && character >= "\uAC00" && character < "\uD7A4";
  return (cjk || hangul) && numerals.find(character) == numerals.npos;
}

std::string_view first_character(std::string_view text) {
  std::size_t length = std::min<std::size_t>(1, text.size());
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
    ++length;
  return text.substr(0, length);
}

std::string_view last_character(std::string_view text) {
  std::size_t at = text.empty() ? 0 : text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return text.substr(at);
}

// Whether the visible text before a number leaves its value unchanged. "13.35 TB/s" with a "1"
// before the link is another number.
bool is_clear_before(std::string_view before) {
  return before.empty() || is_unspaced_letter(last_character(before)) ||
         ends_with_any(before, {" ",  "\t", "\n", "(",  "\"", "'",  "“",  "‘", "„", "«", "‹",
                                "「", "『", "（", "，", "、", "。", "：", "—", "¿", "¡"});
}

bool is_clear_behind(std::string_view after) {
  if (after.empty() || is_unspaced_letter(first_character(after)) ||
      starts_with_any(after, {VisibleText::note, "”", "’", "“", "»", "›", "」", "』", "）", "，",
                              "、", "。", "：", "；", "！", "？", "—"}))
    return true;
  const auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const char next = after.size() > 1 ? after[1] : ' ';
  // "8-bit" is fine.
  if (after.front() == '-') return std::isalpha(static_cast<unsigned char>(next)) != 0;
  if (after.front() == '.' || after.front() == ',')
    return !letter(next) && next != VisibleText::object[0];
  return std::string_view(" \t\n;:!?)\"'").find(after.front()) != std::string_view::npos;
}

std::string shortest(double value) { return nlohmann::json(value).dump(); }

// Position of the expression in the file, after the scheme and spaces.
std::size_t expression_offset(const Node& node, std::string_view expression) {
  const auto at = node.url.find(expression);
  return node.url_offset + (at == node.url.npos ? 0 : at);
}

std::optional<Expression> parse_expression(Emitter& emitter, const Node& node,
                                           std::string_view text) {
  auto expression = Expression::parse(text);
  if (expression) return std::move(expression).value();
  const auto& error = expression.error();
  emitter.error(Rule::bad_expression, expression_offset(node, text) + error.offset,
                error.length ? error.length : text.size(), error.message, error.suggestion);
  return std::nullopt;
}

void report(Emitter& emitter, const Node& node, std::string_view text,
            const figures::Error& error) {
  emitter.error(Rule::bad_expression, expression_offset(node, text) + error.offset,
                error.length ? error.length : text.size(), error.message, error.suggestion);
  emitter.hint_of_units(error);
}

// What the value of the expression counts. No value after a diagnostic.
std::optional<figures::Counting> count_of(Emitter& emitter, const Node& node,
                                          const Expression& expression) {
  auto counting = figures::counting_of(expression, [&](const figures::Name& name) {
    return counting_of_fact(emitter.shared.values.facts, name);
  });
  if (counting) return std::move(counting).value();
  report(emitter, node, expression.source(), counting.error());
  return std::nullopt;
}

// Whether the expression computes anything: "2 * x" does, "x" does not.
bool is_computed(const Expression& expression) { return expression.steps().size() > 1; }

// Tooltip sentences per status of a claim, depending on who made the claim.
struct StatusWords {
  std::string_view status, alone, by_vendor, by_others;
};
constexpr StatusWords status_words[] = {
    {"announced", "Announced, as of {n}.", "Announced by the vendor, as of {n}.",
     "Announced independently, as of {n}."},
    {"shipping", "Shipping, as of {n}.", "Shipping by the vendor, as of {n}.",
     "Shipping independently, as of {n}."},
    {"measured", "Measured, as of {n}.", "Measured by the vendor, as of {n}.",
     "Measured independently, as of {n}."},
    {"simulated", "Simulated, as of {n}.", "Simulated by the vendor, as of {n}.",
     "Simulated independently, as of {n}."},
};

// For example "Announced by the vendor, as of 2026-11."
std::string status_sentence(const figures::Fact& claim, const Messages& words) {
  const auto* found = std::ranges::find(status_words, claim.status, &StatusWords::status);
  if (found == std::end(status_words)) return {};
  return words(claim.by == "vendor"        ? found->by_vendor
               : claim.by == "independent" ? found->by_others
                                           : found->alone,
               claim.as_of);
}

// Converts "2026-11" to months. The schemas guarantee the form.
int months(std::string_view date) {
  int year = 0, month = 0;
  std::from_chars(date.data(), date.data() + 4, year);
  std::from_chars(date.data() + 5, date.data() + date.size(), month);
  return 12 * year + month;
}

std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    if (letter) words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!words.back().empty()) words.emplace_back();
  }
  return words;
}

// Whether a word after a number reads as its unit: "TB/s", "%", "million". Not "day" or "chips".
bool is_measure(std::string_view word) {
  for (const std::string_view sign : {"%", "×", "$"}) {
    if (word.find(sign) != word.npos) return true;
  }
  while (!word.empty() && std::string_view(".,;:!?()\"'").find(word.back()) != word.npos)
    word.remove_suffix(1);
  const auto unit = figures::parse_unit(word);
  if (word.empty() || !unit) return false;
  if (unit->dimension.is_number()) return unit->scale != 1;
  return std::ranges::any_of(word, [](char c) { return c == '/' || (c >= 'A' && c <= 'Z'); });
}

// Whether the text of a claim is words only. It must contain no number and no other status.
bool are_words(Emitter& emitter, const Node& node, const figures::Fact& claim) {
  const std::string text = literal_text(node);
  const auto refuse = [&](std::string message, const std::string& right) {
    literal_error(emitter, node, std::move(message), right);
    return false;
  };
  if (first_digit(text)) {
    return refuse(
        "a claim's text must be its number alone, or words without digits; the value is " +
            claim.text,
        claim.text);
  }
  for (const auto word : split(text, ' ')) {
    if (!is_measure(word)) continue;
    return refuse(
        "before " + in_quotes(word) + " write a number in digits; the value is " + claim.text,
        claim.text);
  }
  for (const auto& word : split_words(text)) {
    const bool other =
        word != claim.status &&
        std::ranges::find(status_words, word, &StatusWords::status) != std::end(status_words);
    if (other)
      return refuse("the text says " + word + ", but the record says " + claim.status,
                    claim.status);
  }
  return true;
}

// The month up to which the book reports news, as claim badges write months.
void as_of_link(Emitter& emitter, const Node& node) {
  const std::string& month = emitter.shared.book.as_of;
  if (month.empty()) {
    emitter.error(Rule::unknown_fact, expression_offset(node, as_of_id), as_of_id.size(),
                  "book.yaml has no \"as_of\"");
    return;
  }
  const std::string text = literal_text(node);
  if (text != month) {
    auto fix = literal_error(emitter, node,
                             "the text says " + text + ", but the book's as_of is " + month, month);
    const bool is_month =
        text.size() == month.size() && text.find_first_not_of("0123456789-") == text.npos;
    if (fix && is_month) emitter.diagnostics.fix(std::move(*fix));
    return;
  }
  emitter.out.element("time", {{"datetime", month}}, month);
}

// Length in bytes of the space at the start or end of the text; 0 if there is none.
std::size_t space_size(std::string_view text, bool at_end) {
  for (const std::string_view space : {" ", "\t", "\n", "\u00A0", "\u2009", "\u202F"})
    if (at_end ? text.ends_with(space) : text.starts_with(space)) return space.size();
  return 0;
}

std::size_t digits_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && figures::is_digit(text[end])) ++end;
  return end - at;
}

// Whether digits before the link and its own read as one number with a thousands separator: "1 [350
// GB](…)", "1'[350]".
bool groups_before(std::string_view before, std::string_view literal) {
  std::size_t space = space_size(before, true);
  for (const std::string_view mark : {"'", "’"})
    if (space == 0 && before.ends_with(mark)) space = mark.size();
  if (space == 0 || digits_at(literal, 0) != 3) return false;
  before.remove_suffix(space);
  const auto begin = before.find_last_not_of("0123456789");
  const std::size_t digits = before.size() - (begin == before.npos ? 0 : begin + 1);
  const char mark = begin == before.npos ? ' ' : before[begin];
  return digits > 0 && digits <= 3 && !figures::is_letter(mark) && mark != ',' && mark != '.';
}

// Whether the text after the link continues the number: "[12](…) 000", or "[12](…) thousand" and
// "[12](…) %" if the link has no unit.
bool goes_on_behind(std::string_view after, std::string_view literal) {
  const std::size_t space = space_size(after, false);
  if (space == 0) return false;
  const std::size_t digits = digits_at(after, space);
  const char next = space + digits < after.size() ? after[space + digits] : ' ';
  if (digits == 3 && !figures::is_letter(next)) return true;
  const auto number = figures::parse_literal(literal);
  if (digits > 0 || !number || !number->unit.empty()) return false;
  const auto end = after.find_first_of(" \t\n.,;:!?)", space);
  const auto unit = figures::parse_unit(after.substr(space, end == after.npos ? end : end - space));
  return unit && unit->dimension.is_number() && unit->scale != 1;
}

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' || c == '_';
}

}  // namespace

std::string computation_in_words(const figures::Facts& facts, std::string_view expression,
                                 const Messages& said) {
  std::string words;
  std::vector<std::string> titles;
  for (std::size_t at = 0; at < expression.size();) {
    std::size_t end = at;
    while (end < expression.size() && is_of_name(expression[end])) ++end;
    const std::string name(expression.substr(at, end - at));
    const figures::Fact* fact = name.find('.') == name.npos ? nullptr : facts.find(name);
    if (fact) {
      words += fact->text;
      const figures::Thing* thing = facts.thing_of(name);
      if (thing && std::ranges::find(titles, said(thing->title)) == titles.end())
        titles.push_back(said(thing->title));
    } else if (end > at) {
      words += name == "-" ? "−" : name;
    } else {
      words += expression[at] == '*' ? "×" : std::string(1, expression[at]);
      ++end;
    }
    at = end;
  }
  return titles.empty() ? words : words + said(", of {n}", join(titles, ", "));
}

bool stands_alone(Emitter& emitter, const Node& node) {
  const auto& [before, after] = emitter.around(node);
  const std::string literal = literal_text(node);
  const bool touches = !is_clear_before(before) || !is_clear_behind(after);
  if (touches || groups_before(before, literal) || goes_on_behind(after, literal)) {
    emitter.error(Rule::wrong_literal, node.offset, 1,
                  touches ? "text touches this number and changes its value"
                          : "with the text next to it, this reads as a different number");
    emitter.diagnostics.hint(touches
                                 ? "add a space, or link the number alone"
                                 : "link the whole number with its unit, or put words in between");
    return false;
  }
  const auto is_plain = [](const Node& inside, const auto& self) -> bool {
    const bool marked = inside.kind == NodeKind::emphasis || inside.kind == NodeKind::strong;
    return inside.kind == NodeKind::text || inside.kind == NodeKind::code ||
           inside.kind == NodeKind::soft_break ||
           (marked && std::ranges::all_of(inside.children,
                                          [&](const Node& child) { return self(child, self); }));
  };
  const auto other = std::ranges::find_if(
      node.children, [&](const Node& inside) { return !is_plain(inside, is_plain); });
  if (other == node.children.end()) return true;
  emitter.error(Rule::wrong_literal, other->offset, std::max<std::size_t>(other->length, 1),
                other->kind == NodeKind::strike
                    ? "a linked number cannot be struck through"
                    : "a number's link must contain only the number, as plain text");
  return false;
}

Tip fact_tip(const Emitter& emitter, const figures::Fact& fact, std::string_view shown) {
  const Messages& words = emitter.shared.words;
  const std::string original = emitter.shared.foreign();
  const figures::Thing* thing = emitter.shared.values.facts.thing_of(fact.id);
  Tip tip{{fact.id, original}};
  if (thing) {
    const std::string title = words(thing->title);
    const std::string member = fact.id.substr(thing->id.size() + 1);
    tip = {{title, title == thing->title ? original : ""}, {", " + member, original}};
  }
  const bool tells_value = shown != fact.text;
  if (tells_value) tip.push_back({": " + fact.text});
  if (!fact.note.empty()) tip.push_back({(tells_value ? "; " : ": ") + fact.note, original});
  std::string rest = ".";
  if (fact.kind == figures::Fact::Kind::assumed) rest += ' ' + words("An assumption.");
  if (fact.kind == figures::Fact::Kind::derived)
    rest += ' ' + words("Computed: {n}.",
                        computation_in_words(emitter.shared.values.facts, fact.from, words));
  if (!fact.status.empty()) rest += ' ' + status_sentence(fact, words);
  std::vector<std::string> sources;
  for (const auto& id : fact.sources) {
    const Reference* source = emitter.shared.library.reference(id);
    if (!source) continue;
    const int year = source->year;
    sources.push_back(source->title +
                      (year != 0 ? " (" + std::to_string(year) + ')' : std::string()));
  }
  if (!sources.empty()) rest += ' ' + words(sources.size() > 1 ? "Sources:" : "Source:");
  tip.push_back({rest});
  if (!sources.empty()) tip.push_back({' ' + join(sources, "; ") + '.', original});
  return tip;
}

figures::Counting counting_of_fact(const figures::Facts& facts, const figures::Name& name) {
  const figures::Fact* fact = name.function.empty() ? facts.find(name.id) : nullptr;
  return fact ? figures::counting_of_unit(fact->unit) : figures::Counting();
}

const figures::Fact* most_cautious(const figures::Facts& facts,
                                   const std::vector<figures::Name>& names) {
  const figures::Fact* most = nullptr;
  for (const auto& name : names) {
    const figures::Fact* fact = name.function.empty() ? facts.find(name.id) : nullptr;
    if (fact && !fact->status.empty() && (!most || figures::is_more_cautious(*fact, *most)))
      most = fact;
  }
  return most;
}

// A claim more than a year older than the book is grayed here. page/tools.js also grays claims by
// the reader's date.
void claim_badge(Emitter& emitter, const figures::Fact& claim) {
  const Messages& words = emitter.shared.words;
  const bool dated = !claim.said.empty();
  const std::string& date = dated ? claim.said : claim.as_of;
  const std::string& today = emitter.shared.book.as_of;
  const bool old = !today.empty() && months(today) - months(date) > 12;
  emitter.out.element("span",
                      {{"class", "claim-badge"}, {"data-as-of", date}, {"data-old", "", old}},
                      words(claim.status) + (dated ? ' ' + date : words(", as of {n}", date)) +
                          (claim.read == "secondary" ? words(", second hand") : ""));
}

void fact_link(Emitter& emitter, const Node& node, std::string_view id) {
  if (id == as_of_id) return as_of_link(emitter, node);
  const figures::Fact* fact = emitter.shared.values.facts.find(id);
  if (!fact) {
    const std::string like = emitter.tells() ? emitter.shared.values.facts.nearest(id) : "";
    emitter.error(Rule::unknown_fact, expression_offset(node, id), id.size(),
                  "no fact has the id " + in_quotes(id), like);
    if (like.empty()) emitter.diagnostics.hint("search for ids with primer facts search");
    return;
  }
  const auto literal = parse_text(emitter, node, fact->text);
  if (!literal || !counts(emitter, node, *literal, figures::counting_of_unit(fact->unit))) return;
  if (!holds(emitter, node, *literal, fact->quantity, fact->text)) return;
  emitter.with_tip("span", "fact", node, fact_tip(emitter, *fact, literal_text(node)));
}

void claim_link(Emitter& emitter, const Node& node, std::string_view id) {
  const figures::Facts& facts = emitter.shared.values.facts;
  const figures::Fact* claim = facts.find(id);
  if (!claim || claim->status.empty()) {
    std::vector<std::string> known;
    for (const auto& fact : facts.all()) {
      if (emitter.tells() && !fact.status.empty()) known.push_back(fact.id);
    }
    emitter.error(Rule::unknown_claim, expression_offset(node, id), id.size(),
                  "no claim has the id " + in_quotes(id), nearest(id, known));
    return;
  }
  const auto literal = figures::parse_literal(literal_text(node));
  const bool good = literal
                        ? counts(emitter, node, *literal, figures::counting_of_unit(claim->unit)) &&
                              holds(emitter, node, *literal, claim->quantity, claim->text)
                        : are_words(emitter, node, *claim);
  if (!good) return;
  const std::string tip_id = emitter.next_id("tip");
  Html& out = emitter.out;
  out.open("span", {{"class", "tipped"}, {"tabindex", "0"}, {"aria-describedby", tip_id}});
  out.open("span", {{"class", "claim"}});
  emitter.inlines(node);
  out.close().text(" ");
  claim_badge(emitter, *claim);
  emitter.tip_text(tip_id, fact_tip(emitter, *claim, literal_text(node)));
  out.close();
}

// Whether every fact in the expression influences the number. In a minimum or maximum, it is enough
// that it could.
bool all_matter(Emitter& emitter, const Node& node, const Expression& expression,
                const Literal& literal, figures::Names& names) {
  for (const auto& name : expression.names()) {
    const figures::Fact* fact =
        name.function.empty() ? emitter.shared.values.facts.find(name.id) : nullptr;
    if (!fact || figures::has_influence(literal, expression, *fact, names, {2.0, 0.5, 1e9, 1e-9}))
      continue;
    emitter.error(Rule::bad_expression, expression_offset(node, expression.source()) + name.offset,
                  name.id.size(), "the value does not depend on " + name.id);
    emitter.diagnostics.hint("remove it from the expression");
    return false;
  }
  return true;
}

void calc_link(Emitter& emitter, const Node& node, std::string_view text) {
  const auto expression = parse_expression(emitter, node, text);
  if (!expression) return;
  figures::Names names(emitter.shared.values.facts_only());
  const auto value = expression->evaluate(names);
  if (!value) return report(emitter, node, text, value.error());
  const auto literal = parse_text(emitter, node, figures::format(*value));
  if (!literal || !holds(emitter, node, *literal, *value)) return;
  if (!all_matter(emitter, node, *expression, *literal, names)) return;
  const auto counting = count_of(emitter, node, *expression);
  if (!counting || !counts(emitter, node, *literal, *counting, is_computed(*expression))) return;
  const figures::Fact* claim = most_cautious(emitter.shared.values.facts, expression->names());
  const Messages& words = emitter.shared.words;
  emitter.with_tip("span", "calc", node,
                   {{computation_in_words(emitter.shared.values.facts, text, words) +
                     (claim ? ". " + status_sentence(*claim, words) : "")}});
}

// A GPU number that only the reader's machine can give: "– GB/s" with a dash for the digits. The
// unit must match the expression.
void open_live_link(Emitter& emitter, const Node& node, const Expression& expression) {
  const Values& values = emitter.shared.values;
  const std::string literal = literal_text(node);
  const std::string unit(trim(literal.substr(open_number.size())));
  const std::string_view text = expression.source();
  figures::Names recorded(values.with_reference());
  if (const auto value = expression.evaluate(recorded)) {
    literal_error(emitter, node, "expected the reference machine's value, found \"–\"",
                  figures::format(*value));
    return;
  }
  const auto machine = stand_in(expression.names(), values);
  figures::Names names({&values.facts, &values.catalogue, values.kernels.get(), &machine});
  const auto value = expression.evaluate(names);
  if (!value) return report(emitter, node, text, value.error());
  const auto parsed = figures::parse_unit(unit);
  if (!parsed || !(parsed->dimension == value->dimension)) {
    literal_error(emitter, node,
                  "expected, after the dash, a unit of " + figures::describe(value->dimension));
    return;
  }
  const std::string id = emitter.next_id("live");
  emitter.out.open("data",
                   {{"class", "live"},
                    {"id", id},
                    {"value", ""},
                    {"data-from", "none"},
                    {"title", emitter.word("Unavailable, because no GPU was measured here")}});
  emitter.inlines(node);
  emitter.out.close();
  emitter.data.live.push_back(
      {{"id", id}, {"expression", text}, {"unit", unit}, {"digits", 3}, {"literal", literal}});
  emitter.data.need(expression.names(), values.facts);
}

void live_link(Emitter& emitter, const Node& node, std::string_view text) {
  const auto expression = parse_expression(emitter, node, text);
  if (!expression) return;
  if (needs_gpu(expression->names()) && literal_text(node).starts_with(open_number)) {
    return open_live_link(emitter, node, *expression);
  }
  const auto literal = parse_text(emitter, node, {});
  if (!literal) return;
  const Values& values = emitter.shared.values;
  figures::Names names(values.with_reference());
  const auto value = expression->evaluate(names);
  const bool unknown_yet =
      !value && values.unmeasured && value.error().cause != figures::Cause::invalid;
  if (!value && !unknown_yet) {
    report(emitter, node, text, value.error());
    if (needs_gpu(expression->names())) {
      return emitter.diagnostics.hint("no GPU is recorded: write a dash for the number, [– GB/s]");
    }
    return hint_of_measured(emitter, *expression, value.error());
  }
  if (value && !values.unmeasured && !holds(emitter, node, *literal, *value)) return;
  const auto counting = count_of(emitter, node, *expression);
  if (!counting || !counts(emitter, node, *literal, *counting, is_computed(*expression))) return;

  const std::string id = emitter.next_id("live");
  const double number = (value ? value->value : literal->quantity.value) / literal->scale;
  emitter.out.open("data", {{"class", "live"}, {"id", id}, {"value", shortest(number)}});
  emitter.inlines(node);
  emitter.out.close();
  if (const figures::Fact* claim = most_cautious(values.facts, expression->names())) {
    emitter.out.text(" ");
    claim_badge(emitter, *claim);
  }
  emitter.data.live.push_back({{"id", id},
                               {"expression", text},
                               {"unit", literal->unit},
                               {"digits", literal->significant},
                               {"literal", literal_text(node)}});
  emitter.data.need(expression->names(), values.facts);
}

}  // namespace primer
