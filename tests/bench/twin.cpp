// The registered kernels, compiled natively, one sample at a time (twin.hpp has the requests).
#include "twin.hpp"

#include <cstring>
#include <stdexcept>

#include "wasm_kernels/layers/layers.hpp"

namespace {

using kernels::Args;
using kernels::Kernel;

const Kernel& find(const std::string& id, const std::string& variant) {
  for (const kernels::Registry registry : {kernels::registry(), kernels::layers_registry()})
    for (const Kernel& kernel : registry)
      if (id == kernel.id && variant == kernel.variant) return kernel;
  throw std::runtime_error("no such kernel");
}

}  // namespace

int main() {
  twin::Memory memory;
  twin::talk([&](const std::string& id, const twin::Settings& settings) {
    const auto variant = settings.find("variant");
    const Kernel& kernel = find(id, variant == settings.end() ? "" : variant->second);
    Args args = kernel.defaults();
    for (int i = 0; i < kernel.param_count(); ++i) {
      const auto value = settings.find(kernel.params[i].name);
      if (value != settings.end()) args.value[i] = std::stod(value->second);
    }
    if (!memory.resize(kernel.memory(args) + 4096)) throw std::runtime_error("not enough memory");
    void* const base = memory.data();
    kernel.prepare(args, base);
    twin::Work work;
    work.run = [=, &kernel](int reps) { kernel.run(args, base, reps); };
    work.verify = [=, &kernel] {
      double tolerance = 0;
      const double error = kernel.verify(args, base, &tolerance);
      return "{\"error\": " + std::to_string(error) +
             ", \"tolerance\": " + std::to_string(tolerance) + "}";
    };
    work.flops = kernel.flops(args);
    work.bytes = kernel.bytes(args);
    if (std::strcmp(kernel.roof_class, "latency") == 0)
      work.lap = static_cast<int>(static_cast<double>(kernel.memory(args)) / work.bytes) + 1;
    return work;
  });
}
