// primer.wasm: a book that is worked on (workshop_call.hpp), in a page's worker; or one on a disk (book_call.hpp), in Node.
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "figures/page/module_exports.hpp"
#include "generator/browser/book_call.hpp"
#include "generator/browser/page_calls.hpp"
#include "generator/browser/page_maths.hpp"
#include "generator/workshop/workshop_call.hpp"

namespace {

primer::BookCall book(primer::convert_in_page);
primer::WorkshopCall workshop(primer::convert_in_page);

}  // namespace

// As BookCall::answer() or WorkshopCall::answer(), or {"needs": {"grammar": name}}, the module of which the worker loads, or
// {"needs": {"texts": {path: file}}}, of which it asks "bring" of the workshop: then it asks again.
std::string module_answer(std::string_view asked) {
  try {
    if (auto answer = book.answer(asked)) return std::move(*answer);
    return workshop.answer(asked);
  } catch (const primer::GrammarNeeded& grammar) {
    return nlohmann::json{{"needs", {{"grammar", grammar.name}}}}.dump();
  } catch (const primer::TextsNeeded& texts) {
    auto files = nlohmann::json::object();
    for (const auto& [path, digest] : texts.files) files[path] = primer::text_file(digest);
    return nlohmann::json{{"needs", {{"texts", std::move(files)}}}}.dump();
  } catch (const std::exception& failure) {
    return nlohmann::json{{"error", failure.what()}}.dump();
  }
}

void module_reset() {}
