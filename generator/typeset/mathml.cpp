#include "generator/typeset/mathml.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <vector>

#include "generator/base/characters.hpp"
#include "generator/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

struct StyleClass {
  std::string_view declaration;
  std::string_view name;  // empty: means nothing, or another class says it
};

constexpr std::array style_classes{
    StyleClass{"display:block math", ""},
    StyleClass{"padding-left:0em", "m-l0"},
    StyleClass{"padding-left:0pt", "m-l0"},
    StyleClass{"padding-left:1em", "m-l1"},
    StyleClass{"padding-left:5.9776pt", "m-lc"},
    StyleClass{"padding-left:0.1389em", "m-ls"},
    StyleClass{"padding-right:0em", "m-r0"},
    StyleClass{"padding-right:0pt", "m-r0"},
    StyleClass{"padding-right:5.9776pt", "m-rc"},
    StyleClass{"padding-right:0.1389em", "m-rs"},
    StyleClass{"border-top:0.06em solid", "m-bt"},
    StyleClass{"border-right:0.06em solid", "m-br"},
    StyleClass{"border-bottom:0.06em solid", "m-bb"},
    StyleClass{"border-left:0.06em solid", "m-bl"},
    StyleClass{"margin-left:-0.1667em", "m-neg"},
    StyleClass{"math-depth:0", "m-d0"},
    StyleClass{"math-depth:2", "m-d2"},
    StyleClass{"padding:3pt", ""},
    StyleClass{"border:1px solid", "m-box"},
    // Temml writes its own settings into the style of a cell that is missing.
    StyleClass{"level:0", ""},
    StyleClass{"level:1", ""},
    StyleClass{"color:undefined", ""},
    StyleClass{"font:", ""},
    StyleClass{"font-family:", ""},
    StyleClass{"font-size:1", ""},
    StyleClass{"font-weight:", ""},
    StyleClass{"font-shape:", ""},
    StyleClass{"max-size:Infinity,Infinity", ""},
    StyleClass{"max-size:20,20", ""},
};

constexpr std::array<std::string_view, 27> elements{
    "math",        "mrow",   "mi",       "mn",         "mo",       "mtext",
    "mspace",      "mfrac",  "msqrt",    "mroot",      "msub",     "msup",
    "msubsup",     "munder", "mover",    "munderover", "mtable",   "mtr",
    "mtd",         "mstyle", "mpadded",  "mphantom",   "menclose", "mmultiscripts",
    "mprescripts", "none",   "semantics"};

constexpr std::array<std::string_view, 24> attributes{
    "display",      "mathvariant", "width",    "height",        "depth",     "voffset",
    "lspace",       "rspace",      "stretchy", "fence",         "separator", "form",
    "symmetric",    "minsize",     "maxsize",  "movablelimits", "largeop",   "linethickness",
    "displaystyle", "scriptlevel", "accent",   "accentunder",   "notation",  "mathsize"};

constexpr std::array<std::string_view, 4> dropped_attributes{"xmlns", "id", "href", "title"};

// Of Temml's own classes; all others say how to draw what the table of elements keeps out.
constexpr std::array<std::string_view, 12> classes{
    "tml-display", "tml-left",    "tml-right",   "tml-jot",      "tml-small",     "tml-prime",
    "tml-sml-pad", "tml-med-pad", "tml-lrg-pad", "tml-overline", "tml-underline", "tml-vec"};
