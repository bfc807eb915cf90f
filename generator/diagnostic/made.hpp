// What a stage gives: a value, and what it found wrong on the way.
#pragma once

#include <optional>
#include <utility>

#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

template <class T>
struct Made {
  std::optional<T> value;  // nothing: the diagnostics say why
  Diagnostics diagnostics;
};

// The value; its diagnostics go to `all`, after what is there.
template <class T>
std::optional<T> take(Made<T> made, Diagnostics& all) {
  all.append(std::move(made.diagnostics));
  return std::move(made.value);
}

}  // namespace primer
