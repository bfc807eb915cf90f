// The exports of a WebAssembly module: the registry, by index. In modules with shared memory, all
// workers share the state below, so set the arguments before starting the workers.
#include <cstdint>

#include "canary.hpp"
#include "registry.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

extern "C" unsigned char __heap_base;  // set by the linker: the end of data and stack

namespace {

struct State {
  kernels::Args args;
  double tolerance;
};
State state;
char description[4096];

const kernels::Kernel& kernel(int i) { return kernels::registry()[i]; }
void* memory_at(std::uint32_t base) { return reinterpret_cast<void*>(base); }

}  // namespace

EXPORT(kernel_count) int kernel_count() { return kernels::registry().size(); }

EXPORT(describe) const char* describe(int i) {
  if (!kernels::describe(kernel(i), description, sizeof description)) return "";
  return description;
}

// The page writes the parameters here, in the order of the description, before it calls the
// functions below.
EXPORT(args) double* args() { return state.args.value; }

// The team size for the calls below; used only by team kernels.
EXPORT(set_threads) void set_threads(int threads) { state.args.threads = threads; }

EXPORT(flops) double flops(int i) { return kernel(i).flops(state.args); }
EXPORT(bytes) double bytes(int i) { return kernel(i).bytes(state.args); }
EXPORT(memory_needed) double memory_needed(int i) { return double(kernel(i).memory(state.args)); }

EXPORT(prepare) void prepare(int i, std::uint32_t base) {
  kernel(i).prepare(state.args, memory_at(base));
}
EXPORT(run) void run(int i, std::uint32_t base, int reps) {
  kernel(i).run(state.args, memory_at(base), reps);
}
// One thread's part of a run of a team kernel. Returns 1, or 0 if the team was not complete in
// time.
EXPORT(run_part) int run_part(int i, std::uint32_t base, int reps, int thread) {
  return kernel(i).run_part(state.args, memory_at(base), reps, thread);
}
EXPORT(verify) double verify(int i, std::uint32_t base) {
  return kernel(i).verify(state.args, memory_at(base), &state.tolerance);
}
// The tolerance of the last verify().
EXPORT(tolerance) double tolerance(int) { return state.tolerance; }

EXPORT(canary) std::uint32_t canary(std::uint32_t iterations) {
  return kernels::canary(iterations);
}
EXPORT(canary_ops_per_iteration) int canary_ops_per_iteration() {
  return kernels::canary_ops_per_iteration;
}

// The first byte that the page may use, aligned for every kernel.
EXPORT(heap_base) std::uint32_t heap_base() {
  return (reinterpret_cast<std::uintptr_t>(&__heap_base) + 63) / 64 * 64;
}
