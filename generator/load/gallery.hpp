// The machines whose results a book publishes: the profiles of figures/profiles/.
#pragma once

#include <map>
#include <string>

#include "generator/base/cache.hpp"
#include "generator/load/values.hpp"

namespace primer {

// The name of each profile's file, without ".json", and its text: valid, as `primer profile validate` says.
using Gallery = std::map<std::string, std::string>;

// Reports every file that is not a valid profile or whose name is not an address; such a one is not in the gallery.
// The reference profile has been reported with the values.
Gallery load_gallery(const FileSystem& files, const std::string& reference, const Values& values,
                     Diagnostics& diagnostics, Cache* cache);

// Under which a cache keeps that a text is a valid profile.
std::string valid_profile_key(std::string_view text);

}  // namespace primer
