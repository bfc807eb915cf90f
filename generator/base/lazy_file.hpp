// A file of the site that is dear to make, and after most edits would be what it was.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "generator/base/digest.hpp"

namespace primer {

struct LazyFile {
  Digest
      inputs_digest;  // everything that decides about its bytes: where it is the same, so are they
  std::function<std::string()> make;
};

using LazyFiles = std::map<std::string, LazyFile>;  // by their paths from the site's root

}  // namespace primer
