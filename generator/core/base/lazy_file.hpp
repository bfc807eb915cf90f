// A file of the site whose content is computed only if it may have changed. Most edits leave such a
// file unchanged, and computing it is expensive.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "generator/core/base/digest.hpp"

namespace primer {

struct LazyFile {
  // The digest of everything that determines the bytes. If it has not changed, neither have they.
  Digest inputs_digest;
  std::function<std::string()> make;
};

using LazyFiles = std::map<std::string, LazyFile>;  // by path from the site's root

}  // namespace primer
