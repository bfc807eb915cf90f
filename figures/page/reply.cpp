#include "figures/page/reply.hpp"

#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/base/portable_math.hpp"

namespace figures {

Reply& Reply::text(std::string_view name, std::string_view value) {
  key(name);
  quote(value);
  return *this;
}

Reply& Reply::number(std::string_view name, double value) {
  key(name);
  if (value == 0 || !std::isfinite(value)) {
    out_ += '0';
    return *this;
  }
  const int decade = decade_of(std::abs(value));
  const double scaled = decade < 0 ? value * power_of_ten(-decade) : value / power_of_ten(decade);
  out_ += write_fixed(scaled, 11) + "e" + fixed(decade, 0);
  return *this;
}

Reply& Reply::flag(std::string_view name, bool value) {
  key(name);
  out_ += value ? "true" : "false";
  return *this;
}

Reply& Reply::object(std::string_view name, const Reply& value) {
  key(name);
  out_ += value.str();
  return *this;
}

Reply& Reply::texts(std::string_view name, const std::vector<std::string>& values) {
  key(name);
  list(values);
  return *this;
}

Reply& Reply::rows(std::string_view name, const std::vector<std::vector<std::string>>& rows) {
  key(name);
  out_ += '[';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) out_ += ',';
    list(rows[i]);
  }
  out_ += ']';
  return *this;
}

Reply& Reply::drawing(const Rendering& drawing) {
  Reply table;
  table.texts("columns", drawing.table.columns).rows("rows", drawing.table.rows);
  text("svg", drawing.svg).number("width", drawing.width).number("height", drawing.height);
  return text("title", drawing.title)
      .text("description", drawing.description)
      .object("table", table);
}

void Reply::key(std::string_view name) {
  out_ += out_.empty() ? '{' : ',';
  quote(name);
  out_ += ':';
}

void Reply::list(const std::vector<std::string>& values) {
  out_ += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out_ += ',';
    quote(values[i]);
  }
  out_ += ']';
}

void Reply::quote(std::string_view value) {
  out_ += '"';
  for (const char c : value) {
    if (c == '"' || c == '\\') out_ += '\\';
    out_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // answers have no line breaks
  }
  out_ += '"';
}

}  // namespace figures