constexpr std::array<std::string_view, 4> class_families{"chr-", "wbk-", "tml-hat-", "tml-tilde-"};
constexpr std::array<std::string_view, 2> dropped_classes{"mathcal", "mathscr"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Error whole(std::string message, std::string suggestion = {}) {
  return {std::move(message), 0, 0, std::move(suggestion)};
}

std::string code_name(char32_t code) {
  char digits[8];
  const auto end = std::to_chars(digits, digits + sizeof digits, unsigned(code), 16).ptr;
  std::string name(digits, end);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' ? char(c - 'a' + 'A') : c; });
  return "U+" + std::string(name.size() < 4 ? 4 - name.size() : 0, '0') + name;
}

// Characters that are instructions, not glyphs: function application and its like.
bool invisible(char32_t code) { return code == 0x200b || (code >= 0x2061 && code <= 0x2064); }

struct Tag {
  std::string_view name;
  bool closes = false;
  std::string written;   // attributes as they go out
  bool upright = false;  // mathvariant="normal"
};

class Cleaner {
 public:
  Cleaner(std::string_view mathml, const MathsRepertoire& repertoire)
      : rest_(mathml), repertoire_(repertoire) {}

  Result<std::string> clean() {
    while (!rest_.empty()) {
      const auto done = rest_.front() == '<' ? tag() : text();
      if (!done) return done.error();
    }
    if (!open_.empty()) return broken();
    return std::move(html_);
  }

 private:
  static Error broken() { return whole("the converter's MathML is not well-formed"); }

  std::string_view take(std::size_t length) {
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length, rest_.size()));
    return taken;
  }

  figures::Status tag() {
    const std::size_t end = rest_.find('>');
    if (end == rest_.npos) return broken();
    std::string_view inside = take(end + 1).substr(1, end - 1);
    Tag tag;
    tag.closes = inside.starts_with('/');
    if (tag.closes) inside.remove_prefix(1);
    tag.name = inside.substr(0, inside.find(' '));
    inside.remove_prefix(tag.name.size());
    if (!contains(elements, tag.name)) {
      return whole("the pages cannot show <" + std::string(tag.name) + ">");
    }
    if (tag.closes) {
      if (open_.empty() || open_.back().name != tag.name) return broken();
      open_.pop_back();
      html_.append("</").append(tag.name).append(">");
      return figures::ok();
    }
    if (auto read = read_attributes(inside, tag); !read) return read;
    html_.append("<").append(tag.name).append(tag.written).append(">");
    open_.push_back(std::move(tag));
    return figures::ok();
  }

  figures::Status read_attributes(std::string_view inside, Tag& tag) const {
    std::vector<std::string_view> names;
    std::string others;
    while (!trim(inside).empty()) {
      const std::size_t equals = inside.find("=\"");
      const std::size_t end = equals == inside.npos ? equals : inside.find('"', equals + 2);
      if (end == inside.npos) return broken();
      const std::string_view name = trim(inside.substr(0, equals));
      const std::string_view value = inside.substr(equals + 2, end - equals - 2);
      inside.remove_prefix(end + 1);
      if (name == "class" || name == "style") {
        auto added = name == "class" ? add_classes(value, names) : add_style(value, names);
        if (!added) return added;
      } else if (contains(attributes, name)) {
        if (value.find_first_of("<>&") != value.npos) return broken();
        tag.upright |= name == "mathvariant";
        others.append(" ").append(name).append("=\"").append(value).append("\"");
      } else if (!contains(dropped_attributes, name)) {
        return unknown_attribute(name);
      }
    }
    if (tag.name == "menclose" && !contains(names, "tml-overline") &&
        !contains(names, "tml-underline")) {
      return whole("the pages cannot show crossed-out or enclosed formulas");
    }
    if (!names.empty()) {
      const std::vector<std::string> list(names.begin(), names.end());
      tag.written.append(" class=\"").append(join(list, " ")).append("\"");
    }
    tag.written += others;
    return figures::ok();
  }

  static Error unknown_attribute(std::string_view name) {
    if (name == "mathcolor" || name == "mathbackground") {
      return whole("formulas have no colours of their own, since pages are light and dark");
    }
    return whole("the pages have no means to show the attribute " + std::string(name));
  }

  static figures::Status add_classes(std::string_view value, std::vector<std::string_view>& names) {
    for (const std::string_view name : split(value, ' ')) {
      const auto begins = [&](std::string_view family) { return name.starts_with(family); };
      if (contains(classes, name) ||
          std::any_of(class_families.begin(), class_families.end(), begins)) {
        add(name, names);
      } else if (!name.empty() && !contains(dropped_classes, name)) {
        return whole("the pages have no style for Temml's class " + std::string(name));
      }
    }
    return figures::ok();
  }

  static figures::Status add_style(std::string_view value, std::vector<std::string_view>& names) {
    for (const std::string_view declaration : split(value, ';')) {
      const std::string_view wanted = trim(declaration);
      if (wanted.empty() || wanted == "true" || wanted == "false") continue;
      const auto means = [&](const StyleClass& known) { return known.declaration == wanted; };
      const auto found = std::find_if(style_classes.begin(), style_classes.end(), means);
      if (found == style_classes.end()) {
        return whole("the pages have no class for the style " + in_quotes(wanted));
      }
      if (!found->name.empty()) add(found->name, names);
    }
    return figures::ok();
  }

  static void add(std::string_view name, std::vector<std::string_view>& names) {
    if (!contains(names, name)) names.push_back(name);
  }

  // Character data up to the next tag; checked for glyphs as the browser will draw it.
  figures::Status text() {
    if (open_.empty()) return broken();
    const std::string_view raw = take(std::min(rest_.find('<'), rest_.size()));
    const auto codes = decode(raw);
    if (!codes) return broken();
    const bool italic = open_.back().name == "mi" && codes->size() == 1 && !open_.back().upright;
    for (const char32_t code : *codes) {
      const char32_t drawn = italic ? maths_italic(code) : code;
      if (!invisible(drawn) && !repertoire_.has(drawn)) {
        return whole("the maths font has no glyph for " + code_name(drawn));
      }
    }
    // "\char" can write any character.
    for (auto hidden = first_hidden_character(raw); hidden;
         hidden = first_hidden_character(raw, TextKind::prose, hidden->offset + hidden->length)) {
      std::string_view rest = raw.substr(hidden->offset);
      if (!invisible(take_utf8(rest))) return whole("the formula holds " + hidden->name);
    }
    html_ += raw;
    return figures::ok();
  }

  static std::optional<std::u32string> decode(std::string_view text) {
    if (!is_utf8(text)) return std::nullopt;
    std::u32string codes;
    while (!text.empty()) {
      if (text.front() == '&') {
        const std::size_t end = text.find(';');
        const std::string_view name = text.substr(0, end == text.npos ? end : end + 1);
        constexpr std::array<std::pair<std::string_view, char32_t>, 5> entities{
            {{"&amp;", U'&'}, {"&lt;", U'<'}, {"&gt;", U'>'}, {"&quot;", U'"'}, {"&#x27;", U'\''}}};
        const auto known = std::find_if(entities.begin(), entities.end(),
                                        [&](const auto& entity) { return entity.first == name; });
        if (known == entities.end()) return std::nullopt;
        codes += known->second;
        text.remove_prefix(name.size());
        continue;
      }
      codes += take_utf8(text);
    }
    return codes;
  }

  // Of text that is known to be UTF-8.
  static char32_t take_utf8(std::string_view& text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t code = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
      code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
    }
    text.remove_prefix(length);
    return code;
  }

  std::string_view rest_;
  const MathsRepertoire& repertoire_;
  std::string html_;
  std::vector<Tag> open_;
};

}  // namespace

Result<std::string> clean_mathml(std::string_view mathml, const MathsRepertoire& repertoire) {
  for (const std::string_view numbered : {"tml-eqn", "tml-tageqn", "tml-label"}) {
    if (mathml.find(numbered) != mathml.npos) {
      return whole("equations are not numbered by \\tag, \\label, align or gather",
                   "aligned or gathered, and an id after ```math");
    }
  }
  return Cleaner(mathml, repertoire).clean();
}

}  // namespace primer
