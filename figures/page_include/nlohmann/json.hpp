// In the page's module nlohmann::json is figures/small_json.hpp; see there.
#pragma once

#include "figures/small_json.hpp"

namespace nlohmann {
using json = figures::SmallJson;
}
