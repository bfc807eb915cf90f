// Repeats one instruction. A chain in which each step depends on the previous one measures its
// latency; several chains at the same time measure its throughput.
#include <cstdint>

#include "../memory.hpp"
#include "../simd.hpp"
#include "lab.hpp"

namespace kernels {
namespace {

constexpr int most_chains = 16;
constexpr int steps = 2048;  // per chain and run
constexpr int body = 16;     // steps of all chains per turn of the loop
constexpr double chain_counts[] = {1, 4, 8, 12, 16};

constexpr float unwritten = -12345.5f;  // no chain ends with this value

// Hides a value from the native optimizer, which would otherwise combine two steps. LLVM has no
// equivalent for WebAssembly vectors, so the instructions below are ones that it does not combine.
inline i32x4 opaque(i32x4 x) {
#if defined(__x86_64__)
  asm("" : "+x"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#endif
  return x;
}

// Values are bit patterns; each instruction interprets them as its type. Repeating a step never
// makes them grow out of range.
struct AddF32 {
  static constexpr float constant = 1;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4 a) { return i32x4(f32x4(x) + f32x4(a)); }
};
struct MulF32 {
  static constexpr float constant = -1;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4 a) { return i32x4(f32x4(x) * f32x4(a)); }
};
struct DivF32 {
  static constexpr float constant = 3;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4 a) { return i32x4(f32x4(a) / f32x4(x)); }
};
struct MaddF32 {
  static constexpr float constant = -1;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4 a) { return i32x4(madd(f32x4(x), f32x4(a), f32x4(a))); }
};
using u32x4 = std::uint32_t __attribute__((vector_size(16)));  // overflow is defined
struct AddI32 {  // with an exclusive or of the same cost, because two sums would be merged
  static constexpr float constant = 7;
  static constexpr int operations = 2;
  static i32x4 step(i32x4 x, i32x4 a) { return i32x4((u32x4(x) + u32x4(a)) ^ u32x4(a)); }
};
struct MulI32 {
  static constexpr float constant = 7;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4) { return i32x4(u32x4(x) * u32x4(x)); }
};
struct DotI8 {
  static constexpr float constant = 1;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4 a) {
    const i8x16 bytes = i8x16(a) & 1;
    return dot_add(bytes, bytes, x);
  }
};
struct Shuffle {
  static constexpr float constant = 1;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4) {
#if defined(__wasm__)  // the instruction itself, because the compiler would merge adjacent shuffles
    return i32x4(__builtin_wasm_shuffle_i8x16(i8x16(x), i8x16(x), 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                              14, 15, 0, 1, 2, 3));
#else
    return __builtin_shufflevector(x, x, 1, 2, 3, 0);
#endif
  }
};
struct Convert {
  static constexpr float constant = 1;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4) { return i32x4(__builtin_convertvector(x, f32x4)); }
};
struct Widen {
  static constexpr float constant = 1;
  static constexpr int operations = 1;
  static i32x4 step(i32x4 x, i32x4) {
    using i8x8 = std::int8_t __attribute__((vector_size(8)));
    using i16x8 = std::int16_t __attribute__((vector_size(16)));
    const i8x16 bytes = i8x16(x);
    const i8x8 low = __builtin_shufflevector(bytes, bytes, 0, 1, 2, 3, 4, 5, 6, 7);
    return i32x4(__builtin_convertvector(low, i16x8));
  }
};

struct Memory {
  float* start;  // one vector per chain
  float* result;
  float* constant;  // one vector
  std::size_t size;
};

Memory lay_out(void* base) {
  Arena arena(base);
  Memory m{};
  m.start = arena.take<float>(most_chains * lanes);
  m.result = arena.take<float>(most_chains * lanes);
  m.constant = arena.take<float>(lanes);
  m.size = arena.used();
  return m;
}

std::size_t memory(const Args&) { return lay_out(nullptr).size; }

i32x4 bits_at(const float* p) { return i32x4(load(p)); }
void put_bits(float* p, i32x4 x) { store(p, f32x4(x)); }

template <class Op>
void prepare(const Args&, void* base) {
  const Memory m = lay_out(base);
  for (int i = 0; i < most_chains * lanes; ++i) m.start[i] = float(i + 1);
  for (int i = 0; i < most_chains * lanes; ++i) m.result[i] = unwritten;
  store(m.constant, splat(Op::constant));
}

