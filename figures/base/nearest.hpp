// The nearest valid name, for "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"

namespace figures {

// Edit distance (insert, delete, replace, swap of neighbours), case ignored, counted up to `limit`;
// limit + 1 when it is larger. Texts above 64 bytes are never near anything.
int edit_distance(std::string_view a, std::string_view b, int limit);

// Keeps the best candidate seen. At most a third of the text (and no more than 4) may differ. In a
// page's module nothing is near: suggestions are for authors.
class Nearest {
 public:
  explicit Nearest(std::string_view text);
  void offer(std::string_view candidate) {
    if constexpr (tells_authors) weigh(candidate);
  }
  std::string_view best() const {  // empty when nothing is near
    if constexpr (tells_authors) return best_;
    return {};
  }

 private:
  void weigh(std::string_view candidate);

  std::string_view text_;
  int distance_;
  std::string best_;
};

}  // namespace figures
