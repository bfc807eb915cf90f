// The meaning of names in expressions: the notation of the book, kernels and facts.
//
//   P, P.fma, P.simd, P.scalar, P.i8dot   compute roofs of one core, or of {threads=2}. P is P.fma.
//            Without FMA a multiply-add runs as two operations, so P.fma falls back to P.simd and
//            P.simd to P.scalar: the ceiling of this machine for this arithmetic
//   B, B.L1, …, B.out      read bandwidth of a level; B is B.out, the outermost level reached
//   ridge, ridge.fma, ridge.fma.L2        P / B, FLOP/B
//   lat.L1, …, lat.out     latency        size.L1, …   capacity        clock   cores   timer
//   I(k), F(k), Q(k)       FLOP/B, FLOP and bytes of one run of kernel term k
//   beta(k)                I(k) over the ridge of the kernel's class at the outermost level
//   measured(x)            1 if this profile has exactly x (without a fallback), else 0
//   matmul.packed.best{n=512,threads=2,variant=cache,module=simd128,device=cpu0}
//            a result, by default the median; parameters default to those of the
//            catalogue; p90 and p99 are times
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

// Each may be null. A name that needs a missing profile is "not measured"; other names are unknown.
struct Sources {
  const Facts* facts = nullptr;
  const Catalogue* catalogue = nullptr;
  const WorkCounter* counter = nullptr;
  const Profile* profile = nullptr;
};

class Names : public Scope {
 public:
  explicit Names(Sources sources) : sources_(sources) {}

  // Error: Cause::invalid with the nearest known name; Cause::not_measured or unavailable if the
  // name is right but the profile has no value.
  Result<Quantity> lookup(const Name& name) override;

  // Whether the name exists, regardless of what was measured. Native builds only.
  bool knows(std::string_view id) const;

  // Records of the lookups so far.
  // Ids, with repetitions
  const std::vector<std::string>& facts_used() const { return facts_used_; }
  bool used_profile() const { return used_profile_; }
  bool untrusted() const { return untrusted_; }  // a used result is flagged or not verified

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

// A live value. It is the reader's if the reader's profile has a trusted result for every measured
// term, otherwise the reference machine's. The two are never mixed.
struct LiveValue {
  Quantity quantity;
  bool from_reader = false;
  bool measured = false;  // false: the expression has only facts and numbers
};

// `reference.profile` is the profile of the reference machine; `reader` may be null. Error: as
// evaluated with the reference machine, or why the reader's machine has no such number.
Result<LiveValue> evaluate_live(const Expression& expression, Sources reference,
                                const Profile* reader);

}  // namespace figures
