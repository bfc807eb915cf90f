// The list of kernels: everything that the page, the generator and the tests know about them.
//
// It is compiled natively and into each WebAssembly module from the same sources. A kernel is a
// description plus functions over memory that the caller provides. Nothing here needs a C library.
#pragma once
#include <cstddef>

namespace kernels {

inline constexpr int max_params = 6;

// One parameter of a kernel. Values are doubles, and integers if the unit requires it.
struct Param {
  const char* name = nullptr;
  const char* unit = "";  // "" (a count), "B"
  const char* doc = "";
  double default_value = 0;
  double min = 0;
  double max = 0;
  const double* choices = nullptr;  // null unless only these values are allowed
  int choice_count = 0;
};

// Values in the order of Kernel::params, and the number of threads for a team kernel.
struct Args {
  double value[max_params];
  int threads = 1;
};

// The executable part of a kernel. primer.wasm describes kernels but never runs them: there, Body
// discards the function, so that no kernel is linked.
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
  const char* variant = "";  // "cache"; set if kernels share an id
  const char* title;         // a short name for tables and legends
  const char* unit;          // of the result: "GFLOP/s", "Gop/s", "GB/s" or "ns" (per operation)
  const char* roof_class;    // scalar, simd, fma, i8dot, memory or latency
  const char* element;       // "f32", "i8", …
  const char* needs = "";    // "relaxed": not in the simd128 modules
  const char* source;        // file#region of the code that does the work, for links
  const char* bytes_count;   // a description of what bytes() counts
  Param params[max_params];

  // Operations per run; a multiply-add counts as two
  double (*flops)(const Args&) = nullptr;
  double (*bytes)(const Args&) = nullptr;           // per run, counted at the core
  Body<std::size_t(const Args&)> memory = nullptr;  // bytes that the caller must provide

  // `base` is aligned to 64 bytes and holds memory(args) bytes. prepare() writes every page of it,
  // with values that no step of the kernel turns into denormals. Call it before the functions
  // below.
  Body<void(const Args&, void* base)> prepare = nullptr;
  Body<void(const Args&, void* base, int reps)> run = nullptr;
  // Checks the output of the last run, untimed. Returns the error, which must not exceed
  // *tolerance. May overwrite `base`, so call prepare() before the next run.
  Body<double(const Args&, void* base, double* tolerance)> verify = nullptr;

  // For kernels that a team of threads runs together: `team` is the smallest team (0 for other
  // kernels). One thread calls prepare() for this team; then every thread 0 … args.threads - 1
  // calls run_part() once per run with the same base. Returns false if another thread did not
  // arrive within ten seconds; the output is then invalid. `run` of such a kernel is a team of one.
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

// Writes the description of one kernel as JSON with a final NUL. Returns its length without the
// NUL, or 0 if `capacity` is too small. docs/reference/kernel-abi.md lists the members.
std::size_t describe(const Kernel& kernel, char* out, std::size_t capacity);

}  // namespace kernels
