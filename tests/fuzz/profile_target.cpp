// Reads stored profiles and facts from any bytes, and looks up values in the profile.
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "figures/quantities/notation.hpp"
#include "fuzz/targets.hpp"

namespace {

using namespace figures;

void ask(const Profile& profile) {
  profile.label();
  for (const char* source : {"P.fma / B.out", "ridge.simd.L1", "lat.out * clock",
                             "P.i8dot{threads=2}", "measured(P.fma)", "size.L2 / cores", "timer"}) {
    const Result<Expression> expression = Expression::parse(source);
    if (!expression) __builtin_trap();
    Names names({nullptr, nullptr, nullptr, &profile});
    const Result<Quantity> value = expression->evaluate(names);
    // Whatever a profile contains, names are valid and numbers finite.
    if (value && !std::isfinite(value->value)) __builtin_trap();
  }
  for (const Measurement& result : profile.results) {
    const Query query{result.kernel, result.variant, result.device,
                      result.module, result.params,  {},
                      result.threads};
    profile.find(query);
  }
}

}  // namespace

void fuzz::profile(std::string_view text) {
  if (const Result<Profile> profile = parse_profile(text)) ask(*profile);
  if (text.size() > 100000) return;
  const auto object = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (object.is_discarded()) return;
  Facts facts;
  if (facts.load(object)) (void)static_cast<bool>(facts.derive());
  (void)static_cast<bool>(Catalogue::from_json(object));
}
