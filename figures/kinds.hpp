// The kinds of figures that a program can draw.
//
// Two lists define kinds(): kinds_all.cpp (the build, and the module that the tests compare with it)
// and kinds_live.cpp (the page's module: only what some page redraws, because every kind costs the
// reader kilobytes). A program links one of them.
#pragma once

#include <span>
#include <string_view>

#include "figures/render.hpp"

namespace figures {

struct Kind {
  std::string_view name;
  Result<Rendering> (*draw)(const nlohmann::json&, const Inputs&, const Options&);
};

std::span<const Kind> kinds();

}  // namespace figures
