#include "generator/tools/facts/fact_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "figures/base/ascii.hpp"
#include "figures/draw/words.hpp"
#include "figures/quantities/quantity.hpp"
#include "generator/core/base/digest.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/check/prose.hpp"

namespace primer {
namespace {
constexpr auto npos = std::string_view::npos;

// Tags that do not interrupt a line of text.
constexpr std::string_view inline_tags[] = {"a",  "abbr",   "b",    "bdi", "cite", "code", "dfn",
                                            "em", "i",      "kbd",  "sub", "sup",  "span", "q",
                                            "s",  "strong", "mark", "var", "wbr",  "tspan"};

// Tags of a formula all begin with m, as few others do.
bool is_inline(std::string_view name) {
  const bool of_formula = name.starts_with('m') && name != "main" && name != "menu";
  return of_formula || std::ranges::find(inline_tags, name) != std::end(inline_tags);
}

struct Tag {
  std::string_view name, whole;
  bool is_end = false;
};

// The tag at this offset, where "<" is. No value if it has no end.
std::optional<Tag> tag_at(std::string_view html, std::size_t at) {
  const std::size_t end = html.find('>', at);
  if (end == npos) return std::nullopt;
  Tag tag{{}, html.substr(at, end + 1 - at)};
  tag.is_end = tag.whole.starts_with("</");
  const std::size_t begin = tag.is_end ? 2 : 1;
  tag.name = tag.whole.substr(begin, tag.whole.find_first_of(" \n/>", begin) - begin);
  return tag;
}

std::string_view attribute(const Tag& tag, std::string_view name) {
  const std::string opening = ' ' + std::string(name) + "=\"";
  const std::size_t at = tag.whole.find(opening);
  if (at == npos) return {};
  const std::size_t begin = at + opening.size();
  return tag.whole.substr(begin, tag.whole.find('"', begin) - begin);
}

std::string unescaped(std::string_view text) {
  std::string plain(text);
  constexpr std::pair<const char*, const char*> marks[] = {
      {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}};
  for (const auto& [mark, character] : marks) plain = replace_all(plain, mark, character);
  return plain;
}

// Reads a page that primer made, whose tags are closed in order.
class LineReader {
 public:
  std::vector<PageLine> read(std::string_view html) {
    const std::size_t begin = html.find("<main");
    html = html.substr(begin == npos ? 0 : begin);
    html = html.substr(0, html.find("</main>"));
    for (std::size_t at = 0; at < html.size();) {
      const auto tag = html[at] == '<' ? tag_at(html, at) : std::nullopt;
      if (!tag) {
        const std::size_t end = std::min(html.find('<', at + 1), html.size());
        if (hidden_ == 0) text_ += html.substr(at, end - at);
        at = end;
        continue;
      }
      if (tag->name == "svg" && !tag->is_end) shape(html.substr(at, html.find("</svg>", at) - at));
      if (hidden_ > 0) leave_hidden(*tag);
      else take(*tag);
      at += tag->whole.size();
    }
    flush();
    return std::move(lines_);
  }

 private:
  struct Part {
    std::string_view name;  // of its tag
    PageLine::Kind kind;
    int depth = 1;
  };

  // A tooltip, a script or a style is not text of the page.
  void leave_hidden(const Tag& tag) {
    if (tag.name != hidden_name_ || tag.whole.ends_with("/>")) return;
    hidden_ += tag.is_end ? -1 : 1;
  }

  void take(const Tag& tag) {
    const bool is_tip = tag.name == "span" && attribute(tag, "role") == "tooltip";
    if (!tag.is_end && (is_tip || tag.name == "script" || tag.name == "style")) {
      hidden_ = 1;
      hidden_name_ = tag.name;
      return;
    }
    if (is_inline(tag.name)) return;
    flush();
    if (part_ && tag.name == part_->name && !tag.whole.ends_with("/>")) {
      part_->depth += tag.is_end ? -1 : 1;
      if (part_->depth == 0) part_.reset();
      return;
    }
    if (tag.is_end) return;
    const std::string_view id = attribute(tag, "id"), kind = attribute(tag, "class");
    if (!id.empty() && id.find('.') == npos) place_ = id;
    if (part_) return;
    if (tag.name == "figure") part_ = {tag.name, PageLine::Kind::figure};
    else if (kind == "answer") part_ = {tag.name, PageLine::Kind::answer};
    else if (kind == "verdict") part_ = {tag.name, PageLine::Kind::verdict};
  }

