// The walk over the syntax tree (emitter.hpp). link.cpp, value_link.cpp, parts.cpp, raw_html.cpp,
// marks.cpp, quotes.cpp, translation_notices.cpp and blocks/ hold the other members and what they call.
#include "generator/core/render/emitter.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "generator/core/base/text.hpp"
#include "generator/core/code/highlight.hpp"
#include "generator/core/formats/schema.hpp"
#include "generator/core/render/directive.hpp"
#include "generator/core/render/long_formula.hpp"

namespace primer {
namespace {

bool is_letter(std::string_view text) {
  return std::isalpha(static_cast<unsigned char>(text.front())) != 0;
}

bool is_drawing(const Node& node) {
  return node.kind == NodeKind::code_block &&
         (trim(node.info) == "figure" || trim(node.info) == "model");
}

bool is_prediction(const Node& node) {
  return node.kind == NodeKind::code_block && node.closed && trim(node.info) == "predict";
}

}  // namespace

bool ends_opening(const Node& block) {
  return block.kind != NodeKind::paragraph && block.kind != NodeKind::quote &&
         block.kind != NodeKind::list && block.kind != NodeKind::note_definition;
}

bool has_note(const Node& node) {
  return node.kind == NodeKind::note_reference ||
         std::any_of(node.children.begin(), node.children.end(), has_note);
}

const Node* inner_link(const Node& text) {
  for (const auto& child : text.children) {
    if (child.kind == NodeKind::link || child.kind == NodeKind::note_reference ||
        child.kind == NodeKind::citation)
      return &child;
    // Only the plain text of an image's description is used.
    if (child.kind == NodeKind::image) continue;
    if (const Node* found = inner_link(child)) return found;
  }
  return nullptr;
}

std::string page_limit_message() {
  return "the chapter's page has more than " + std::to_string(page_limit) + " bytes";
}

std::string formula_mark(std::size_t index) { return '\x02' + std::to_string(index) + '\x03'; }

Emitter::Emitter(const RenderContext& shared_parts, const ChapterIndex& chapter_index,
                 const Source& chapter_source, Diagnostics& chapter_diagnostics)
    : shared(shared_parts),
      chapter(chapter_index),
      source(chapter_source),
      diagnostics(chapter_diagnostics) {}

Body Emitter::render(const Node& document) {
  for (const auto& child : document.children) {
    if (child.kind == NodeKind::note_definition) notes_.emplace(child.text, &child);
  }
  notices(0);
  top_ = &document;
  blocks(document);
  end_fold();
  untranslated(std::string::npos);
  end_opening();
  measure_all();
  takeaway();
  reference_list();
  return {out.take(),          std::move(data),    std::move(formulas_), std::move(images_),
          std::move(offered_), std::move(listed_), std::move(cited_),    std::move(presets)};
}

std::string Emitter::render_line(std::string_view key, const std::string& text, std::size_t i) {
  const Yaml* found = front_yaml().find(key);
  if (found && found->kind == Yaml::Kind::list)
    found = i < found->items.size() ? &found->items[i] : nullptr;
  return render_scalar(found, text);
}

const Yaml& Emitter::front_yaml() {
  if (!front_) {
    Diagnostics reported_already;
    const Extract lines = extract_lines(source, 2, chapter.front.body_line - 2);
    front_ = parse_yaml(lines, reported_already).value_or(Yaml());
  }
  return *front_;
}

std::string Emitter::render_scalar(const Yaml* found, const std::string& text) {
  Html before = std::move(out);
  out = Html();
  Yaml scalar;
  scalar.kind = Yaml::Kind::scalar;
  if (found && found->kind == Yaml::Kind::scalar) scalar = *found;
  scalar.text = text;
  if (!text.empty()) markdown_line(scalar);
  std::string html = out.take();
  out = std::move(before);
  return html;
}

void Emitter::error(Rule rule, std::size_t offset, std::size_t length, std::string message,
                    std::string suggestion) {
  diagnostics.error(rule, source, offset, length, std::move(message), std::move(suggestion));
}

void Emitter::error(Rule rule, const Yaml& at, const figures::Error& inside) {
  if (inside.length == 0) {
    error(rule, at.offset, at.length, inside.message, inside.suggestion);
    return hint_of_units(inside);
  }
  const Extract extract = extract_scalar(source, at.offset, at.text);
  const std::size_t begin = extract.place(inside.offset);
  const std::size_t last = extract.place(inside.offset + inside.length - 1);
  error(rule, begin, last - std::min(begin, last) + 1, inside.message, inside.suggestion);
  hint_of_units(inside);
}

void Emitter::hint_of_units(const figures::Error& inside) {
  const bool unit = inside.code == figures::Code::unknown_unit && inside.suggestion.empty();
  if (unit) diagnostics.hint(std::string(usual_units));
}

std::string Emitter::next_id(const std::string& prefix) {
  return prefix + '.' + std::to_string(++counters_[prefix]);
}

std::string Emitter::relative(const std::string& url) const {
  const std::string up = chapter.entry->url.empty() ? "" : "../";
  return up.empty() && url.empty() ? "./" : up + url;
}

std::string Emitter::label(const Anchor* anchor, AnchorKind kind) const {
  std::string text = word(kind_word(kind));
  if (anchor && !anchor->number.empty()) text += ' ' + anchor->number;
  return text;
}

// Inserts the button that measures all runs of the chapter, below the opening and the drawing after
// it. Only for chapters with at least two measurements.
void Emitter::measure_all() {
  if (data.benches.size() < 2 || chapter.entry->kind != PageKind::chapter) return;
  int seconds = 0;
  for (const auto& bench : data.benches) seconds += bench.at("seconds").get<int>();
  Html bar;
  bar.open("div", {{"class", "bench-all bench-act"}, {"id", "measure-all"}}).line();
  bar.element("div", {{"class", "bench-controls"}}, "").line();
  bar.element("p", {{"class", "bench-cost"}},
              shared.words("All {n} measurements of this chapter, one after another",
                           std::to_string(data.benches.size())) +
                  ": " + shared.words("about {n} s.", std::to_string(seconds)));
  bar.line()
      .element("p", {{"class", "bench-status"}, {"role", "status"}}, "")
      .line()
      .close()
      .line();
  std::string body = out.take();
  out = Html();
  out.raw(body.insert(opening_end_, bar.take()));
}

int Emitter::questions_after(std::size_t offset) const {
  int count = 0;
  for (const auto& node : top_->children) {
    if (node.offset <= offset) continue;
    if (node.kind == NodeKind::heading && node.level <= 2) break;
    const std::string_view info = trim(node.info);
    count += node.kind == NodeKind::code_block && (info == "worked" || info == "quiz");
  }
  return count;
}

// Adjacent predictions form one group, and one button locks all their guesses.
void Emitter::predictions(const Node& parent, std::size_t at, const Node* previous) {
  const auto& nodes = parent.children;
  const bool begins = at == 0 || !is_prediction(nodes[at - 1]);
  const bool ends = at + 1 == nodes.size() || !is_prediction(nodes[at + 1]);
  if (begins && ends) {
    out.open("div", {{"class", "guesses"}}).line();
  } else if (begins) {
    out.open("fieldset", {{"class", "guesses"}}).line();
    out.element("legend", {{"class", "visually-hidden"}}, word("Your guesses")).line();
  }
  block(nodes[at], previous);
  if (!ends) return;
  if (!begins) out.element("div", {{"class", "lock-row"}}, "").line();
  out.close().line();
}

void Emitter::blocks(const Node& parent) {
  const Node* previous = nullptr;
  for (std::size_t i = 0; i < parent.children.size(); ++i) {
    const Node& child = parent.children[i];
    const Node* next = i + 1 < parent.children.size() ? &parent.children[i + 1] : nullptr;
    const auto caption = caption_of(child);
    const bool above = caption && next && caption->fits(*next);
    if (caption && !above) {
      error(Rule::bad_caption, caption->id_offset, caption->id.size(),
            caption->kind == AnchorKind::table ? "there is no table below this caption"
                                               : "there is no standalone image below this caption");
    }
    if (is_empty_caption(child))
      error(Rule::bad_caption, child.offset, child.children[0].text.size(),
            "this caption has no text");
    if (&parent == top_) {
      untranslated(child.offset);
      if (child.kind == NodeKind::quote) end_answer();
      if (ends_opening(child)) end_opening();
      notices(child.offset);
      if (child.kind == NodeKind::heading) fold(child);
      if (child.kind == NodeKind::heading && child.level <= 2) section_cited_.clear();
      if (child.kind == NodeKind::paragraph) first_sources(child);
    }
    const std::size_t begin = out.size();
    // Whatever the caption belongs to writes it.
    if (is_prediction(child)) {
      predictions(parent, i, previous);
    } else if (!above) block(child, previous);
    if (&parent == top_ && begin == opening_end_ && is_drawing(child)) opening_end_ = out.size();
    if (too_large(child)) return;
    previous = &child;
  }
}

void Emitter::inlines(const Node& parent) {
  const bool is_leaf = !leaf_;
  if (is_leaf) leaf_ = &parent;
  check_marks(parent);
  const auto harmless = harmless_tags(parent.children);
  for (std::size_t i = 0; i < parent.children.size(); ++i) {
    const Node& child = parent.children[i];
    if (harmless[i]) harmless_html(child);
    else inline_node(child);
    if (too_large(child)) break;
  }
  if (!is_leaf) return;
  leaf_ = nullptr;
  visible_.reset();
}

std::pair<std::string_view, std::string_view> Emitter::around(const Node& link) {
  if (!visible_) visible_.emplace(*leaf_);
  const auto found = visible_->links.find(&link);
  if (found == visible_->links.end()) return {};
  const std::string_view text = visible_->text;
  return {text.substr(0, found->second.first), text.substr(found->second.second)};
}

void VisibleText::add(const Node& node) {
  const std::size_t begin = text.size();
  switch (node.kind) {
    case NodeKind::text:
    case NodeKind::citation:
    case NodeKind::code: text += node.text; break;
    case NodeKind::soft_break:
    case NodeKind::line_break: text += '\n'; break;
    case NodeKind::maths:
    case NodeKind::image: text += object; break;
    case NodeKind::note_reference: text += note; break;
    case NodeKind::html:
      if (node.text.starts_with("<br") || node.text.starts_with("<BR")) text += '\n';
      break;
    default:
      for (const auto& child : node.children) add(child);
  }
  if (node.kind == NodeKind::link) links[&node] = {begin, text.size()};
}

// Whether the page is too large. Reports that once; nothing is written from then on.
bool Emitter::too_large(const Node& node) {
  if (!too_large_ && out.size() > page_limit) {
    too_large_ = true;
    error(Rule::page_too_large, node.offset, node.length, page_limit_message());
  }
  return too_large_;
}

void Emitter::block(const Node& node, const Node* previous) {
  switch (node.kind) {
    case NodeKind::paragraph:
      if (is_lone_formula(node)) {
        equation(node.children[0], {});
        return;
      }
      if (const auto caption = previous ? caption_of(*previous) : std::nullopt;
          caption && lone_image(node) && caption->fits(node)) {
        picture(*caption, node);
        return;
      }
      check_hashes(node);
      // A note is a <details>, which HTML does not allow inside <p>.
      if (has_note(node)) {
        out.open("div", {{"class", "paragraph"}});
      } else {
        out.open("p");
      }
      inlines(node);
      out.close().line();
      return;
    case NodeKind::heading: heading(node); return;
    case NodeKind::quote: quote(node); return;
    case NodeKind::list: list(node); return;
    case NodeKind::code_block: code_block(node); return;
    case NodeKind::rule: out.empty("hr").line(); return;
    case NodeKind::table: table(node, previous); return;
    case NodeKind::html_block: html_block(node); return;
    default: return;  // note definitions are written where they are referred to
  }
}

// Reports "##Title", which Markdown treats as text.
void Emitter::check_hashes(const Node& paragraph) {
  const Node* previous = nullptr;
  for (const auto& child : paragraph.children) {
    const bool begins_line = !previous || previous->kind == NodeKind::soft_break;
    previous = &child;
    const auto hashes = child.text.find_first_not_of('#');
    if (!begins_line || child.kind != NodeKind::text || hashes < 2 || hashes == child.text.npos)
      continue;
    if (child.in_source == InSource::escaped) continue;
    const std::string_view behind = std::string_view(child.text).substr(hashes);
    if (hashes > 6 && (behind.starts_with(' ') || is_letter(behind))) {
      error(Rule::bad_heading, child.offset, hashes, "a heading has at most six #");
      diagnostics.hint("write \\# to show them");
      continue;
    }
    if (hashes <= 6 && behind.starts_with("\u00A0")) {
      error(Rule::bad_heading, child.offset, hashes + 2,
            "no-break space after #: expected an ordinary space",
            child.text.substr(0, hashes) + ' ');
      continue;
    }
    if (hashes > 6 || !is_letter(behind)) continue;
    error(Rule::bad_heading, child.offset, hashes,
          "missing space after " + in_quotes(child.text.substr(0, hashes)),
          child.text.substr(0, hashes) + ' ');
  }
}

// Reports a heading such as "## Learn C #": Markdown takes the "#" for a closing mark and drops it.
// Real closing marks are as many as the opening ones.
void Emitter::check_closing_marks(const Node& node) {
  std::string_view line = source.text().substr(node.offset);
  line = line.substr(0, line.find_first_of("\r\n"));
  // Skips the marks of a quote or a list. An underlined heading has no "#".
  const auto first = line.find_first_not_of(" \t>-+*.)0123456789");
  const auto end = line.find_last_not_of(" \t") + 1;
  const auto last = line.substr(0, end).find_last_not_of('#') + 1;
  if (first == line.npos || line[first] != '#' || last == end || last <= first) return;
  const bool closes = line[last - 1] == ' ' || line[last - 1] == '\t';
  if (!closes || static_cast<int>(end - last) == node.level) return;
  error(Rule::bad_heading, node.offset + last, end - last,
        "these closing marks of the heading are not shown");
  diagnostics.hint("remove them, or write \\# to show one, as in \"Learn C \\#\"");
}

void Emitter::heading(const Node& node) {
  check_closing_marks(node);
  for (auto& guess : guesses) guess.is_near = false;
  const Anchor* anchor = chapter.at(node.offset);
  const std::string id = anchor ? anchor->id : "";
  const SectionNote* note = chapter.front.section(id);
  out.open("h" + std::to_string(std::clamp(node.level, 2, 6)), {{"id", id}});
  if (note)
    for (const auto& former : note->former) out.open("span", {{"id", former}}).close();
  if (const std::string former = anchor ? former_slug(anchor->title) : id;
      former != id && id == github_slug(anchor->title) && !chapter.find(former))
    out.open("span", {{"id", former}}).close();
  // In a folded section, the heading opens it.
  const bool folds = &node == fold_heading_;
  if (folds) out.open("span");
  else out.open("a", {{"href", "#" + id}});
  if (anchor && !anchor->number.empty()) {
    out.element("span", {{"class", "number"}}, anchor->number).text(" ");
  }
  if (is_blank(plain_text(node)))
    error(Rule::bad_heading, node.offset, 1, "this heading has no text");
  if (inner_link(node)) {
    error(Rule::bad_heading, node.offset, 1, "a heading cannot contain links, notes or citations");
    out.text(plain_text(node));
  } else {
    inlines(node);
  }
  out.close();
  if (note && !note->mark.empty() && !folds)
    out.text(" ").element("span", {{"class", "label"}}, word_of_mark(*note, shared.words));
  out.close().line();
  if (!folds) return;
  fold_line(*note);
  out.close().line();
}

void Emitter::list(const Node& node) {
  if (node.ordered) check_numbers(node);
  if (node.ordered && node.start != 1) {
    out.open("ol", {{"start", std::to_string(node.start)}});
  } else {
    out.open(node.ordered ? "ol" : "ul");
  }
  out.line();
  for (const auto& item : node.children) {
    out.open("li");
    if (item.checked) out.text(*item.checked ? "☑ " : "☐ ");
    for (const auto& child : item.children) {
      const bool bare = node.tight && child.kind == NodeKind::paragraph && !has_note(child);
      if (bare) {
        inlines(child);
      } else {
        block(child, nullptr);
      }
    }
    out.close().line();
  }
  out.close().line();
}

bool Emitter::knows_language(std::string_view name) const {
  return highlights(name) || shared.book.code_language(name) != nullptr;
}

// Reports a block without a closing fence, which ends at the fence of the next block. A sign of
// that is a line inside that opens a block.
bool Emitter::swallows_block(const Node& code) {
  if (code.fence == 0 || !code.body) return false;
  const auto lines = split_lines(code.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const auto marks = std::min(line.find_first_not_of("`~"), line.size());
    const bool opens = marks >= static_cast<std::size_t>(code.fence) && marks < line.size() &&
                       line.find_first_not_of(line[0]) == marks &&
                       line.find('`', marks) == line.npos;
    if (!opens) continue;
    const std::string name(split(trim(line.substr(marks)), ' ').front());
    if (!own_block(name) && name != "math" && !knows_language(name)) continue;
    error(Rule::bad_code_block, code.body->offset(static_cast<int>(i), 0), trim(line).size(),
          "this begins a block inside the block of line " +
              std::to_string(source.line_at(code.offset)) + ", which is not closed");
    diagnostics.hint("close it with a line of " + std::string(line.substr(0, marks)) +
                     "; a block that shows fences needs longer fences");
    return true;
  }
  return false;
}

void Emitter::code_block(const Node& node) {
  const auto words = split(trim(node.info), ' ');
  if (!node.closed) {
    // The fence follows the marks of a quote or a list.
    const std::size_t fence =
        std::min(source.text().find_first_of("`~", node.offset), source.text().size());
    const std::size_t length =
        std::min(source.text().find_first_not_of("`~", fence), source.text().size()) - fence;
    error(Rule::bad_code_block, fence, length, "this code block is never closed");
    diagnostics.hint("close it with a line of " + std::string(source.text().substr(fence, length)));
    emit_code(*this, fence, "text", node.text, {});
    return;
  }
  if (swallows_block(node)) return emit_code(*this, node.offset, "text", node.text, {});
  if (words.front() == "math") {
    Node formula_node = node;
    formula_node.form = MathsForm::block;
    formula_node.offset = node.body ? node.body->begin() : node.offset;
    formula_node.length = split(node.text, '\n').front().size();
    if (words.size() > 2) {
      error(Rule::unknown_block, node.offset, 3 + node.info.size(),
            "a math block takes only one option, the equation's id");
    }
    equation(formula_node, words.size() > 1 ? words[1] : std::string_view());
    return;
  }
  const auto own = own_block(node.info);
  if (!own || !node.body) {
    primer::code_block(*this, node);
    return;
  }
  if (words.size() > 1) {
    error(Rule::unknown_block, node.offset, 3 + node.info.size(),
          "a " + std::string(words.front()) + " block takes no options");
  }
  const auto yaml = parse_yaml(*node.body, diagnostics);
  const std::string name(words.front());
  const std::string schema = "block-" + name;
  const bool checked = yaml && has_schema(schema);  // empty blocks have no schema
  if (yaml && !checked && yaml->kind != Yaml::Kind::null) {
    return error(Rule::unknown_key, yaml->offset, yaml->length, "a " + name + " block is empty");
  }
  if (!yaml ||
      (checked && !conforms(schema, "the " + name + " block", *yaml, source, diagnostics))) {
    return;
  }
  using Emit = void (*)(Emitter&, const Block&);
  static const std::map<std::string_view, Emit> emit = {
      {"figure", figure_block},     {"model", model_block},     {"bench", bench_block},
      {"worked", worked_block},     {"verdict", verdict_block}, {"listing", listing_block},
      {"quiz", quiz_block},         {"predict", predict_block}, {"glossary", glossary_block},
      {"problems", problems_block}, {"costs", costs_block},
  };
  emit.at(name)(*this, {name, node, *yaml, chapter.at(node.offset)});
}

void Emitter::equation(Node formula_node, std::string_view id) {
  const std::string tex(trim(formula_node.text));
  formula_node.offset += formula_node.text.find(tex);
  formula_node.text = tex;
  const Anchor* anchor = id.empty() ? nullptr : chapter.find(id);
  if (anchor) {
    out.open("div", {{"class", "equation"}, {"id", anchor->id}});
  } else {
    out.open("div", {{"class", "equation"}});
  }
  const std::string narrow = broken_formula(tex);
  if (!narrow.empty()) out.open("div", {{"class", "formula-wide"}});
  formula(formula_node);
  if (!narrow.empty()) {
    out.close().open("div", {{"class", "formula-narrow"}}).raw(formula_mark(formulas_.size()));
    out.close();
    formulas_.push_back({narrow, true, formula_node.offset, formula_node.length});
  }
  if (anchor) out.element("span", {{"class", "equation-number"}}, '(' + anchor->number + ')');
  out.close().line();
}

void Emitter::formula(const Node& node) {
  if (const auto unlike = unlike_github(node.text, node.form, inside_table_)) {
    // If the parser changed the formula ("\|" in tables), offsets inside it do not match the
    // source.
    const bool verbatim = source.text().substr(node.offset).starts_with(node.text);
    error(Rule::bad_maths, node.offset + (verbatim ? unlike->offset : 0), unlike->length,
          unlike->message, unlike->suggestion);
  }
  out.raw(formula_mark(formulas_.size()));
  formulas_.push_back({node.text, is_display(node.form), node.offset, node.length});
}

void Emitter::text(const Node& node) {
  out.text(node.text);
  if (node.in_source == InSource::escaped) return;  // the author escaped it on purpose
  const bool verbatim = node.in_source == InSource::verbatim;
  undefined_note(node);
  if (const auto at = node.text.find("[@"); at != node.text.npos) {
    error(Rule::unknown_citation, node.offset + (verbatim ? at : 0), 2,
          "this citation is not closed on its line");
    diagnostics.hint("write [@id], or [@a; @b] for several");
  }
  if (const auto unread = verbatim ? unread_formula(node.text) : std::nullopt) {
    error(Rule::bad_maths, node.offset + unread->offset, unread->length, unread->message,
          unread->suggestion);
  }
}

void Emitter::inline_node(const Node& node) {
  const auto wrapped = [&](std::string_view tag) {
    out.open(tag);
    inlines(node);
    out.close();
  };
  switch (node.kind) {
    case NodeKind::text: text(node); return;
    case NodeKind::soft_break: out.line(); return;
    case NodeKind::line_break: out.empty("br").line(); return;
    case NodeKind::code: out.element("code", {}, node.text); return;
    case NodeKind::emphasis: wrapped("em"); return;
    case NodeKind::strong: wrapped("strong"); return;
    case NodeKind::strike: wrapped("del"); return;
    case NodeKind::link: emit_link(*this, node); return;
    case NodeKind::image: emit_image(*this, node); return;
    case NodeKind::maths: formula(node); return;
    case NodeKind::citation: citation(node); return;
    case NodeKind::note_reference: note_reference(node); return;
    case NodeKind::html: inline_html(node); return;
    default: inlines(node);
  }
}

void Emitter::markdown(const Yaml& scalar) {
  const Extract extract = extract_scalar(source, scalar.offset, scalar.text);
  if (const auto document = parse_markdown(extract, diagnostics)) blocks(*document);
}

void Emitter::markdown_line(const Yaml& scalar) {
  const Extract extract = extract_scalar(source, scalar.offset, scalar.text);
  const auto document = parse_markdown(extract, diagnostics);
  if (!document) return;
  const bool one =
      document->children.size() == 1 && document->children[0].kind == NodeKind::paragraph;
  if (!one) {
    error(Rule::wrong_type, scalar.offset, scalar.length, "this must be a single paragraph");
    return;
  }
  inlines(document->children[0]);
}

void Emitter::with_tip(std::string_view tag, std::string_view css_class, const Node& content,
                       const Tip& tip) {
  const std::string id = next_id("tip");
  out.open("span", {{"class", "tipped"}, {"tabindex", "0"}, {"aria-describedby", id}});
  out.open(tag, {{"class", std::string(css_class)}});
  inlines(content);
  out.close();
  tip_text(id, tip);
  out.close();
}

}  // namespace primer
