// The nearest valid name, for "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"

namespace figures {

// Edit distance (insert, delete, replace, swap of neighbors), ignoring case. Counts up to `limit`
// and returns limit + 1 if the distance is larger. Texts above 64 bytes always return limit + 1.
int edit_distance(std::string_view a, std::string_view b, int limit);

// Keeps the best candidate seen so far. At most a third of the text, and at most 4 characters, may
// differ. Suggests nothing in a page's module, because suggestions are for authors.
class Nearest {
 public:
  explicit Nearest(std::string_view text);
  void offer(std::string_view candidate) {
    if constexpr (tells_authors) weigh(candidate);
  }
  std::string_view best() const {  // empty: no candidate is near
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
