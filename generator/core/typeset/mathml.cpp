#include "generator/core/typeset/mathml.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <vector>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {
// Reads a hexadecimal number at the front. False: there is none.
bool take_code(std::string_view& text, char32_t& code) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  code = value;
  return true;
}

}  // namespace

MathsRepertoire MathsRepertoire::parse(std::string_view text) {
  MathsRepertoire repertoire;
  for (std::string_view line : split_lines(text)) {
    const bool is_complete = line.starts_with('+');
    if (is_complete) line.remove_prefix(1);
    if (!line.starts_with("U+")) continue;
    line.remove_prefix(2);
    char32_t first = 0;
    if (!take_code(line, first)) continue;
    char32_t last = first;
    if (line.starts_with('-')) {
      line.remove_prefix(1);
      if (!take_code(line, last)) continue;
    }
    (is_complete ? repertoire.complete_ : repertoire.subset_).emplace_back(first, last);
  }
  std::ranges::sort(repertoire.subset_);
  std::ranges::sort(repertoire.complete_);
  return repertoire;
}

bool MathsRepertoire::holds(const Ranges& ranges, char32_t code) {
  const auto behind =
      std::upper_bound(ranges.begin(), ranges.end(), code,
                       [](char32_t wanted, const auto& range) { return wanted < range.first; });
  return behind != ranges.begin() && code <= std::prev(behind)->second;
}

char32_t maths_italic(char32_t letter) {
  if (letter == U'h') return 0x210e;
  if (letter >= U'A' && letter <= U'Z') return 0x1d434 + (letter - U'A');
  if (letter >= U'a' && letter <= U'z') return 0x1d44e + (letter - U'a');
  if (letter >= 0x391 && letter <= 0x3a9 && letter != 0x3a2) return 0x1d6e2 + (letter - 0x391);
  if (letter >= 0x3b1 && letter <= 0x3c9) return 0x1d6fc + (letter - 0x3b1);
  switch (letter) {
    case 0x131: return 0x1d6a4;
    case 0x237: return 0x1d6a5;
    case 0x2202: return 0x1d715;
    case 0x2207: return 0x1d6fb;
    case 0x3d1: return 0x1d717;
    case 0x3d5: return 0x1d719;
    case 0x3d6: return 0x1d71b;
    case 0x3f0: return 0x1d718;
    case 0x3f1: return 0x1d71a;
    case 0x3f4: return 0x1d6f3;
    case 0x3f5: return 0x1d716;
    default: return letter;
  }
}

std::optional<StyledLetter> styled_letter(char32_t code) {
  struct Alphabet {
    char32_t letters, digits;  // code points of "A" and "0"; 0: the style has no digits
    std::string_view classes;
  };
  constexpr Alphabet alphabets[] = {{0x1d400, 0x1d7ce, "m-tb"},      {0x1d434, 0, "m-ti"},
                                    {0x1d468, 0, "m-tb m-ti"},       {0x1d5a0, 0x1d7e2, "m-ts"},
                                    {0x1d5d4, 0x1d7ec, "m-tb m-ts"}, {0x1d608, 0, "m-ti m-ts"},
                                    {0x1d63c, 0, "m-tb m-ti m-ts"},  {0x1d670, 0x1d7f6, "m-tt"}};
  for (const auto& [letters, digits, classes] : alphabets) {
    if (code >= letters && code < letters + 52) {
      const auto at = static_cast<int>(code - letters);
      return StyledLetter{static_cast<char>(at < 26 ? 'A' + at : 'a' + at - 26), classes};
    }
    if (digits != 0 && code >= digits && code < digits + 10)
      return StyledLetter{static_cast<char>('0' + static_cast<int>(code - digits)), classes};
  }
  if (code == 0x210e) return StyledLetter{'h', "m-ti"};
  constexpr std::u32string_view small_capitals = U"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀ\0ᴛᴜᴠᴡ\0ʏᴢ";
  const auto at = small_capitals.find(code);
  if (code == 0 || at == small_capitals.npos) return std::nullopt;
  return StyledLetter{static_cast<char>('a' + static_cast<int>(at)), "m-sc"};
}

// Cleaning. Everything that may pass is listed in the tables below.

