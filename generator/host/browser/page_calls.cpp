#include "generator/host/browser/page_calls.hpp"

#include <cstdint>
#include <cstring>

namespace primer {
namespace {

std::string lent;  // the worker's answer

// The worker returns the address of a length and that many bytes, in memory from lend(). Null: it
// must load something first.
std::string answer_at(const char* at) {
  std::uint32_t length = 0;
  std::memcpy(&length, at, sizeof length);
  std::string answer(at + sizeof length, length);
  lent = std::string();
  return answer;
}

}  // namespace
}  // namespace primer

extern "C" {

__attribute__((import_module("page"), import_name("typeset"))) const char* page_typeset_import(
    const char* at, std::size_t size);
__attribute__((import_module("page"), import_name("files"))) const char* page_files_import(
    const char* at, std::size_t size);
__attribute__((import_module("page"), import_name("paint"))) const char* page_paint_import(
    const char* grammar, std::size_t grammar_size, const char* code, std::size_t code_size);

// Memory for an answer. It is read before the next request is made.
__attribute__((export_name("lend"))) char* page_lend(std::size_t size) {
  primer::lent.resize(size);
  return primer::lent.data();
}
}

namespace primer {

std::string page_typeset(std::string_view formulas) {
  return answer_at(page_typeset_import(formulas.data(), formulas.size()));
}

std::string page_files(std::string_view request) {
  return answer_at(page_files_import(request.data(), request.size()));
}

std::string page_paint(std::string_view grammar, std::string_view code) {
  const char* at = page_paint_import(grammar.data(), grammar.size(), code.data(), code.size());
  if (at == nullptr) throw GrammarNeeded{std::string(grammar)};
  return answer_at(at);
}

}  // namespace primer
