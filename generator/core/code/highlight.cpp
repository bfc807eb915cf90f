#include "generator/core/code/highlight.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "figures/base/ascii.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/code/paint.hpp"
#include "generator/core/formats/text_pattern.hpp"

namespace primer {
namespace {
using Signs = std::vector<std::string>;

// Budget of TextPattern::length_at() per piece of code, in states times bytes: half a second.
constexpr std::size_t most_effort = 30'000'000;

constexpr std::pair<std::string_view, Paint> kinds[] = {
    {"attribute", Paint::preprocessor}, {"comment", Paint::comment}, {"function", Paint::function},
    {"keyword", Paint::keyword},        {"number", Paint::number},   {"operator", Paint::op},
    {"string", Paint::string},          {"type", Paint::type},       {"variable", Paint::variable}};

Paint paint_of_kind(std::string_view kind) {
  const auto found = std::ranges::find(kinds, kind, [](const auto& each) { return each.first; });
  return found == std::end(kinds) ? Paint::none : found->second;
}

constexpr std::string_view operator_signs = "+-*/%=<>!&|^~?";

std::string in_small_letters(std::string_view text) {
  std::string all(text);
  for (char& c : all) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return all;
}

// The longest sign that the text starts with, or null.
const std::string* sign_at(const Signs& signs, std::string_view text) {
  const std::string* found = nullptr;
  for (const auto& sign : signs)
    if (text.starts_with(sign) && (!found || sign.size() > found->size())) found = &sign;
  return found;
}

// Scans code from left to right. At each position it tries the language's patterns, a comment, a
// string, a number and a word, in this order. Any other character may be an operator.
class WordScanner {
 public:
  WordScanner(const WordLanguage& language, std::string_view code, bool nested_comments)
      : language_(language),
        code_(code),
        nested_comments_(nested_comments),
        painting_(code.size(), Paint::none) {
    for (const auto& [words, with] :
         {std::pair(&language.types, Paint::type), std::pair(&language.constants, Paint::number),
          std::pair(&language.keywords, Paint::keyword)}) {
      for (const auto& word : *words)
        words_[language.any_case ? in_small_letters(word) : word] = with;
    }
    for (const auto& [kind, pattern] : language.patterns) {
      if (auto parsed = TextPattern::parse(pattern))
        patterns_.emplace_back(paint_of_kind(kind), std::move(parsed).value());
    }
  }

  figures::Result<Painting> scan() {
    while (at_ < code_.size()) {
      if (effort_ == 0)
        return figures::Error("the patterns of " + in_quotes(language_.name) +
                              " take too long on this code, so it is not highlighted");
      if (!pattern() && !comment() && !text() && !number() && !word()) {
        const bool sign = operator_signs.find(code_[at_]) != operator_signs.npos;
        paint(1, sign ? Paint::op : Paint::none);
      }
    }
    return std::move(painting_);
  }

 private:
  std::string_view rest() const { return code_.substr(at_); }

  void paint(std::size_t length, Paint with) {
    std::fill_n(painting_.begin() + static_cast<std::ptrdiff_t>(at_), length, with);
    at_ += length;
  }

  // Length including both ends. An unclosed comment extends to the end of the code.
  std::size_t block_comment_length(std::string_view open, std::string_view close) const {
    std::size_t end = open.size();
    for (int depth = 1; depth > 0 && end < rest().size();) {
      const std::string_view text = rest().substr(end);
      if (text.starts_with(close)) {
        --depth;
        end += close.size();
      } else if (nested_comments_ && text.starts_with(open)) {
        ++depth;
        end += open.size();
      } else {
        ++end;
      }
    }
    return end;
  }

  // Takes the longest match, of equals the first. A match stays on its line and does not end inside
  // a word.
  bool pattern() {
    if (patterns_.empty()) return false;
    const auto before = at_ == 0 ? std::string_view::npos : code_.rfind('\n', at_ - 1);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view line = code_.substr(start, code_.find('\n', at_) - start);
    const auto may_end = [&](std::size_t end) {
      return end == line.size() || !is_word(line[end - 1]) || !is_word(line[end]);
    };
    std::size_t longest = 0;
    Paint with = Paint::none;
    for (const auto& [paint, one] : patterns_) {
      const std::size_t length = one.length_at(line, at_ - start, may_end, effort_);
      if (length > longest) longest = length, with = paint;
    }
    if (longest == 0) return false;
    paint(longest, with);
    return true;
  }

