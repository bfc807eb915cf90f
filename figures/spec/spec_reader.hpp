// Reads a spec that has been validated against its Shape. A member of the wrong type counts as
// missing.
//
// Getters do not fail. The first error in an expression is stored in the shared error, so that the
// reader of a kind is a plain list of members with one check at its end.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "figures/quantities/expression.hpp"

namespace figures {

class Fields;

// A callable that reads one object of a list. Refers to the callable without owning it, because
// std::function costs a page about a hundred bytes per lambda.
class ReadObject {
 public:
  template <class Callable>
  ReadObject(const Callable& callable)
      : callable_(&callable),
        call_([](const void* it, Fields& one) { (*static_cast<const Callable*>(it))(one); }) {}
  void operator()(Fields& one) const { call_(callable_, one); }

 private:
  const void* callable_;
  void (*call_)(const void*, Fields&);
};

class Fields {
 public:
  // `where` is the path for messages ("points[1]"); empty for the spec itself. `object` and `error`
  // must outlive this.
  Fields(const nlohmann::json& object, std::string where, std::optional<Error>& error);

  bool has(std::string_view name) const { return member(name) != nullptr; }
  const nlohmann::json* member(std::string_view name) const;  // null: missing
  std::string text(std::string_view name, std::string_view fallback = {}) const;
  bool flag(std::string_view name, bool fallback) const;
  double number(std::string_view name, double fallback) const;
  std::vector<std::string> texts(std::string_view name) const;
  // Calls `read` for every object of the list.
  void each(std::string_view name, const ReadObject& read);
  // An expression of the given dimension. 0 and an error if it is wrong.
  double quantity(std::string_view name, Scope& scope, Dimension dimension);

  void fail(std::string_view member, std::string_view message, std::string_view suggestion = {}) {
    if constexpr (tells_authors) tell(member, message, suggestion);
    else if (!error_) error_ = Error{for_author()};
  }
  // Stores the error of a member's expression.
  void fail(std::string_view member, const Error& why) {
    fail(member, why.message, why.suggestion);
  }
  std::optional<Error>& error() { return error_; }

 private:
  std::string path_of(std::string_view member) const;
  void tell(std::string_view member, std::string_view message, std::string_view suggestion);

  const nlohmann::json& object_;
  std::string where_;
  std::optional<Error>& error_;
};

inline constexpr Dimension flop_rate_dimension{1, 0, -1, 0, 0, 0};
inline constexpr Dimension byte_rate_dimension{0, 1, -1, 0, 0, 0};
inline constexpr Dimension intensity_dimension{1, -1, 0, 0, 0, 0};

// Evaluates one expression of a spec. Error: the expression is wrong or has another dimension.
Result<double> evaluate(std::string_view source, Scope& scope, Dimension dimension);

}  // namespace figures