namespace {
using figures::Error;
using figures::Result;

struct StyleClass {
  std::string_view declaration;
  std::string_view name;  // empty: dropped, because it has no effect or another class covers it
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
    StyleClass{"font-weight:bold", "m-b"},
    StyleClass{"font-style:italic", ""},
    StyleClass{"font-family:Cambria, 'Times New Roman', serif", ""},
    StyleClass{"text-align: left", "tml-left"},
    // For \mathclap and \mathllap.
    StyleClass{"display:flex", "m-clap"},
    StyleClass{"justify-content:center", ""},
    StyleClass{"position:relative", "m-lap"},
    StyleClass{"position:absolute", "m-left"},
    StyleClass{"right:0", ""},
    StyleClass{"bottom:0", ""},
    StyleClass{"padding:3pt", ""},
    StyleClass{"border:1px solid", "m-box"},
    // Temml writes its own settings into the style of a missing cell.
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

// Temml's classes that need no extra sheet. Other classes belong to elements that we reject.
constexpr std::array<std::string_view, 12> classes{
    "tml-display", "tml-left",    "tml-right",   "tml-jot",      "tml-small",     "tml-prime",
    "tml-sml-pad", "tml-med-pad", "tml-lrg-pad", "tml-overline", "tml-underline", "tml-vec"};
// Classes, Temml's and ours, whose style is in site/sheets/maths-more.css.
constexpr std::array<std::string_view, 12> rare_classes{
    "tml-fbox", "tml-cancel", "tml-xcancel", "upstrike", "downstrike", "sout",
    "m-b",      "m-clap",     "m-lap",       "m-left",   "m-rule",     "m-t m-tt"};
constexpr std::array<std::string_view, 4> class_families{"chr-", "wbk-", "tml-hat-", "tml-tilde-"};
constexpr std::array<std::string_view, 2> dropped_classes{"mathcal", "mathscr"};

// Values of the attribute `notation` of <menclose>.
constexpr std::array<std::string_view, 7> notations{"top",
                                                    "bottom",
                                                    "box",
                                                    "updiagonalstrike",
                                                    "downdiagonalstrike",
                                                    "horizontalstrike",
                                                    "updiagonalstrike downdiagonalstrike"};

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

// Whether the character has no glyph: spaces and invisible operators such as function application.
bool invisible(char32_t code) {
  return (code >= 0x2000 && code <= 0x200b) || (code >= 0x2061 && code <= 0x2064);
}

struct Tag {
  std::string_view name;
  bool closes = false;
  std::string written;          // attributes of the cleaned tag
  bool upright = false;         // has mathvariant
  std::size_t behind_name = 0;  // position in `html_` after the name
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
    const std::size_t behind_math = std::string_view("<math").size();
    if (needs_complete_) add_class(behind_math, "m-all");
    if (needs_complete_ || needs_sheet_) add_class(behind_math, "m-more");
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
    html_.append("<").append(tag.name);
    tag.behind_name = html_.size();
    html_.append(tag.written).append(">");
    open_.push_back(std::move(tag));
    return figures::ok();
  }

  // Adds a class to the element whose attributes begin at `at` in `html_`.
  void add_class(std::size_t at, std::string_view name) {
    constexpr std::string_view attribute = " class=\"";
    if (html_.compare(at, attribute.size(), attribute) == 0) {
      html_.insert(at + attribute.size(), std::string(name) + ' ');
    } else {
      html_.insert(at, std::string(attribute) + std::string(name) + '"');
    }
  }

