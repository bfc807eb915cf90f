#include "figures/quantities/facts.hpp"

#include <algorithm>
#include <iterator>

#include "figures/base/json_reader.hpp"
#include "figures/base/nearest.hpp"
#include "figures/quantities/counting.hpp"
#include "figures/quantities/expression.hpp"

namespace figures {
namespace {

using nlohmann::json;

bool is_id_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Words of lower-case letters and digits, joined by single hyphens and dots; the first character is
// a letter.
[[maybe_unused]] bool is_id(std::string_view id) {
  if (id.empty() || id.size() > 100 || id.front() < 'a' || id.front() > 'z') return false;
  for (std::size_t i = 1; i < id.size(); ++i) {
    if (is_id_word(id[i])) continue;
    if ((id[i] != '-' && id[i] != '.') || i + 1 == id.size() || !is_id_word(id[i + 1]))
      return false;
  }
  return true;
}

template <class T>
bool id_before(const T& entry, std::string_view id) {
  return entry.id < id;
}

template <class T>
const T* find_in(const std::vector<T>& sorted, std::string_view id) {
  const auto found = std::lower_bound(sorted.begin(), sorted.end(), id, id_before<T>);
  return found == sorted.end() || found->id != id ? nullptr : &*found;
}

template <class T>
void insert_into(std::vector<T>& sorted, T entry) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), entry.id, id_before<T>);
  sorted.insert(at, std::move(entry));
}

// Both lists are sorted. Moves each entry once.
template <class T>
[[maybe_unused]] void merge_into(std::vector<T>& sorted, std::vector<T> more) {
  const auto middle = static_cast<std::ptrdiff_t>(sorted.size());
  for (T& entry : more) sorted.push_back(std::move(entry));
  std::inplace_merge(sorted.begin(), sorted.begin() + middle, sorted.end(),
                     [](const T& a, const T& b) { return a.id < b.id; });
}

// Reports the first unknown member, with the nearest known one.
[[maybe_unused]] void reject_unknown(const json& object, const Members& members) {
  constexpr std::string_view known[] = {"value",   "unit", "title", "vendor", "kind",
                                        "sources", "from", "note",  "read",   "status",
                                        "as_of",   "said", "by"};
  for (const auto& [name, value] : object.items()) {
    if (std::find(std::begin(known), std::end(known), name) != std::end(known)) continue;
    Nearest nearest(name);
    for (const std::string_view one : known) nearest.offer(one);
    members.fail(name, nearest.best().empty()
                           ? for_author("is unknown")
                           : for_author("is unknown; did you mean ", nearest.best(), "?"));
  }
}

Fact::Kind kind_of(const Members& members) {
  const std::string kind = members.text("kind");
  if (kind == "assumed") return Fact::Kind::assumed;
  if (kind == "derived") return Fact::Kind::derived;
  if (!kind.empty() && kind != "sourced")
    members.fail("kind", "must be sourced, assumed or derived");
  return Fact::Kind::sourced;
}

// Reads a fact in the form of a page: a number in base units and a display unit, without
// provenance.
void read_plain(Fact& fact, const Members& members, double value) {
  const std::string unit_text = members.text("unit");
  const Result<Unit> unit = parse_unit(unit_text);
  if (!unit) return members.fail("unit", unit.error().message, unit.error().code);
  fact.quantity = {value, unit->dimension};
  fact.unit = unit_text;
  fact.text = format(fact.quantity, unit_text).value_or("");
}

[[maybe_unused]] void read_sourced(Fact& fact, const Members& members) {
  fact.text = members.required_text("value");
  const Result<Literal> literal = parse_literal(fact.text);
  if (!literal)
    return members.fail("value", for_author("is not a quantity: ", literal.error().message),
                        literal.error().code);
  fact.literal = *literal;
  fact.quantity = literal->quantity;
  fact.unit = literal->unit;
  fact.kind = kind_of(members);
  fact.sources = members.texts("sources", 16);
  fact.from = members.text("from", 2000);
  fact.note = members.text("note");
  fact.read = members.text("read");
  fact.status = members.text("status");
  fact.as_of = members.text("as_of");
  fact.said = members.text("said");
  fact.by = members.text("by");
  if (fact.kind == Fact::Kind::sourced && fact.sources.empty())
    members.fail("sources", "is missing");
  if (fact.kind == Fact::Kind::assumed && fact.note.empty()) members.fail("note", "is missing");
  if (fact.kind == Fact::Kind::derived && fact.from.empty()) members.fail("from", "is missing");
  if (!fact.status.empty() && fact.as_of.empty()) members.fail("as_of", "is missing");
  if (fact.status.empty() && !(fact.said + fact.by).empty()) members.fail("status", "is missing");
}

