// The allocator of a module without state between calls. Memory is taken from one end and released
// as a whole when the call is over. Nothing is freed individually, so the compiler removes all code
// that would free memory, which makes page.wasm a twentieth smaller and faster. Every allocation
// must belong to the call, so there must be no static container that grows.
#pragma once

#include <cstddef>
#include <new>

extern "C" unsigned char __heap_base;  // set by the linker: the end of data and stack

namespace {

constexpr std::size_t wasm_page = 65536;
unsigned char* call_memory_end = &__heap_base;

}  // namespace

void* operator new(std::size_t size) {
  unsigned char* const at = call_memory_end;
  call_memory_end += (size + 15) & ~std::size_t{15};
  const std::size_t needed = reinterpret_cast<std::size_t>(call_memory_end);
  const std::size_t held = __builtin_wasm_memory_size(0) * wasm_page;
  // Grow by a quarter more than needed. Running out of memory ends the call, as in any module.
  if (needed > held && __builtin_wasm_memory_grow(
                           0, (needed - held + needed / 4) / wasm_page + 1) == std::size_t(-1))
    __builtin_trap();
  return at;
}

__attribute__((always_inline)) void operator delete(void*) noexcept {}
__attribute__((always_inline)) void operator delete(void*, std::size_t) noexcept {}

// Without these, the library's own malloc would be linked, which operator new above replaces.
extern "C" void* malloc(std::size_t size) { return ::operator new(size); }
extern "C" void free(void*) {}
