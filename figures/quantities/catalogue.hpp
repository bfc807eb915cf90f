// The list of kernels that can be measured, with their units and parameters.
//
// The build fills it from wasm_kernels/registry.hpp, a page from registry.json. The evaluator of
// expressions sees only this class, so it depends on neither.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"

namespace figures {

struct KernelParam {
  std::string name, unit;
  double fallback = 0;  // default value in base units (bytes for a working set)
};

struct KernelInfo {
  std::string id, variant, title;
  std::string unit;             // unit of its results: "GFLOP/s", "Gop/s", "GB/s", "ns"
  std::string roof_class;       // "scalar", "simd", "fma", "i8dot", "memory", "latency"
  std::string requires_module;  // "relaxed" or empty
  std::vector<KernelParam> params;
};

class Catalogue {
 public:
  // Reads an array of describe() objects: {"id","variant","title","unit","class","params":[{"name",
  // "unit","default"}],"requires"}. Unknown members are ignored. Error: a member has the wrong
  // type.
  static Result<Catalogue> from_json(const nlohmann::json& array);

  void add(KernelInfo kernel) { kernels_.push_back(std::move(kernel)); }
  const KernelInfo* find(std::string_view id, std::string_view variant = "") const;
  const std::vector<KernelInfo>& all() const { return kernels_; }

 private:
  std::vector<KernelInfo> kernels_;
};

// Computes the operations and the bytes of one run. Only native builds have one: the registry.
class WorkCounter {
 public:
  virtual ~WorkCounter() = default;
  // `values` in the order of kernel.params. False if the kernel is unknown.
  virtual bool count(const KernelInfo& kernel, const std::vector<double>& values, double* flops,
                     double* bytes) const = 0;
};

}  // namespace figures
