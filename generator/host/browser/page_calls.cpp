#include "generator/host/browser/page_calls.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>

#include "generator/core/code/paint.hpp"

namespace primer {
namespace {

using Json = nlohmann::json;

Json parsed(const std::string& answer) { return Json::parse(answer, nullptr, false); }

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

std::vector<figures::Result<std::string>> convert_in_page(
    const std::vector<const Formula*>& formulas) {
  std::vector<figures::Result<std::string>> converted;
  if (formulas.empty()) return converted;
  std::string request = "[";
  for (std::size_t i = 0; i < formulas.size(); ++i)
    request += (i > 0 ? "," : "") + formula_request(*formulas[i], i);
  request += ']';
  const Json answers = parsed(answer_at(page_typeset_import(request.data(), request.size())));
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    const bool answered = answers.is_array() && i < answers.size();
    auto one = answered ? converted_formula(answers[i].dump(), i) : std::nullopt;
    converted.push_back(
        one ? std::move(*one)
            : about_formula(*formulas[i], "the formula converter fails on this formula"));
  }
  return converted;
}

figures::Result<Painting> paint_by_grammar(std::string_view grammar, std::string_view code) {
  const char* at = page_paint_import(grammar.data(), grammar.size(), code.data(), code.size());
  if (at == nullptr) throw GrammarNeeded{std::string(grammar)};
  // One Paint per byte of the code. An answer of another length is the reason why there is none.
  const std::string answer = answer_at(at);
  if (answer.size() != code.size()) return figures::Error(answer, 0, code.size());
  Painting painting;
  for (const char paint : answer) painting.push_back(static_cast<Paint>(paint));
  return painting;
}

namespace {

std::string page_files(std::string_view request) {
  return answer_at(page_files_import(request.data(), request.size()));
}

std::string asked(const char* what, const std::string& root, const std::string& path) {
  const Json request = {{"do", what}, {"root", root}, {"path", path}, {"most", largest_file(path)}};
  return page_files(request.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::optional<std::string> WorkerFiles::load(const std::string& path) const {
  const std::string answer = asked("read", root_, path);
  return answer.empty() ? std::nullopt : std::optional(answer.substr(1));
}

std::vector<std::string> WorkerFiles::walk(const std::string& directory) const {
  std::vector<std::string> files;
  const Json answer = parsed(asked("list", root_, directory));
  if (answer.is_array()) files = answer.get<std::vector<std::string>>();
  std::ranges::sort(files);
  return files;
}

std::string WorkerFiles::link_in(const std::string& path) const {
  return asked("link_in", root_, path);
}

Unreadable WorkerFiles::why_unreadable(const std::string& path) const {
  const Json answer = parsed(asked("why", root_, path));
  if (!answer.is_object()) return {};
  return {answer.value("message", ""), answer.value("too_large", false)};
}

void add_worker_file(const std::string& path, std::string_view bytes) {
  std::string request = Json{{"do", "add"}, {"path", path}}.dump() + '\0';
  page_files(request.append(bytes));
}

}  // namespace primer
