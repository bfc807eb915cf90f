// The parts of the sandbox on Linux. Each is on its own: a kernel may have one without the other.
#pragma once

#ifdef __linux__

#include <optional>

#include "generator/host/sandbox.hpp"

namespace primer {

// Of Landlock in this kernel, as far as the sandbox takes it; 0 when there is none.
int landlock_version(const Sandbox& sandbox);

// Error: what could not be done. Needs landlock_version(sandbox) >= 2.
figures::Status restrict_files(const Sandbox& sandbox);

// Whether the program was built with libseccomp and the kernel has seccomp.
bool has_call_filter();

// No socket can be made, nor what goes round the limits of files be called.
figures::Status restrict_calls(const Sandbox& sandbox);

}  // namespace primer

#endif
