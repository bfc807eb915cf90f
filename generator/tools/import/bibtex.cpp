#include "generator/tools/import/bibtex.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

bool is_tex_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_blank_sign(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

std::string small(std::string_view text) {
  std::string all(text);
  for (char& c : all) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return all;
}

class BibReader {
 public:
  BibReader(const Source& source, Diagnostics& diagnostics)
      : source_(source), text_(source.text()), diagnostics_(diagnostics) {}

  std::vector<BibEntry> read() {
    std::vector<BibEntry> all;
    while ((at_ = text_.find('@', at_)) < text_.size()) {
      if (auto one = entry()) all.push_back(std::move(*one));
    }
    return all;
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && is_blank_sign(text_[at_])) ++at_;
  }

  bool take(char c) {
    skip_spaces();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view word() {
    skip_spaces();
    const std::size_t from = at_;
    while (at_ < text_.size() && !is_blank_sign(text_[at_]) &&
           std::string_view("{}(),=#\"%").find(text_[at_]) == std::string_view::npos)
      ++at_;
    return text_.substr(from, at_ - from);
  }

  std::optional<BibEntry> fail(const BibEntry& entry, const char* message) {
    diagnostics_.error(Rule::bad_value, source_, entry.offset, 1 + entry.type.size(), message);
    return std::nullopt;
  }

  std::optional<BibEntry> entry() {
    BibEntry entry;
    entry.offset = at_++;
    entry.type = small(word());
    if (entry.type == "comment" || entry.type.empty()) return std::nullopt;
    const char close = take('(') ? ')' : '}';
    if (close == '}' && !take('{')) return std::nullopt;  // an address in a comment
    if (entry.type == "preamble") return value(), std::nullopt;
    if (entry.type != "string") {
      entry.key = word();
      if (entry.key.empty() || !take(','))
        return take(close) ? std::nullopt : fail(entry, "this entry has no key");
    }
    while (!take(close)) {
      const std::string name = small(word());
      if (name.empty() || !take('=')) return fail(entry, "this entry is not closed");
      std::string text = value();
      if (too_long_) return fail(entry, "a value of this entry has more than 64 KiB");
      (entry.type == "string" ? strings_ : entry.fields)[name] = std::move(text);
      if (!take(',') && (skip_spaces(), at_ >= text_.size() || text_[at_] != close))
        return fail(entry, "missing comma or closing brace after a field of this entry");
    }
    return entry.type == "string" ? std::nullopt : std::optional(std::move(entry));
  }

  // One or several, joined by "#". Limited, because each string may repeat the last one.
  std::string value() {
    std::string all;
    do {
      skip_spaces();
      const char c = at_ < text_.size() ? text_[at_] : ' ';
      if (c == '{' || c == '"') {
        all += delimited(c == '{' ? '}' : '"');
      } else {
        const std::string_view name = word();
        const auto known = strings_.find(small(name));
        all += known == strings_.end() ? std::string(name) : known->second;
      }
      if (all.size() > longest_value) {
        too_long_ = true;
        all.resize(longest_value);
      }
    } while (take('#'));
    return all;
  }

  // From "{" or a quotation mark on; brackets inside are in pairs.
  std::string_view delimited(char close) {
    const std::size_t from = ++at_;
    int depth = 0;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\') ++at_;
      else if (c == close && depth == 0) break;
      else if (c == '{') ++depth;
      else if (c == '}') --depth;
    }
    const std::size_t end = std::min(at_, text_.size());
    at_ = std::min(at_ + 1, text_.size());
    return text_.substr(from, end - from);
  }

  const Source& source_;
  std::string_view text_;
  Diagnostics& diagnostics_;
  static constexpr std::size_t longest_value = std::size_t{64} * 1024;
  std::size_t at_ = 0;
  bool too_long_ = false;
  std::map<std::string, std::string> strings_{
      {"jan", "January"},   {"feb", "February"}, {"mar", "March"},    {"apr", "April"},
      {"may", "May"},       {"jun", "June"},     {"jul", "July"},     {"aug", "August"},
      {"sep", "September"}, {"oct", "October"},  {"nov", "November"}, {"dec", "December"}};
};

// What an accent makes of letters: pairs of the plain one and the one with it.
struct Accent {
  char sign;
  std::string_view letters;
};
constexpr Accent accents[] = {{'"', "aäeëiïoöuüyÿAÄEËIÏOÖUÜ"},
                              {'\'', "aáeéiíoóuúyýcćnńsśzźAÁEÉIÍOÓUÚYÝCĆNŃSŚZŹ"},
                              {'`', "aàeèiìoòuùAÀEÈIÌOÒUÙ"},
                              {'^', "aâeêiîoôuûAÂEÊIÎOÔUÛ"},
                              {'~', "aãnñoõAÃNÑOÕ"},
                              {'=', "aāeēiīoōuūAĀEĒIĪOŌUŪ"},
                              {'.', "cċeėgġzżCĊEĖGĠIİZŻ"},
                              {'c', "cçsştţCÇSŞTŢ"},
                              {'v', "cčdďeěnňrřsštťzžCČDĎEĚNŇRŘSŠTŤZŽ"},
                              {'u', "aăgğAĂGĞ"},
                              {'H', "oőuűOŐUŰ"},
                              {'k', "aąeęAĄEĘ"},
                              {'r', "aåuůAÅUŮ"}};
