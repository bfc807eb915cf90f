// The kinds of figures that a program can draw, in groups: a page that redraws figures loads the
// modules of their groups, because all in one would be too large. The kinds that a reader's results
// change nothing in are in no page.
#pragma once

#include <span>
#include <string_view>

#include "figures/draw/rendering.hpp"

namespace figures {

struct Kind {
  std::string_view name;
  Result<Rendering> (*draw)(const nlohmann::json&, const Inputs&, const Options&);
};

std::span<const Kind> roof_kinds();   // page.wasm
std::span<const Kind> plot_kinds();   // page-plots.wasm
std::span<const Kind> still_kinds();  // published in no module

// All of them natively; in a page's module its own group.
std::span<const Kind> kinds();

}  // namespace figures
