// A text that is read when something in it is to be told of: of most translations there is nothing to tell.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "generator/diagnostic/source.hpp"

namespace primer {

class LateSource {
 public:
  // `read` gives nothing where the text cannot be read any more, and reports that.
  LateSource(std::string file, std::function<std::optional<std::string>()> read)
      : file_(std::move(file)), read_(std::move(read)) {}

  // Null: it cannot be read.
  const Source* get() const {
    if (!source_ && read_) {
      if (auto text = std::exchange(read_, nullptr)()) source_.emplace(file_, std::move(*text));
    }
    return source_ ? &*source_ : nullptr;
  }

 private:
  const std::string file_;
  mutable std::function<std::optional<std::string>()> read_;  // empty: it was called
  mutable std::optional<Source> source_;
};

}  // namespace primer
