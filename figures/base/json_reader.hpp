// Reads members of a JSON object from an untrusted source. The first wrong type, size or number is
// stored in a shared error, and reading continues with defaults, so that a reader is a plain list
// of members with one check at its end.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/decimal_text.hpp"
#include "figures/base/result.hpp"

namespace figures {

class Members {
 public:
  // `path` is for messages: "results[3]", or empty for the outermost object. `object` and `error`
  // must outlive this.
  Members(const nlohmann::json& object, std::string path, std::optional<Error>& error);

  const nlohmann::json* find(std::string_view name) const;  // null: absent or JSON null
  bool has(std::string_view name) const { return find(name) != nullptr; }

  // Empty if absent. Control characters become spaces.
  std::string text(std::string_view name, std::size_t longest = 500) const;
  std::string required_text(std::string_view name) const;
  // `fallback` if absent. Error: negative, above 1e18 or not a number.
  double number(std::string_view name, double fallback = 0) const;
  int integer(std::string_view name, int fallback, int most) const;
  bool flag(std::string_view name) const;  // absent: false
  std::vector<std::string> texts(std::string_view name, std::size_t most) const;
  // Null if absent. Null with an error if it is not an array or is longer than `most`.
  const nlohmann::json* array(std::string_view name, std::size_t most) const;
  const nlohmann::json* object(std::string_view name) const;

  // "results[3].median", for messages.
  std::string path(std::string_view name) const {
    if constexpr (tells_authors) return path_of(name);
    return {};
  }
  std::string path(std::string_view name, std::size_t index) const {
    if constexpr (tells_authors) return path_of(name) + "[" + write_whole(index) + "]";
    return {};
  }
  void fail(std::string_view name, std::string_view problem, Code code = Code::other) const {
    if constexpr (tells_authors) tell(name, problem, code);
    else if (!error_) error_ = Error{for_author()};
  }

 private:
  std::string path_of(std::string_view name) const;
  void tell(std::string_view name, std::string_view problem, Code code) const;

  const nlohmann::json& object_;
  std::string path_;
  std::optional<Error>& error_;
};

}  // namespace figures
