// Latency: a pointer chase, in which each load depends on the previous one.
//
// The buffer is one cycle through all of its lines in an order that no prefetcher predicts
// (Sattolo, 1986). Some prefetchers remember an order and recognize it in the next lap, so each
// prepare() chooses a new one. Each node holds the address of the next node, so a step is one load and nothing
// else; an index would add a shift and an addition. Several independent chases at the same time
// show how many misses a core has in flight (Little's law: in flight = rate × latency).
#include <cstdint>
#include <utility>

#include "../families.hpp"
#include "../memory.hpp"

namespace kernels {
namespace {

constexpr int most_chains = 16;
constexpr int steps = 4096;  // per chain and run
constexpr std::size_t page = 4096;
constexpr std::size_t pages_in_group = 64;
constexpr std::size_t pages_in_small_group =
    8;  // even the first TLB of a Cortex-A53 has ten entries

struct Node {
  Node* next;
};

enum Order { near, anywhere, one_line_a_page, nearer };

struct Chase {
  char* buffer;
  std::size_t nodes;
  std::size_t spacing;  // distance in bytes between neighboring nodes in memory
  std::size_t group;    // number of nodes that are visited before the chase moves on
  Order order;
  Node** position;  // of each chain; null before the first run
  double* walked;   // number of steps of each chain
  std::size_t size;
};

// Arguments: w, order, line.
Chase lay_out(const Args& args, void* base) {
  Chase c{};
  c.order = Order(int(args.value[1]));
  c.spacing = c.order == one_line_a_page ? page : std::size_t(args.value[2]);
  c.nodes = std::size_t(args.value[0]) / c.spacing;
  const std::size_t pages = c.order == near     ? pages_in_group
                            : c.order == nearer ? pages_in_small_group
                                                : 0;
  c.group = pages ? pages * page / c.spacing : c.nodes;
  Arena arena(base);
  c.buffer = arena.take<char>(c.nodes * c.spacing);
  c.position = arena.take<Node*>(most_chains);
  c.walked = arena.take<double>(1);
  c.size = arena.used();
  return c;
}

// With one line per page, every page uses a different line. Otherwise all lines would be in the
// same cache set.
Node& node_at(const Chase& c, std::size_t i) {
  const std::size_t line = c.order == one_line_a_page ? i * 11 % (page / 64) * 64 : 0;
  return *reinterpret_cast<Node*>(c.buffer + i * c.spacing + line);
}

Node& start_of(const Chase& c, int chain, int chains) {
  return node_at(c, c.nodes * std::size_t(chain) / std::size_t(chains));
}

// region: cycle
// Sattolo's shuffle: every node starts as its own successor, and each swap adds one node to the
// cycle.
void make_cycle(const Chase& c, std::size_t first, std::size_t count, std::uint32_t& state) {
  for (std::size_t i = 0; i < count; ++i) node_at(c, first + i).next = &node_at(c, first + i);
  for (std::size_t i = count - 1; i > 0; --i) {
    state = state * 1664525u + 1013904223u;
    const std::size_t j = std::uint64_t(state) * i >> 32;  // below i, never equal to it
    std::swap(node_at(c, first + i).next, node_at(c, first + j).next);
  }
}
// end region: cycle

void prepare(const Args& args, void* base) {
  static std::uint32_t state = 12345;
  const Chase c = lay_out(args, base);
  for (std::size_t i = 0; i < c.nodes; i += c.group) {
    make_cycle(c, i, c.nodes - i < c.group ? c.nodes - i : c.group, state);
    // Swapping one successor of each of two cycles joins them, so the chase visits a whole group
    // before the next.
    if (i > 0) std::swap(node_at(c, i).next, node_at(c, i - c.group).next);
  }
  for (int i = 0; i < most_chains; ++i) c.position[i] = nullptr;
  *c.walked = 0;
}

// region: chase
template <int chains>
void chase(Node** position) {
  Node* at[chains];
  for (int i = 0; i < chains; ++i) at[i] = position[i];

  constexpr int turns = chains == 1 ? 8 : chains == 2 ? 4 : chains <= 4 ? 2 : 1;
#pragma GCC unroll 1
  for (int step = 0; step < steps; step += turns) {
#pragma GCC unroll 8
    for (int turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 16
      for (int i = 0; i < chains; ++i) at[i] = at[i]->next;
    }
  }

  for (int i = 0; i < chains; ++i) position[i] = at[i];
}
// end region: chase

template <int... less_one>
void chase_any(Node** position, int chains, std::integer_sequence<int, less_one...>) {
  static constexpr void (*bodies[])(Node**) = {chase<less_one + 1>...};
  bodies[chains - 1](position);
}

void run_chains(const Args& args, void* base, int reps, int chains) {
  const Chase c = lay_out(args, base);
  if (!c.position[0])
    for (int i = 0; i < chains; ++i) c.position[i] = &start_of(c, i, chains);
  for (int rep = 0; rep < reps; ++rep)
    chase_any(c.position, chains, std::make_integer_sequence<int, most_chains>{});
  *c.walked += double(reps) * steps;
}

// Walks the cycle once. It must contain every node, and each chain must be as many steps from its
// start as it has taken. Returns the number of violations.
double verify_chains(const Args& args, void* base, int chains) {
  const Chase c = lay_out(args, base);
  if (!c.position[0]) return chains;
  double start[most_chains], end[most_chains], length = 0;
  for (int i = 0; i < chains; ++i) start[i] = end[i] = -1;
  Node* const first = &node_at(c, 0);
  Node* at = first;
  do {
    for (int i = 0; i < chains; ++i) {
      if (at == &start_of(c, i, chains)) start[i] = length;
      if (at == c.position[i]) end[i] = length;
    }
    at = at->next;
    ++length;
  } while (at != first && length <= double(c.nodes));

  double wrong = length != double(c.nodes);
  for (int i = 0; i < chains; ++i) {
    const double way = end[i] - start[i] + (end[i] < start[i] ? length : 0);
    const double turns = double(std::uint64_t(*c.walked / length));
    wrong += start[i] < 0 || end[i] < 0 || way != *c.walked - turns * length;
  }
  return wrong;
}

int chains_of(const Args& args) { return int(args.value[3]); }

void run_one(const Args& args, void* base, int reps) { run_chains(args, base, reps, 1); }
void run_several(const Args& args, void* base, int reps) {
  run_chains(args, base, reps, chains_of(args));
}
double verify_one(const Args& args, void* base, double* tolerance) {
  *tolerance = 0;
  return verify_chains(args, base, 1);
}
double verify_several(const Args& args, void* base, double* tolerance) {
  *tolerance = 0;
  return verify_chains(args, base, chains_of(args));
}

double loads_of_one(const Args&) { return steps; }
double loads_of_several(const Args& args) { return double(steps) * chains_of(args); }
double bytes_of_one(const Args& args) { return loads_of_one(args) * args.value[2]; }
double bytes_of_several(const Args& args) { return loads_of_several(args) * args.value[2]; }
std::size_t memory(const Args& args) { return lay_out(args, nullptr).size; }

constexpr double line_sizes[] = {64, 128};
constexpr Param working_set{.name = "w",
                            .unit = "B",
                            .doc = "bytes that the chase goes through",
                            .default_value = 64 << 20,
                            .min = 4096,
                            .max = double(1 << 30)};
constexpr Param order_param{.name = "order",
                            .doc =
                                "0: 64 pages at a time, random within them; 1: random; "
                                "2: one line a page, random; "
                                "3: 8 pages at a time, random within them",
                            .default_value = 0,
                            .min = 0,
                            .max = 3};
constexpr Param line_param{.name = "line",
                           .unit = "B",
                           .doc = "distance of neighbours: the size of a cache line",
                           .default_value = 64,
                           .min = 64,
                           .max = 128,
                           .choices = line_sizes,
                           .choice_count = 2};

}  // namespace

const Kernel latency_chase = {.id = "latency.chase",
                              .title = "Follow pointers",
                              .unit = "ns",
                              .roof_class = "latency",
                              .element = "pointer",
                              .source = "wasm_kernels/chase/chase.cpp#chase",
                              .bytes_count = "one cache line for each load",
                              .params = {working_set, order_param, line_param},
                              .flops = loads_of_one,
                              .bytes = bytes_of_one,
                              .memory = memory,
                              .prepare = prepare,
                              .run = run_one,
                              .verify = verify_one};

const Kernel parallelism_chase = {.id = "parallelism.chase",
                                  .title = "Follow several pointers at once",
                                  .unit = "ns",
                                  .roof_class = "latency",
                                  .element = "pointer",
                                  .source = "wasm_kernels/chase/chase.cpp#chase",
                                  .bytes_count = "one cache line for each load",
                                  .params = {working_set,
                                             order_param,
                                             line_param,
                                             {.name = "chains",
                                              .doc = "chases at the same time",
                                              .default_value = 8,
                                              .min = 1,
                                              .max = most_chains}},
                                  .flops = loads_of_several,
                                  .bytes = bytes_of_several,
                                  .memory = memory,
                                  .prepare = prepare,
                                  .run = run_several,
                                  .verify = verify_several};

}  // namespace kernels
