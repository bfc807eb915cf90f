// primer.wasm: the browser editor in a page's worker (workshop_call.hpp), or a book on disk in Node
// (book_call.hpp).
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "figures/page/module_exports.hpp"
#include "generator/host/browser/book_call.hpp"
#include "generator/host/browser/page_calls.hpp"
#include "generator/tools/workshop/workshop_call.hpp"

namespace {

primer::BookCall book(primer::convert_in_page);
primer::WorkshopCall workshop(primer::convert_in_page);

}  // namespace

// The answer of BookCall or WorkshopCall. If something is missing, {"needs": {"grammar": name}} or
// {"needs": {"texts": {path: file}}}: the worker loads that grammar, or passes these texts with
// "bring", and repeats the request.
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
