// The effects of shared cache lines: a line that two threads hand over to each other, and counters
// of all threads in one line or in separate lines.
#include <cstdint>

#include "../barrier.hpp"
#include "../memory.hpp"
#include "lab.hpp"

namespace kernels {
namespace {

constexpr std::uint32_t handovers = 64;         // per run
constexpr std::uint32_t increments = 256;       // per thread and run
constexpr std::uint64_t patience = 1ull << 33;  // number of polls, about ten seconds
constexpr std::size_t widest = 256;             // bytes between counters

std::uint32_t look(const std::uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_SEQ_CST); }

struct Memory {
  Barrier* barrier;
  std::uint32_t* word;   // the counters, or the line that is handed over
  std::uint32_t* turns;  // work done so far, according to thread 0
  std::size_t size;
};

Memory lay_out(const Args& args, void* base) {
  Arena arena(base);
  Memory m{};
  m.barrier = arena.take<Barrier>(1);
  m.word = arena.take<std::uint32_t>(std::size_t(args.threads) * widest / sizeof(std::uint32_t));
  m.turns = arena.take<std::uint32_t>(1);
  m.size = arena.used();
  return m;
}

std::size_t memory(const Args& args) { return lay_out(args, nullptr).size; }

void prepare(const Args& args, void* base) {
  const Memory m = lay_out(args, base);
  *m.barrier = {};
  *m.turns = 0;
  const std::size_t words = std::size_t(args.threads) * widest / sizeof(std::uint32_t);
  for (std::size_t i = 0; i < words; ++i) m.word[i] = 0;
}

// region: pingpong
// Writes the word `times` times, each time after its last bit has become `parity`. False if the
// other thread does not respond.
bool play(std::uint32_t& word, std::uint32_t parity, std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) {
    std::uint32_t now = look(word);
    std::uint64_t looks = 0;
    for (; now % 2 != parity; now = look(word))
      if (++looks == patience) return false;
    __atomic_store_n(&word, now + 1, __ATOMIC_SEQ_CST);
  }
  return true;
}
// end region: pingpong

bool run_pingpong(const Args& args, void* base, int reps, int thread) {
  const int partner = smaller(int(args.value[0]), args.threads - 1);
  if (thread != 0 && thread != partner) return true;
  const Memory m = lay_out(args, base);
  if (!meet(*m.barrier, 2)) return false;
  if (thread == 0) *m.turns += std::uint32_t(reps) * handovers;
  return play(*m.word, thread == 0 ? 0 : 1, std::uint32_t(reps) * handovers / 2);
}

// A team of one hands the line over to itself.
void run_pingpong_alone(const Args& args, void* base, int reps) {
  const Memory m = lay_out(args, base);
  *m.turns += std::uint32_t(reps) * handovers;
  for (std::uint32_t i = 0; i < std::uint32_t(reps) * handovers; ++i)
    static_cast<void>(play(*m.word, i % 2, 1));
}

double verify_pingpong(const Args& args, void* base, double* tolerance) {
  const Memory m = lay_out(args, base);
  *tolerance = 0;
  return *m.turns == 0 ? 1 : distance(*m.word, *m.turns);
}

// region: sharing
bool run_sharing(const Args& args, void* base, int reps, int thread) {
  const Memory m = lay_out(args, base);
  const std::size_t apart = std::size_t(args.value[0]) / sizeof(std::uint32_t);
  std::uint32_t& own = m.word[apart * std::size_t(thread)];
  if (!meet(*m.barrier, args.threads)) return false;
  if (thread == 0) *m.turns += std::uint32_t(reps) * increments;
  for (std::uint32_t i = 0; i < std::uint32_t(reps) * increments; ++i)
    __atomic_add_fetch(&own, 1, __ATOMIC_SEQ_CST);
  return true;
}
// end region: sharing

void run_sharing_alone(const Args& args, void* base, int reps) {
  static_cast<void>(run_sharing(args, base, reps, 0));
}

double verify_sharing(const Args& args, void* base, double* tolerance) {
  const Memory m = lay_out(args, base);
  const std::size_t apart = std::size_t(args.value[0]) / sizeof(std::uint32_t);
  double error = *m.turns == 0 ? 1 : 0;
  for (int thread = 0; thread < args.threads; ++thread)
    error = larger(error, distance(m.word[apart * std::size_t(thread)], *m.turns));
  *tolerance = 0;
  return error;
}

double count_handovers(const Args&) { return handovers; }
double count_increments(const Args&) { return increments; }

constexpr double distances[] = {4, 64, 128, 256};

}  // namespace

const Kernel core_pingpong = {.id = "core.pingpong",
                              .title = "Hand a line from core to core",
                              .unit = "ns",
                              .roof_class = "link",
                              .element = "i32",
                              .source = "wasm_kernels/lab/cores.cpp#pingpong",
                              .bytes_count = "nothing: one word",
                              .params = {{.name = "partner",
                                          .doc = "the thread that answers the first one",
                                          .default_value = 1,
                                          .min = 1,
                                          .max = 4095}},
                              .flops = count_handovers,
                              .bytes = no_operations,
                              .memory = memory,
                              .prepare = prepare,
                              .run = run_pingpong_alone,
                              .verify = verify_pingpong,
                              .team = 2,
                              .run_part = run_pingpong};

const Kernel core_sharing = {.id = "core.sharing",
                             .title = "Count, each thread for itself",
                             .unit = "ns",
                             .roof_class = "link",
                             .element = "i32",
                             .source = "wasm_kernels/lab/cores.cpp#sharing",
                             .bytes_count = "nothing: a word for each thread",
                             .params = {{.name = "apart",
                                         .unit = "B",
                                         .doc = "distance of the threads' counters",
                                         .default_value = 4,
                                         .min = 4,
                                         .max = widest,
                                         .choices = distances,
                                         .choice_count = 4}},
                             .flops = count_increments,
                             .bytes = no_operations,
                             .memory = memory,
                             .prepare = prepare,
                             .run = run_sharing_alone,
                             .verify = verify_sharing,
                             .team = 2,
                             .run_part = run_sharing};

}  // namespace kernels
