// Facts: the numbers that nobody may type into a chapter without a source.
//
// chapters/facts/{chips,links,energy,models,races,runs,claims,assumptions}.json are objects from id to
// fact, one fact a line, sorted, so that a correction is a one-line diff:
//
//   "h100-sxm":       {"title": "NVIDIA H100 SXM", "vendor": "NVIDIA"},
//   "h100-sxm.power": {"value": "700 W", "sources": ["nvidia-h100-page"], "read": "quoted"},
//   "bytes.f32":      {"value": "4 B", "kind": "assumed", "note": "the width of the format"},
//   "model.kv":       {"value": "36,864 B", "kind": "derived", "from": "4 B * model.layers * …"}
//
//   value    a literal of figures/quantities/quantity.hpp with its unit, in the digits of the source; required
//   kind     "sourced" (default; needs sources), "assumed" (needs a note), "derived" (needs
//            `from`, an expression over facts whose value agrees with `value`; what it is derived
//            from ends at sourced and assumed facts, each of which matters to the value: every
//            term of a sum and every value of min and max is of a fact, constants are factors)
//   sources  ids of references.json
//   read     how: "primary" (the document itself), "quoted" (a vendor's document quoted elsewhere),
//            "device" (measured or queried on one), "secondary"
//   note     what a careful reader must know (dense or sparse, which clock, which part)
//   status   of a claim: "announced", "shipping", "measured", "simulated"; with as_of ("2026-11"),
//            the month in which the book last looked, because it ages
//   said     of a claim: the month in which it was made, where that is known
//   by       of a claim: "vendor" or "independent"
// What is derived from a claim is one: it has the status of the most cautious of them.
// An entry with `title` instead of `value` names the thing that a group of facts is about.
//
// Ids: lower case, hyphens inside a word, dots between a thing and its property. One mapping from
// chips: <chip>.peak.<type> (dense; a multiply-add is 2 FLOP), .bandwidth (main memory), .memory,
// .l2, .link (one direction), .power, .clock, .units, .die, .transistors, .year; .unit.<what> is
// per SM or CU, .latency.<level> and .measured.<level> (bandwidth) were measured, .achieved.<type>
// is a measured matrix product. Claims have no dot: rubin-bandwidth.
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
  Literal literal;   // the value as the file writes it, for checking against its own digits
  std::string text;  // "3.35 TB/s"
  std::string unit;  // its display unit: "TB/s"
  Kind kind = Kind::sourced;
  std::vector<std::string> sources;
  std::string from;  // of a derived fact
  std::string note, read, status, as_of, said, by;
};

// Whether a careful reader would rather hear of `a`'s status than of `b`'s: simulated before announced before
// shipping before measured, of two alike the older news; false where `a` is not a claim.
bool is_more_cautious(const Fact& a, const Fact& b);

// What a group of facts is about: "h100-sxm" for "h100-sxm.bandwidth".
struct Thing {
  std::string id, title, vendor;
};

// Whether an expression's value would be written otherwise if this fact were one of these multiples of what it is.
bool has_influence(const Literal& value, const Expression& expression, const Fact& origin,
                   Scope& scope, std::initializer_list<double> factors);

// Lookups in facts, successful or not.
struct FactLookups {
  std::set<std::string, std::less<>> facts;   // ids given to find(); empty: all() or nearest()
  std::set<std::string, std::less<>> things;  // ids given to thing_of(); empty: things()
};

class Facts;

// The facts behind a view, and its record of lookups. A page's module has no views.
template <bool is_native>
struct FactView {
  const Facts* of = nullptr;  // null: these are facts themselves
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
  // Adds an object of facts, as above or as a page carries them ({"value": 3.35e12, "unit":
  // "TB/s"}, in base units; a page's module reads only these). Error: the message starts with the
  // id; a wrong id or value, a missing or unknown member, a duplicate id. After an error nothing of
  // the object has been added.
  Status load(const nlohmann::json& object);

  // Evaluates every derived fact, and gives it the status of the claims that it is derived from. Error: as
  // above, for one that disagrees with its expression or counts something else, that names no fact, whose
  // derivation comes back to itself or does not depend on what it names (then the message begins with
  // "id.from").
  Status derive();

  // The same facts for one thread, which record every lookup. `lookups` and *this must
  // outlive the view. A view of a view leaves its record in both.
  Facts watched(FactLookups& lookups) const;

  const Fact* find(std::string_view id) const;       // null when there is none
  const Thing* thing_of(std::string_view id) const;  // the longest prefix that has a title, or null
  std::string nearest(std::string_view id) const;    // empty when nothing is near
  const std::vector<Fact>& all() const;              // sorted by id
  const std::vector<Thing>& things() const;          // sorted by id

 private:
  Result<std::vector<std::size_t>> derive_one(
      const Fact& fact) const;  // its origins, by their places

  std::vector<Fact> facts_;
  std::vector<Thing> things_;
  [[no_unique_address]] FactView<tells_authors> view_;
};

}  // namespace figures
