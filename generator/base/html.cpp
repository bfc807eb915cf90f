#include "generator/base/html.hpp"

#include <cassert>

namespace primer {

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
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