// region: chains
template <class Op, int chains>
[[gnu::noinline]] void run_chains(const Memory& m) {
  i32x4 x[chains];
#pragma GCC unroll 16
  for (int c = 0; c < chains; ++c) x[c] = bits_at(m.start + c * lanes);

  const i32x4 a = opaque(bits_at(m.constant));
  constexpr int turns = body / chains;  // 1 for 12 and 16 chains
#pragma GCC unroll 1
  for (int step = 0; step < steps; step += turns) {
#pragma GCC unroll 16
    for (int turn = 0; turn < turns; ++turn) {
#pragma GCC unroll 16
      for (int c = 0; c < chains; ++c) x[c] = opaque(Op::step(x[c], a));
    }
  }

#pragma GCC unroll 16
  for (int c = 0; c < chains; ++c) put_bits(m.result + c * lanes, x[c]);
}
// end region: chains

template <class Op>
void run(const Args& args, void* base, int reps) {
  const Memory m = lay_out(base);
  const int chains = int(args.value[0]);
  for (int rep = 0; rep < reps; ++rep) {
    if (chains == 1) run_chains<Op, 1>(m);
    if (chains == 4) run_chains<Op, 4>(m);
    if (chains == 8) run_chains<Op, 8>(m);
    if (chains == 12) run_chains<Op, 12>(m);
    if (chains == 16) run_chains<Op, 16>(m);
  }
}

// Recomputes the chains step by step, and counts the lanes with different bits.
template <class Op>
double verify(const Args& args, void* base, double* tolerance) {
  const Memory m = lay_out(base);
  const i32x4 a = bits_at(m.constant);
  double wrong = 0;
  for (int c = 0; c < int(args.value[0]); ++c) {
    i32x4 x = bits_at(m.start + c * lanes);
#pragma GCC unroll 1
    for (int step = 0; step < steps; ++step) x = opaque(Op::step(x, a));
    const i32x4 found = bits_at(m.result + c * lanes);
    for (int i = 0; i < lanes; ++i) wrong += x[i] != found[i];
  }
  *tolerance = 0;
  return wrong;
}

template <class Op>
double count(const Args& args) {
  return args.value[0] * steps * Op::operations;
}

constexpr Param chains_param{.name = "chains",
                             .doc = "independent chains of the instruction",
                             .default_value = 1,
                             .min = 1,
                             .max = most_chains,
                             .choices = chain_counts,
                             .choice_count = 5};

template <class Op>
constexpr Kernel vector_op(const char* id, const char* title, const char* element,
                           const char* needs = "") {
  return {.id = id,
          .title = title,
          .unit = "Gop/s",
          .roof_class = "instruction",
          .element = element,
          .needs = needs,
          .source = "wasm_kernels/lab/op.cpp#chains",
          .bytes_count = "nothing: all values stay in registers",
          .params = {chains_param},
          .flops = count<Op>,
          .bytes = no_operations,
          .memory = memory,
          .prepare = prepare<Op>,
          .run = run<Op>,
          .verify = verify<Op>};
}

}  // namespace

const Kernel op_add_f32 = vector_op<AddF32>("op.add.f32", "add, four f32", "f32");
const Kernel op_mul_f32 = vector_op<MulF32>("op.mul.f32", "multiply, four f32", "f32");
const Kernel op_div_f32 = vector_op<DivF32>("op.div.f32", "divide, four f32", "f32");
const Kernel op_madd_f32 =
    vector_op<MaddF32>("op.madd.f32", "multiply-add, four f32", "f32", "relaxed");
const Kernel op_add_i32 = vector_op<AddI32>("op.add.i32", "add, or exclusive or, four i32", "i32");
const Kernel op_mul_i32 = vector_op<MulI32>("op.mul.i32", "multiply, four i32", "i32");
const Kernel op_dot_i8 =
    vector_op<DotI8>("op.dot.i8", "dot product of bytes, added to four i32", "i8", "relaxed");
const Kernel op_shuffle = vector_op<Shuffle>("op.shuffle", "shuffle four lanes", "i32");
const Kernel op_convert = vector_op<Convert>("op.convert", "convert four i32 to f32", "f32");
const Kernel op_widen = vector_op<Widen>("op.widen", "widen eight i8 to i16", "i8");

}  // namespace kernels
