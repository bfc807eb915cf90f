#include "generator/load/tracked_files.hpp"

#include "generator/base/checksum.hpp"
#include "generator/base/text.hpp"

namespace primer {

bool is_committed(std::string_view bytes, std::string_view object) {
  const auto name_of = [&](std::string_view text) {
    const std::string whole = "blob " + std::to_string(text.size()) + '\0' + std::string(text);
    return object.size() == 64 ? sha256(whole) : sha1(whole);
  };
  if (name_of(bytes) == object) return true;
  return bytes.find("\r\n") != bytes.npos &&
         name_of(replace_all(std::string(bytes), "\r\n", "\n")) == object;
}

}  // namespace primer
