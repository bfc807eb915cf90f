// Pointer chasing in L1. Each node holds either the address of the next node or its index, which
// adds a shift and an addition to every load.
#include <cstdint>
#include <utility>

#include "../memory.hpp"
#include "traps.hpp"

namespace kernels {
namespace {

constexpr std::size_t nodes = 128;
constexpr int steps = 4096;  // per run

struct alignas(64) Node {
  Node* next;
  std::uint32_t number;
};

struct Chase {
  Node* nodes;
  std::uintptr_t* end;  // the current position of the walk
  double* walked;
  std::size_t size;
};

Chase lay_out(void* base) {
  Arena arena(base);
  Chase c{};
  c.nodes = arena.take<Node>(nodes);
  c.end = arena.take<std::uintptr_t>(1);
  c.walked = arena.take<double>(1);
  c.size = arena.used();
  return c;
}

// Sattolo's shuffle: one cycle through all nodes.
void prepare(const Args&, void* base) {
  const Chase c = lay_out(base);
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < nodes; ++i) c.nodes[i].number = std::uint32_t(i);
  for (std::size_t i = nodes - 1; i > 0; --i) {
    state = state * 1664525u + 1013904223u;
    std::swap(c.nodes[i].number, c.nodes[std::uint64_t(state) * i >> 32].number);
  }
  for (std::size_t i = 0; i < nodes; ++i) c.nodes[i].next = c.nodes + c.nodes[i].number;
  *c.walked = 0;
  *c.end = 0;
}

// region: chase
void run_address(const Args&, void* base, int reps) {
  const Chase c = lay_out(base);
  const Node* at = c.nodes + *c.end;
  for (int rep = 0; rep < reps; ++rep) {
#pragma GCC unroll 8
    for (int step = 0; step < steps; ++step) at = at->next;
  }
  *c.end = std::uintptr_t(at - c.nodes);
  *c.walked += double(reps) * steps;
}

void run_index(const Args&, void* base, int reps) {
  const Chase c = lay_out(base);
  std::uintptr_t at = *c.end;
  for (int rep = 0; rep < reps; ++rep) {
#pragma GCC unroll 8
    for (int step = 0; step < steps; ++step) at = c.nodes[at].number;
  }
  *c.end = at;
  *c.walked += double(reps) * steps;
}
// end region: chase

// After a whole number of rounds and `rest` more steps, the walk must be where `rest` steps lead.
double verify(const Args&, void* base, double* tolerance) {
  const Chase c = lay_out(base);
  const double rounds = double(std::uint64_t(*c.walked / nodes));
  const int rest = int(*c.walked - rounds * nodes);
  std::uintptr_t at = 0;
  for (int i = 0; i < rest; ++i) at = c.nodes[at].number;
  *tolerance = 0;
  return *c.walked > 0 && at == *c.end ? 0 : 1;
}

double loads(const Args&) { return steps; }
double bytes(const Args&) { return steps * double(sizeof(Node)); }
std::size_t memory(const Args&) { return lay_out(nullptr).size; }

constexpr Kernel kernel(const char* variant, const char* title,
                        void (*run_it)(const Args&, void*, int)) {
  return {.id = "trap.chase",
          .variant = variant,
          .title = title,
          .unit = "ns",
          .roof_class = "latency",
          .element = "pointer",
          .source = "wasm_kernels/traps/chase.cpp#chase",
          .bytes_count = "one cache line for each load",
          .params = {},
          .flops = loads,
          .bytes = bytes,
          .memory = memory,
          .prepare = prepare,
          .run = run_it,
          .verify = verify};
}

}  // namespace

const Kernel trap_chase_address = kernel("address", "Addresses", run_address);
const Kernel trap_chase_index = kernel("index", "Indices", run_index);

}  // namespace kernels
