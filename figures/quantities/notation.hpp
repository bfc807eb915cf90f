// What the names in expressions mean: the book's notation table, kernels, facts.
//
//   P, P.fma, P.simd, P.scalar, P.i8dot   arithmetic roofs of one core, or {threads=2}. P is P.fma.
//            Where there is no FMA a multiply-add runs as two operations, so P.fma falls back to
//            P.simd and that to P.scalar: the ceiling that this machine has for this arithmetic.
//   B, B.L1, …, B.out      read bandwidth of a level; B is B.out, the outermost level reached
//   ridge, ridge.fma, ridge.fma.L2        P / B, FLOP/B
//   lat.L1, …, lat.out     latency        size.L1, …   capacity        clock   cores   timer
//   I(k), F(k), Q(k)       FLOP/B, FLOP and bytes of one run of kernel term k
//   beta(k)                I(k) over the ridge of the kernel's class at the outermost level
//   measured(x)            1 when this profile has exactly x (no falling back), else 0
//   matmul.packed.best{n=512,threads=2,variant=cache,module=simd128,device=cpu0}
//            a result; the median unless said; defaults come from the catalogue; p90, p99 are times
//   h100-sxm.bandwidth     a fact
//
// A name is looked up as notation, then as a kernel, then as a fact.
#pragma once

#include <string>
#include <vector>

#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/expression.hpp"
#include "figures/quantities/facts.hpp"
#include "figures/quantities/profile.hpp"

namespace figures {

// Any of them may be null; a name that needs it is then "not measured" (profile) or unknown.
struct Sources {
  const Facts* facts = nullptr;
  const Catalogue* catalogue = nullptr;
  const WorkCounter* counter = nullptr;
  const Profile* profile = nullptr;
};

class Names : public Scope {
 public:
  explicit Names(Sources sources) : sources_(sources) {}

  // Error: Cause::invalid with the nearest known name; Cause::not_measured or unavailable when the
  // name is right and the profile has no value.
  Result<Quantity> lookup(const Name& name) override;

  // Whether it is the name of something, whatever may have been measured. Natively only.
  bool knows(std::string_view id) const;

  // What the lookups so far used.
  const std::vector<std::string>& facts_used() const { return facts_used_; }  // ids, repeats kept
  bool used_profile() const { return used_profile_; }
  bool untrusted() const { return untrusted_; }  // some result used is flagged or not verified

 private:
  Result<Quantity> machine(const Name& name, bool strict);
  Result<Quantity> function(const Name& name);
  Result<Quantity> kernel(const Name& name, const KernelInfo& info);
  Result<Quantity> work(const Name& name, const KernelInfo& info);
  Result<const KernelInfo*> kernel_info(const Name& name) const;
  const Measurement* result_of(const Query& query);
  Error unknown(const Name& name) const;

  Sources sources_;
  std::vector<std::string> facts_used_;
  bool used_profile_ = false;
  bool untrusted_ = false;
};

// A live value: the reader's when every measured term has a trustworthy result in the reader's
// profile, else wholly the reference machine's; the two are never mixed.
struct LiveValue {
  Quantity quantity;
  bool from_reader = false;
  bool measured = false;  // false: the expression uses facts and numbers only
};

// `reference.profile` is the reference machine's profile; `reader` may be null. Error: as evaluated
// against the reference, or why the reader's machine has no such number.
Result<LiveValue> evaluate_live(const Expression& expression, Sources reference,
                                const Profile* reader);

}  // namespace figures
