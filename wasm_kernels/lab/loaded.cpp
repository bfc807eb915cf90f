// Loaded latency: one thread chases pointers through memory while others read memory at a chosen
// rate. Intel's Memory Latency Checker draws the same curve: the higher the bandwidth, the longer a
// load takes.
#include <cstdint>
#include <utility>

#include "../barrier.hpp"
#include "../memory.hpp"
#include "../simd.hpp"
#include "lab.hpp"

namespace kernels {
namespace {

constexpr std::uint32_t steps = 4096;  // of the chase, per run
constexpr std::size_t spacing = 128;   // bytes from node to node (chase.cpp has the reason)
constexpr std::size_t group = std::size_t(64) * 4096 / spacing;  // nodes that are visited together
constexpr std::size_t block = 16384;  // bytes that a reader reads between two checks of `stop`
constexpr std::size_t words_apart = 16;

struct Node {
  Node* next;
};

struct Memory {
  std::uint32_t* counts;  // comes first: KiB that each thread has read, one line per thread
  std::uint32_t* sums;    // sums of what each thread has read, one line per thread
  Barrier* barrier;
  std::uint32_t* stop;
  double* walked;
  Node** position;  // null before the first run
  char* nodes;
  std::size_t node_count;
  std::int32_t* data;     // all ones
  std::size_t data_size;  // bytes, whole blocks
  std::size_t size;
};

// Arguments: w, readers, pause, data.
Memory lay_out(const Args& args, void* base) {
  Arena arena(base);
  Memory m{};
  m.counts = arena.take<std::uint32_t>(std::size_t(args.threads) * words_apart);
  m.sums = arena.take<std::uint32_t>(std::size_t(args.threads) * words_apart);
  m.barrier = arena.take<Barrier>(1);
  m.stop = arena.take<std::uint32_t>(words_apart);
  m.walked = arena.take<double>(1);
  m.position = arena.take<Node*>(1);
  m.node_count = std::size_t(args.value[0]) / spacing;
  m.nodes = arena.take<char>(m.node_count * spacing);
  m.data_size = std::size_t(args.value[3]) / block * block;
  m.data = arena.take<std::int32_t>(m.data_size / sizeof(std::int32_t));
  m.size = arena.used();
  return m;
}

std::size_t memory(const Args& args) { return lay_out(args, nullptr).size; }

Node& node_at(const Memory& m, std::size_t i) {
  return *reinterpret_cast<Node*>(m.nodes + i * spacing);
}

// Sattolo's shuffle, as in chase.cpp: 64 pages at a time, so that address translation costs little.
void make_cycle(const Memory& m, std::size_t first, std::size_t count) {
  std::uint32_t state = 12345;
  for (std::size_t i = 0; i < count; ++i) node_at(m, first + i).next = &node_at(m, first + i);
  for (std::size_t i = count - 1; i > 0; --i) {
    state = state * 1664525u + 1013904223u;
    const std::size_t j = std::uint64_t(state) * i >> 32;
    std::swap(node_at(m, first + i).next, node_at(m, first + j).next);
  }
}

void prepare(const Args& args, void* base) {
  const Memory m = lay_out(args, base);
  for (std::size_t i = 0; i < std::size_t(args.threads) * words_apart; ++i)
    m.counts[i] = m.sums[i] = 0;
  *m.barrier = {};
  *m.stop = 0;
  *m.walked = 0;
  *m.position = nullptr;
  for (std::size_t i = 0; i < m.node_count; i += group) {
    make_cycle(m, i, m.node_count - i < group ? m.node_count - i : group);
    if (i > 0) std::swap(node_at(m, i).next, node_at(m, i - group).next);
  }
  for (std::size_t i = 0; i < m.data_size / sizeof(std::int32_t); ++i) m.data[i] = 1;
}

void chase(const Memory& m, int reps) {
  Node* at = *m.position ? *m.position : &node_at(m, 0);
#pragma GCC unroll 1
  for (std::uint32_t i = 0; i < std::uint32_t(reps) * steps; ++i) at = at->next;
  *m.position = at;
  *m.walked += double(reps) * steps;
}

// region: read
std::uint32_t read_block(const std::int32_t* from) {
  i32x4 sum[4] = {};
#pragma GCC unroll 1
  for (std::size_t i = 0; i < block / sizeof(std::int32_t); i += 4 * lanes) {
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      sum[k] += *reinterpret_cast<const i32x4*>(from + i + std::size_t(k) * lanes);
  }
  const i32x4 all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  return std::uint32_t(all[0]) + std::uint32_t(all[1]) + std::uint32_t(all[2]) +
         std::uint32_t(all[3]);
}

// Each reader reads its own part again and again, and pauses for `pause` after each block.
void read_until_stopped(const Memory& m, int readers, int reader, int pause) {
  const std::size_t blocks = m.data_size / block;
  const std::size_t first = blocks * std::size_t(reader) / std::size_t(readers);
  const std::size_t end = blocks * std::size_t(reader + 1) / std::size_t(readers);
  std::uint32_t count = 0, sum = 0;
  volatile int waited = 0;
  for (std::size_t i = first; !__atomic_load_n(m.stop, __ATOMIC_SEQ_CST);
       i = i + 1 == end ? first : i + 1) {
    sum += read_block(m.data + i * (block / sizeof(std::int32_t)));
    count += block / 1024;
    waited = 0;
    while (waited < pause) waited = waited + 1;
  }
  const std::size_t own = std::size_t(reader + 1) * words_apart;
  m.counts[own] += count;
  m.sums[own] += sum;
}
// end region: read

bool run_part(const Args& args, void* base, int reps, int thread) {
  const int readers = smaller(int(args.value[1]), args.threads - 1);
  if (thread > readers) return true;
  const Memory m = lay_out(args, base);
  if (thread == 0) __atomic_store_n(m.stop, 0, __ATOMIC_SEQ_CST);
  if (!meet(*m.barrier, readers + 1)) return false;
  if (thread > 0) {
    read_until_stopped(m, readers, thread - 1, int(args.value[2]));
    return true;
  }
  chase(m, reps);
  __atomic_store_n(m.stop, 1, __ATOMIC_SEQ_CST);
  return true;
}

void run(const Args& args, void* base, int reps) { chase(lay_out(args, base), reps); }

// The chase must be as many steps from its start as it has taken, on a cycle with every node. The
// sum of each reader must be the number of ones that it has read.
double verify(const Args& args, void* base, double* tolerance) {
  const Memory m = lay_out(args, base);
  *tolerance = 0;
  if (!*m.position) return 1;
  const Node* const first = &node_at(m, 0);
  const double turns = double(std::uint64_t(*m.walked / double(m.node_count)));
  const double rest = *m.walked - turns * double(m.node_count);
  const Node* at = first;
  double length = 0, wrong = 1;
  do {
    if (length == rest && at == *m.position) wrong = 0;
    at = at->next;
    ++length;
  } while (at != first && length <= double(m.node_count));
  wrong += length != double(m.node_count);
  for (int thread = 1; thread < args.threads; ++thread) {
    const std::size_t own = std::size_t(thread) * words_apart;
    wrong += m.sums[own] != m.counts[own] * std::uint32_t(1024 / sizeof(std::int32_t));
  }
  return wrong;
}

double count(const Args&) { return steps; }

}  // namespace

const Kernel core_loaded = {
    .id = "core.loaded",
    .title = "Follow pointers while others read",
    .unit = "ns",
    .roof_class = "latency",
    .element = "i32",
    .source = "wasm_kernels/lab/loaded.cpp#read",
    .bytes_count = "nothing: what the others read stands at the beginning of the memory",
    .params = {{.name = "w",
                .unit = "B",
                .doc = "bytes that the chase goes through",
                .default_value = 64 << 20,
                .min = 1 << 20,
                .max = double(1 << 28)},
               {.name = "readers",
                .doc = "threads that read meanwhile",
                .default_value = 1,
                .min = 0,
                .max = 4095},
               {.name = "pause",
                .doc = "turns of an empty loop after each 16 KiB",
                .default_value = 0,
                .min = 0,
                .max = 1e6},
               {.name = "data",
                .unit = "B",
                .doc = "bytes that all readers together go through",
                .default_value = 128 << 20,
                .min = 1 << 20,
                .max = double(1 << 29)}},
    .flops = count,
    .bytes = no_operations,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify,
    .team = 2,
    .run_part = run_part};

}  // namespace kernels
