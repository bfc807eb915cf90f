// What every module of the page exports: text in, text out. A module's one source file includes this
// and defines module_answer() and module_reset().
//
// The page writes its request at alloc(n), calls call(at, n), reads a little-endian length and that
// many bytes of UTF-8 where call points, and calls reset(). Deep JSON needs stack; see the link
// flags.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// What the standard library calls before it gives up: printing would bring in all of printf.
namespace std {
inline namespace __2 {
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) { __builtin_trap(); }
}  // namespace __2
}  // namespace std

std::string module_answer(std::string_view request);
void module_reset();  // the page has read the answer

namespace {

// What the page wrote and what it may read.
std::string request;
std::string reply;

}  // namespace

extern "C" {

__attribute__((export_name("alloc"))) char* page_alloc(std::size_t size) {
  request.resize(size);
  return request.data();
}

__attribute__((export_name("call"))) const char* page_answer(const char* at, std::size_t size) {
  const std::string text = module_answer({at, size});
  const auto length = static_cast<std::uint32_t>(text.size());
  reply.resize(sizeof length);
  std::memcpy(reply.data(), &length, sizeof length);
  reply += text;
  return reply.data();
}

__attribute__((export_name("reset"))) void page_reset() {
  // Not "= {}", which would keep the memory.
  request = std::string();
  reply = std::string();
  module_reset();
}
}