// Names of commands, each followed by what it stands for.
constexpr std::string_view tex_words =
    "ss ß o ø O Ø l ł L Ł ae æ AE Æ oe œ OE Œ aa å AA Å i i j j th þ textendash – textemdash — "
    "textregistered ® texttrademark ™ LaTeX LaTeX TeX TeX "
    "ell ℓ alpha α beta β gamma γ delta δ epsilon ε theta θ kappa κ lambda λ mu μ nu ν pi π rho ρ "
    "sigma σ tau τ phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Omega Ω Sigma Σ times × infty ∞ "
    "approx ≈ le ≤ ge ≥ to → dots … ldots … textbackslash \\";
// Commands that only set the font of what follows.
constexpr std::string_view font_words[] = {
    "emph",   "textit", "textbf",  "texttt", "textsc", "textrm", "textsf",     "mathrm",
    "mathbf", "mathit", "mathcal", "mathbb", "it",     "bf",     "em",         "rm",
    "sc",     "tt",     "text",    "mbox",   "url",    "href",   "ensuremath", "uppercase"};

// The letter with its accent, "" where there is none.
std::string accented(char sign, char letter) {
  for (const auto& [known, letters] : accents) {
    if (known != sign) continue;
    for (std::size_t at = 0; at < letters.size();) {
      const char plain = letters[at++];
      std::size_t length = 1;
      while (at + length < letters.size() && (letters[at + length] & 0xC0) == 0x80) ++length;
      if (plain == letter) return std::string(letters.substr(at, length));
      at += length;
    }
  }
  return {};
}

bool is_accent(char sign) {
  return std::ranges::find(accents, sign, &Accent::sign) != std::end(accents);
}

// The letter that an accent at the beginning of `rest` stands on: "\"{u}", "\'\i", "\v c". Its bytes, 0: none.
std::size_t read_accent(std::string_view rest, std::string& out) {
  const char sign = rest[1];
  std::size_t at = 2;
  while (at < rest.size() && (rest[at] == ' ' || rest[at] == '{' || rest[at] == '\\')) ++at;
  if (at >= rest.size() || (is_tex_letter(sign) && at == 2)) return 0;
  const std::string letter = accented(sign, rest[at]);
  if (letter.empty()) return 0;
  out += letter;
  const bool braced = rest.substr(2, at - 2).find('{') != std::string_view::npos;
  return at + 1 + (braced && at + 1 < rest.size() && rest[at + 1] == '}' ? 1 : 0);
}

// What a command stands for. An unknown one keeps its name, so that the author sees it.
std::string text_of_command(std::string_view name) {
  const auto words = split(tex_words, ' ');
  for (std::size_t i = 0; i + 1 < words.size(); i += 2)
    if (words[i] == name) return std::string(words[i + 1]);
  const bool is_font = std::ranges::find(font_words, name) != std::end(font_words);
  return is_font ? "" : '\\' + std::string(name);
}

// A command at the beginning of `rest`: its bytes.
std::size_t read_command(std::string_view rest, std::string& out) {
  if (rest.size() < 2) return 1;
  if (is_accent(rest[1])) {
    if (const std::size_t length = read_accent(rest, out)) return length;
  }
  if (!is_tex_letter(rest[1])) {
    out += rest[1];  // "\&"
    return 2;
  }
  const auto end = std::ranges::find_if_not(rest.substr(1), is_tex_letter);
  const std::string_view name(rest.data() + 1, static_cast<std::size_t>(end - rest.data() - 1));
  out += text_of_command(name);
  std::size_t length = 1 + name.size();
  while (length < rest.size() && rest[length] == ' ') ++length;
  return length;  // "\emph" and the like leave what they are for
}

}  // namespace

std::vector<BibEntry> read_bibtex(const Source& source, Diagnostics& diagnostics) {
  return BibReader(source, diagnostics).read();
}

std::string without_tex(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.front() == '\\') {
      at += read_command(rest, out);
    } else if (rest.starts_with("---")) {
      out += "—", at += 3;
    } else if (rest.starts_with("--")) {
      out += "–", at += 2;
    } else if (rest.starts_with("``") || rest.starts_with("''")) {
      out += '"', at += 2;
    } else {
      const bool blank = is_blank_sign(rest.front()) || rest.front() == '~';
      if (blank && !out.empty() && out.back() != ' ') out += ' ';
      if (!blank && rest.front() != '{' && rest.front() != '}') out += rest.front();
      ++at;
    }
  }
  return std::string(trim(out));
}

std::vector<std::string> names_in(std::string_view field) {
  std::vector<std::string> names;
  std::vector<std::string_view> parts;
  const auto finish = [&](std::string_view last) {
    parts.push_back(last);
    std::string name;
    // "Last, First" or "Last, Jr, First".
    if (parts.size() > 1) name = without_tex(parts.back()) + ' ';
    name += without_tex(parts.front());
    if (parts.size() > 2) name += ' ' + without_tex(parts[1]);
    if (!trim(name).empty()) names.emplace_back(trim(name));
    parts.clear();
  };
  std::size_t from = 0;
  int depth = 0;
  for (std::size_t at = 0; at < field.size(); ++at) {
    depth += field[at] == '{' ? 1 : field[at] == '}' ? -1 : 0;
    if (depth > 0) continue;
    if (field[at] == ',') {
      parts.push_back(field.substr(from, at - from));
      from = at + 1;
    } else if (is_blank_sign(field[at]) && small(field.substr(at + 1, 3)) == "and" &&
               at + 4 < field.size() && is_blank_sign(field[at + 4])) {
      finish(field.substr(from, at - from));
      from = at += 4;
    }
  }
  finish(field.substr(std::min(from, field.size())));
  return names;
}

}  // namespace primer
