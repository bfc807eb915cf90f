#include "generator/tools/import/rewriter.hpp"

#include <algorithm>
#include <cctype>

#include "generator/core/base/text.hpp"
#include "generator/core/markdown/formula.hpp"

namespace primer {
namespace {

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Where a span ends that must not go over an empty line.
std::size_t find_in_paragraph(std::string_view text, std::string_view what, std::size_t from) {
  return std::min(text.find("\n\n", from), text.size()) < text.find(what, from)
             ? text.npos
             : text.find(what, from);
}

std::string name_of(std::string_view tag) {
  std::string name;
  for (std::size_t i = tag.starts_with("</") ? 2 : 1; i < tag.size() && is_alnum(tag[i]); ++i)
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(tag[i])));
  return name;
}

bool is_type(std::string_view tag) {  // "<T>", "<String>", "<i32>" of a programming language
  const std::string_view inside = tag.substr(1, tag.size() - 2);
  const bool plain = std::ranges::all_of(inside, [](char c) { return is_alnum(c) || c == '_'; });
  return plain && (std::isupper(static_cast<unsigned char>(inside[0])) ||
                   is_one_of(inside, {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32",
                                      "f64", "bool", "str", "usize", "int", "double", "float"}));
}

std::string one_line(std::string text) { return replace_all(std::move(text), "\n", " "); }

}  // namespace

void Rewriter::report(const std::string& what, const std::string& fate) {
  const auto lines = std::count(
      text_.begin(), text_.begin() + static_cast<long>(std::min(at_, text_.size())), '\n');
  lowered_.add(what, fate, file_, line_ + static_cast<int>(lines));
}

bool Rewriter::at_line_start() const {
  const auto last = out_.find_last_not_of(' ');
  return last == out_.npos || out_[last] == '\n';
}

std::string Rewriter::nested(std::string_view text) {
  const auto lines = std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n');
  return Rewriter(links_, file_, lowered_).rewrite(text, line_ + static_cast<int>(lines));
}

std::string Rewriter::rewrite(std::string_view text, int line) {
  text_ = text;
  line_ = line;
  at_ = 0;
  out_.clear();
  while (at_ < text_.size()) step();
  return std::move(out_);
}

void Rewriter::step() {
  const char c = text_[at_];
  const bool done = (c == '`' && code_span()) || (c == '<' && (comment() || tag())) ||
                    (c == '{' && (shortcode() || attributes())) || (c == '!' && image()) ||
                    (c == ']' && link_target()) || (c == '[' && definition()) ||
                    (c == '$' && (display_formula() || formula())) || (c == '\\' && tex_brackets());
  if (done) return;
  // An escape keeps what follows it.
  if (c == '\\' && at_ + 1 < text_.size()) out_ += text_[at_++];
  out_ += text_[at_++];
}

bool Rewriter::code_span() {
  const auto run = std::min(rest().find_first_not_of('`'), rest().size());
  const std::string marks(run, '`');
  for (auto end = find_in_paragraph(text_, marks, at_ + run); end != text_.npos;
       end = find_in_paragraph(text_, marks, end + run)) {
    const auto length = std::min(text_.find_first_not_of('`', end), text_.size()) - end;
    if (length != run) {
      end += length - run;
      continue;
    }
    out_ += text_.substr(at_, end + run - at_);
    at_ = end + run;
    return true;
  }
  out_ += marks;
  at_ += run;
  return true;
}

// Keeps a comment on separate lines. Next to text, a comment would make the whole line HTML.
bool Rewriter::comment() {
  if (!rest().starts_with("<!--")) return false;
  const auto end = rest().find("-->");
  if (end == rest().npos) return false;
  const std::string_view whole = rest().substr(0, end + 3);
  const std::string_view behind = rest().substr(whole.size());
  const auto line_end = std::min(behind.find('\n'), behind.size());
  const bool alone = at_line_start() && trim(behind.substr(0, line_end)).empty();
  if (alone) out_ += whole;
  else report("comment beside text", "left out");
  at_ += whole.size();
  return true;
}

