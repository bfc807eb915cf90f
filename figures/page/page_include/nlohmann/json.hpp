// In the page's module nlohmann::json is figures/page/small_json.hpp; see there.
#pragma once

#include "figures/page/small_json.hpp"

namespace nlohmann {
using json = figures::SmallJson;
}
