// The nearest valid name, for "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace figures {

// Edit distance (insert, delete, replace, swap of neighbours), case ignored, counted up to `limit`;
// limit + 1 when it is larger. Texts above 64 bytes are never near anything.
int edit_distance(std::string_view a, std::string_view b, int limit);

// Suggestions are for authors. A page shows messages alone, and its modules have no other word.
#ifdef __EMSCRIPTEN__
inline constexpr bool has_suggestions = false;
#else
inline constexpr bool has_suggestions = true;
#endif

// Keeps the best candidate seen. At most a third of the text (and no more than 4) may differ.
class Nearest {
 public:
  explicit Nearest(std::string_view text);
  void offer(std::string_view candidate) {
    if constexpr (has_suggestions) weigh(candidate);
  }
  const std::string& best() const { return best_; }  // empty when nothing is near

 private:
  void weigh(std::string_view candidate);

  std::string_view text_;
  int distance_;
  std::string best_;
};

}  // namespace figures
