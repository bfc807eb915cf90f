#include "figures/draw/rendering.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "figures/base/decimal_text.hpp"
#include "figures/base/nearest.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/kinds/kinds.hpp"
#include "figures/kinds/shapes.hpp"

namespace figures {

void Table::head(std::initializer_list<std::string_view> cells) {
  columns.assign(cells.begin(), cells.end());
}

void Table::add(std::initializer_list<std::string_view> cells) {
  rows.emplace_back(cells.begin(), cells.end());
}

double smallest_text(std::string_view svg) {
  constexpr std::string_view name = "font-size=\"";
  double least = std::numeric_limits<double>::infinity();
  for (auto at = svg.find(name); at != svg.npos; at = svg.find(name, at + 1))
    least = std::min(least, read_decimal(svg.substr(at + name.size())).value);
  return least;
}

namespace {

Result<Rendering> drawn(const Kind& kind, const nlohmann::json& spec, const Inputs& inputs,
                        const Options& options) {
  if constexpr (tells_authors)
    if (const auto error = misshapen(spec, *shape_of(kind.name))) return *error;
  Result<Rendering> drawing = kind.draw(spec, inputs, options);
  // An SVG that exceeded its budget was truncated and is not valid XML.
  if (drawing && drawing->svg.empty())
    return Error{for_author("spec: the figure is too large: show fewer lines and points")};
  if constexpr (tells_authors)
    if (drawing && smallest_text(drawing->svg) < least_text)
      return Error{for_author("spec: the figure has text of ",
                              significant(smallest_text(drawing->svg), 3),
                              " px, but the minimum is ", significant(least_text, 3), " px")};
  return drawing;
}

// A member that is nearly called "kind" is misspelled.
Error without_kind(const nlohmann::json& spec) {
  if constexpr (tells_authors) {
    for (const auto& [member, value] : spec.items()) {
      Nearest nearest(member);
      nearest.offer("kind");
      if (nearest.best().empty()) continue;
      const std::string message = "spec: unknown member '" + member.substr(0, 64) + "'";
      return Error{message, 0, 0, nearest.best()}.as(Code::unknown_member).of(member);
    }
  }
  return Error{for_author("kind: is missing")}.of("kind");
}

}  // namespace

Result<Rendering> render(const nlohmann::json& spec, const Inputs& inputs, const Options& options) {
  if (!spec.is_object()) return Error{for_author("spec: is not an object")};
  const auto member = spec.find("kind");
  const auto* name = member == spec.end() ? nullptr : member->get_ptr<const std::string*>();
  if (name == nullptr) return without_kind(spec);
  Nearest nearest(*name);
  for (const Kind& kind : kinds()) {
    if (kind.name == *name) return drawn(kind, spec, inputs, options);
    nearest.offer(kind.name);
  }
  return Error{for_author("kind: unknown kind '", name->substr(0, 64), "'"), 0, 0, nearest.best()}
      .of("kind");
}

}  // namespace figures
