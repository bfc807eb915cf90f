#include "generator/core/check/loss.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "generator/core/base/text.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/markdown/anchor_kind.hpp"
#include "generator/core/markdown/quote_marker.hpp"

namespace primer {
namespace {

using Hash = std::uint64_t;

bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Splits text into words: runs of ASCII letters and digits, and each other character by itself, so
// that tree and HTML agree in scripts without spaces. Punctuation is skipped because typography
// changes it.
class Words {
 public:
  template <class Found>
  void add(std::string_view text, const Found& found) {
    for (std::size_t at = 0; at < text.size();) {
      const char c = text[at];
      if (is_alnum(c)) {
        hash_ = (hash_ ^ static_cast<unsigned char>(c)) * prime;
        open_ = true;
        ++at;
        continue;
      }
      end(found, at);
      std::size_t length = 1;
      while (at + length < text.size() &&
             (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80)
        ++length;
      const std::string_view character = text.substr(at, length);
      if (length > 1 && !is_punctuation(character)) {
        for (const char byte : character)
          hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * prime;
        open_ = true;
        end(found, at + length);
      }
      at += length;
    }
  }
  // Ends the current word at `at`.
  template <class Found>
  void end(const Found& found, std::size_t at) {
    if (open_) found(hash_, at);
    hash_ = basis;
    open_ = false;
  }

 private:
  static constexpr Hash basis = 14695981039346656037U, prime = 1099511628211U;

  // Whether the character is in U+0080 to U+00BF or U+2000 to U+206F.
  static bool is_punctuation(std::string_view character) {
    return character.starts_with("\xC2") || character.starts_with("\xE2\x80") ||
           character.starts_with("\xE2\x81");
  }

  Hash hash_ = basis;
  bool open_ = false;
};

using WordCounts = std::unordered_map<Hash, int>;

// Counts the words of well-formed HTML: its text and the attributes alt and title.
class HtmlWords {
 public:
  WordCounts count(std::string_view html) {
    while (!html.empty()) {
      const auto open = std::min(html.find('<'), html.size());
      add(html.substr(0, open));
      html.remove_prefix(open);
      const auto close = html.find('>');
      if (close == html.npos) break;
      tag(html.substr(1, close - 1));
      html.remove_prefix(close + 1);
    }
    end();
    return std::move(counts_);
  }

 private:
  void add(std::string_view text) {
    while (!text.empty()) {
      const auto entity = std::min(text.find('&'), text.size());
      words_.add(text.substr(0, entity), found_);
      if (entity == text.size()) return;
      end();
      text.remove_prefix(std::min(text.find(';', entity), text.size() - 1) + 1);
    }
  }

  void tag(std::string_view tag) {
    const std::string_view name = tag.substr(0, tag.find_first_of(" /", 1));
    if (name == "pre") in_code_ = true;
    if (name == "/pre") in_code_ = false;
    if (!in_code_ && name != "wbr") end();
    for (const std::string_view attribute : {" alt=\"", " title=\""}) {
      const auto at = tag.find(attribute);
      if (at == tag.npos) continue;
      const auto value = tag.substr(at + attribute.size());
      add(value.substr(0, value.find('"')));
      end();
    }
  }

  void end() { words_.end(found_, 0); }

  Words words_;
  WordCounts counts_;
  bool in_code_ = false;
  const std::function<void(Hash, std::size_t)> found_ = [this](Hash word, std::size_t) {
    ++counts_[word];
  };
};

// Subtracts the words of a syntax tree from those of the HTML.
class TreeWords {
 public:
  struct Place {
    std::size_t offset = 0, length = 0;
  };

  explicit TreeWords(WordCounts counts) : counts_(std::move(counts)) {}

  // Subtracts the words of child `i`. Returns the place of the first node with a word that is not
  // left. Adjacent texts count as one, so `i` moves to the last of them.
  std::optional<Place> take(const Node& parent, std::size_t& i) {
    lost_.reset();
    child(parent, i);
    return lost_;
  }

 private:
  void child(const Node& parent, std::size_t& i) {
    const Node& child = parent.children[i];
    const auto caption = i + 1 < parent.children.size() ? caption_of(child) : std::nullopt;
    const auto marker =
        parent.kind == NodeKind::quote && i == 0 ? quote_marker(child) : std::nullopt;
    if (caption && caption->fits(parent.children[i + 1])) children(caption->text);
    else if (marker) below_marker(child, *marker);
    else if (child.kind == NodeKind::text) texts(parent.children, i);
    else if (child.kind == NodeKind::code) text(child);
    else if (child.kind == NodeKind::code_block) code_block(child);
    else children(child);
    if (!child.title.empty()) text(child, child.title);
  }

  void children(const Node& of) {
    for (std::size_t i = 0; i < of.children.size(); ++i) child(of, i);
  }

  void code_block(const Node& code) {
    if (!own_block(code.info) && split(trim(code.info), ' ').front() != "math") text(code);
  }

  // Skips "[!NOTE]": the callout has a translated word instead.
  void below_marker(const Node& paragraph, const QuoteMarker& marker) {
    Node title;
    title.children = marker.title;
    children(title);
    children(without_marker_line(paragraph, marker));
  }

  // Joins adjacent texts, because a word may be split between them.
  void texts(const std::vector<Node>& nodes, std::size_t& i) {
    std::string whole;
    const Node& first = nodes[i];
    while (i < nodes.size() && nodes[i].kind == NodeKind::text) whole += nodes[i++].text;
    --i;
    text(first, whole);
  }

  void text(const Node& at) { text(at, at.text); }
  void text(const Node& at, std::string_view said) {
    Words words;
    const auto take = [&](Hash word, std::size_t) {
      auto& left = counts_[word];
      if (left == 0 && !lost_) lost_ = Place{at.offset, at.length};
      if (left > 0) --left;
    };
    words.add(said, take);
    words.end(take, said.size());
  }

  WordCounts counts_;
  std::optional<Place> lost_;
};

}  // namespace

void check_loss(const Node& document, std::string_view html, const Source& source,
                Diagnostics& diagnostics) {
  if (diagnostics.full(source.path())) return;  // the list of lines with diagnostics is incomplete
  TreeWords words(HtmlWords().count(html));
  std::set<int> reported;
  for (const auto& d : diagnostics.sorted())
    if (d.file == source.path()) reported.insert(d.line);
  for (std::size_t i = 0; i < document.children.size(); ++i) {
    const Node& block = document.children[i];
    const Node* next = i + 1 < document.children.size() ? &document.children[i + 1] : nullptr;
    const int first = source.line_at(block.offset);
    const int end = next && next->offset > block.offset ? source.line_at(next->offset)
                                                        : source.line_count() + 1;
    const auto named = reported.lower_bound(first);
    // Do not subtract its words: the block may have been dropped, and a later one may say the same.
    if (named != reported.end() && *named < end) continue;
    const auto lost = words.take(document, i);
    if (!lost) continue;
    diagnostics.error(Rule::lost_text, source, lost->offset, std::max<std::size_t>(lost->length, 1),
                      "part of this text is on no page");
  }
}

}  // namespace primer