bool Rewriter::tag() {
  const std::size_t length = tag_end(rest());
  if (length == rest().npos) return false;
  const std::string_view whole = rest().substr(0, length);
  const std::string name = name_of(whole);
  if (is_type(whole) && !is_one_of(name, {"b", "i", "p", "a", "s", "u", "listing"})) {
    report("a type in angle brackets outside of code", "its bracket is escaped");
    out_ += '\\' + std::string(whole);
    at_ += length;
    return true;
  }
  const bool closes = whole.starts_with("</");
  if (!closes && whole_element(name, whole)) return true;
  if (!element(name, whole, closes)) return false;
  at_ += length;
  return true;
}

// Those that are read with their content. Sets the place behind them.
bool Rewriter::whole_element(const std::string& name, std::string_view whole) {
  const std::string end_tag = "</" + name + '>';
  const auto end = rest().find(end_tag);
  const auto inner = [&] { return rest().substr(whole.size(), end - whole.size()); };
  if (end == rest().npos) return false;
  if (is_one_of(name, {"script", "style", "iframe", "video", "audio", "svg", "object", "canvas"})) {
    report("HTML <" + name + ">", "left out");
  } else if (name == "code" || name == "tt" || name == "samp") {
    report("HTML <" + name + ">", "written in Markdown");
    std::string code = one_line(std::string(inner()));
    for (auto at = code.find('<'); at != code.npos; at = code.find('<', at)) {
      const std::size_t length = tag_end(std::string_view(code).substr(at));
      if (length == code.npos) ++at;
      else code.erase(at, length);
    }
    code = replace_all(replace_all(replace_all(code, "&lt;", "<"), "&gt;", ">"), "&amp;", "&");
    out_ += code.find('`') == code.npos ? '`' + code + '`' : "`` " + code + " ``";
  } else if (name == "a" && !attribute_of(whole, "href").empty()) {
    report("HTML <a href>", "written in Markdown");
    const std::string target = links_.link(attribute_of(whole, "href"), line_);
    const std::string words = nested(inner());
    out_ += target.empty() ? words : '[' + std::string(trim(words)) + "](" + target + ')';
  } else {
    return false;
  }
  at_ += end + end_tag.size();
  return true;
}

