// What a check has to say that found nothing.
#pragma once

#include <string>

#include "generator/base/file_system.hpp"

namespace primer {

// "checked 12 pages against 3 facts: no errors\n".
std::string checked(std::size_t pages, const FileSystem& book, bool prose);

}  // namespace primer