  void shape(std::string_view svg) {
    flush();
    if (!part_ || part_->kind != PageLine::Kind::figure) return;
    std::string shapes;  // without labels, which are separate lines
    for (std::size_t at = svg.find('<'); at != npos; at = svg.find('<', at + 1))
      shapes += svg.substr(at, svg.find('>', at) - at);
    lines_.push_back({PageLine::Kind::figure, place_, "\x01" + to_text(digest(shapes))});
  }

  void flush() {
    std::string text;
    for (const char c : unescaped(trim(text_))) {
      const bool blank = c == ' ' || c == '\n' || c == '\t';
      if (!blank || !text.ends_with(' ')) text += blank ? ' ' : c;
    }
    text_.clear();
    if (!text.empty())
      lines_.push_back({part_ ? part_->kind : PageLine::Kind::sentence, place_, text});
  }

  std::vector<PageLine> lines_;
  std::optional<Part> part_;  // figure, answer or verdict around the text
  std::string text_, place_;
  int hidden_ = 0;  // depth of nested elements that are left out
  std::string_view hidden_name_;
};

using PageLines = std::vector<PageLine>;
using Pairs = std::vector<std::pair<const PageLine*, const PageLine*>>;  // null: there is none

// A line without its numbers, to find the same line in another version of the page.
std::string without_numbers(const PageLine& line) {
  std::string key = std::to_string(static_cast<int>(line.kind)) + line.place + '\n';
  if (line.text.starts_with('\x01')) return key;
  for (const char c : line.text)
    if (!figures::is_digit(c) && c != '.' && c != ',') key += c;
  return key;
}

// Lengths of the longest common subsequences of all ends of two lists of keys.
class CommonEnds {
 public:
  CommonEnds(const std::vector<std::string>& before, const std::vector<std::string>& after)
      : columns_(after.size() + 1), lengths_((before.size() + 1) * columns_) {
    for (std::size_t i = before.size(); i-- > 0;) {
      for (std::size_t j = after.size(); j-- > 0;) {
        lengths_[i * columns_ + j] =
            before[i] == after[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
  }
  std::uint32_t at(std::size_t i, std::size_t j) const { return lengths_[i * columns_ + j]; }

 private:
  std::size_t columns_;
  std::vector<std::uint32_t> lengths_;
};

// Pairs the lines of two versions of a page that are the same without their numbers.
Pairs pairs_of(const PageLines& before, const PageLines& after) {
  std::vector<std::string> was, is;
  for (const auto& line : before) was.push_back(without_numbers(line));
  for (const auto& line : after) is.push_back(without_numbers(line));
  Pairs pairs;
  std::size_t first = 0, last = 0;
  const std::size_t most = std::min(was.size(), is.size());
  while (first < most && was[first] == is[first]) ++first;
  while (last < most - first && was[was.size() - 1 - last] == is[is.size() - 1 - last]) ++last;
  for (std::size_t i = 0; i < first; ++i) pairs.emplace_back(&before[i], &after[i]);
  const auto middle = [&](const std::vector<std::string>& all) {
    return std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                    all.end() - static_cast<std::ptrdiff_t>(last));
  };
  const auto old_keys = middle(was), new_keys = middle(is);
  const CommonEnds common(old_keys, new_keys);
  std::size_t i = 0, j = 0;
  while (i < old_keys.size() || j < new_keys.size()) {
    const bool both = i < old_keys.size() && j < new_keys.size();
    const bool same = both && old_keys[i] == new_keys[j];
    // Two lines that no other fits are two versions of one, such as a verdict's.
    const bool swapped = both && !same && common.at(i + 1, j + 1) == common.at(i, j);
    const bool takes_old =
        same || swapped ||
        (both ? common.at(i + 1, j) >= common.at(i, j + 1) : i < old_keys.size());
    const bool takes_new = same || swapped || !takes_old;
    pairs.emplace_back(takes_old ? &before[first + i] : nullptr,
                       takes_new ? &after[first + j] : nullptr);
    i += takes_old ? 1 : 0;
    j += takes_new ? 1 : 0;
  }
  for (std::size_t k = last; k > 0; --k)
    pairs.emplace_back(&before[before.size() - k], &after[after.size() - k]);
  return pairs;
}

std::vector<figures::Literal> literals_in(const std::string& sentence) {
  std::vector<figures::Literal> all;
  for (const auto& number : written_numbers(sentence)) {
    auto literal = figures::parse_literal(number);
    if (literal) all.push_back(std::move(*literal));
  }
  return all;
}

const char* comparison(const figures::Literal& a, const figures::Literal& b) {
  if (a.quantity.value == b.quantity.value) return "equal to";
  return a.quantity.value < b.quantity.value ? "less than" : "more than";
}

std::vector<std::string> reversals_of(const std::string& before, const std::string& after) {
  const auto was = written_numbers(before), is = written_numbers(after);
  const auto old_values = literals_in(before), new_values = literals_in(after);
  std::vector<std::string> all;
  if (old_values.size() != new_values.size() || was.size() != old_values.size() ||
      is.size() != new_values.size())
    return all;
  for (std::size_t i = 0; i < was.size(); ++i) {
    for (std::size_t j = i + 1; j < was.size(); ++j) {
      if (old_values[i].quantity.dimension != old_values[j].quantity.dimension) continue;
      const std::string then = comparison(old_values[i], old_values[j]),
                        now = comparison(new_values[i], new_values[j]);
      if (then == now) continue;
      all.push_back(was[i] + " was " + then + ' ' + was[j] + ", " + is[i] + " is " + now + ' ' +
                    is[j]);
    }
  }
  return all;
}

// The differing sentences of two texts, or the whole texts if their sentences do not correspond.
std::vector<std::pair<std::string, std::string>> differing(const std::string& before,
                                                           const std::string& after) {
  const auto was = figures::sentences_of(before), is = figures::sentences_of(after);
  if (was.size() != is.size() || was.empty()) return {{before, after}};
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t i = 0; i < was.size(); ++i)
    if (was[i] != is[i]) all.emplace_back(was[i], is[i]);
  return all;
}

bool is_shape(const PageLine* line) { return line && line->text.starts_with('\x01'); }

class Effects {
 public:
  void add(const std::string& page, const Pairs& pairs) {
    for (const auto& [before, after] : pairs) {
      if (before && after && before->text == after->text) continue;
      const PageLine& line = after ? *after : *before;
      FactEffect effect{line.kind, page + (line.place.empty() ? "" : '#' + line.place), {}, {}, {}};
      if (is_shape(before) || is_shape(after)) {
        if (is_shape(before) && is_shape(after)) shapes_.push_back(effect);
        continue;
      }
      for (auto& [old_text, new_text] :
           differing(before ? before->text : "", after ? after->text : "")) {
        effect.reversals = reversals_of(old_text, new_text);
        effect.before = std::move(old_text);
        effect.after = std::move(new_text);
        if (std::ranges::find(all_, effect) == all_.end()) all_.push_back(effect);
      }
    }
  }

