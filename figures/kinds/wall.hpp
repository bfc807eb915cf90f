// Kind "wall": bars that grow downward from one edge. Each column has its own scale: one px is a
// rate such as what one core computes or reads, so the column shows how many cores a chip is worth.
// Marks are drawn at the depth of their rate. Unlike other figures, a wall may be many screens tall.
//
//   one core  ─┐█   █┌─ one core      The page rescales bars, marks and ticks for the reader's core
//              │█   ▀┴─ H100          (site/runtime/page/walls.js), and finds them by their
//   A100      ─┤█                     classes: wall-bar, wall-tick, wall-mark, wall-words.
//   H100      ─┴▀
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_wall(const nlohmann::json& spec, const Inputs& inputs,
                              const Options& options);

}  // namespace figures
