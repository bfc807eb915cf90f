// Memory of a module that remembers nothing between two calls: taken from one end, given back as a
// whole when the call is over. So nothing is freed on its own, and the compiler drops what would
// free: a twentieth of page.wasm, and of its time. Whatever is allocated must be of the call: no
// static container that grows.
#pragma once

#include <cstddef>
#include <new>

extern "C" unsigned char __heap_base;  // the linker's: where data and stack end

namespace {

constexpr std::size_t wasm_page = 65536;
unsigned char* call_memory_end = &__heap_base;

}  // namespace

void* operator new(std::size_t size) {
  unsigned char* const at = call_memory_end;
  call_memory_end += (size + 15) & ~std::size_t{15};
  const std::size_t needed = reinterpret_cast<std::size_t>(call_memory_end);
  const std::size_t held = __builtin_wasm_memory_size(0) * wasm_page;
  // A quarter more than is needed; out of memory ends the call, as it does everywhere.
  if (needed > held && __builtin_wasm_memory_grow(
                           0, (needed - held + needed / 4) / wasm_page + 1) == std::size_t(-1))
    __builtin_trap();
  return at;
}

__attribute__((always_inline)) void operator delete(void*) noexcept {}
__attribute__((always_inline)) void operator delete(void*, std::size_t) noexcept {}

// The library's own, which new and delete above take the place of, would ask for these.
extern "C" void* malloc(std::size_t size) { return ::operator new(size); }
extern "C" void free(void*) {}
