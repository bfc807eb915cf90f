// The exports of every module of the page: text in, text out. The one source file of a module
// includes this header and defines module_answer() and module_reset().
//
// The page writes its request to alloc(n) and calls call(at, n). The result points to a
// little-endian length followed by that many bytes of UTF-8. The page reads them and then calls
// reset(). Deeply nested JSON needs stack; see the link flags.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// The standard library calls this before it aborts. A version that prints would link all of printf.
namespace std {
inline namespace __2 {
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) { __builtin_trap(); }
}  // namespace __2
}  // namespace std

std::string module_answer(std::string_view request);
void module_reset();  // the page has read the answer

namespace {

// The request that the page wrote, and the answer that it may read.
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
  // "= {}" would not release the memory.
  request = std::string();
  reply = std::string();
  module_reset();
}
}
