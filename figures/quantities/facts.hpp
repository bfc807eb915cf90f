// Facts: the numbers of the book that need a source.
//
// chapters/facts/{chips,links,energy,models,races,runs,claims,assumptions}.json are objects from id
// to fact, sorted and with one fact per line, so that a correction is a one-line diff:
//
//   "h100-sxm":       {"title": "NVIDIA H100 SXM", "vendor": "NVIDIA"},
//   "h100-sxm.power": {"value": "700 W", "sources": ["nvidia-h100-page"], "read": "quoted"},
//   "bytes.f32":      {"value": "4 B", "kind": "assumed", "note": "the width of the format"},
//   "model.kv":       {"value": "36,864 B", "kind": "derived", "from": "4 B * model.layers * …"}
//
//   value    required: a literal of figures/quantities/quantity.hpp with its unit, in the digits of
//            the source
//   kind     "sourced" (default; needs sources), "assumed" (needs a note) or "derived" (needs
//            `from`, an expression over facts whose value agrees with `value`). A derivation ends
//            at sourced and assumed facts, and each of them must matter to the value: every term of
//            a sum and every argument of min and max contains a fact, so constants are only factors
//   sources  ids of references.json
//   read     how the source was read: "primary" (the document itself), "quoted" (a vendor's
//            document quoted elsewhere), "device" (measured or queried on a device), "secondary"
//   note     what a careful reader must know (dense or sparse, which clock, which part)
//   status   of a claim: "announced", "shipping", "measured" or "simulated"; requires as_of
//            ("2026-11"), the month in which the book last checked it, because claims age
//   said     of a claim: the month in which it was made, if known
//   by       of a claim: "vendor" or "independent"
//
// A fact derived from claims is a claim, with the status of the most cautious of them. An entry
// with `title` instead of `value` names the thing that a group of facts is about.
//
// Ids are lower case, with hyphens inside a word and dots between a thing and its property. Chips
// have the properties <chip>.peak.<type> (dense; a multiply-add is 2 FLOPs), .bandwidth (main
// memory), .memory, .l2, .link (one direction), .power, .clock, .units, .die, .transistors, .year,
// and .unit.<what> per SM or CU. Measured properties are .latency.<level>, .measured.<level>
// (bandwidth) and .achieved.<type> (a matmul). Claims have no dot: rubin-bandwidth.
#pragma once

#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "figures/quantities/quantity.hpp"

namespace figures {

class Expression;
class Scope;

struct Fact {
  enum class Kind { sourced, assumed, derived };
  std::string id;
  Quantity quantity;
  Literal literal;   // the value as in the file, for checking against its own digits
  std::string text;  // "3.35 TB/s"
  std::string unit;  // its display unit: "TB/s"
  Kind kind = Kind::sourced;
  std::vector<std::string> sources;
  std::string from;  // expression of a derived fact
  std::string note, read, status, as_of, said, by;
};

// Whether the status of `a` is more cautious than that of `b`. The order is simulated, announced,
// shipping, measured; if both are the same, the older claim is more cautious. False if `a` is not a
// claim.
bool is_more_cautious(const Fact& a, const Fact& b);

// The thing that a group of facts is about: "h100-sxm" for "h100-sxm.bandwidth".
struct Thing {
  std::string id, title, vendor;
};

// Whether the literal would change if `origin` were multiplied by one of the factors.
bool has_influence(const Literal& value, const Expression& expression, const Fact& origin,
                   Scope& scope, std::initializer_list<double> factors);

// Records lookups in facts, including lookups that found nothing.
struct FactLookups {
  // Arguments of find(); "": all() or nearest() was called
  std::set<std::string, std::less<>> facts;
  std::set<std::string, std::less<>> things;  // arguments of thing_of(); "": things() was called
};

class Facts;

// The facts behind a view, and where it records lookups. A page's module has no views.
template <bool is_native>
struct FactView {
  const Facts* of = nullptr;  // null: this is no view
  FactLookups* lookups = nullptr;
};
template <>
struct FactView<false> {
  static constexpr const Facts* of = nullptr;
  static constexpr FactLookups* lookups = nullptr;
  constexpr FactView(const Facts* = nullptr, FactLookups* = nullptr) {}
};

class Facts {
 public:
  // Adds an object of facts, as in a file or as a page sends them ({"value": 3.35e12, "unit":
  // "TB/s"} in base units; a page's module reads only this form). Error: the message starts with
  // the id; a wrong id or value, a missing or unknown member, or a duplicate id. After an error, no
  // fact of the object has been added.
  Status load(const nlohmann::json& object);

  // Evaluates every derived fact, and gives it the status of the claims that it is derived from.
  // Error as above: a fact disagrees with its expression or counts something else, names no fact,
  // depends on itself, or does not depend on a fact that it names (the message of the last three
  // begins with "id.from").
  Status derive();

  // A view of the same facts for one thread that records every lookup. `lookups` and *this must
  // outlive it. A view of a view records in both.
  Facts watched(FactLookups& lookups) const;

  const Fact* find(std::string_view id) const;       // null when there is none
  const Thing* thing_of(std::string_view id) const;  // the longest prefix that has a title, or null
  // "did you mean": the fact of the same subject with the nearest property ("h100.bandwith" means
  // h100-sxm.bandwidth), then the nearest of all. Empty when nothing is near.
  std::string nearest(std::string_view id) const;
  std::string nearest_of_subject(std::string_view id) const;
  const std::vector<Fact>& all() const;      // sorted by id
  const std::vector<Thing>& things() const;  // sorted by id

 private:
  Result<std::vector<std::size_t>> derive_one(const Fact& fact) const;  // its origins, as indices

  std::vector<Fact> facts_;
  std::vector<Thing> things_;
  [[no_unique_address]] FactView<tells_authors> view_;
};

}  // namespace figures