class FactScope : public Scope {
 public:
  explicit FactScope(const Facts& facts) : facts_(facts) {}
  Result<Quantity> lookup(const Name& name) override {
    const Fact* fact = name.function.empty() ? facts_.find(name.id) : nullptr;
    if (fact != nullptr) return fact->quantity;
    return Error{"unknown fact '" + name.id + "'", 0, 0, facts_.nearest(name.id)};
  }

 private:
  const Facts& facts_;
};

Error disagreement(const Fact& fact, const std::string& why) {
  return Error{fact.id + ": " + why}.of(fact.id + ".value");
}
// The error for a derived fact without a valid origin.
Error unfounded(const std::string& id, const std::string& why) {
  return Error{id + ".from: " + why}.of(id + ".from");
}

// A term of a sum, or an argument of min and max, that contains no fact; empty if there is none.
std::string loose_constant(const Expression& expression) {
  using Op = Expression::Op;
  struct Part {
    bool of_fact;
    std::size_t begin, end;  // span in the source
  };
  std::vector<Part> stack;
  for (const Expression::Step& step : expression.steps()) {
    const std::size_t end = step.offset + step.length;
    if (step.op == Op::number || step.op == Op::name) {
      stack.push_back({step.op == Op::name, step.offset, end});
      continue;
    }
    const bool many = step.op == Op::minimum || step.op == Op::maximum;
    const bool unary =
        step.op == Op::negate || step.op == Op::logical_not || step.op >= Op::square_root;
    const std::size_t count = many ? step.index : unary ? 1 : 2;
    Part out{false, step.offset, end};
    for (std::size_t i = stack.size() - count; i < stack.size(); ++i) {
      const Part& part = stack[i];
      if (!part.of_fact && (many || step.op == Op::add || step.op == Op::subtract))
        return expression.source().substr(part.begin, part.end - part.begin);
      out.of_fact = out.of_fact || part.of_fact;
    }
    stack.resize(stack.size() - count);
    stack.push_back(out);
  }
  return {};
}

// The origins of each fact as indices into the list; empty for facts that are not derived.
using Origins = std::vector<std::vector<std::size_t>>;

int caution_of(const Fact& fact) {
  constexpr std::string_view cautions[] = {"", "measured", "shipping", "announced", "simulated"};
  return static_cast<int>(std::find(std::begin(cautions), std::end(cautions), fact.status) -
                          cautions);
}

const std::string& news_date(const Fact& claim) {
  return claim.said.empty() ? claim.as_of : claim.said;
}

// A fact derived from a claim has the claim's status.
void carry_status(Fact& fact, const Fact& origin) {
  if (!is_more_cautious(origin, fact)) return;
  fact.status = origin.status;
  fact.as_of = origin.as_of;
  fact.said = origin.said;
  fact.by = origin.by;
  fact.read = origin.read;
}

// A derivation that depends on itself, as "a → b → a". The middle of a long cycle is left out.
std::string cycle_text(const std::vector<Fact>& facts, const std::vector<std::size_t>& cycle) {
  constexpr std::size_t shown = 6;
  std::string text;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const bool skipped = cycle.size() > shown && i >= shown - 1 && i + 1 < cycle.size();
    if (!skipped) text += facts[cycle[i]].id + " → ";
    if (skipped && i == shown - 1) text += "… → ";
  }
  return text + facts[cycle.front()].id;
}

// Traverses all derivations depth first, each fact once, without recursion.
class Walk {
 public:
  explicit Walk(const Origins& origins)
      : origins_(origins), state_(origins.size(), State::unseen) {}

  // The visited facts, each after its origins.
  const std::vector<std::size_t>& order() const { return order_; }