bool Rewriter::element(const std::string& name, std::string_view whole, bool closes) {
  const auto as = [&](std::string_view mark) {
    report("HTML <" + name + ">", "written in Markdown");
    out_ += mark;
    return true;
  };
  if (is_one_of(name, {"br", "wbr", "kbd", "sub", "sup"})) {
    out_ += (closes ? "</" : "<") + name + '>';
    return true;
  }
  if (name == "b" || name == "strong" || name == "summary") return as("**");
  if (is_one_of(name, {"i", "em", "cite", "var", "dfn", "figcaption"})) return as("*");
  if (is_one_of(name, {"s", "del", "strike"})) return as("~~");
  if (name == "hr") return as("\n\n---\n\n");
  if (name.size() == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6')
    return as(closes ? "\n\n"
                     : "\n\n" + std::string(static_cast<std::size_t>(name[1] - '0'), '#') + ' ');
  if (name == "img") {
    report("HTML <img>", "written in Markdown");
    const std::string words = one_line(attribute_of(whole, "alt"));
    while (at_line_start() && out_.ends_with(' ')) out_.pop_back();
    show_image(words, attribute_of(whole, "src"));
    return true;
  }
  const bool known = is_one_of(
      name, {"a",      "div",     "p",       "span",   "section", "center", "small",   "u",
             "font",   "mark",    "article", "header", "footer",  "nav",    "main",    "details",
             "figure", "picture", "source",  "abbr",   "big",     "ins",    "listing", "aside"});
  if (!known) {
    report("HTML <" + name + ">", "left; its words are shown");
    return false;
  }
  if (!closes) report("HTML <" + name + ">", "left out; its words stay");
  // What names a piece of code above or below it.
  const std::string caption = one_line(attribute_of(whole, "caption"));
  const std::string number = attribute_of(whole, "number"),
                    named = attribute_of(whole, "file-name");
  if (!number.empty()) out_ += "\n**Listing " + number + "**" + (caption.empty() ? "" : ": ");
  if (!caption.empty()) out_ += (number.empty() ? "\n" : "") + nested(caption);
  if (!named.empty())
    out_ += (caption.empty() && number.empty() ? "\n" : " ") + ('(' + named + ')');
  const bool block = is_one_of(name, {"div", "p", "section", "center", "article", "header",
                                      "details", "figure", "listing", "aside"});
  if (block) out_ += "\n\n";
  return true;
}

// "{{< name … >}}" and the like: its text stays, if it has any.
bool Rewriter::shortcode() {
  const bool hugo = rest().starts_with("{{<") || rest().starts_with("{{%");
  const bool jekyll = rest().starts_with("{%");
  if (!hugo && !jekyll) return false;
  const std::string close =
      jekyll ? "%}" : std::string(1, text_[at_ + 2] == '<' ? '>' : '%') + "}}";
  const auto end = rest().find(close);
  if (end == rest().npos) return false;
  const std::string_view inside = trim(rest().substr(jekyll ? 2 : 3, end - (jekyll ? 2 : 3)));
  const std::string name(inside.substr(0, inside.find(' ')));
  const std::string source = attribute_of(' ' + std::string(inside), "src");
  if (name == "figure" && !source.empty()) {
    report("shortcode figure", "an image");
    const std::string as_tag = ' ' + std::string(inside);
    const std::string alt = attribute_of(as_tag, "alt"), caption = attribute_of(as_tag, "caption");
    show_image(alt.empty() ? caption : alt, source);
    if (!caption.empty()) out_ += "\n\n*" + caption + '*';
  } else {
    report((jekyll ? "Liquid " : "shortcode ") + name, "left out; a text between stays");
  }
  at_ += end + close.size();
  return true;
}

// "{#id}", "{.class}", "{width=50%}" behind a heading or an image.
bool Rewriter::attributes() {
  const auto end = rest().find('}');
  if (end == rest().npos || end < 2) return false;
  const std::string_view inside = trim(rest().substr(1, end - 1));
  const bool named = inside.size() > 1 && (inside[0] == '#' || inside[0] == '.') &&
                     std::isalpha(static_cast<unsigned char>(inside[1])) != 0;
  const bool sized = out_.ends_with(')') && inside.find('=') != inside.npos;
  const bool line = inside.starts_with(':') && inside.find('.') != inside.npos;
  if (!named && !sized && !line) return false;
  report("attributes in braces", "left out");
  while (out_.ends_with(' ')) out_.pop_back();
  at_ += end + 1;
  return true;
}

// Of what a link shows an image of another site is the words alone: a link holds no other.
void Rewriter::show_image(const std::string& words, const std::string& target) {
  const std::string shown = links_.image_with(words, target, line_);
  out_ += out_.ends_with('[') && shown.starts_with('[') ? words : shown;
}

// "![words](target)".
bool Rewriter::image() {
  if (!rest().starts_with("![")) return false;
  const auto middle = find_in_paragraph(rest(), "](", 2);
  const auto end = middle == rest().npos ? middle : rest().find(')', middle);
  const auto bracket = rest().find('[', 2);
  if (end == rest().npos || bracket < middle) return false;
  std::string target(trim(rest().substr(middle + 2, end - middle - 2)));
  std::string words = one_line(std::string(rest().substr(2, middle - 2)));
  if (const auto quote = target.find(" \""); quote != target.npos) {
    if (words.empty()) words = target.substr(quote + 2, target.rfind('"') - quote - 2);
    target.resize(quote);
  }
  if (target.starts_with('<')) target = target.substr(1, target.find('>') - 1);
  show_image(words, target);
  at_ += end + 1;
  return true;
}

// "](target)" of a link whose words have been written.
bool Rewriter::link_target() {
  if (!rest().starts_with("](")) return false;
  std::size_t end = 2, open = 1;
  for (; end < rest().size() && open > 0; ++end) {
    if (rest()[end] == '\n' && end + 1 < rest().size() && rest()[end + 1] == '\n') return false;
    open += rest()[end] == '(' ? 1 : rest()[end] == ')' ? std::size_t(-1) : 0;
  }
  if (open > 0) return false;
  std::string target(trim(rest().substr(2, end - 3)));
  if (const auto quote = target.find_first_of(" \n");
      quote != target.npos && !target.starts_with('<') && target.find("{{") == target.npos)
    target.resize(quote);
  if (target.starts_with('<')) target = target.substr(1, target.find('>') - 1);
  if (target.starts_with("{{")) {  // {{< ref "other.md" >}}
    const auto quote = target.find('"');
    if (quote != target.npos)
      target = target.substr(quote + 1, target.find('"', quote + 1) - quote - 1);
  }
  const std::string now = links_.link(target, line_);
  // Without anywhere to lead its words are in brackets of their own: they would be a reference.
  out_ += "](" + (now.empty() ? std::string("no-page") : now) + ')';
  at_ += end;
  return true;
}

// "[label]: target" at a line's beginning.
bool Rewriter::definition() {
  if (!at_line_start() || rest().starts_with("[^")) return false;
  const auto line_end = std::min(rest().find('\n'), rest().size());
  const auto middle = rest().find("]:");
  if (middle >= line_end) return false;
  std::string target(trim(rest().substr(middle + 2, line_end - middle - 2)));
  if (const auto space = target.find(' '); space != target.npos && !target.starts_with('<'))
    target.resize(space);
  if (target.empty()) return false;
  if (target.starts_with('<')) target = target.substr(1, target.find('>') - 1);
  const std::string now = links_.link(target, line_);
  out_ += std::string(rest().substr(0, middle + 2)) + ' ' + (now.empty() ? "no-page" : now);
  at_ += line_end;
  return true;
}

bool Rewriter::display_formula() {
  if (!rest().starts_with("$$")) return false;
  const auto end = find_in_paragraph(rest(), "$$", 2);
  if (end == rest().npos) return false;
  const std::string tex(trim(rest().substr(2, end - 2)));
  const auto behind = rest().substr(end + 2);
  const auto line_end = std::min(behind.find('\n'), behind.size());
  const auto begin = out_.rfind('\n') == out_.npos ? 0 : out_.rfind('\n') + 1;
  const std::string before = out_.substr(begin);
  const bool alone = trim(before).empty() && trim(behind.substr(0, line_end)).empty();
  if (alone) {
    const std::string indented = replace_all(tex, "\n", '\n' + before);
    out_ += "```math\n" + before + indented + '\n' + before + "```";
  } else {
    out_ += "$`" + one_line(tex) + "`$";
  }
  at_ += end + 2;
  return true;
}

// "$…$" stays where GitHub reads it as it is written.
bool Rewriter::formula() {
  if (at_ + 2 >= text_.size() || is_space(text_[at_ + 1]) || text_[at_ + 1] == '`') return false;
  const auto end = find_in_paragraph(text_, "$", at_ + 1);
  if (end == text_.npos || is_space(text_[end - 1]) || text_[end - 1] == '\\') return false;
  const char next = end + 1 < text_.size() ? text_[end + 1] : ' ';
  if (std::isdigit(static_cast<unsigned char>(next)) != 0) return false;
  const std::string tex = one_line(std::string(text_.substr(at_ + 1, end - at_ - 1)));
  const bool touches = is_alnum(next) || (at_ > 0 && is_alnum(text_[at_ - 1]));
  const bool unlike = unlike_github(tex, MathsForm::dollars, false).has_value();
  if (unlike) report("formula that GitHub reads otherwise", "between $` and `$");
  if ((touches || unlike) && tex.find('`') == tex.npos) out_ += "$`" + tex + "`$";
  else out_ += '$' + tex + '$';
  at_ = end + 1;
  return true;
}

// "\(x\)", "\\(x\\)".
bool Rewriter::tex_brackets() {
  const std::size_t slashes = rest().starts_with("\\\\(") ? 2 : 1;
  if (slashes >= rest().size() || rest()[slashes] != '(') return false;
  const std::string close = std::string(slashes, '\\') + ')';
  const auto end = find_in_paragraph(rest(), close, slashes + 1);
  if (end == rest().npos || end == slashes + 1) return false;
  report("formula in \\( and \\)", "between $` and `$");
  out_ += "$`" + one_line(std::string(trim(rest().substr(slashes + 1, end - slashes - 1)))) + "`$";
  at_ += end + close.size();
  return true;
}

}  // namespace primer