  figures::Status read_attributes(std::string_view inside, Tag& tag) {
    std::vector<std::string_view> names;
    std::string others;
    bool is_drawn = tag.name != "menclose";
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
      } else if (value == "monospace") {  // from \verb
        names.push_back("m-t m-tt");
      } else if (tag.name == "mspace" && name == "mathbackground" && value == "black") {
        names.push_back("m-rule");
      } else if (contains(attributes, name)) {
        if (value.find_first_of("<>&") != value.npos) return broken();
        tag.upright |= name == "mathvariant";
        if (name == "notation" && !contains(notations, value)) return undrawn();
        is_drawn |= name == "notation";
        others.append(" ").append(name).append("=\"").append(value).append("\"");
      } else if (!contains(dropped_attributes, name)) {
        return unknown_attribute(name);
      }
    }
    if (!is_drawn) return undrawn();
    needs_sheet_ |= std::ranges::any_of(
        names, [](std::string_view name) { return contains(rare_classes, name); });
    if (!names.empty()) {
      const std::vector<std::string> list(names.begin(), names.end());
      tag.written.append(" class=\"").append(join(list, " ")).append("\"");
    }
    tag.written += others;
    return figures::ok();
  }

  static Error undrawn() {
    return whole("the pages cannot draw such lines around or through a formula",
                 "\\boxed, \\overline, \\underline, \\cancel or \\sout");
  }

  static Error coloured() {
    return whole("colors are not allowed in formulas, because pages have a light and a dark theme");
  }

  static Error unknown_attribute(std::string_view name) {
    if (name == "mathcolor" || name == "mathbackground") return coloured();
    return whole("unsupported MathML attribute " + std::string(name));
  }

  static figures::Status add_classes(std::string_view value, std::vector<std::string_view>& names) {
    for (const std::string_view name : split(value, ' ')) {
      const auto begins = [&](std::string_view family) { return name.starts_with(family); };
      if (contains(classes, name) || contains(rare_classes, name) ||
          std::any_of(class_families.begin(), class_families.end(), begins)) {
        add(name, names);
      } else if (name == "menclose") {  // from \cancelto
        return undrawn();
      } else if (!name.empty() && !contains(dropped_classes, name)) {
        return whole("unsupported Temml class " + std::string(name));
      }
    }
    return figures::ok();
  }

  static figures::Status add_style(std::string_view value, std::vector<std::string_view>& names) {
    for (const std::string_view declaration : split(value, ';')) {
      const std::string_view wanted = trim(declaration);
      if (wanted.empty() || wanted == "true" || wanted == "false") continue;
      if (wanted.starts_with("padding:") && wanted.ends_with(" 0 0 0")) continue;  // from \raisebox
      const auto means = [&](const StyleClass& known) { return known.declaration == wanted; };
      const auto found = std::find_if(style_classes.begin(), style_classes.end(), means);
      if (found == style_classes.end() && wanted.starts_with("color:#")) return coloured();
      if (found == style_classes.end()) {
        return whole("unsupported MathML style " + in_quotes(wanted));
      }
      if (!found->name.empty()) add(found->name, names);
    }
    return figures::ok();
  }

  static void add(std::string_view name, std::vector<std::string_view>& names) {
    if (!contains(names, name)) names.push_back(name);
  }

  // Reads text up to the next tag and checks that the fonts have the glyphs that the browser will
  // draw.
  figures::Status text() {
    if (open_.empty()) return broken();
    const std::string_view raw = take(std::min(rest_.find('<'), rest_.size()));
    const auto codes = decode(raw);
    if (!codes) return broken();
    if (auto visible = check_visible(raw); !visible) return visible;
    const Tag& tag = open_.back();
    const bool italic = tag.name == "mi" && codes->size() == 1 && !tag.upright;
    std::vector<char32_t> others;  // code points that the small font lacks
    for (const char32_t code : *codes) {
      const char32_t drawn = italic ? maths_italic(code) : code;
      if (!invisible(drawn) && !repertoire_.in_subset(drawn)) others.push_back(drawn);
    }
    if (!others.empty() && (tag.name == "mtext" || (tag.name == "mi" && codes->size() > 1))) {
      prose(raw);
      return figures::ok();
    }
    for (const char32_t drawn : others) {
      if (!repertoire_.has(drawn)) {
        return whole("the maths font has no glyph for " + code_name(drawn), "\\text{…}");
      }
    }
    needs_complete_ |= !others.empty();
    html_ += raw;
    return figures::ok();
  }

  // Sets words in the fonts of the text, which have the letters of its language. If all styled
  // letters have the same style, they become plain letters with a class, so that "é" gets the style
  // too.
  void prose(std::string_view raw) {
    std::string plain;
    std::string_view style;
    bool has_plain_letters = false, is_mixed = false;
    for (std::string_view rest = raw; !rest.empty();) {
      if (rest.front() == '&') {
        const std::size_t length = rest.find(';') + 1;
        plain += rest.substr(0, length);
        rest.remove_prefix(length);
        continue;
      }
      const std::string_view from = rest;
      const auto letter = styled_letter(take_utf8(rest));
      if (letter) {
        is_mixed |= !style.empty() && style != letter->classes;
        style = letter->classes;
        plain += letter->plain;
        continue;
      }
      has_plain_letters |= is_letter(from.front());
      plain += from.substr(0, from.size() - rest.size());
    }
    // Capitals in \textsc are plain letters already.
    const bool is_styled = !style.empty() && !is_mixed && (!has_plain_letters || style == "m-sc");
    needs_sheet_ = true;
    add_class(open_.back().behind_name, is_styled ? "m-t " + std::string(style) : "m-t");
    html_ += is_styled ? std::string_view(plain) : raw;
  }

  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  // Rejects invisible characters, which \char can produce.
  static figures::Status check_visible(std::string_view raw) {
    for (auto hidden = first_hidden_character(raw); hidden;
         hidden = first_hidden_character(raw, TextKind::prose, hidden->offset + hidden->length)) {
      std::string_view rest = raw.substr(hidden->offset);
      if (!invisible(take_utf8(rest))) return whole("the formula contains " + hidden->name);
    }
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

  // Removes the first code point. The text must be valid UTF-8.
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
  bool needs_complete_ = false;  // the complete font is needed
  bool needs_sheet_ = false;     // site/sheets/maths-more.css is needed
};

}  // namespace

Result<std::string> clean_mathml(std::string_view mathml, const MathsRepertoire& repertoire) {
  for (const std::string_view numbered : {"tml-eqn", "tml-tageqn", "tml-label"}) {
    if (mathml.find(numbered) != mathml.npos) {
      return whole("\\tag, \\label, align and gather cannot number equations",
                   "aligned or gathered, and an id after ```math");
    }
  }
  return Cleaner(mathml, repertoire).clean();
}

}  // namespace primer
