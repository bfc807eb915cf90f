// The list of kernels: what the page, the generator and the tests know about them.
//
// Compiled natively and into each WebAssembly module from the same sources. Nothing here needs a C
// library: the caller lays out the memory, and a kernel is six functions over it.
#pragma once
#include <cstddef>

namespace kernels {

inline constexpr int max_params = 6;

// One number that a run can be given. A kernel's parameters are doubles, whole where the unit says
// so.
struct Param {
  const char* name = nullptr;
  const char* unit = "";  // "" (a count), "B"
  const char* doc = "";
  double default_value = 0;
  double min = 0;
  double max = 0;
  const double* choices = nullptr;  // when only these values are allowed
  int choice_count = 0;
};

// Values in the order of Kernel::params, and how many threads a team kernel runs on.
struct Args {
  double value[max_params];
  int threads = 1;
};

// What a kernel does, beside what is known of it. primer.wasm describes kernels and runs none: there it is forgotten, so that
// no kernel is linked.
#ifdef PRIMER_WORKSHOP
template <class Function>
struct Body {
  constexpr Body(Function* = nullptr) {}
};
#else
template <class Function>
using Body = Function*;
#endif

struct Kernel {
  const char* id;            // "matmul.packed"
  const char* variant = "";  // "cache" where one id has several bodies
  const char* title;         // a few words for tables and legends
  const char* unit;          // of its result: "GFLOP/s", "Gop/s", "GB/s" or "ns" (per operation)
  const char* roof_class;    // its roof: scalar, simd, fma, i8dot, memory or latency
  const char* element;       // "f32", "i8", …
  const char* needs = "";    // "relaxed": not in the simd128 modules
  const char* source;        // file#region of the code that does the work
  const char* bytes_count;   // what bytes() counts, in words
  Param params[max_params];

  double (*flops)(const Args&) = nullptr;           // operations of one run; a multiply-add is two
  double (*bytes)(const Args&) = nullptr;           // of one run, counted at the core
  Body<std::size_t(const Args&)> memory = nullptr;  // bytes that the caller must provide

  // `base` is aligned to 64 bytes and holds memory(args) bytes. prepare writes every page of it,
  // with values that no step of the kernel turns into denormals; only then may the others be
  // called.
  Body<void(const Args&, void* base)> prepare = nullptr;
  Body<void(const Args&, void* base, int reps)> run = nullptr;
  // Checks what the last run left, outside any timing: returns the error, which must not exceed
  // *tolerance. May use `base` as it likes; prepare again before the next run.
  Body<double(const Args&, void* base, double* tolerance)> verify = nullptr;

  // Only in kernels that a team of threads runs together (`team` is the smallest one; 0 elsewhere):
  // every thread 0 … args.threads - 1 calls run_part once, on the same base, which one of them has
  // prepared for this team. False when another thread did not come within ten seconds; the output
  // is worth nothing then. `run` of such a kernel is a team of one.
  int team = 0;
  Body<bool(const Args&, void* base, int reps, int thread)> run_part = nullptr;

  int param_count() const {
    int count = 0;
    while (count < max_params && params[count].name) ++count;
    return count;
  }
  Args defaults() const {
    Args args{};
    for (int i = 0; i < max_params; ++i) args.value[i] = params[i].default_value;
    return args;
  }
};

// All kernels of this build, in the order of the book.
class Registry {
 public:
  struct Iterator {
    const Kernel* const* at;
    const Kernel& operator*() const { return **at; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator!=(Iterator other) const { return at != other.at; }
  };
  constexpr Registry(const Kernel* const* first, int count) : first_(first), count_(count) {}
  int size() const { return count_; }
  const Kernel& operator[](int i) const { return *first_[i]; }
  Iterator begin() const { return {first_}; }
  Iterator end() const { return {first_ + count_}; }

 private:
  const Kernel* const* first_;
  int count_;
};
Registry registry();

// Writes one kernel's description as JSON, ending in NUL, and returns its length without it; 0 when
// `capacity` is too small. The members are those of the contract in docs/kernels.md.
std::size_t describe(const Kernel& kernel, char* out, std::size_t capacity);

}  // namespace kernels
