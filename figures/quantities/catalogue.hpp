// What can be measured: the kernels' descriptions, as the registry exports them.
//
// The build reads them from wasm_kernels/registry.hpp, a page from registry.json; this class is the
// form in which the evaluator sees either, so that it depends on neither.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"

namespace figures {

struct KernelParam {
  std::string name, unit;
  double fallback = 0;  // the default value, in base units (bytes for a working set)
};

struct KernelInfo {
  std::string id, variant, title;
  std::string unit;             // of its results: "GFLOP/s", "Gop/s", "GB/s", "ns"
  std::string roof_class;       // "scalar", "simd", "fma", "i8dot", "memory", "latency"
  std::string requires_module;  // "relaxed" or empty
  std::vector<KernelParam> params;
};

class Catalogue {
 public:
  // From an array of describe() objects: {"id","variant","title","unit","class","params":[{"name",
  // "unit","default"}],"requires"}. Unknown members are ignored. Error: a member of the wrong type.
  static Result<Catalogue> from_json(const nlohmann::json& array);

  void add(KernelInfo kernel) { kernels_.push_back(std::move(kernel)); }
  const KernelInfo* find(std::string_view id, std::string_view variant = "") const;
  const std::vector<KernelInfo>& all() const { return kernels_; }

 private:
  std::vector<KernelInfo> kernels_;
};

// The arithmetic and the traffic of one run, where somebody can count them (natively the registry).
class WorkCounter {
 public:
  virtual ~WorkCounter() = default;
  // `values` in the order of kernel.params. False when the kernel is unknown here.
  virtual bool count(const KernelInfo& kernel, const std::vector<double>& values, double* flops,
                     double* bytes) const = 0;
};

}  // namespace figures
