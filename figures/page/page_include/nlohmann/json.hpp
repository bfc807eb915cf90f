// In the modules of a page, this file shadows the library: nlohmann::json is small_json.hpp.
#pragma once

#include "figures/page/small_json.hpp"

namespace nlohmann {
using json = figures::SmallJson;
}