  bool comment() {
    for (const auto& [open, close] : language_.block_comments) {
      if (!rest().starts_with(open)) continue;
      paint(block_comment_length(open, close), Paint::comment);
      return true;
    }
    if (!sign_at(language_.comments, rest())) return false;
    paint(std::min(rest().find('\n'), rest().size()), Paint::comment);
    return true;
  }

  // If the quote is a single character, the string ends with its line. A backslash escapes the next
  // character.
  bool text() {
    const std::string* mark = sign_at(language_.strings, rest());
    if (!mark) return false;
    std::size_t end = mark->size();
    while (end < rest().size() && !rest().substr(end).starts_with(*mark)) {
      if (mark->size() == 1 && rest()[end] == '\n') break;
      end += rest()[end] == '\\' ? 2 : 1;
    }
    const bool closed = end < rest().size() && rest()[end] != '\n';
    paint(std::min(end + (closed ? mark->size() : 0), rest().size()), Paint::string);
    return true;
  }

  bool is_word(char c) const {
    return figures::is_digit(c) || figures::is_letter(c) || c == '_' ||
           static_cast<unsigned char>(c) >= 0x80 ||
           language_.word_characters.find(c) != std::string::npos;
  }

  std::size_t word_length(std::string_view text) const {
    return static_cast<std::size_t>(
        std::ranges::find_if_not(text, [&](char c) { return is_word(c); }) - text.begin());
  }

  // "0x1F", "1.5e-3", "2u".
  bool number() {
    if (!figures::is_digit(rest().front())) return false;
    std::size_t end = 1;
    while (end < rest().size()) {
      const char c = rest()[end], before = rest()[end - 1];
      const bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'E') && end > 1 &&
                        !rest().starts_with("0x");
      const bool point = c == '.' && end + 1 < rest().size() && figures::is_digit(rest()[end + 1]);
      if (!figures::is_digit(c) && !figures::is_letter(c) && c != '_' && !point && !sign) break;
      ++end;
    }
    paint(end, Paint::number);
    return true;
  }

  bool word() {
    for (const auto& [signs, with] : {std::pair(&language_.attributes, Paint::preprocessor),
                                      std::pair(&language_.variables, Paint::variable)}) {
      const std::string* sign = sign_at(*signs, rest());
      if (!sign) continue;
      paint(sign->size() + word_length(rest().substr(sign->size())), with);
      return true;
    }
    if (!is_word(rest().front())) return false;
    const std::string_view all = rest().substr(0, word_length(rest()));
    const auto known = words_.find(language_.any_case ? in_small_letters(all) : std::string(all));
    const bool called = rest().substr(all.size()).starts_with('(');
    paint(all.size(), known != words_.end() ? known->second
                      : called              ? Paint::function
                                            : Paint::none);
    return true;
  }

  const WordLanguage& language_;
  std::string_view code_;
  bool nested_comments_;
  Painting painting_;
  std::unordered_map<std::string, Paint> words_;
  std::vector<std::pair<Paint, TextPattern>> patterns_;
  std::size_t effort_ = most_effort;
  std::size_t at_ = 0;
};

}  // namespace

figures::Result<Painting> paint_words(const WordLanguage& language, std::string_view code,
                                      bool nested_comments) {
  return WordScanner(language, code, nested_comments).scan();
}

