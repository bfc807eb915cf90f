// A module with one group of models, named by MODELS_GROUP. Its only state is the last model.
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
