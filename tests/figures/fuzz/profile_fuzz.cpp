// libFuzzer entry: stored profiles and facts from any bytes, and what is asked of a profile then.
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "figures/notation.hpp"

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
    // Whatever a profile holds, the names themselves stay valid and numbers finite.
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

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const Result<Profile> profile = parse_profile(text)) ask(*profile);
  if (size > 100000) return 0;
  const auto object = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
  if (object.is_discarded()) return 0;
  Facts facts;
  if (facts.load(object)) (void)static_cast<bool>(facts.check_derived());
  (void)static_cast<bool>(Catalogue::from_json(object));
  return 0;
}