  // The cycle reached from `start`; empty if there is none.
  std::vector<std::size_t> cycle_from(std::size_t start) {
    if (state_[start] != State::unseen) return {};
    enter(start);
    while (!way_.empty()) {
      auto& [fact, next] = way_.back();
      if (next == origins_[fact].size()) {
        state_[fact] = State::done;
        order_.push_back(fact);
        way_.pop_back();
        continue;
      }
      const std::size_t origin = origins_[fact][next++];
      if (state_[origin] == State::open) return back_to(origin);
      if (state_[origin] == State::unseen) enter(origin);
    }
    return {};
  }

 private:
  enum class State : char { unseen, open, done };
  struct Place {
    std::size_t fact = 0, next = 0;  // index of the next origin to follow
  };

  void enter(std::size_t fact) {
    state_[fact] = State::open;
    way_.push_back({fact, 0});
  }

  std::vector<std::size_t> back_to(std::size_t origin) const {
    std::vector<std::size_t> cycle;
    for (const Place& place : way_)
      if (!cycle.empty() || place.fact == origin) cycle.push_back(place.fact);
    return cycle;
  }

  const Origins& origins_;
  std::vector<State> state_;
  std::vector<Place> way_;
  std::vector<std::size_t> order_;
};

}  // namespace

bool is_more_cautious(const Fact& a, const Fact& b) {
  const int one = caution_of(a), other = caution_of(b);
  return one != other ? one > other : one > 0 && news_date(a) < news_date(b);
}

Status Facts::load(const json& object) {
  std::optional<Error> error;
  const Members file(object, "", error);
  std::vector<Fact> facts;
  std::vector<Thing> things;
  if (object.is_object()) {
    for (const auto& [id, entry] : object.items()) {
      const Members members(entry, id, error);
      const json* value = members.find("value");
      if constexpr (tells_authors) {
        if (!is_id(id)) members.fail("", "is not an id: lower case, hyphens and dots");
        if (find(id) != nullptr || find_in(things_, id) != nullptr)
          members.fail("", "is there twice");
        if (error) return *error;
        reject_unknown(entry, members);
        if (value == nullptr && members.has("title")) {
          things.push_back({id, members.text("title"), members.text("vendor")});
          continue;
        }
      }
      Fact fact;
      fact.id = id;
      if (value != nullptr && value->is_number()) {
        read_plain(fact, members, value->get<double>());
      } else if constexpr (tells_authors) {
        read_sourced(fact, members);
      } else {
        members.fail("value", "is not a number");  // a page sends numbers
      }
      facts.push_back(std::move(fact));
    }
  }
  if (error) return *error;
  if constexpr (tells_authors) {  // a book has many facts, already sorted by id
    merge_into(facts_, std::move(facts));
    merge_into(things_, std::move(things));
  } else {
    for (Fact& fact : facts) insert_into(facts_, std::move(fact));
  }
  return ok();
}

bool has_influence(const Literal& literal, const Expression& expression, const Fact& origin,
                   Scope& scope, std::initializer_list<double> factors) {
  for (const double factor : factors) {
    Given changed(&scope);
    changed.set(origin.id, Quantity{origin.quantity.value * factor, origin.quantity.dimension});
    const Result<Quantity> value = expression.evaluate(changed);
    if (!value || !agrees(literal, *value)) return true;
  }
  return origin.quantity.value == 0;  // zero has no multiples
}

// Checks the derivation of one fact. Returns the indices of its origins.
Result<std::vector<std::size_t>> Facts::derive_one(const Fact& fact) const {
  FactScope scope(*this);
  const Result<Expression> expression = Expression::parse(fact.from);
  if (!expression) return disagreement(fact, expression.error().message);
  const Result<Quantity> value = expression->evaluate(scope);
  if (!value) return disagreement(fact, value.error().message);
  if (value->dimension != fact.quantity.dimension)
    return disagreement(fact, "its expression gives " + describe(value->dimension));
  if (!agrees(fact.literal, *value))
    return disagreement(fact, "its expression gives " + rewrite(fact.literal, *value));
  const auto counting = counting_of(
      *expression, [&](const Name& name) { return counting_of_unit(find(name.id)->unit); });
  if (!counting) return disagreement(fact, counting.error().message);
  if (const auto wrong = miscount(fact.literal, *counting, true))
    return disagreement(fact, "its expression gives another count: " + *wrong);
  std::vector<std::size_t> origins;
  for (const Name& name : expression->names()) {
    const auto place = static_cast<std::size_t>(find(name.id) - facts_.data());
    if (std::find(origins.begin(), origins.end(), place) == origins.end()) origins.push_back(place);
  }
  if (origins.empty())
    return unfounded(fact.id, "it names no fact; without a source, use \"assumed\" and a note");
  if (const std::string loose = loose_constant(*expression); !loose.empty())
    return unfounded(fact.id,
                     "\"" + loose + "\" comes from no fact; only factors may be constants");
  for (const std::size_t origin : origins)
    if (!has_influence(fact.literal, *expression, facts_[origin], scope, {2.0, 0.5}))
      return unfounded(fact.id, "the value does not depend on " + facts_[origin].id);
  return origins;
}

