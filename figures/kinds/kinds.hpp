// The kinds of figures that a program can draw, in groups. A page that redraws figures loads only
// the modules of the groups that it needs, because one module with all kinds would be too large.
// Kinds that do not depend on the reader's results are in no module.
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
std::span<const Kind> still_kinds();  // native builds only

// All kinds in a native build; only its own group in a page's module.
std::span<const Kind> kinds();

}  // namespace figures
