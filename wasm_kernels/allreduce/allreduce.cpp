// All-reduce: every thread has a buffer, and in the end every thread has the sum of all buffers.
// Chips communicate over links; here, threads communicate through their shared caches. A step ends
// with a barrier.
//
// Each thread reads from other threads but writes only its own output. Inputs never change, so a
// run can be repeated.
#include "../barrier.hpp"
#include "../families.hpp"
#include "../memory.hpp"
#include "../reference.hpp"
#include "../simd.hpp"

namespace kernels {
namespace {

constexpr int line = 16;  // floats per cache line; two threads must never write the same line

// Buffers have whole lines. The floats beyond `count` are summed, too, but never read.
struct Layout {
  int count;  // floats in a buffer
  int lines;
  int threads;
  Barrier* barrier;
  float* buffers;
  int stride;  // floats from one buffer to the next

  const float* input(int thread) const { return buffers + 2 * thread * stride; }
  float* output(int thread) const { return buffers + (2 * thread + 1) * stride; }
};

int count_of(const Args& args) { return int(args.value[0]) / int(sizeof(float)); }

[[gnu::noinline]] Layout layout(const Args& args, Arena& arena) {
  Layout l{};
  l.count = count_of(args);
  l.lines = (l.count + line - 1) / line;
  l.threads = args.threads;
  l.barrier = arena.take<Barrier>(1);
  l.stride = (l.lines + 5) * line;  // keeps buffers from starting in the same cache set
  l.buffers = arena.take<float>(std::size_t(2) * l.threads * l.stride);
  return l;
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  layout(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Layout l = layout(args, arena);
  *l.barrier = {};
  fill(l.buffers, std::size_t(2) * l.threads * l.stride);
  for (int thread = 0; thread < l.threads; ++thread) clear(l.output(thread), l.count);
}

// The lines first … end - 1 of every buffer.
struct Range {
  int first, end;
};

Range chunk(const Layout& l, int index) {
  const int each = (l.lines + l.threads - 1) / l.threads;
  return {smaller(l.lines, index * each), smaller(l.lines, (index + 1) * each)};
}

// region: ring
[[gnu::noinline]] void add(float* sum, const float* a, const float* b, Range part) {
  for (int i = part.first * line; i < part.end * line; i += lanes)
    store(sum + i, load(a + i) + load(b + i));
}

[[gnu::noinline]] void copy(float* to, const float* from, Range part) {
  for (int i = part.first * line; i < part.end * line; i += lanes) store(to + i, load(from + i));
}

// Buffers are divided into one chunk per thread. In each of n - 1 steps, every thread adds its own
// input to its left neighbor's partial sum of one chunk, and then it has one complete chunk. In n -
// 1 more steps, the complete chunks go around the ring. Every thread works in every step.
bool ring(const Layout& l, int thread) {
  const int n = l.threads, left = (thread + n - 1) % n;
  float* own = l.output(thread);
  for (int step = 0; step < n - 1; ++step) {
    const float* partial = step == 0 ? l.input(left) : l.output(left);
    add(own, l.input(thread), partial, chunk(l, (thread + 2 * n - 1 - step) % n));
    if (!meet(*l.barrier, n)) return false;
  }
  for (int step = 0; step < n - 1; ++step) {
    copy(own, l.output(left), chunk(l, (thread + n - step) % n));
    if (!meet(*l.barrier, n)) return false;
  }
  return true;
}
// end region: ring

// region: tree
// Sums move up a binomial tree in ⌈log2 n⌉ steps, always as whole buffers, and the result comes
// down the same way. This takes fewer steps than a ring, but most threads only wait.
bool tree(const Layout& l, int thread) {
  const int n = l.threads;
  const Range all{0, l.lines};
  float* own = l.output(thread);
  int reach = 1;
  for (; reach < n; reach *= 2) {
    const int child = thread + reach;
    if (thread % (2 * reach) == 0 && child < n) {
      const bool is_leaf = reach == 1 || child == n - 1;
      add(own, reach == 1 ? l.input(thread) : own, is_leaf ? l.input(child) : l.output(child), all);
    }
    if (!meet(*l.barrier, n)) return false;
  }
  for (reach /= 2; reach >= 1; reach /= 2) {
    if (thread % (2 * reach) == reach) copy(own, l.output(thread - reach), all);
    if (!meet(*l.barrier, n)) return false;
  }
  return true;
}
// end region: tree

using Algorithm = bool (*)(const Layout& l, int thread);

[[gnu::noinline]] bool run_team(Algorithm reduce, const Args& args, void* base, int reps,
                                int thread) {
  Arena arena(base);
  const Layout l = layout(args, arena);
  if (l.threads == 1) copy(l.output(0), l.input(0), {0, l.lines});
  for (int rep = 0; rep < reps; ++rep)
    if (!reduce(l, thread)) return false;
  return true;
}

template <Algorithm reduce>
bool run_part(const Args& args, void* base, int reps, int thread) {
  return run_team(reduce, args, base, reps, thread);
}
void run(const Args& args, void* base, int reps) { run_team(ring, args, base, reps, 0); }

double flops(const Args& args) { return double(args.threads - 1) * count_of(args); }

// Bus bandwidth: the bytes that each thread of a ring sends, for every algorithm, so that results
// can be compared with each other and with the speed of a link.
double bytes(const Args& args) {
  return 2.0 * (args.threads - 1) / args.threads * sizeof(float) * count_of(args);
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Layout l = layout(args, arena);
  Deviation deviation;
  for (int i = 0; i < l.count; ++i) {
    double sum = 0;
    for (int thread = 0; thread < l.threads; ++thread) sum += l.input(thread)[i];
    for (int thread = 0; thread < l.threads; ++thread) deviation.compare(l.output(thread)[i], sum);
  }
  *tolerance = 0;
  return deviation.largest();
}

template <Algorithm reduce>
constexpr Kernel kernel(const char* id, const char* title, const char* source) {
  return {.id = id,
          .title = title,
          .unit = "GB/s",
          .roof_class = "link",
          .element = "f32",
          .source = source,
          .bytes_count = "bus bandwidth: 2 (n - 1) / n of a buffer, as a ring of n sends from each",
          .params = {{.name = "bytes",
                      .unit = "B",
                      .doc = "each thread's buffer",
                      .default_value = 1 << 20,
                      .min = 64,
                      .max = 1 << 24}},
          .flops = flops,
          .bytes = bytes,
          .memory = memory,
          .prepare = prepare,
          .run = run,
          .verify = verify,
          .team = 2,
          .run_part = run_part<reduce>};
}

}  // namespace

const Kernel allreduce_ring = kernel<ring>("allreduce.ring", "All-reduce in a ring",
                                           "wasm_kernels/allreduce/allreduce.cpp#ring");
const Kernel allreduce_tree = kernel<tree>("allreduce.tree", "All-reduce in a tree",
                                           "wasm_kernels/allreduce/allreduce.cpp#tree");

}  // namespace kernels
