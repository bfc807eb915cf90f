// A group of models behind the page's exports; MODELS_GROUP names the group. Its state is the model
// asked for last.
#include "figures/models/registry.hpp"
#include "figures/page/models_call.hpp"
#include "figures/page/module_exports.hpp"

namespace figures::models {

std::span<const Named> registry() { return MODELS_GROUP(); }

}  // namespace figures::models

namespace {

figures::models::Desk desk;

}  // namespace

std::string module_answer(std::string_view text) { return desk.answer(text); }
void module_reset() {}