Status Facts::derive() {
  Origins origins(facts_.size());
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    if (facts_[i].kind != Fact::Kind::derived) continue;
    auto found = derive_one(facts_[i]);
    if (!found) return found.error();
    origins[i] = std::move(found).value();
  }
  Walk walk(origins);
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const auto cycle = walk.cycle_from(i);
    if (cycle.empty()) continue;
    return unfounded(facts_[cycle.front()].id, "circular derivation: " + cycle_text(facts_, cycle));
  }
  for (const std::size_t i : walk.order()) {
    for (const std::size_t origin : origins[i]) carry_status(facts_[i], facts_[origin]);
  }
  return ok();
}

Facts Facts::watched(FactLookups& lookups) const {
  Facts view;
  view.view_ = {this, &lookups};
  return view;
}

namespace {

// Checks for the id first, because most lookups repeat an earlier one.
[[maybe_unused]] void note(std::set<std::string, std::less<>>& ids, std::string_view id) {
  if (!ids.contains(id)) ids.emplace(id);
}

}  // namespace

const Fact* Facts::find(std::string_view id) const {
  if (view_.of == nullptr) return find_in(facts_, id);
  note(view_.lookups->facts, id);
  return view_.of->find(id);
}

const std::vector<Fact>& Facts::all() const {
  if (view_.of == nullptr) return facts_;
  note(view_.lookups->facts, {});
  return view_.of->all();
}

const std::vector<Thing>& Facts::things() const {
  if (view_.of == nullptr) return things_;
  note(view_.lookups->things, {});
  return view_.of->things();
}

const Thing* Facts::thing_of(std::string_view id) const {
  if (view_.of != nullptr) {
    note(view_.lookups->things, id);
    return view_.of->thing_of(id);
  }
  while (!id.empty()) {
    if (const Thing* thing = find_in(things_, id)) return thing;
    const std::size_t cut = id.find_last_of(".-");
    id = id.substr(0, cut == id.npos ? 0 : cut);
  }
  return nullptr;
}

std::string Facts::nearest_of_subject(std::string_view id) const {
  if constexpr (!tells_authors) return {};
  if (view_.of != nullptr) {
    note(view_.lookups->facts, {});
    return view_.of->nearest_of_subject(id);
  }
  const std::size_t dot = id.find('.');
  if (dot == id.npos || dot == 0 || dot + 1 == id.size()) return {};
  const std::string_view subject = id.substr(0, dot), property = id.substr(dot + 1);
  for (const bool exact : {true, false}) {
    const auto property_of = [&](std::string_view other) {
      const std::size_t end = std::min(other.find('.'), other.size());
      const bool is_of_subject = exact
                                     ? other.substr(0, end) == subject
                                     : end > dot && other.starts_with(subject) && other[dot] == '-';
      return is_of_subject && end < other.size() ? other.substr(end + 1) : std::string_view();
    };
    Nearest nearest(property);
    for (const Fact& fact : facts_)
      if (const auto other = property_of(fact.id); !other.empty()) nearest.offer(other);
    if (nearest.best().empty()) continue;
    for (const Fact& fact : facts_)
      if (property_of(fact.id) == nearest.best()) return fact.id;
  }
  return {};
}

std::string Facts::nearest(std::string_view id) const {
  if constexpr (!tells_authors) return {};
  if (view_.of != nullptr) {
    note(view_.lookups->facts, {});
    return view_.of->nearest(id);
  }
  std::string of_subject = nearest_of_subject(id);
  if (!of_subject.empty()) return of_subject;
  Nearest nearest(id);
  for (const Fact& fact : facts_) nearest.offer(fact.id);
  return std::string(nearest.best());
}

}  // namespace figures
