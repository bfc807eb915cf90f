// The compute roofs: arithmetic in registers and nothing else.
//
// A chain of dependent operations runs at the latency of the unit, because each step needs the
// previous result. Several independent chains overlap until they saturate every unit or run out of
// registers. The roof is the highest plateau over the number of chains (Ofenbeck et al., "Applying
// the roofline model", ISPASS 2014, after Caldwell).
#include <utility>

#include "../families.hpp"
#include "../memory.hpp"
#include "../simd.hpp"

namespace kernels {
namespace {

// The numbers are dense around the plateau, which begins at eight chains and ends when an engine
// runs out of registers. 24 is for cores with 32 registers and many units. Each number adds a loop
// to the module, so there are no more of them.
constexpr double chain_counts[] = {1, 2, 3, 4, 6, 8, 10, 12, 13, 14, 15, 16, 24};
constexpr std::size_t choices = sizeof chain_counts / sizeof *chain_counts;
constexpr int most_chains = int(chain_counts[choices - 1]);
constexpr int steps = 2049;  // odd, so that an alternating chain does not end where it began

// The step of a chain. x * a + a with a = -1 alternates between two values, so it can repeat
// forever without growing, vanishing or being optimized away. a * b + x counts up.
struct Scalar {
  using Vector = float;
  static constexpr int operations = 2;
  static Vector read(const float* p) { return *p; }
  static void write(float* p, Vector x) { *p = x; }
  static Vector operand(float a) { return a; }
  static Vector step(Vector x, Vector a) { return x * a + a; }
};

struct Simd {
  using Vector = f32x4;
  static constexpr int operations = 2 * lanes;
  static Vector read(const float* p) { return load(p); }
  static void write(float* p, Vector x) { store(p, x); }
  static Vector operand(float a) { return splat(a); }
  static Vector step(Vector x, Vector a) { return x * a + a; }
};

struct Fma : Simd {
  static Vector step(Vector x, Vector a) { return madd(a, a, x); }
};

struct I8Dot {
  using Vector = i32x4;
  static constexpr int operations = 2 * 16;
  static Vector read(const float* p) { return __builtin_convertvector(load(p), i32x4); }
  static void write(float* p, Vector x) { store(p, __builtin_convertvector(x, f32x4)); }
  static i8x16 operand(float) { return i8x16{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}; }
  static Vector step(Vector x, i8x16 a) { return dot_add(a, a, x); }
};

// Starting values of the chains, their results, and the constant that the compiler must not know.
struct Memory {
  float* start;
  float* result;
  float* constant;
  std::size_t size;
};

Memory lay_out(void* base) {
  Arena arena(base);
  Memory m{};
  m.start = arena.take<float>(most_chains * lanes);
  m.result = arena.take<float>(most_chains * lanes);
  m.constant = arena.take<float>(1);
  m.size = arena.used();
  return m;
}

// region: chains
template <class Op, int chains>
void run_chains(const float* start, float* result, float constant) {
  typename Op::Vector x[chains];
#pragma GCC unroll 32
  for (int c = 0; c < chains; ++c) x[c] = Op::read(start + c * lanes);

  const auto a = Op::operand(constant);
#pragma GCC unroll 1
  for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 32
    for (int c = 0; c < chains; ++c) x[c] = Op::step(x[c], a);
  }

#pragma GCC unroll 32
  for (int c = 0; c < chains; ++c) Op::write(result + c * lanes, x[c]);
}
// end region: chains

template <class Op, std::size_t... choice>
void run_any(const Memory& m, int chains, std::index_sequence<choice...>) {
  (void)((chains == int(chain_counts[choice]) &&
          (run_chains<Op, int(chain_counts[choice])>(m.start, m.result, *m.constant), true)) ||
         ...);
}

template <class Op>
void run(const Args& args, void* base, int reps) {
  const Memory m = lay_out(base);
  for (int rep = 0; rep < reps; ++rep)
    run_any<Op>(m, int(args.value[0]), std::make_index_sequence<choices>{});
}

std::size_t memory(const Args&) { return lay_out(nullptr).size; }

void prepare(const Args&, void* base) {
  const Memory m = lay_out(base);
  for (int i = 0; i < most_chains * lanes; ++i) m.start[i] = float(i + 1);
  clear(m.result, most_chains * lanes);
  *m.constant = -1;
}

template <class Op>
double flops(const Args& args) {
  return args.value[0] * Op::operations * steps;
}

// Recomputes one chain step by step. All values are small integers, so the way of rounding does not
// matter.
template <class Op>
double verify(const Args& args, void* base, double* tolerance) {
  const Memory m = lay_out(base);
  const int used = sizeof(typename Op::Vector) == sizeof(float) ? 1 : lanes;
  double error = 0;
  for (int c = 0; c < int(args.value[0]); ++c) {
    auto x = Op::read(m.start + c * lanes);
    const auto a = Op::operand(*m.constant);
    for (int step = 0; step < steps; ++step) x = Op::step(x, a);
    float expected[lanes];
    Op::write(expected, x);
    for (int i = 0; i < used; ++i)
      error = larger(error, distance(expected[i], m.result[c * lanes + i]));
  }
  *tolerance = 0;
  return error;
}

template <class Op>
constexpr Kernel probe(const char* id, const char* title, const char* roof_class) {
  return {.id = id,
          .title = title,
          .unit = "GFLOP/s",
          .roof_class = roof_class,
          .element = "f32",
          .source = "wasm_kernels/peak/peak.cpp#chains",
          .bytes_count = "nothing: all values stay in registers",
          .params = {{.name = "chains",
                      .doc = "independent chains of dependent operations",
                      .default_value = 12,
                      .min = 1,
                      .max = most_chains,
                      .choices = chain_counts,
                      .choice_count = choices}},
          .flops = flops<Op>,
          .bytes = no_operations,
          .memory = memory,
          .prepare = prepare,
          .run = run<Op>,
          .verify = verify<Op>};
}

constexpr Kernel relaxed(Kernel kernel) {
  kernel.needs = "relaxed";
  return kernel;
}

constexpr Kernel of_bytes(Kernel kernel) {
  kernel.unit = "Gop/s";
  kernel.element = "i8";
  return kernel;
}

}  // namespace

const Kernel peak_scalar = probe<Scalar>("peak.scalar", "Scalar multiply and add", "scalar");
const Kernel peak_simd = probe<Simd>("peak.simd", "Vector multiply and add", "simd");
const Kernel peak_fma = relaxed(probe<Fma>("peak.fma", "Fused vector multiply-add", "fma"));
const Kernel peak_i8dot =
    relaxed(of_bytes(probe<I8Dot>("peak.i8dot", "Dot products of bytes", "i8dot")));

}  // namespace kernels
