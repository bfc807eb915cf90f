#include "generator/core/base/html.hpp"

#include <cassert>

namespace primer {

namespace {

// The replacement of `c` in markup: empty for control characters, which XML forbids; null if `c`
// needs none.
const char* stand_in(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\n':
    case '\t': return nullptr;
    default: return static_cast<unsigned char>(c) < 0x20 ? "" : nullptr;
  }
}

}  // namespace

// Most texts need no replacement, so the text between two replacements is appended in one piece.
std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char* instead = stand_in(text[i]);
    if (!instead) continue;
    out.append(text, from, i - from).append(instead);
    from = i + 1;
  }
  return out.append(text, from);
}

void Html::tag(std::string_view name, Attributes attributes, std::string_view end) {
  out_ += '<';
  out_ += name;
  for (const auto& [key, value, there] : attributes) {
    if (!there) continue;
    out_ += ' ';
    out_ += key;
    out_ += "=\"" + escape(value) + '"';
  }
  out_ += end;
}

Html& Html::open(std::string_view name, Attributes attributes) {
  tag(name, attributes, ">");
  open_.emplace_back(name);
  return *this;
}

Html& Html::close() {
  assert(!open_.empty());
  out_ += "</" + open_.back() + '>';
  open_.pop_back();
  return *this;
}

Html& Html::empty(std::string_view name, Attributes attributes) {
  tag(name, attributes, "/>");
  return *this;
}

Html& Html::text(std::string_view text) {
  out_ += escape(text);
  return *this;
}

Html& Html::raw(std::string_view html) {
  out_ += html;
  return *this;
}

Html& Html::element(std::string_view name, Attributes attributes, std::string_view content) {
  return open(name, attributes).text(content).close();
}

Html& Html::line() {
  out_ += '\n';
  return *this;
}

std::string Html::take() {
  assert(open_.empty());
  return std::move(out_);
}

}  // namespace primer
