// Times loads and stores that hit in L1, as op.cpp times arithmetic: chains of loads that produce
// the next address, and chains of values that are stored and loaded again.
#include <cstdint>

#include "../memory.hpp"
#include "lab.hpp"

namespace kernels {
namespace {

constexpr int most_chains = 12;  // one address each; engines have registers for this many
constexpr int steps = 2048;
constexpr int body = 16;
constexpr int ring = 16;  // nodes of a chain, one line each
constexpr double chain_counts[] = {1, 4, 8, 12};

struct alignas(64) Line {
  Line* next;
  volatile std::uint32_t kept;
};

struct Memory {
  Line* lines;            // one ring per chain
  Line** last;            // the last position of each chain; null before a run
  std::uint32_t* result;  // the final value of each chain of stores; 0 before a run
  std::size_t size;
};

Memory lay_out(void* base) {
  Arena arena(base);
  Memory m{};
  m.lines = arena.take<Line>(most_chains * ring);
  m.last = arena.take<Line*>(most_chains);
  m.result = arena.take<std::uint32_t>(most_chains);
  m.size = arena.used();
  return m;
}

std::size_t memory(const Args&) { return lay_out(nullptr).size; }

void prepare(const Args&, void* base) {
  const Memory m = lay_out(base);
  for (int c = 0; c < most_chains; ++c) {
    for (int i = 0; i < ring; ++i) {
      Line& line = m.lines[c * ring + i];
      // 5 and 16 have no common divisor, so the ring has all nodes
      line.next = &m.lines[c * ring + (i + 5) % ring];
      line.kept = 0;
    }
    m.last[c] = nullptr;
    m.result[c] = 0;
  }
}

// region: loads
template <int chains>
[[gnu::noinline]] void load_chains(const Memory& m) {
  Line* at[chains];
#pragma GCC unroll 12
  for (int c = 0; c < chains; ++c) at[c] = m.lines + c * ring;
  constexpr int turns = body / chains;
#pragma GCC unroll 1
  for (int step = 0; step < steps; step += turns) {
#pragma GCC unroll 16
    for (int turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
      for (int c = 0; c < chains; ++c) at[c] = at[c]->next;
    }
  }
#pragma GCC unroll 12
  for (int c = 0; c < chains; ++c) m.last[c] = at[c];
}
// end region: loads

// region: stores
template <int chains>
[[gnu::noinline]] void store_chains(const Memory& m) {
  std::uint32_t x[chains];
#pragma GCC unroll 12
  for (int c = 0; c < chains; ++c) x[c] = std::uint32_t(c) + 1;
  constexpr int turns = body / chains;
#pragma GCC unroll 1
  for (int step = 0; step < steps; step += turns) {
#pragma GCC unroll 16
    for (int turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 12
      for (int c = 0; c < chains; ++c) {
        m.lines[c * ring].kept = x[c];
        x[c] = m.lines[c * ring].kept;
      }
    }
  }
#pragma GCC unroll 12
  for (int c = 0; c < chains; ++c) m.result[c] = x[c];
}
// end region: stores

void run_loads(const Args& args, void* base, int reps) {
  const Memory m = lay_out(base);
  const int chains = int(args.value[0]);
  for (int rep = 0; rep < reps; ++rep) {
    if (chains == 1) load_chains<1>(m);
    if (chains == 4) load_chains<4>(m);
    if (chains == 8) load_chains<8>(m);
    if (chains == 12) load_chains<12>(m);
  }
}

void run_stores(const Args& args, void* base, int reps) {
  const Memory m = lay_out(base);
  const int chains = int(args.value[0]);
  for (int rep = 0; rep < reps; ++rep) {
    if (chains == 1) store_chains<1>(m);
    if (chains == 4) store_chains<4>(m);
    if (chains == 8) store_chains<8>(m);
    if (chains == 12) store_chains<12>(m);
  }
}

// 2048 steps are a multiple of the ring, so each chain ends where it began. This includes 12
// chains, whose loop turns are one step each.
double verify_loads(const Args& args, void* base, double* tolerance) {
  const Memory m = lay_out(base);
  double wrong = 0;
  for (int c = 0; c < int(args.value[0]); ++c) {
    const Line* at = m.lines + c * ring;
    for (int step = 0; step < steps; ++step) at = at->next;
    wrong += m.last[c] != at;
  }
  *tolerance = 0;
  return wrong;
}

double verify_stores(const Args& args, void* base, double* tolerance) {
  const Memory m = lay_out(base);
  double wrong = 0;
  for (int c = 0; c < int(args.value[0]); ++c) {
    const std::uint32_t expected = std::uint32_t(c) + 1;
    wrong += m.result[c] != expected || m.lines[c * ring].kept != expected;
  }
  *tolerance = 0;
  return wrong;
}

double count(const Args& args) { return args.value[0] * steps; }

constexpr Kernel memory_op(const char* id, const char* title, const char* source,
                           decltype(Kernel::run) run, decltype(Kernel::verify) verify) {
  return {.id = id,
          .title = title,
          .unit = "Gop/s",
          .roof_class = "instruction",
          .element = "i32",
          .source = source,
          .bytes_count = "nothing: the first cache has it all",
          .params = {{.name = "chains",
                      .doc = "independent chains of the instruction",
                      .default_value = 1,
                      .min = 1,
                      .max = most_chains,
                      .choices = chain_counts,
                      .choice_count = 4}},
          .flops = count,
          .bytes = no_operations,
          .memory = memory,
          .prepare = prepare,
          .run = run,
          .verify = verify};
}

}  // namespace

const Kernel op_load = memory_op("op.load", "load an address from the first cache",
                                 "wasm_kernels/lab/memory_op.cpp#loads", run_loads, verify_loads);
const Kernel op_store =
    memory_op("op.store", "store, and load it back", "wasm_kernels/lab/memory_op.cpp#stores",
              run_stores, verify_stores);

}  // namespace kernels