namespace {
using figures::Error;
using figures::Result;

struct Language {
  std::string_view name;
  std::string_view
      painter;  // a grammar, a word_language(), "console", "diff", or "" for plain text
};

constexpr std::array languages{
    Language{"asm", ""},
    Language{"bash", "bash"},
    Language{"c", "c"},
    Language{"c++", "cpp"},
    Language{"cmake", ""},
    Language{"console", "console"},
    Language{"cpp", "cpp"},
    Language{"css", ""},
    Language{"cuda", "cpp"},
    Language{"diff", "diff"},
    Language{"go", "go"},
    Language{"html", ""},
    Language{"java", "java"},
    Language{"javascript", "javascript"},
    Language{"js", "javascript"},
    Language{"json", "json"},
    Language{"julia", "julia"},
    Language{"make", "make"},
    Language{"makefile", "make"},
    Language{"markdown", ""},
    Language{"none", ""},
    Language{"py", "python"},
    Language{"python", "python"},
    Language{"r", "r"},
    Language{"rs", "rust"},
    Language{"rust", "rust"},
    Language{"sh", "bash"},
    Language{"text", ""},
    Language{"toml", "toml"},
    Language{"ts", "typescript"},
    Language{"typescript", "typescript"},
    Language{"wgsl", "wgsl"},
    Language{"yaml", ""},
    Language{"zig", "zig"},
};

const Language* find_language(std::string_view name) {
  const auto named = [&](const Language& language) { return language.name == name; };
  const auto found = std::find_if(languages.begin(), languages.end(), named);
  return found == languages.end() ? nullptr : &*found;
}

// Languages of the word scanner. Those of a book are in book.yaml. WGSL is here because the grammar
// on npm is outdated.
const WordLanguage wgsl{
    .name = "wgsl",
    .keywords = {"alias",      "break",    "case",       "const",   "const_assert", "continue",
                 "continuing", "default",  "diagnostic", "discard", "else",         "enable",
                 "false",      "fn",       "for",        "if",      "let",          "loop",
                 "override",   "requires", "return",     "struct",  "switch",       "true",
                 "var",        "while",    "bitcast",    "read",    "read_write"},
    .types = {"bool",    "f16",     "f32",     "i32",      "u32",     "vec2",     "vec3",
              "vec4",    "array",   "atomic",  "mat2x2",   "mat3x3",  "mat4x4",   "ptr",
              "sampler", "storage", "uniform", "function", "private", "workgroup"},
    .comments = {"//"},
    .block_comments = {{"/*", "*/"}},
    .attributes = {"@"},
    .patterns = {{"number", "\\d+\\.[fh]?"}},  // "1.", "2.f"
};

// No single quotes: A' is a transpose.
const WordLanguage julia{
    .name = "julia",
    .keywords = {"abstract", "baremodule", "begin",  "break",   "catch",  "const",     "continue",
                 "do",       "else",       "elseif", "end",     "export", "finally",   "for",
                 "function", "global",     "if",     "import",  "in",     "isa",       "let",
                 "local",    "macro",      "module", "mutable", "outer",  "primitive", "quote",
                 "return",   "struct",     "try",    "using",   "where",  "while"},
    .types = {"AbstractArray", "Any",     "Array",   "Bool",    "Char",    "Complex",
              "Dict",          "Float16", "Float32", "Float64", "Int",     "Int8",
              "Int16",         "Int32",   "Int64",   "Matrix",  "Nothing", "Real",
              "Set",           "String",  "Symbol",  "Tuple",   "UInt",    "UInt8",
              "UInt16",        "UInt32",  "UInt64",  "Union",   "Vector"},
    .constants = {"false", "Inf", "missing", "NaN", "nothing", "pi", "true"},
    .comments = {"#"},
    .block_comments = {{"#=", "=#"}},
    .strings = {"\"\"\"", "\""},
    .attributes = {"@"},
    .word_characters = "!",
};

const WordLanguage make{
    .name = "make",
    .keywords = {"define", "else", "endef", "endif", "export", "ifdef", "ifeq", "ifndef", "ifneq",
                 "include", "override", "unexport", "vpath"},
    .comments = {"#"},
    .strings = {"\"", "'"},
    .word_characters = "-./%",
    .patterns = {{"variable", "\\$\\([^()]*\\)"},
                 {"variable", "\\$[@<\\^+*?%$]"},
                 {"function", "^[A-Za-z\\d_./%-]+:"}},  // a target
};

const WordLanguage r{
    .name = "r",
    .keywords = {"break", "else", "for", "function", "if", "in", "next", "repeat", "return",
                 "while"},
    .constants = {"FALSE", "Inf", "NA", "NaN", "NULL", "TRUE"},
    .comments = {"#"},
    .strings = {"\"", "'"},
    .word_characters = ".",
    .patterns = {{"operator", "%[^%\\s]*%"}, {"number", "\\d+L"}},  // "%in%", "2L"
};

const WordLanguage zig{
    .name = "zig",
    .keywords = {"align",    "and",         "asm",
                 "async",    "await",       "break",
                 "callconv", "catch",       "comptime",
                 "const",    "continue",    "defer",
                 "else",     "enum",        "errdefer",
                 "error",    "export",      "extern",
                 "fn",       "for",         "if",
                 "inline",   "noalias",     "opaque",
                 "or",       "orelse",      "packed",
                 "pub",      "resume",      "return",
                 "struct",   "suspend",     "switch",
                 "test",     "threadlocal", "try",
                 "union",    "unreachable", "usingnamespace",
                 "var",      "volatile",    "while"},
    .types = {"anyerror", "anytype", "bool", "c_int", "comptime_int", "f16",      "f32",  "f64",
              "i8",       "i16",     "i32",  "i64",   "isize",        "noreturn", "type", "u1",
              "u8",       "u16",     "u32",  "u64",   "usize",        "void"},
    .constants = {"false", "null", "true", "undefined"},
    .comments = {"//"},
    .strings = {"\"", "'"},
    .attributes = {"@"},
};

const WordLanguage* word_language(std::string_view name) {
  for (const WordLanguage* language : {&wgsl, &julia, &make, &r, &zig})
    if (language->name == name) return language;
  return nullptr;
}

// Lines that start with "$ " are shell, the others are output.
Result<Painting> paint_console(std::string_view code) {
  constexpr std::string_view prompt = "$ ";
  Painting painting(code.size(), Paint::none);
  for (const std::string_view line : split_lines(code)) {
    if (!line.starts_with(prompt)) continue;
    auto command = paint_by_grammar("bash", line.substr(prompt.size()));
    if (!command) return command;
    auto at = painting.begin() + (line.data() - code.data());
    *at = Paint::preprocessor;
    std::copy(command->begin(), command->end(), at + prompt.size());
  }
  return painting;
}

Painting paint_diff(std::string_view code) {
  Painting painting(code.size(), Paint::none);
  const auto lines = split_lines(code);
  const auto begins = [&](std::size_t line, std::string_view mark) {
    return line < lines.size() && lines[line].starts_with(mark);
  };
  bool is_header = false;  // "--- old" and "+++ new" above a hunk name its files
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const bool names_old =
        begins(i, "--- ") && begins(i + 1, "+++ ") && (i == 0 || begins(i + 2, "@@"));
    const bool names_new = is_header && line.starts_with("+++ ");
    is_header = names_old;
    const bool is_comment = names_old || names_new || line.starts_with("diff ") ||
                            line.starts_with("index ") || line.starts_with("@@");
    const Paint paint = is_comment              ? Paint::comment
                        : line.starts_with('+') ? Paint::string
                        : line.starts_with('-') ? Paint::removed
                                                : Paint::none;
    std::fill_n(painting.begin() + (line.data() - code.data()), line.size(), paint);
  }
  return painting;
}

