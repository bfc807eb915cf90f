// Which program this is: what it makes of an input depends on itself too, and so do its caches.
#pragma once

#include "generator/base/digest.hpp"

namespace primer {

// Over the build ids of the program and of every library that it is running with: another build of
// any of them has another identity. The linker writes a build id from the content (--build-id).
Digest program_identity();

}  // namespace primer
