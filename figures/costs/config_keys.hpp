// Looks up members of a configuration under all names that model families give them, with the
// defaults of the family. The first problem is stored, and reading continues with harmless values,
// as in json_reader.hpp; unlike there, a page reports what is wrong, because its reader wrote the
// text.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "figures/costs/families.hpp"
#include "figures/costs/network.hpp"

namespace figures::costs {

using Names = std::initializer_list<std::string_view>;

// The line of `text` (from 1) with the member `key`; 0: it has none.
int line_of(std::string_view text, std::string_view key);

class Keys {
 public:
  // `outer` and `text` (for line numbers) must outlive this. Members of the nested language model
  // (text_config) come first.
  Keys(const nlohmann::json& outer, std::string_view text);

  const Family& family() const { return family_; }
  const std::string& type() const { return type_; }
  bool is_nested() const { return inner_ != &outer_; }
  // All members of the language model.
  const nlohmann::json& members() const { return *inner_; }

  // Null: no such member, or JSON null. A list of equal numbers counts as its first number.
  const nlohmann::json* find(std::string_view name) const;
  const nlohmann::json* find(Names names) const;
  bool has(Names names) const { return find(names) != nullptr || fallback_of(names) != nullptr; }
  // A whole number up to `most`; the family's default or `otherwise` if there is none.
  double number(Names names, double otherwise, double most = 1e7);
  // The same, and a problem if there is none, or if it is 0.
  double required(Names names, double most = 1e7);
  // A number that may have a fraction.
  double fraction(std::string_view name, double otherwise);
  bool flag(Names names, bool otherwise);
  std::string text(std::string_view name);
  // A list of texts or whole numbers; problem: another kind of entry, or more than 2,000.
  std::vector<std::string> texts(std::string_view name);
  std::vector<double> numbers(std::string_view name);

  void fail(std::string_view text, std::initializer_list<std::pair<std::string_view, std::string>>);
  // The same with the key, its value and its line: "“{key}” (line {line}) …".
  void fail_at(std::string_view text, std::string_view key, std::string expected = {});
  const std::optional<Sentence>& problem() const { return problem_; }

 private:
  const double* fallback_of(Names names) const;
  std::string shown(std::string_view key) const;
  void missing(Names names);

  const nlohmann::json& outer_;
  const nlohmann::json* inner_;
  std::string_view text_;
  std::string type_;
  Family family_;
  std::vector<std::pair<std::string_view, double>> defaults_;
  std::optional<Sentence> problem_;
};

// The members that decide a result, for "did you mean".
std::span<const std::string_view> known_keys();
// The known key that differs from `key` by a typing mistake; "": it is known, or none is near.
std::string_view meant_by(std::string_view key);

}  // namespace figures::costs