Result<Painting> paint(std::string_view painter, std::string_view code) {
  if (painter.empty()) return Painting(code.size(), Paint::none);
  if (const WordLanguage* words = word_language(painter)) {
    const bool nested_comments = words == &wgsl || words == &julia;
    return paint_words(*words, code, nested_comments);
  }
  if (painter == "console") return paint_console(code);
  if (painter == "diff") return paint_diff(code);
  return paint_by_grammar(painter, code);
}

Error too_much(std::string_view code) {
  return {"a code block has at most " + std::to_string(largest_code_block / 1024) + " KiB",
          largest_code_block,
          code.size() - largest_code_block,
          {}};
}

}  // namespace

Result<std::vector<std::string>> highlight(const WordLanguage& language, std::string_view code) {
  if (code.size() > largest_code_block) return too_much(code);
  const auto painting = paint_words(language, code);
  if (!painting) return painting.error();
  return painted_lines(code, *painting);
}

bool highlights(std::string_view language) { return find_language(language) != nullptr; }

std::vector<std::string> highlighted_languages() {
  std::vector<std::string> names;
  for (const Language& language : languages) names.emplace_back(language.name);
  return names;
}

Result<std::vector<std::string>> highlight(std::string_view language, std::string_view code) {
  const Language* known = find_language(language);
  if (known == nullptr) {
    return Error{"unknown language " + in_quotes(language), 0, 0,
                 nearest(language, highlighted_languages())};
  }
  if (code.size() > largest_code_block) return too_much(code);
  const auto painting = paint(known->painter, code);
  if (!painting) return painting.error();
  return painted_lines(code, *painting);
}

}  // namespace primer
