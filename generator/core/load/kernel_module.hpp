// Reads the outside of a WebAssembly module without running it: its memory and its exported
// functions. Kernels of a book come from strangers, so this is also where their modules are
// restricted:
//
//   import section   exactly one import, the memory env.memory, so the page sets its maximum
//   type section     functions over numbers only; objects of the engine's heap have no limit
//   table section    small tables with a maximum
//   start section    none: nothing runs before the page's deadline applies
//
// Everything inside functions is left to the browser, which validates it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"

namespace primer {

inline constexpr std::size_t largest_kernel_module = 1024 * 1024;  // bytes

struct KernelModule {
  std::uint32_t pages = 0;           // initial size of its memory, in pages of 64 KiB
  std::uint32_t most_pages = 65536;  // the most that it accepts
  // Exported functions by name, as "(i32, f64) -> i32".
  std::map<std::string, std::string> functions;
};

// Error: one sentence about the module, for example "it imports the function env.puts".
figures::Result<KernelModule> read_kernel_module(std::string_view bytes);

}  // namespace primer
