// primer.wasm: a book that is worked on (workshop_call.hpp), in a page's worker.
#include <exception>
#include <nlohmann/json.hpp>

#include "figures/page/module_exports.hpp"
#include "generator/browser/page_calls.hpp"
#include "generator/browser/page_maths.hpp"
#include "generator/workshop/workshop_call.hpp"

namespace {

primer::WorkshopCall workshop(primer::convert_in_page);

}  // namespace

// As WorkshopCall::answer(), or {"needs": name}: the worker loads the module of this grammar and asks again.
std::string module_answer(std::string_view asked) {
  try {
    return workshop.answer(asked);
  } catch (const primer::GrammarNeeded& grammar) {
    return nlohmann::json{{"needs", grammar.name}}.dump();
  } catch (const std::exception& failure) {
    return nlohmann::json{{"error", failure.what()}}.dump();
  }
}

void module_reset() {}