  std::vector<FactEffect> take() {
    for (auto& shape : shapes_) {
      const bool known = std::ranges::any_of(all_, [&](const FactEffect& one) {
        return one.page == shape.page && one.kind == PageLine::Kind::figure;
      });
      if (!known) all_.push_back(std::move(shape));
    }
    return std::move(all_);
  }

 private:
  std::vector<FactEffect> all_, shapes_;
};

const char* name_of(PageLine::Kind kind) {
  switch (kind) {
    case PageLine::Kind::answer: return "answer";
    case PageLine::Kind::verdict: return "verdict";
    case PageLine::Kind::figure: return "figure";
    default: return "sentence";
  }
}

}  // namespace

std::vector<PageLine> page_lines(std::string_view html) { return LineReader().read(html); }

std::vector<FactEffect> fact_effects(const SiteFiles& before, const SiteFiles& after) {
  constexpr std::string_view name = "index.html";
  Effects effects;
  for (const auto& [path, html] : after) {
    const auto old_page = before.find(path);
    if (!path.ends_with(name) || old_page == before.end() || old_page->second == html) continue;
    effects.add(path.substr(0, path.size() - name.size()),
                pairs_of(page_lines(old_page->second), page_lines(html)));
  }
  return effects.take();
}

std::string to_text(const std::vector<FactEffect>& effects) {
  std::string text;
  std::map<PageLine::Kind, std::set<std::string>> changed;
  std::size_t reversed = 0;
  for (const auto& effect : effects) {
    const bool counts_places = effect.kind == PageLine::Kind::figure;
    changed[effect.kind].insert(counts_places ? effect.page : effect.page + '\n' + effect.before);
    text += effect.page + ": " + name_of(effect.kind) + '\n';
    if (effect.before.empty() && effect.after.empty()) text += "  its shapes change\n";
    else text += "  - " + effect.before + "\n  + " + effect.after + '\n';
    for (const auto& one : effect.reversals) text += "  reversed: " + one + '\n';
    reversed += effect.reversals.size();
  }
  std::vector<std::string> counts;
  for (const auto& [kind, places] : changed)
    counts.push_back(counted(places.size(), name_of(kind)));
  if (counts.empty()) return "nothing that readers see changes\n";
  return text + join(counts, ", ") + " changed; " + counted(reversed, "comparison") + " reversed\n";
}

}  // namespace primer
